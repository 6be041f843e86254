"""Five languages for changed quotes: sentences about things that do not exist, and words that change them."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

Change = Callable[["Language", str, random.Random], str | None]
"""The changed words, or None where the change does not apply."""


@dataclass(frozen=True)
class Language:
    code: str
    negations: str
    """Negations and all that may qualify a sentence, as a pattern: where it finds nothing, any piece is honest."""
    cuts: str
    """A negation after which the rest of its clause says the opposite."""
    numbers: str
    scales: str
    comparisons: str
    opposites: str
    similar: str
    """Words that look alike."""
    times: str = ""
    prefixes: str = ""
    deniers: tuple[str, ...] = ()
    ands: str = ""
    adds_not: tuple[str, str] = ("", "")
    limits: str = ""
    spaced: bool = True

    @property
    def sentences(self) -> tuple[str, ...]:
        return sentences(self.code)

    def qualified(self, text: str) -> bool:
        return bool(re.search(self.negations, text, re.IGNORECASE))

    def words(self, text: str) -> list[str]:
        """Words with what touches them; where a script has no spaces, its letters and figures."""
        return text.split() if self.spaced else re.findall(r"-?[\d.]+[%°]?C?|[^\d]", text)

    def joined(self, words: list[str]) -> str:
        return (" " if self.spaced else "").join(words)


@cache
def sentences(code: str) -> tuple[str, ...]:
    file = Path(__file__).parent / "sentences" / f"{code}.txt"
    return tuple(file.read_text("utf-8").split("\n")[:-1])


ENGLISH = Language(
    "en",
    negations=r"\b(?:not|no|never|none|nor|neither|without|cannot|nothing|nobody|unless|except|unable|hardly|rarely|"
    r"seldom|fail\w*|refus\w*|lacks|den(?:y|ies|ied)|doubts?|only|if|but|yet|though|although|while|may|could|would|"
    r"nearly|almost|too|false|rejected|whose|un\w+)\b|n[’']t\b",
    cuts=r"\b(?:not(?! only)|no(?! matter)|never|cannot|nobody|nothing|neither|hardly|without|seldom|unable to|"
    r"failed to|refused to|denied that|doubt|lacks|none)\s+",
    numbers="one/two three/five four/seven six/nine ten/twenty twice/thrice second/third half/all eight/eleven",
    scales="million/billion percent/points metres/kilometres minutes/hours days/weeks weeks/months years/months "
    "mg/g litres/barrels milliseconds/seconds tons/kilos watts/kilowatts",
    comparisons="more/less more/fewer most/few above/below before/after over/under least/most older/younger "
    "earlier/later first/last highest/lowest both/neither all/some cheaper/dearer",
    opposites="rose/fell increased/decreased accepted/rejected opened/closed bought/sold up/down true/false "
    "north/south eastern/western public/private won/lost safe/unsafe opens/closes kept/broke summer/winter "
    "faster/slower allowed/forbade allows/forbids bans/permits praises/blames",
    similar="handled/handed carries/caries adopted/adapted accepted/excepted trial/trail tested/rested spends/sends "
    "lends/lands lake/lamp mine/wine fund/find bank/band plan/plant grain/gain farm/form tower/power ferry/fairy "
    "reservations/preservations inspectors/inspections replied/relied founded/funded",
    times="is/was are/were has/had will/would does/did",
    prefixes="un/in/dis/non",
    deniers=(
        "There is no evidence that",
        "The mayor denied that",
        "It is not true that",
        "Nobody claims that",
        "The court did not find that",
        "The auditors doubt that",
        "It is unclear whether",
    ),
    ands=", and the ",
    adds_not=(r"\b(?:is|are|was|were|has|had|can|may|must|does|will)\s+(?!not\b)", "not "),
    limits=r"\b(?:[Ff]ewer than|[Ll]ess than|[Mm]ore than|[Aa]t least|[Aa]t most|[Nn]early|"
    r"[Uu]nder|[Oo]ver|[Bb]elow)\s+(?=-?\d)",
)
GERMAN = Language(
    "de",
    negations=r"\b(?:nicht|kein\w*|nie|niemals|niemand|nichts|ohne|weder|noch|kaum|selten|nur|wenn|falls|aber|sondern|"
    r"doch|obwohl|während|fast|bestritt|bezweifeln|verweiger\w+|fehlt|ab|würde|dürfen|darf|falsch|un\w+)\b",
    cuts=r"\b(?:nicht(?! nur)|keine?[nmrs]?|nie|[Nn]iemand|[Kk]ein|[Kk]aum|[Oo]hne|selten|"
    r"bestritt, dass|bezweifeln, dass)\s+",
    numbers="zwei/drei vier/sieben zehn/zwanzig sechs/neun zwölf/dreizehn hundert/tausend",
    scales="Millionen/Milliarden Prozent/Punkte Meter/Kilometer Minuten/Stunden Wochen/Monate Jahre/Monate Tonnen/Kilo "
    "Liter/Fässer Grad/Meter Stunden/Tagen",
    comparisons="mehr/weniger älter/jünger vor/nach unter/über höchsten/niedrigsten mindestens/höchstens alle/einige "
    "schneller/langsamer meisten/wenigsten",
    opposites="stieg/sank stiegen/fielen kaufte/verkaufte öffnet/schließt sicher/unsicher nördlichen/südlichen "
    "östliche/westliche billig/teuer offen/geschlossen erhöhte/senkte verbietet/erlaubt gegen/für alte/neue",
    similar="Bericht/Gericht Brand/Band Preise/Kreise Werk/Wert Regel/Riegel Hafen/Haufen Turm/Sturm Brunnen/Brennen "
    "Vertrag/Ertrag Versuch/Besuch Fläche/Flasche Gruppe/Grippe Zeitung/Leitung",
    times="ist/war sind/waren hat/hatte wird/wurde",
    prefixes="un",
    adds_not=(r"\b(?:ist|war|hat|kann|wurde|wurden)\s+(?!nicht\b)", "nicht "),
    limits=r"\b(?:[Ww]eniger als|[Mm]ehr als|[Mm]indestens|[Ff]ast|[Uu]nter|[Üü]ber)\s+(?=-?\d)",
    ands=", und ",
)
FRENCH = Language(
    "fr",
    negations=r"\b(?:ne|pas|aucune?|jamais|sans|ni|personne|rien|seulement|si|mais|tandis|bien que|refus\w+|nié|"
    r"doutent|manque|trop|rejeté|fausses|peut|peuvent|aurait|coûterait|presque|près|interdit|omis|in\w+)\b|\bn['’]",
    cuts=r"\b(?:pas|jamais|[Aa]ucune?|[Ss]ans|refusé de|nié que|doutent que|preuve que)\s+",
    numbers="deux/trois quatre/sept dix/vingt six/neuf douze/treize deuxième/troisième",
    scales="millions/milliards mètres/kilomètres minutes/heures semaines/mois ans/mois tonnes/kilos litres/barils "
    "points/degrés heures/jours",
    comparisons="plus/moins avant/après sous/sur tous/quelques haut/bas première/dernière",
    opposites="augmenté/baissé acheté/vendu accepté/refusé ouvre/ferme nord/sud ouest/est fermé/ouvert admis/rejeté "
    "vieille/nouvelle ouverte/fermée réduit/accru adopté/abandonné contre/pour",
    similar="pont/point port/pont toit/tout juge/jupe train/terrain puits/puis vente/pente lait/lit voix/noix",
    times="est/était a/avait ont/avaient sont/étaient",
    prefixes="in",
    deniers=("Personne ne dit que", "Il n'est pas vrai que", "Le maire a nié que", "Aucune preuve ne montre que"),
    ands=", et ",
    adds_not=(r"\b(?:est|était|a|ont|doit)\s+(?!pas\b)(?=\w+)", "jamais "),
    limits=r"\b(?:[Pp]lus de|[Mm]oins de|[Aa]u moins|[Pp]rès de)\s+(?=-?\d)",
)
SPANISH = Language(
    "es",
    negations=r"\b(?:no|nunca|ningún|ninguna|nadie|nada|ni|sin|solo|sólo|si|pero|mientras|aunque|neg\w+|dudan|carece|"
    r"demasiado|rechazó|falsas|pued\w+|costaría|habría|casi|prohíbe|omitió|falló|in\w+)\b",
    cuts=r"\b(?:[Nn]o|[Nn]unca|[Nn]ingún|[Nn]inguna|[Nn]adie|[Ss]in|se negó a|negó que|dudan que)\s+",
    numbers="dos/tres cuatro/siete diez/veinte seis/nueve doce/trece tercio/cuarto",
    scales="millones/billones metros/kilómetros minutos/horas semanas/meses años/meses toneladas/kilos litros/barriles "
    "puntos/grados horas/días",
    comparisons="más/menos antes/después todos/algunos todas/algunas alto/bajo mayoría/minoría debajo/encima",
    opposites="subió/bajó subieron/bajaron compró/vendió aceptó/rechazó abre/cierra norte/sur este/oeste cerró/abrió "
    "admitió/rechazó redujo/aumentó viejos/nuevos seguro/inseguro elevó/rebajó contra/por barato/caro",
    similar="puerto/puesto puente/fuente planta/plata pozo/poco juez/nuez torre/torpe leche/lecho lago/largo tasa/casa",
    times="es/era son/eran está/estaba fue/era ha/había",
    prefixes="in",
    deniers=("Nadie dice que", "No es cierto que", "El alcalde negó que", "No hay pruebas de que"),
    ands=", y ",
    adds_not=(r"\b(?=(?:es|era|fue|está|tiene|debe|paga|produce|cubre|guarda|vale)\s)", "no "),
    limits=r"\b(?:[Mm]ás de|[Mm]enos de|[Aa]l menos|[Cc]asi el)\s+(?=-?\d)",
)
CHINESE = Language(
    "zh",
    negations=r"[不没未无否只仅才但却而虽如除非缺怀拒将误反]|可以|至少|超过|禁止|低于|尽管",
    cuts=r"没有(?!人)|不(?=支持|能|包括)|从未|并没有|拒绝|否认|怀疑|没有证据表明|未能|无法",
    numbers="一/二 两/三 四/七 九/六 十/百 五/八 千/百",
    scales="万/亿 %/点 米/公里 分钟/小时 周/月 年/月 吨/公斤 升/桶 人/户 小时/天",
    comparisons="增长/下降 多/少 以下/以上 之前/之后 大多数/少数 所有/部分 最高/最低 低于/高于 至少/至多",
    opposites="打开/关闭 上涨/下跌 接受/拒绝 安全/危险 反对/支持 提高/降低 买下/卖掉 北部/南部 东侧/西侧 "
    "夏季/冬季 准许/驳回 开放/封闭 减少/增加 新/旧",
    similar="人/入 水/永 目/日 天/夫 年/午 未/末 米/来",
    deniers=("没有证据表明", "市长否认", "法院并未认定", "没有人说", "审计员怀疑"),
    ands="，",
    adds_not=(r"(?=(?:支持|接受|支付|保存|使用|适用|包括|通过|位于|覆盖))", "不"),
    limits=r"(?:不到|超过|至少|低于|不足)(?=[-\d])",
    spaced=False,
)
LANGUAGES = {language.code: language for language in (ENGLISH, GERMAN, FRENCH, SPANISH, CHINESE)}
