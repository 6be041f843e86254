"""Words that turn the sense of what stands beside them, in English, German, French, Spanish and Chinese.

They serve only the rules on what a quote cuts off and leaves out. A word changed inside a quote needs no list.
"""

from __future__ import annotations


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    """One phrase a line or between commas; Chinese ones are read letter by letter, as the tokens are."""
    parts = [part.strip() for part in text.casefold().replace("\n", ",").split(",")]
    return tuple(tuple(part.split()) if part.isascii() or part[0] < "\u3000" else tuple(part) for part in parts if part)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.casefold().split())


CLAUSE_NEGATIONS = _phrases(
    """
    not, no, never, none, neither, nor, nobody, nothing, nowhere, cannot, hardly, scarcely, barely, seldom, rarely
    unless, no longer, whether, few, wenige, peu de, pocos, pocas
    nicht, kein, keine, keinen, keiner, keinem, keines, nie, niemals, niemand, niemanden, niemandem, nichts, nirgends
    weder, kaum, keineswegs, keinesfalls, selten
    ne, n', aucun, aucune, pas, jamais, guère, ni, nul, nulle
    nunca, jamás, ningún, ninguno, ninguna, nadie, nada, tampoco, apenas
    不, 没, 沒, 無, 无, 非, 未, 勿, 莫, 别, 否
    """
)
"""They turn all that follows them in their clause."""

NEAR_NEGATIONS = _phrases(
    """
    without, except, lack, lacks, lacked, lacking, instead of, rather than, far from, anything but, short of
    ohne, alles andere als, statt, anstatt, außer, sans, sauf, sin, salvo, excepto, en lugar de, en vez de, au lieu de
    缺乏, 除了
    """
)
"""They turn the few words that follow them."""

REFUSALS = _phrases(
    """
    fail to, fails to, failed to, failing to, failure to, refuse to, refuses to, refused to, refusal to
    decline to, declines to, declined to, unable to, inability to, neglects to, neglected to, forgot to
    impossible to, unlikely to, unlikely that, deny, denies, denied, denying, doubt, doubts, doubted, dispute, disputes
    disputed, rejects the idea, rejected the idea, rejects the claim, rejected the claim, false that, untrue that
    wrong that, wrong to, myth that, prevent, prevents, prevented, stopped short of, falsely
    bestreitet, bestritt, bestreiten, leugnet, leugnete, bezweifelt, bezweifeln, verneint, weigert sich, weigerte sich
    versäumt es, versäumte es, lehnt es ab, lehnte es ab, unfähig, unmöglich, falsch dass, verhindert, verhinderte
    refuse de, refusé de, refusa de, refusent de, nie, nient, nié, dément, démenti, doute, doutent, échoue à, échoué à
    incapable de, impossible de, faux que, cesse de, empêche, empêché
    niega, niegan, negó, negaron, se negó a, se niega a, duda que, dudan que, desmiente, desmintió, incapaz de
    imposible, falso que, dejó de, impide, impidió, rechaza que
    否认, 拒绝, 无法, 怀疑, 避免, 防止, 停止, 禁止
    """
)
"""Verbs and adjectives that deny what follows them in their clause."""

EXCUSED = frozenset(
    _phrases(
        """
        not only, not just, not merely, not least, no doubt, no wonder, nothing but, none other, no less, no sooner
        no fewer, not until, without doubt, no matter, no later
        nicht nur, nicht bloß, nicht zuletzt, nicht allein, pas seulement, ne cesse, aucun doute
        no solo, no sólo, no solamente
        ohne zweifel, sans doute, sin duda, sin embargo, nada más, ni siquiera
        非常, 未来, 不仅, 不但, 不断, 不过, 不同, 不久, 不少, 不只, 不光, 不单, 不论, 不管, 不错, 不得不, 不可避, 不可或
        无论, 无疑, 无数, 非洲, 没收, 否则, 别的, 别人, 不再是, 未必不, 莫斯科, 非政府, 不锈
        """
    )
)
"""Pairs, and longer, whose first word looks like a negation and turns nothing."""
EXCUSED_AFTER = frozenset(
    _phrases(
        """
        a few, the few, no doubt, without doubt, beyond doubt, sans doute, aucun doute
        特别, 分别, 区别, 级别, 个别, 类别, 差别, 性别, 识别, 鉴别, 是非
        """
    )
)
"""Pairs whose second word looks like a negation."""

LINKS = _words("dass ob")
"""German sets a comma before these; a negation reaches over it."""

LATE_NEGATIONS = _words("nicht nie niemals keineswegs keinesfalls nunca jamás")
"""They stand after what they turn, at the end of its clause."""

LIMITS = _words("only merely just nur bloß seulement solo sólo solamente 仅 只 但 单 光")
"""After a negation these take it back: "not only"."""

ONLY = _words("only nur lediglich seulement solo sólo solamente únicamente")
"""Behind a statement these limit it: "may be used [only if]"."""

DENIALS = _phrases(
    """
    is false, is untrue, is wrong, is a myth, was false, was untrue, was wrong, ist falsch, war falsch
    est faux, est fausse, es falso, es falsa, era falso, 是错, 是假
    """
)
"""Behind a statement these deny it."""

EXCEPTIONS = _words("unless except excepting außer sauf excepto salvo 除")
"""What follows them takes part of what was said back."""

OPENERS = _words(
    "the a an it its they their he his she her we our i you your this that these those there all each every both most "
    "der die das den dem des ein eine einen er sie es wir ihr sein seine dieser diese dieses alle jede jeder jedes "
    "le la les l' un une des il elle ils elles on nous vous ce cet cette ces son sa ses leur leurs tous chaque "
    "el los las una unos unas él ella ellos ellas nosotros este esta estos estas ese esa su sus todos cada"
)
"""After "and" these begin a new clause; other words may go on with the old one."""

