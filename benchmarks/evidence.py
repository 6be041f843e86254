"""The quote checker on changed quotes in five languages, on printed pages, against the clock; and the librarian.

    python -m benchmarks.evidence [--cases N] [--show]

False changes must all be refused, honest ones nearly all be accepted. The older checker gets the same cases. The pages
are printed by Chromium, in one and in two columns, hyphenated and justified, and read by pypdfium2. The last line is
JSON.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
from hustings.earlier.checks.likeness import is_quoted

from hustings.text.quote_check import Text, check
from tests.text.false_changes import CUT, Case, false_cases, plain
from tests.text.honest_changes import honest_cases
from tests.text.languages import ENGLISH, LANGUAGES, Language

from . import retrieval

CASES, SEED = 12_000, 7
LEAST, SLOWEST = 0.98, 50.0
"""The share of honest quotes to accept, and CPU milliseconds for a check in a text of a megabyte."""
CHROMIUM = ("chromium-headless-shell", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")
LAYOUTS = {"one": "", "two": "column-count: 2; column-gap: 8mm; font-size: 9pt;"}


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def counted(name: str, cases: Iterator[Case], *, good: bool, show: bool) -> Counter[str]:
    """How many cases were decided wrongly, by kind, and by the older checker."""
    found: Counter[str] = Counter()
    for case in cases:
        accepted = check(case.quote, Text(case.source)).accepted
        wrong = accepted != good
        older = is_quoted(case.quote, [case.source]) != good
        found.update({"cases": 1, "wrong": wrong, "older": older, f"kind {case.kind}": 1, f"wrong {case.kind}": wrong})
        found[f"older {case.kind}"] += older
        if wrong and show:
            say(f"    {case.kind}: {case.quote!r} from {case.sentence!r}")
    say(f"{name}: {found['cases']} cases, {found['wrong']} wrong; older checker {found['older']} wrong")
    return found


def told(name: str, found: Counter[str]) -> None:
    say(f"{name}, wrong of cases by kind; in brackets the older checker")
    for kind in sorted(key[5:] for key in found if key.startswith("kind ")):
        say(f"    {kind:24}{found[f'wrong {kind}']:5} of {found[f'kind {kind}']:5}   ({found[f'older {kind}']})")


def shy(language: Language, text: str) -> str:
    """Soft hyphens where a long word may be broken, since Chromium has no rules for most languages."""
    letters = [*text]
    run = 0
    for n, sign in enumerate(text):
        run = run + 1 if sign.isalpha() else 0
        rest = text[n + 1 : n + 4]
        if run >= 3 and language.spaced and len(rest) == 3 and rest.isalpha() and sign.islower():
            letters[n] += "&shy;"
    return "".join(letters)


def printed(folder: Path, style: str) -> dict[str, str]:
    """The text of each language's page, printed and read back."""
    texts: dict[str, str] = {}
    for code, language in LANGUAGES.items():
        body = " ".join(f"{shy(language, sentence)}" for sentence in language.sentences)
        page, pdf = folder / f"{code}.html", folder / f"{code}.pdf"
        page.write_text(
            f"<!doctype html><html lang={code}><meta charset=utf-8><style>body {{ text-align: justify; "
            f"hyphens: manual; font-family: serif; {style} }}</style><body>{body}",
            "utf-8",
        )
        subprocess.run(
            [*CHROMIUM, f"--user-data-dir={folder / 'profile'}", f"--print-to-pdf={pdf}", page.as_uri()],
            check=True,
            capture_output=True,
            timeout=120,
        )
        document = pypdfium2.PdfDocument(pdf)
        texts[code] = "\n".join(sheet.get_textpage().get_text_range() for sheet in document)
        document.close()
    return texts


def on_pages(folder: Path, cases: int, *, show: bool) -> dict[str, dict[str, int]]:
    """Whole sentences and false changes, against the text of printed pages."""
    figures: dict[str, dict[str, int]] = {}
    for layout, style in LAYOUTS.items():
        counts: Counter[str] = Counter()
        for code, text in printed(folder, style).items():
            language, read = LANGUAGES[code], Text(text)
            every = plain(" ".join(language.sentences))
            for sentence in language.sentences:
                accepted = check(sentence, read).accepted
                counts.update(sentences=1, accepted=accepted, older_accepted=is_quoted(sentence, [text]))
                counts["plain_search"] += sentence in " ".join(text.split())
                if show and not accepted:
                    say(f"    {layout}: {check(sentence, read)} {sentence!r}")
            for case in islice(false_cases(language, SEED), cases):
                if case.kind not in {"denied", "two made one"} and every.count(plain(case.quote)) == (case.kind in CUT):
                    counts["false"] += 1
                    counts["false_accepted"] += (wrong := check(case.quote, read).accepted)
                    if show and wrong:
                        say(f"    {layout}: {case.kind} {case.quote!r}")
        figures[layout] = dict(counts)
        say(f"printed in {layout} column(s): {figures[layout]}")
    return figures


