"""Changes that leave the words of a quote as they are: what keyboards, editors, printers and readers of files do."""

import random
import re
import unicodedata
from collections.abc import Iterator

from tests.text.false_changes import MARKS, Case, applies, beside, sub
from tests.text.languages import Change, Language


def honest_cases(language: Language, seed: int) -> Iterator[Case]:
    """Cases without end, kind after kind: the quote is changed, or the text that is quoted."""
    chance = random.Random(f"{seed} {language.code} honest")
    kinds = {name: kind for name, kind in (HONEST_QUOTE | HONEST_SOURCE).items() if applies(language, kind)}
    while True:
        for name, change in kinds.items():
            sentence = chance.choice(language.sentences)
            changed = change(language, sentence, chance)
            if not changed or changed == sentence:
                continue
            around = beside(language, sentence, chance)
            if name in HONEST_SOURCE:
                around[3] = changed
            source = (" " if language.spaced else "").join(around)
            quote = sentence if name in HONEST_SOURCE else changed
            if name == "two sentences":
                quote = (" " if language.spaced else "").join(around[3:5])
            yield Case(name, quote, source, around[3])


def _white_space(language: Language, text: str, chance: random.Random) -> str:
    return re.sub(" ", lambda _: chance.choice([" ", "  ", "\n", "\u00a0", "\t", " \n  "]), text)


def _quoted(language: Language, text: str, chance: random.Random) -> str:
    opening, closing = chance.choice(["“”", "„“", "«»", "‘’", '""', "「」"])
    return opening + text.replace("'", "’") + closing


def _case(language: Language, text: str, chance: random.Random) -> str:
    return chance.choice(
        [
            text.lower(),
            text.upper().replace("ß", "SS") if "°" not in text else text.lower(),
            text[:1].swapcase() + text[1:],
        ]
    )


def _end(language: Language, text: str, chance: random.Random) -> str:
    return text.rstrip(".。") + chance.choice(["", ",", ";", "…", ".”", "!"])


def _around(language: Language, text: str, chance: random.Random) -> str:
    return chance.choice([f"…{text}", f"{text} […]", f"... {text} ...", f"- {text}", f"> {text}", f"({text})"])


def _is_word(word: str) -> bool:
    """Whether a quote may begin or end beside it: no figure, and no word that may be part of one."""
    return word.strip(",.").isalpha() and not FIGURES.fullmatch(word.strip(",."))


def _piece(language: Language, text: str, chance: random.Random) -> str | None:
    """A piece of a sentence that no word qualifies."""
    if language.qualified(text):
        return None
    if not language.spaced:
        clauses = [clause for clause in re.split("[，。]", text) if len(clause) > 4]
        return chance.choice(clauses) if len(clauses) > 1 else None
    words = text.split()
    spans = [
        (first, last)
        for first in range(4)
        for last in range(first + 4, len(words) + 1)
        if (first, last) != (0, len(words))
    ]
    chance.shuffle(spans)
    for first, last in spans:
        edges = [*words[max(first - 1, 0) : first + 1], *words[last - 1 : last + 1]]
        if all(map(_is_word, edges)):
            return " ".join(words[first:last])
    return None


def _beginning(language: Language, text: str, chance: random.Random) -> str | None:
    """The first clause, whatever follows it in the next one."""
    found = re.match(r"(.+?)(?:,\s|，)", text)
    rest = text[found.end() :].split()[:1] if found else []
    if not found or (rest and rest[0] in {"except", "unless", "sauf", "salvo", "außer"}):
        return None
    return found.group(1) if len(language.words(found.group(1))) >= 5 else None


def _after_a_negation(language: Language, text: str, chance: random.Random) -> str | None:
    """The text: a clause that no word qualifies, behind one that has a negation."""
    first = [s for s in language.sentences if re.search(language.cuts, s)]
    if language.qualified(text) or (language.spaced and not STARTS.match(text)):
        return None
    joint = {"en": ", and ", "de": ", und ", "fr": ", et ", "es": ", y ", "zh": "，"}[language.code]
    return chance.choice(first).rstrip(".。") + joint + text[:1].lower() + text[1:]


def _middle(language: Language, text: str, chance: random.Random) -> str | None:
    words = language.words(text)
    if len(words) < 12 or language.qualified(text) or not language.spaced:
        return None
    first, last = words[:4], words[-4:]
    edges = (first[-1], words[4], words[-5], last[0])
    return f"{' '.join(first)} {chance.choice(MARKS)} {' '.join(last)}" if all(map(_is_word, edges)) else None


def _slip(match: re.Match[str], chance: random.Random) -> str:
    """A letter left out, written twice or wrong, or two exchanged, inside a long word; it makes no word."""
    word = match.group()
    n = chance.randrange(3, len(word) - 3)
    if chance.random() < 0.25:
        return word[:n] + chance.choice([c for c in "qxjkz" if c != word[n]]) + word[n + 1 :]
    return chance.choice(
        [word[:n] + word[n + 1 :], word[:n] + word[n] + word[n:], word[:n] + word[n + 1] + word[n] + word[n + 2 :]]
    )


def _edited(language: Language, text: str, chance: random.Random) -> str:
    return f"[{text[0].swapcase()}]{text[1:]}"


