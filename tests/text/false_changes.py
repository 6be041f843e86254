"""Changes that make another statement of a quote, or cut off what turns it: none may be accepted."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.text.languages import Change, Language


@dataclass(frozen=True)
class Case:
    kind: str
    quote: str
    source: str
    sentence: str
    """The sentence that was quoted, as it was before."""


def plain(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".。")


def beside(language: Language, sentence: str, chance: random.Random) -> list[str]:
    """Some other sentences, and this one in their middle."""
    others = chance.sample([other for other in language.sentences if other != sentence], 6)
    return [*others[:3], sentence, *others[3:]]


def false_cases(language: Language, seed: int, kinds: dict[str, Change] | None = None) -> Iterator[Case]:
    """Cases without end, kind after kind, each from a sentence drawn by lot."""
    chance = random.Random(f"{seed} {language.code}")
    kinds = {name: kind for name, kind in (kinds or FALSE).items() if applies(language, kind)}
    while True:
        for name, change in kinds.items():
            sentence = chance.choice(language.sentences)
            shown = sentence
            if name == "denied":
                shown = denied(language, sentence, chance) or ""
            changed = change(language, sentence, chance)
            if not changed or not shown or (changed == sentence and name != "denied"):
                continue
            around = beside(language, sentence, chance)
            around[3] = shown
            if name == "two made one":
                around[4] = follower(language, sentence)
            source = (" " if language.spaced else "").join(around)
            stands = plain(source).count(plain(changed))
            # What is only cut off stands there once; what is changed stands there never.
            if stands == (name in CUT):
                yield Case(name, changed, source, shown)


def applies(language: Language, change: Change) -> bool:
    """Whether a kind of change has any sentence in a language."""
    return any(change(language, sentence, random.Random(1)) for sentence in language.sentences)


def sub(pattern: str, by: Callable[[re.Match[str], random.Random], str | None]) -> Change:
    """One place, drawn by lot, changed."""

    def change(language: Language, text: str, chance: random.Random) -> str | None:
        found = list(re.finditer(pattern, text))
        if not found:
            return None
        match = chance.choice(found)
        new = by(match, chance)
        return None if new is None or new == match.group() else text[: match.start()] + new + text[match.end() :]

    return change


def swap(field: str) -> Change:
    """A word exchanged for its partner."""

    def change(language: Language, text: str, chance: random.Random) -> str | None:
        pairs = [pair.split("/") for pair in getattr(language, field).split()]
        edge = r"\b" if language.spaced else ""
        found = [
            (match, new)
            for one, other in pairs
            for old, new in ((one, other), (other, one))
            for match in re.finditer(rf"{edge}{re.escape(old)}{edge if old[0].isalpha() else ''}", text)
        ]
        if not found:
            return None
        match, new = chance.choice(found)
        return text[: match.start()] + new + text[match.end() :]

    return change


def _digit(match: re.Match[str], chance: random.Random) -> str:
    figure = match.group()
    n = chance.choice([n for n, sign in enumerate(figure) if sign.isdigit()])
    return figure[:n] + chance.choice([d for d in "123456789" if d != figure[n]]) + figure[n + 1 :]


def _not_dropped(language: Language, text: str, chance: random.Random) -> str | None:
    return sub(language.cuts, lambda m, _: "")(language, text, chance)


def _not_added(language: Language, text: str, chance: random.Random) -> str | None:
    pattern, word = language.adds_not
    return sub(pattern, lambda m, _: m.group() + word)(language, text, chance)


def _prefix(language: Language, text: str, chance: random.Random) -> str | None:
    if not language.prefixes:
        return None
    new = chance.choice(language.prefixes.split("/"))
    return sub(r"(?<=\s)(?=[^\W\d_]{5})", lambda m, _: new)(language, text, chance)


def _places(language: Language, words: list[str]) -> list[int]:
    """Where words stand that mean something and touch no punctuation, but for the first and the last."""
    least = 4 if language.spaced else 1
    return [n for n, w in enumerate(words[1:-1], 1) if w.isalpha() and len(w) >= least and w not in "的了着地得也就过"]


def _other_word(language: Language, text: str, chance: random.Random) -> str | None:
    words = language.words(text)
    places = _places(language, words)
    if len(places) < 2:
        return None
    one, other = chance.sample(places, 2)
    if words[one].lower() == words[other].lower():
        return None
    words[one] = words[other]
    return language.joined(words)


def _foreign_word(language: Language, text: str, chance: random.Random) -> str | None:
    words, others = language.words(text), language.words(chance.choice(language.sentences))
    words[chance.choice(_places(language, words))] = others[chance.choice(_places(language, others))]
    return language.joined(words)


def _word_added(language: Language, text: str, chance: random.Random) -> str | None:
    words, others = language.words(text), language.words(chance.choice(language.sentences))
    words.insert(chance.choice(_places(language, words)), others[chance.choice(_places(language, others))])
    return language.joined(words)


def _word_dropped(language: Language, text: str, chance: random.Random) -> str | None:
    words = language.words(text)
    n = chance.choice(_places(language, words))
    return None if words[n] in (words[n - 1], words[n + 1]) else language.joined(words[:n] + words[n + 1 :])


def _exchanged(language: Language, text: str, chance: random.Random) -> str | None:
    words = language.words(text)
    places = _places(language, words)
    pairs = [n for n in places if n + 1 in places and words[n].lower() != words[n + 1].lower()]
    if not pairs:
        return None
    n = chance.choice(pairs)
    words[n], words[n + 1] = words[n + 1], words[n]
    return language.joined(words)


def _spliced(language: Language, text: str, chance: random.Random) -> str | None:
    words = language.words(text)
    a, b = chance.randrange(3, 6), chance.randrange(3, 6)
    return language.joined(words[:a] + words[-b:]) if len(words) > a + b + 2 else None


def _cut_negation(language: Language, text: str, chance: random.Random) -> str | None:
    """What follows a negation in its clause, without it."""
    found = re.search(language.cuts, text)
    if not found:
        return None
    rest = re.split(r"[,;:，。]", text[found.end() :])[0]
    words = language.words(rest.rstrip("."))
    words = words[chance.randrange(2) if len(words) > 4 and language.spaced else 0 :]
    piece = language.joined(words)
    return piece if len(words) >= 3 and not re.search(language.cuts, piece) and not language.qualified(piece) else None


def _cut_late(language: Language, text: str, chance: random.Random) -> str | None:
    """A German clause without the "nicht" at its end."""
    found = re.match(r"([^,]+?)(?:\s\w+)?\snicht\.$", text)
    return found.group(1) if language.code == "de" and found and len(found.group(1).split()) >= 3 else None


def _cut_figure(language: Language, text: str, chance: random.Random) -> str | None:
    """A sentence that ends with a figure whose scale is cut off."""
    scales = (
        r"%|percent\b|[mb]illion\b|Prozent\b|M(?:illion|illiard)en\b|pour cent\b|milli(?:on|ard)s\b|por ciento\b|"
        r"mil\b|[万亿]"
    )
    found = list(re.finditer(rf"[\d.,]*\d(?=\s?(?:{scales}|°))", text))
    return text[: chance.choice(found).end()] if found else None


def _cut_limit(language: Language, text: str, chance: random.Random) -> str | None:
    """A figure without the words that limit it."""
    found = re.search(language.limits, text)
    rest = text[found.end() :] if found else ""
    return rest if len(language.words(rest)) >= 4 and not language.qualified(rest) else None


def _cut_exception(language: Language, text: str, chance: random.Random) -> str | None:
    """A rule without its exception."""
    found = re.search(r"\s(?:unless|except|only if|nur|solo si)\s", text)
    return text[: found.start()] if found else None


def _left_out(language: Language, text: str, chance: random.Random) -> str | None:
    """A negation, and nothing else or a little more, replaced by a mark of omission."""
    found = re.search(language.cuts, text)
    if not found:
        return None
    before, after = language.words(text[: found.start()]), language.words(text[found.end() :])
    return f"{language.joined(before)} {chance.choice(MARKS)} {language.joined(after)}" if before and after else None


def _contrast_left_out(language: Language, text: str, chance: random.Random) -> str | None:
    """The middle with a "but" left out: the end of one statement is given to the other."""
    found = re.search(
        r"[,，]\s?(?:but|yet|while|aber|doch|während|mais|tandis que|pero|mientras que|但|却|而)\s?", text
    )
    if not found:
        return None
    before, after = language.words(text[: found.start()]), language.words(text[found.end() :])
    if min(len(before), len(after)) < 5:
        return None
    return f"{language.joined(before[:4])} {chance.choice(MARKS)} {language.joined(after[-3:])}"


def _two_made_one(language: Language, text: str, chance: random.Random) -> str | None:
    """The beginning of a sentence, joined to the end of another by a mark of omission."""
    first, other = language.words(text), language.words(follower(language, text))
    return f"{language.joined(first[:4])} {chance.choice(MARKS)} {language.joined(other[-4:])}"


def follower(language: Language, sentence: str) -> str:
    """The sentence that a text has behind this one, where it matters."""
    return random.Random(sentence).choice([other for other in language.sentences if other != sentence])


def denied(language: Language, sentence: str, chance: random.Random) -> str | None:
    """The sentence as a text has it that denies it."""
    if not language.deniers or language.qualified(sentence):
        return None
    gap = " " if language.spaced else ""
    return f"{random.Random(sentence).choice(language.deniers)}{gap}{sentence[:1].lower()}{sentence[1:]}"


MARKS = ("…", "[…]", "...", "(...)", "[...]")
CUT = frozenset(
    {"negation cut off", "late negation cut off", "figure cut", "limit cut off", "exception cut off", "denied"}
)

FALSE: dict[str, Change] = {
    "digit": sub(r"\d[\d.,]*\d|\d", _digit),
    "digit dropped": sub(r"\d{2,}", lambda m, c: m.group()[1:] if c.random() < 0.5 else m.group()[:-1]),
    "digit added": sub(r"\d+", lambda m, c: m.group() + c.choice("123456789")),
    "point dropped": sub(r"\d+[.,]\d{1,2}(?!\d)", lambda m, _: re.sub("[.,]", "", m.group())),
    "point made": sub(r"(?<![\d.,])[1-9]\d{1,2}(?![\d.,])", lambda m, _: m.group()[:1] + "." + m.group()[1:]),
    "sign": sub(
        r"(?<=[\s从为到了在])[−-]?\d+(?:[.,]\d+)?(?![\d-])",
        lambda m, _: m.group()[1:] if m.group()[0] in "−-" else "-" + m.group(),
    ),
    "power": sub("[²³]", lambda m, c: c.choice(["", "³" if m.group() == "²" else "²"])),
    "number word": swap("numbers"),
    "scale or unit": swap("scales"),
    "comparison": swap("comparisons"),
    "opposite": swap("opposites"),
    "similar word": swap("similar"),
    "tense": swap("times"),
    "not dropped": _not_dropped,
    "not added": _not_added,
    "prefix added": _prefix,
    "other word": _other_word,
    "foreign word": _foreign_word,
    "word added": _word_added,
    "word dropped": _word_dropped,
    "words exchanged": _exchanged,
    "spliced": _spliced,
    "negation cut off": _cut_negation,
    "late negation cut off": _cut_late,
    "figure cut": _cut_figure,
    "limit cut off": _cut_limit,
    "exception cut off": _cut_exception,
    "negation left out": _left_out,
    "contrast left out": _contrast_left_out,
    "two made one": _two_made_one,
    "denied": lambda language, text, chance: text if denied(language, text, chance) else None,
}