def slowest() -> dict[str, float]:
    """CPU milliseconds of the slowest check in a megabyte: the best of three, for each text."""
    chance = random.Random(SEED)
    prose = " ".join(chance.choice(ENGLISH.sentences) for _ in range(13_000))
    texts = {
        "prose": prose,
        "one word": "a " * 500_000,
        "two words": "a b " * 250_000,
        "two words by lot": " ".join(chance.choices("ab", k=500_000)),
        "a negation": "not " * 250_000,
        "ranges": "1-" * 500_000,
        "lines": "Not a\n" * 166_666,
        "han": "".join(chance.choice(LANGUAGES["zh"].sentences) for _ in range(15_000))[:333_333],
    }
    worst: dict[str, float] = {}
    for name, text in texts.items():
        read = Text(text[:1_000_000])
        times = {kind: min(timed(quote, read) for _ in range(3)) for kind, quote in hostile(read, chance).items()}
        kind = max(times, key=lambda kind: times[kind])
        worst[name] = round(times[kind], 1)
        say(f"slowest check in a megabyte of {name}: {worst[name]} ms ({kind})")
    return worst


def timed(quote: str, read: Text) -> float:
    began = time.process_time()
    check(quote, read)
    return 1000 * (time.process_time() - began)


def hostile(read: Text, chance: random.Random) -> dict[str, str]:
    n, words = len(read) // 2, read.words
    return {
        "verbatim": " ".join(words[n : n + 30]),
        "a word changed": " ".join([*words[n : n + 15], "zzz", *words[n + 16 : n + 30]]),
        "words dropped": " ".join(words[n : n + 15] + words[n + 17 : n + 40]),
        "400 words, one changed": " ".join([*words[n : n + 200], "zzz", *words[n + 201 : n + 399]]),
        "5,000 words": " ".join(words[n : n + 5000]),
        "5,000 words, one changed": " ".join([*words[n : n + 2500], "zzz", *words[n + 2501 : n + 5000]]),
        "shuffled": " ".join(chance.sample(words[n : n + 2000], 380)),
        "one word 5,000 times": "a " * 5000,
        "a pattern": "a b a a b b " * 60,
        "eight parts": " … ".join(["a b a"] * 8),
        "1,600 parts": " … ".join(["a b a"] * 1600),
        "absent": "the committee never considered what it would do to our plan",
        "one long word": "a" * 32_000,
        "too long": "a " * 1_000_000,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Changed quotes, printed pages and hostile texts.")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--show", action="store_true", help="show every case that was decided wrongly")
    options = parser.parse_args()
    each = -(-options.cases // len(LANGUAGES))
    figures: dict[str, object] = {}
    sums = {"false": Counter[str](), "honest": Counter[str]()}
    for code, language in LANGUAGES.items():
        for name, drawn in (("false", false_cases), ("honest", honest_cases)):
            cases = islice(drawn(language, SEED), each)
            found = counted(f"{name} {code}", cases, good=name == "honest", show=options.show)
            sums[name].update(found)
            figures[f"{name}_{code}"] = [found["cases"], found["wrong"], found["older"]]
    for name, found in sums.items():
        told(name, found)
        figures |= {name: found["cases"], f"{name}_wrong": found["wrong"], f"{name}_wrong_older": found["older"]}
    share = 1 - sums["honest"]["wrong"] / sums["honest"]["cases"]
    with tempfile.TemporaryDirectory() as folder:
        pages = on_pages(Path(folder), each // 8, show=options.show)
    worst = slowest()
    accepted = sum(page["accepted"] for page in pages.values()) / sum(page["sentences"] for page in pages.values())
    figures |= {"honest_accepted": round(share, 4), "pages": pages, "pages_accepted": round(accepted, 4)}
    looked_up = retrieval.measured()
    figures |= {"slowest_ms": max(worst.values()), "retrieval": looked_up}
    figures |= {"cpu_seconds": round(time.process_time(), 1)}
    say(json.dumps(figures))
    false = sums["false"]["wrong"] + sum(page["false_accepted"] for page in pages.values())
    return int(
        bool(false)
        or retrieval.missed(looked_up)
        or share < LEAST
        or accepted < LEAST
        or max(worst.values()) >= SLOWEST
    )


if __name__ == "__main__":
    sys.exit(main())
