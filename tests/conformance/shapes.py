"""How chat models and their servers really answer when they are asked for one JSON object.

Each shape makes of a valid answer the reply that some models make of it, and says what should happen: the reply is
taken with the same values, it is taken and what was left out is noted, or it goes back with words about what is wrong.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from hustings.script.read_answer import CUT, EMPTY, PROSE, TWO

TAKEN, NOTED, BACK = "taken", "taken and noted", "sent back"


def as_it_was(answer):
    return answer


@dataclass(frozen=True)
class Shape:
    name: str
    of: Callable[[str], str | None]
    """The reply made of an answer; None if the answer has no such shape."""
    then: str = TAKEN
    words: str = ""
    values: Callable[[str], str] = as_it_was
    """The answer as it should be taken, as strict JSON."""


def around(before, after=""):
    return lambda answer: f"{before}{answer}{after}"


def edited(change):
    """The answer after a change of its values; none if the change says that it can't be made."""

    def of(answer):
        values = json.loads(answer)
        changed = change(values)
        return None if changed is False else json.dumps(values if changed is None else changed, ensure_ascii=False)

    return of


def longest_list(values):
    lists = [value for value in values.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    return max(lists, key=len, default=None)


def with_row(row):
    def change(values):
        rows = longest_list(values)
        if rows is None:
            return False
        rows.append(row)
        return None

    return edited(change)


def with_keys_in_rows(values):
    rows = longest_list(values)
    if rows is None:
        return False
    for row in rows:
        row.update(self_assessment=0.9)
    return None


def differently(values):
    for name, value in values.items():
        if isinstance(value, list) and value:
            return {**values, name: value[:-1]}
        if isinstance(value, str):
            return {**values, name: f"{value} After all."}
        if isinstance(value, bool | int | float):
            return {**values, name: not value if isinstance(value, bool) else value + 1}
    return False


def another_after(answer):
    other = edited(differently)(answer)
    return None if other is None else f"{answer}\n{other}"


def cut_at(share):
    return lambda answer: answer[: int(len(answer) * share)] if ":" in answer[: int(len(answer) * share)] else None


def replaced(old, new):
    return lambda answer: answer.replace(old, new, 1) if old in answer else None


def with_commas(answer):
    spaced = json.dumps(json.loads(answer), indent=1)
    return re.sub(r"([^\s,\[{])(\n\s*[\]}])", r"\1,\2", spaced)


def nan_for_null(answer):
    """Where a null stands as a value, not within a text."""

    def change(value):
        match value:
            case dict():
                return {name: change(part) for name, part in value.items()}
            case list():
                return [change(part) for part in value]
            case _:
                return float("nan") if value is None else value

    changed = json.dumps(change(json.loads(answer)))
    return changed if "NaN" in changed else None


def texts_of(value):
    match value:
        case dict():
            return [text for part in value.values() for text in texts_of(part)]
        case list():
            return [text for part in value for text in texts_of(part)]
        case _:
            return [value] if isinstance(value, str) else []


def within_a_text(signs):
    """Signs as they stand, in place of the first space of the longest text."""

    def of(answer):
        before, space, after = max(texts_of(json.loads(answer)), key=len, default="").partition(" ")
        words = json.dumps(before + space + after, ensure_ascii=False)[1:-1]
        return answer.replace(words, words.replace(" ", signs, 1), 1) if space and words in answer else None

    return of


SHAPES = (
    # what stands around it
    Shape("plain", around("")),
    Shape("spaces and carriage returns", lambda answer: f"\r\n  {answer}  \r\n"),
    Shape("a byte-order mark", around("\ufeff")),
    Shape("a zero-width space first", around("\u200b")),
    Shape("a labelled code block", around("```json\n", "\n```")),
    Shape("a bare code block", around("```\n", "\n```")),
    Shape("a code block with another label", around("```JSON5\n", "\n```")),
    Shape("a code block of tildes", around("~~~json\n", "\n~~~")),
    Shape("a code block never closed", around("```json\n")),
    Shape("a closing fence alone", around("", "\n```")),
    Shape("one line before", around("Here is my answer:\n\n")),
    Shape("prose before and after", around("Sure! Here is the JSON you asked for:\n\n", "\n\nTell me more.")),
    Shape("prose, code block, prose", around("I'll argue it.\n\n```json\n", "\n```\n\nI kept to the form.")),
    Shape("braces in the prose", around('As {"asked"}, with fields {like these}:\n', "\nThat is {all}.")),
    Shape("a thinking block", around('<think>\nThey say {x}. I answer {"kind": "refute"}.\n</think>\n\n')),
    Shape("an empty thinking block", around("<think>\n\n</think>\n\n")),
    Shape("the end of thinking alone", around("I weigh both sides first.\n</think>\n")),
    Shape("a draft, and the end of thinking alone", around('I could send {"a": 1} or {"a": 2}.\n</think>\n')),
    Shape("other thinking tags", around("<thinking>short</thinking>\n<answer>", "</answer>")),
    Shape("square thinking tags", around("[THINK]short[/THINK]")),
    Shape("two thinking blocks", around("<think>a</think>\n<think>b</think>\n")),
    Shape(
        "channels",
        around("<|channel|>analysis<|message|>Weigh it.<|end|><|start|>assistant<|channel|>final<|message|>"),
    ),
    Shape("end tokens", around("", "<|im_end|>\n</s>")),
    Shape("the role first", around("assistant\n\n")),
    Shape("the role with a colon", around("Assistant: ")),
    Shape("the object twice, alike", lambda answer: f"{answer}\n\n{answer}"),
    Shape("a draft in the block, then the same", lambda answer: f"<think>{answer}</think>{answer}"),
    # JSON that is nearly right
    Shape("trailing commas", with_commas),
    Shape("comments", replaced("{", "{ // my answer\n")),
    Shape("comments of two signs", replaced("{", '{ /* "my": {"answer */\n')),
    Shape("line breaks inside texts", within_a_text("\n"), values=within_a_text("\\n")),
    Shape("tabs inside texts", within_a_text("\t"), values=within_a_text("\\t")),
    Shape("half a surrogate", within_a_text(" \\ud83d"), NOTED),
    Shape("NaN for null", nan_for_null),
    Shape("Python's literals", lambda answer: str(json.loads(answer))),
    Shape("the whole object as a text", json.dumps),
    # the right words in another frame
    Shape("wrapped once", edited(lambda values: {"response": values})),
    Shape("wrapped in a list", edited(lambda values: {"answers": [values]})),
    Shape("the arguments of a call", edited(lambda values: {"name": "answer", "arguments": values})),
    Shape("the arguments of a call, as a text", lambda a: json.dumps({"name": "answer", "arguments": a})),
    Shape(
        "a function's call",
        lambda a: json.dumps({"type": "function", "function": {"name": "answer", "arguments": a}}),
    ),
    Shape("a list of one", edited(lambda values: [values])),
    Shape("keys in capitals", edited(lambda values: {key.title(): value for key, value in values.items()})),
    Shape("a key too many", edited(lambda values: {**values, "self_assessment": "I kept to the form."}), NOTED),
    Shape("keys too many in rows", edited(with_keys_in_rows), NOTED),
    Shape("the schema's words back", edited(lambda values: {"type": "object", "properties": values}), NOTED),
    Shape("a row of dots", with_row("..."), NOTED),
    Shape("bare dots for a row", lambda a: (r := with_row("…")(a)) and r.replace('"…"', "..."), NOTED),
    Shape("an empty row", with_row({}), NOTED),
    Shape("a row of null", with_row(None), NOTED),
    # nothing to take
    Shape("prose alone", lambda _: "I think the motion is right, for three reasons.", BACK, PROSE),
    Shape("prose in another language", lambda _: "Ich halte den Antrag für richtig: aus drei Gründen.", BACK, PROSE),
    Shape("empty", lambda _: "", BACK, EMPTY),
    Shape("thinking alone", lambda _: "<think>\nFirst I weigh", BACK, CUT),
    Shape("a draft in thinking that never ends", around("<think>\n"), BACK, CUT),
    Shape("cut in the middle", cut_at(0.6), BACK, CUT),
    Shape("cut before the last brace", lambda answer: answer.rstrip()[:-1], BACK, CUT),
    Shape("two that differ", another_after, BACK, TWO),
    Shape("a refusal", lambda _: "I'm sorry, but I can't help with that.", BACK, PROSE),
    Shape("YAML", lambda a: "\n".join(f"{key}: {value}" for key, value in json.loads(a).items()), BACK),
    Shape("the dots of an example", lambda _: "{...}", BACK, PROSE),
    Shape("a quotation mark without its backslash", lambda a: a.replace('": "', '": "He said "no" to it. ', 1)
          if '": "' in a else None, BACK, "needs a backslash"),
)  # fmt: skip
