"""The page of a first light as Markdown: which models played, what the records say of it, and their first screens."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hustings.report.markdown import plain, table
from hustings.text.figures import token_count

from .first_light_figures import PlayedQuestion, by_form, sums

ONLY_RUNS = {
    "smollm2-135m": "has 135 million weights and cannot hold a debate. Its run shows only that the command runs.",
    "improviser": "is no model: it writes nonsense. Its run shows only that the command runs.",
}
"""Models whose runs say nothing of what a debate is worth, by a part of their name."""
FENCE = re.compile(r"`{3,}")


@dataclass(frozen=True)
class Trial:
    """What holds for all debates of the page."""

    date: str
    version: str
    questions: Sequence[dict]
    caps: str
    """What each debate may take, in words."""
    judges: str
    digest: str
    """Of questions, documents and settings."""


def page(trial: Trial, played: Sequence[PlayedQuestion]) -> str:
    """All of it; `played` is in the order of the questions, one model after the other."""
    parts = [
        "# First light",
        *_header(trial, played),
        "## In all",
        _models(played),
        "## Forms",
        FORMS,
        _forms(played),
        "## Debates",
        *_debates(trial, played),
        "## First screens",
        *_screens(played),
    ]
    return "\n\n".join(parts) + "\n"


def _header(trial: Trial, played: Sequence[PlayedQuestion]) -> Iterator[str]:
    yield (
        "Ten fixed questions, played by every model that was there. This page is written by "
        "`make proof NAME=first-light`, and every figure on it is computed from the records of the debates. "
        '`make proof NAME=first-light ARGS="--model ollama/qwen3"` tries one model; '
        "without it, every server and key that hustings finds is tried. What costs money needs `--yes`."
    )
    models = _models_of(played)
    weak = {model: told for model in models for name, told in ONLY_RUNS.items() if name in model}
    if len(weak) == len(models):
        yield "**No capable model has been tried here.** What follows says nothing of what hustings can do with one."
    for model, told in weak.items():
        yield f"**{plain(model)}** {told}"
    if capable := [model for model in models if model not in weak]:
        yield (
            f"One run of each question by {', '.join(map(plain, capable))}. Ten debates are few, another run will "
            "differ, and nobody has checked whether what was said is true."
        )
    names = {model: ", ".join(_answered_by(played, model)) for model in models}
    rows = [
        ["Date", trial.date],
        ["hustings", trial.version],
        *(
            ["Model", f"{model}, answering as {name}" if name else f"{model}, under no other name"]
            for model, name in names.items()
        ),
        ["Judged by", trial.judges],
        ["Each debate may take", trial.caps],
        ["Questions, documents, settings", f"the same for all models: sha256 {trial.digest[:16]}"],
    ]
    yield table(["", ""], rows)


def _models(played: Sequence[PlayedQuestion]) -> str:
    names = _models_of(played)
    found = {model: sums(one for one in played if one.model == model) for model in names}
    heads = ["", *names]

    def row(label: str, shown) -> list[str]:
        return [label, *(shown(found[model]) for model in names)]

    rows = [
        row("debates", lambda of: ", ".join(f"{count} {what}" for what, count in of["became"].items())),
        row("forms kept at the first try", lambda of: _share(of["kept_at_first_try"], of["forms"])),
        row("kept after being sent back", lambda of: str(of["kept_later"])),
        row("never kept", lambda of: str(of["never_kept"])),
        row("not answered, still open", lambda of: f"{of['not_answered']}, {of['open']}"),
        row(
            "tries per answer on a form",
            lambda of: "none" if of["tries_per_answer"] is None else str(of["tries_per_answer"]),
        ),
        row("gave way; with a reason", lambda of: f"{of['gave_way']}; {of['with_a_reason']}"),
        row("calls", lambda of: str(of["calls"])),
        row("tokens", lambda of: token_count(of["tokens"], of["tokens_held"])),
        row("cost", lambda of: f"${of['dollars']:.4f}"),
        row("minutes of calls", lambda of: str(of["minutes"])),
    ]
    return table(heads, rows)


FORMS = (
    "A form is kept if the answer could be used as it came. “Why sent back” counts answers, as the transcript names "
    "the reason: *form* is not readable as the form, *rule* breaks a rule of it, *evidence* lacks a true quote. "
    "Answers in plain words have no form, and are left out."
)


def _forms(played: Sequence[PlayedQuestion]) -> str:
    rows = []
    for model in _models_of(played):
        for (script, brief), every in by_form(one for one in played if one.model == model).items():
            became = Counter(asked.became for asked in every)
            first = sum(asked.at_first_try for asked in every)
            why = Counter(reason for asked in every for reason in asked.sent_back)
            rows.append(
                [
                    model,
                    f"{script}: {brief}",
                    _share(first, len(every)),
                    str(became["kept"] - first),
                    str(became["never kept"]),
                    str(became["not answered"] + became["open"]),
                    f"{sum(asked.tries for asked in every) / len(every):.1f}",
                    ", ".join(f"{count} {reason}" for reason, count in why.most_common()),
                ]
            )
    heads = ["Model", "Form", "At first try", "Later", "Never", "No answer", "Tries each", "Why sent back"]
    return table(heads, rows)


def _debates(trial: Trial, played: Sequence[PlayedQuestion]) -> Iterator[str]:
    asked = {each["id"]: each["question"] for each in trial.questions}
    rows = [
        [
            one.question,
            one.protocol,
            one.model,
            f"{one.ended}: {one.why}" if one.why else one.ended,
            one.judged,
            one.outcome,
            _given_way(one),
            token_count(one.tokens, one.tokens_held),
            f"${one.dollars:.4f}",
            f"{one.minutes:.1f}",
        ]
        for one in played
    ]
    heads = ["Question", "Protocol", "Model", "Became", "Judged", "Outcome", "Gave way", "Tokens", "Cost", "Minutes"]
    yield table(heads, rows)
    yield (
        "“Gave way” counts concessions, withdrawals and changed answers in the points and stances of the record, and "
        "how many name a reason: five words or more beside those they quote. Whether it is a good one is not counted. "
        "Minutes run from the first call to the last answer."
    )
    yield table(["Question", "In full"], [[name, text] for name, text in asked.items()])


def _given_way(one: PlayedQuestion) -> str:
    ways = Counter(way.kind for way in one.ways)
    told = ", ".join(f"{count} {kind}" for kind, count in ways.items())
    return f"{told}; {sum(way.reason for way in one.ways)} with a reason" if told else "nobody"


def _screens(played: Sequence[PlayedQuestion]) -> Iterator[str]:
    yield "As `hustings show RUN` prints them, with the first page of the briefing if the debate was judged."
    for one in played:
        yield f"### {plain(one.question)}, {plain(one.model)}"
        yield f"```text\n{FENCE.sub('``', one.screen).strip() or 'No record: it never began.'}\n```"


def _models_of(played: Iterable[PlayedQuestion]) -> list[str]:
    return list(dict.fromkeys(one.model for one in played))


def _answered_by(played: Iterable[PlayedQuestion], model: str) -> list[str]:
    return list(
        dict.fromkeys(name for one in played if one.model == model for name in one.answered_by if name != model)
    )


def _share(count: int, of: int) -> str:
    return f"{count} of {of}"