def _ligatures(language: Language, text: str, chance: random.Random) -> str:
    for plain, joined in (("ffi", "ﬃ"), ("ffl", "ﬄ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("ff", "ﬀ")):
        text = text.replace(plain, joined)
    return text


def _wrapped(language: Language, text: str, chance: random.Random, by: str = "\n") -> str | None:
    """Lines of a few words each."""
    words, size = text.split(), chance.randrange(3, 7)
    lines = [" ".join(words[n : n + size]) for n in range(0, len(words), size)]
    return by.join(lines) if len(lines) > 1 else None


def _typeset(language: Language, text: str, chance: random.Random) -> str:
    broken = re.sub(f"(?<={LOWER}{{4}})(?={LOWER}{{4}})", lambda _: "-\n" if chance.random() < 0.2 else "", text)
    return _ligatures(language, _white_space(language, broken, chance), chance)


def _under_a_heading(language: Language, text: str, chance: random.Random) -> str:
    heading = {
        "en": "Not yet decided",
        "de": "Nicht geplant",
        "fr": "Pas de retour",
        "es": "No previsto",
        "zh": "没有争议",
    }
    return chance.choice(["\n\n## {}\n\n{}", "\n\n{}\n\n{}", "\n- {}\n- {}\n"]).format(heading[language.code], text)


def _thousands(match: re.Match[str], chance: random.Random) -> str:
    return re.sub("[., ]", chance.choice(["\u202f", "\u2009", "\u00a0", "’"]), match.group())


def _percent(language: Language, text: str, chance: random.Random) -> str | None:
    word = {"en": "percent", "de": "Prozent", "fr": "pour cent", "es": "por ciento", "zh": ""}[language.code]
    if not word:
        return None
    if word in text:
        return re.sub(rf"(?<=\d) {word}", lambda _: chance.choice(["%", " %", "\u00a0%"]), text)
    return re.sub(r"(?<=\d)\s?%", f" {word}", text)


def _article(language: Language, text: str, chance: random.Random) -> str | None:
    return sub(r"(?<=\w )(?:the|a|an)\s", lambda m, _: "")(language, text, chance) if language.code == "en" else None


LOWER = "[a-zäöüéèêàâçñóíáúôîûù]"
LONG = rf"\b{LOWER}{{8,}}\b"
STARTS = re.compile(r"(?:The|Each|Both|All|Der|Die|Das|Alle|Le|La|Les|L'étude|L'essai|Tous|El|Los|Las|Todas|Cada)\b")
FIGURES = re.compile(
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|nineteen|thirty|half|third|twice|once|[mb]illion|"
    r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|hundert|prozent|grad|millionen|"
    r"une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|quatorze|cents?|pour|millions|milliards|degré|"
    r"dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|catorce|mil|por|ciento|millones|grados|percent|degrees|"
    r"times|more|less|than|least|most|over|under|about|mehr|weniger|als|plus|moins|de|más|menos|fois|veces|mal)",
    re.IGNORECASE,
)

HONEST_QUOTE: dict[str, Change] = {
    "white space": _white_space,
    "quotation marks": _quoted,
    "case": _case,
    "end": _end,
    "marks around": _around,
    "piece": _piece,
    "first clause": _beginning,
    "two sentences": lambda language, text, chance: text + " ",
    "emphasis": sub(LONG, lambda m, c: c.choice(["**{}**", "*{}*", "_{}_", "`{}`", "<b>{}</b>"]).format(m.group())),
    "decomposed": lambda language, text, chance: unicodedata.normalize("NFD", text),
    "soft hyphen": sub(f"(?<={LOWER}{{3}})(?={LOWER}{{3}})", lambda m, _: "\u00ad"),
    "middle left out": _middle,
    "percent": _percent,
    "thousands": sub(r"\b\d{1,3}(?:[.,]\d{3})+\b|(?<= )\d{1,3} \d{3}(?= )", _thousands),
    "plain thousands": sub(r"\b\d{1,3}[.,]\d{3}\b", lambda m, _: re.sub("[.,]", "", m.group())),
    "article": _article,
    "slip": sub(LONG, _slip),
    "edited": _edited,
    "full width": lambda language, text, chance: re.sub(r"[0-9]", lambda m: chr(ord(m.group()) + 0xFEE0), text),
}
HONEST_SOURCE: dict[str, Change] = {
    "hyphenated": sub(
        f"(?<={LOWER}{{3}})(?={LOWER}{{3}})", lambda m, c: c.choice(["-\n", "\u00ad\n", "‐\r\n", "\ufffe"])
    ),
    "ligatures": _ligatures,
    "lines": _wrapped,
    "quoted lines": lambda language, text, chance: (
        "\n> " + wrapped if (wrapped := _wrapped(language, text, chance, "\n> ")) else None
    ),
    "soft hyphens": lambda language, text, chance: re.sub(f"(?<={LOWER}{{3}})(?={LOWER}{{3}})", "\u00ad", text),
    "reference mark": sub(f"(?<={LOWER}{{4}})(?=[ .])", lambda m, c: c.choice(["[12]", "²³", "[3, 4]", "⁷"])),
    "typeset": _typeset,
    "under a heading": _under_a_heading,
    "full width in the text": HONEST_QUOTE["full width"],
    "markup in the text": HONEST_QUOTE["emphasis"],
    "decomposed in the text": HONEST_QUOTE["decomposed"],
    "after a negation": _after_a_negation,
}