AND_WORDS, OR_WORDS = _words("and und et y e sowie"), _words("or nor oder noch ou ni o u")

BREAKS = _words(
    "but because although though while whereas if when where since until after before than so yet however "
    "aber sondern weil obwohl während wenn falls wo seit bis nachdem bevor als denn doch jedoch "
    "mais car parce quoique tandis lorsque lorsqu' quand où puisque puisqu' donc "
    "pero sino porque aunque mientras cuando donde pues "
    "但 而 却 虽"
)
"""A negation before these does not reach behind them."""

OMITTED = _phrases(
    """
    but, while, whereas, although, though, however, yet
    aber, sondern, während, obwohl, jedoch, doch, hingegen, mais, tandis, quoique, cependant, pourtant
    pero, sino, mientras, aunque, sin embargo, 但, 却, 而, 虽
    if, unless, only, except, provided, whether, wenn, falls, nur, sofern, außer, ob
    si, seulement, sauf, pourvu, solo, sólo, solamente, salvo, excepto, 如果, 若, 只, 仅, 除
    may, might, could, perhaps, possibly, maybe, allegedly, supposedly, reportedly, almost, nearly, partly, seemingly
    vielleicht, möglicherweise, könnte, könnten, dürfte, dürften, angeblich, fast, beinahe, teilweise, wohl
    peut, peuvent, pourrait, pourraient, presque, prétendument, apparemment, éventuellement
    quizá, quizás, podría, podrían, puede, pueden, casi, supuestamente, acaso
    可能, 也许, 或许, 据称, 几乎, 似乎
    """
)
"""Contrasts, conditions and hedges: an omission may not leave them out, and negations neither."""

FIGURE_LIMITS = _phrases(
    """
    less than, more than, fewer than, at least, at most, up to, under, over, below, above, nearly, almost, minus
    no more than, half of, well over, as little as
    weniger als, mehr als, mindestens, höchstens, unter, über, bis zu, fast, knapp, beinahe, maximal, minus
    plus de, moins de, au moins, au plus, près de, presque, jusqu' à, moins, plus d', moins d'
    más de, menos de, más del, menos del, casi el
    al menos, como máximo, como mínimo, casi, hasta, menos, por debajo de, por encima de
    超过, 不到, 不足, 至少, 至多, 最多, 最少, 近, 低于, 高于, 逾, 少于, 多于, 达到, 负
    """
)
"""Words before a figure that make it another statement."""

FIGURE_SIGNS = _words("- < > ≤ ≥ ~ ± + ≠ ≈ ≪ ≫ = $ € £ ¥")

SCALES = _words(
    "% ‰ ° × million millions billion billions trillion trillions thousand thousands hundred hundreds dozen mn bn m k "
    "bps times fold x percentage degrees ^2 ^3 ^-1 ^-2 "
    "millionen milliarde milliarden billionen tausend hundert mio mrd dutzend mal prozentpunkte grad "
    "mille millier milliers milliard milliards cent cents douzaine fois pour "
    "mil millón millones billón billones cien ciento cientos docena veces por grados "
    "万 亿 萬 億 百 千 倍 成 兆 十"
)
"""What follows a figure and makes it another one."""

NUMBERS = _words(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million "
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreissig vierzig fünfzig sechzig siebzig "
    "achtzig neunzig hundert tausend "
    "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt vingts trente "
    "quarante cinquante soixante cent cents mille "
    "dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta "
    "sesenta setenta ochenta noventa cien ciento cientos mil "
    "一 二 两 三 四 五 六 七 八 九 十 百 千 万 亿 零 〇"
)

PREFIXES = _words("un in im il ir non dis mis anti de re ab over under out with no not now may")
"""Pieces of a word that are words or turn it: "in valid" is not "invalid"."""

LOOKALIKES = frozenset(
    frozenset(pair.split("/"))
    for pair in _words(
        "immortality/immorality deprecated/depreciated alternation/alteration alternations/alterations "
        "contracting/contacting casually/causally reserved/reversed reserves/reverses compiles/complies "
        "verliehen/verleihen enterraron/enteraron"
    )
)
"""Words a slip apart that are both words."""

ENGLISH_WORDS = _words("the of and is are were that with by from it this to for which their has have had")

LENGTHS = _words(
    "meter meters metre metres kilometer kilometers kilometre kilometres centimeter centimetre mètre mètres kilomètre "
    "kilomètres metro metros kilómetro kilómetros second seconds sekunde sekunden seconde secondes segundo segundos "
    "inch inches feet foot mile miles"
)
"""A small raised figure after these is a power, after other words a reference mark."""

PARTICLES = _words("not never nicht nie pas jamais nunca")
"""Negations that may stand before an aside: "is not, as they say, safe"."""

ABBREVIATIONS = _words("dr mr mrs ms prof st vgl cf sr sra ca approx z b e g i p ej bzw resp nr art vs fig")
"""A point after these ends no sentence."""

TURNERS = frozenset(
    word for phrase in (*CLAUSE_NEGATIONS, *NEAR_NEGATIONS, *REFUSALS, *OMITTED, *FIGURE_LIMITS) for word in phrase
) | (LATE_NEGATIONS | EXCEPTIONS | SCALES)
"""Every word above that turns a sense: no slip is forgiven in them."""

TOO_FOR = {"too": "to", "trop": "pour", "demasiado": "para", "demasiada": "para"}
"""What is too weak to hold the line does not hold it."""
