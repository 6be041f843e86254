"""What a page shows of an output, held against what came."""

import re

WORDS = {
    "number": r"-?\d[\d,]*(?:\.\d+)?",
    "seconds": r"\d+(?:\.\d+)?",
    "dollars": r"\$\d[\d,]*(?:\.\d+)?",
    "id": r"[\w.-]+",
}
"""What changes from run to run, as a page writes it: `<number>`. At most eight; any other word is there to be read."""
CUT = "…"
WORD = re.compile(f"<({'|'.join(WORDS)})>")


def has_cut(text):
    """Whether its writer left lines out."""
    return CUT in (line.strip() for line in text.splitlines())


def fits(shown, output, ids=(), *, dots=False):
    """Whether all lines of an output are shown, and no others; how wide a column is does not matter.

    Names such as RUN may be read as the ids that they stand for. On old pages `…` stands for anything, and alone on its
    line for any number of lines.
    """
    pattern = "".join(_line(line, dots) for line in _lines(shown))
    choices = {name: f"(?:{name}|{re.escape(run)})" for name, run in dict(ids).items()}
    if choices:
        pattern = re.sub(rf"\b({'|'.join(choices)})\b", lambda name: choices[name[0]], pattern)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _lines(output))) is not None


def _lines(text):
    return [re.sub(r" +", " ", line).rstrip() for line in text.strip("\n").splitlines()]


def _line(line, dots):
    if dots and line.strip() == CUT:
        return r"(?:.*\n)*?"
    literals = line.split(CUT) if dots else [line]
    return ".*?".join(map(_with_words, literals)) + "\n"


def _with_words(text):
    literals = WORD.split(text)  # every second one is a word
    return "".join(WORDS[part] if n % 2 else re.escape(part) for n, part in enumerate(literals))
