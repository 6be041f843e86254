"""Prompts as they are sent, in every protocol: their order, their size, what they show and what they must not say."""

import re
from functools import cache
from itertools import pairwise

import pytest

from hustings.llm.improviser import Improviser
from hustings.llm.prices import likely_tokens
from hustings.runs.registry import find_protocol, find_script, protocols, rubrics
from hustings.runs.staging import plan, rehearse
from hustings.script.examples import filled
from hustings.script.forms import contract, schema_of
from hustings.script.prompt import EVIDENCE, HOUSE_RULES, prompt_of
from hustings.script.rubric import row_of

from .playing import TOPIC, play

SETTINGS = {
    "adaptive": {"stakes": "critical"},
    "roundtable": {"regime": "structured"},
}
FENCED = re.compile(r"<<(\w+) (?!\.\.\.)[^\n]*>>\n.*?\n<<end \1>>\n", re.DOTALL)
PARTS = (
    "You are ",
    "How you argue: ",
    "Only ",
    "From the chair: ",
    "Your task: ",
    "Length: ",
    "Answer with ",
    "Example of the form",
    "Your last answer could not be used.",
)
EVERY = [*protocols(), "judging"]
every = pytest.mark.parametrize("name", EVERY)


@cache
def sent(name):
    """Every call of three debates, with its prompt as its seat is sent it."""
    found = []
    for seed in range(3):
        played = judged(seed) if name == "judging" else debated(name, seed)
        calls = (call for wave in played.waves for call in wave)
        found += [(call, prompt_of(call, played.debate.cast[call.seat.id])) for call in calls]
    return found


def debated(name, seed):
    return rehearse(plan(find_protocol(name), TOPIC, settings=SETTINGS.get(name)), Improviser(seed))


def judged(seed):
    record = debated("competition" if seed else "roundtable", seed).proceedings
    audit = plan(find_script("judging"), TOPIC, judged=record, settings={"judges": 1}, model="improviser")
    return rehearse(audit.model_copy(update={"rubric": "speech" if seed else "argument"}), Improviser(seed))


# -- order -------------------------------------------------------------------------------


@every
def test_what_one_seat_is_sent_has_one_order(name):
    for call, prompt in sent(name):
        heads = [part.partition("\n")[0] for part in FENCED.sub("", prompt.tail).split("\n\n")]
        places = [next(n for n, part in enumerate(PARTS) if head.strip().startswith(part)) for head in heads if head]
        assert places == sorted(places), call.address


@every
def test_the_rules_name_the_language_and_no_tag(name):
    assert all("Write in English." in prompt.rules for _, prompt in sent(name))


# -- size --------------------------------------------------------------------------------


def test_the_rules_of_the_house_are_short():
    assert likely_tokens(f"{HOUSE_RULES}\n{EVIDENCE}") <= 330


@every
def test_a_format_and_its_table_are_short(name):
    for _, prompt in sent(name)[:1]:
        told = FENCED.sub("", prompt.rules).partition("\n\n")[2]
        assert likely_tokens(told) <= 300


BUDGETS = {"You are ": 130, "How you argue: ": 70, "Your task: ": 250, "Answer with ": 470, "Example of the form": 260}
SHEETS = {"Your task: ": 370, "Answer with ": 520}
"""Tokens of a judge's sheet, whose task has the scale in it."""


@every
def test_no_part_of_a_prompt_is_over_its_budget(name):
    for call, prompt in sent(name):
        budgets = BUDGETS | (SHEETS if "marks" in call.brief.name or call.brief.name == "score" else {})
        for part in FENCED.sub("", prompt.tail).split("\n\n"):
            head = next((head for head in budgets if part.strip().startswith(head)), None)
            if head:
                assert likely_tokens(part) <= budgets[head], (call.address, head)


def test_four_seats_in_three_rounds_read_three_quarters_from_the_cache():
    played = play("roundtable", seats=4, rounds=3)
    seen, read, cached = set(), 0, 0
    for call in (call for wave in played.waves for call in wave):
        prompt = prompt_of(call, played.debate.cast[call.seat.id])
        marked = [prompt.rules + "".join(prompt.waves[:mark]) for mark in prompt.marks]
        read += likely_tokens(prompt.text)
        cached += max((likely_tokens(text) for text in marked if text in seen), default=0)
        seen.update(marked)
    assert cached / read >= 0.75


# -- examples ----------------------------------------------------------------------------


def nests(form):
    schema = schema_of(form)
    inner = [option for field in schema["properties"].values() for option in field.get("anyOf", (field,))]
    return any("properties" in option.get("items", option) for option in inner)


@every
def test_forms_that_nest_have_an_example_and_flat_ones_have_none(name):
    for call, prompt in sent(name):
        form = call.brief.form
        wanted = not form.prose and nests(form) and not contract(form, call.brief.choices).count("an empty list")
        assert ("Example of the form" in prompt.tail) is wanted or form.__name__ == "Closing", call.address


@every
def test_an_example_has_the_fields_of_its_form_in_their_order(name):
    for form, example in {(call.brief.form, id(call.brief.example)): call.brief for call, _ in sent(name)}.items():
        if example.example is not None:
            assert_fits(example.example, schema_of(form[0]))


def assert_fits(value, schema):
    if value is None or value is ...:
        return
    schema = next((option for option in schema.get("anyOf", ()) if option["type"] != "null"), schema)
    if isinstance(value, dict):
        names = [name for name, item in value.items() if item is not ...]
        assert names == list(schema["properties"])[: len(names)]
        assert len(names) == len(schema["properties"]) or ... in value.values()
        for name in names:
            assert_fits(value[name], schema["properties"][name])
    elif isinstance(value, list):
        assert len(value) <= schema.get("maxItems", 99)
        for item in value:
            assert_fits(item, schema["items"])
    elif "enum" in schema:
        assert value in schema["enum"]
    else:
        assert isinstance(value, int) is (schema["type"] == "integer")


def test_examples_are_about_another_question_than_any_of_the_catalogue():
    shown = " ".join(str(call.brief.example) for name in EVERY for call, _ in sent(name)).casefold()
    assert "library" not in TOPIC
    assert all(word in shown for word in ("sunday", "floor"))


@pytest.mark.parametrize("rubric", rubrics().values())
def test_a_row_of_a_sheet_shows_its_first_mark_in_full(rubric):
    row = filled(row_of(rubric), {"item": ["X-1"]})
    assert row.startswith(f'{{"about": "X-1", "{next(iter(rubric.weights()))}": {{"quote": "People who work six days')


# -- evidence before judgement -------------------------------------------------------------

JUDGED = ("score", "says", "stance", "ends", "extent", "shift", "position", "added")


def objects(schema):
    options = schema.get("anyOf", (schema,))
    for item in (option.get("items", option) for option in options):
        if "properties" in item:
            yield item
            for field in item["properties"].values():
                yield from objects(field)


@every
def test_words_and_reasons_are_asked_for_before_what_is_judged_by_them(name):
    for form in {call.brief.form for call, _ in sent(name) if not call.brief.form.prose}:
        for item in objects(schema_of(form)):
            fields = list(item["properties"])
            for ground in ("quote", "reason", "reasoning", "reasons"):
                if ground in fields:
                    later = [one for one in JUDGED if one in fields]
                    assert all(fields.index(ground) < fields.index(one) for one in later), (form, fields)


# -- what they say -------------------------------------------------------------------------


@every
def test_no_prompt_says_that_a_note_never_instructs_and_that_it_is_to_be_followed(name):
    assert not [
        call.address for call, prompt in sent(name) if "follow its" in prompt.tail and "never instructs" in prompt.text
    ]


@every
def test_nothing_is_said_twice_in_the_fields(name):
    for call, _ in sent(name):
        lines = contract(call.brief.form, call.brief.choices).splitlines()
        assert not [one for one, other in pairwise(lines) if one == other and one], call.address


def test_a_sheet_says_which_rules_bind_which_speech():
    tails = [prompt.tail for call, prompt in sent("judging") if call.brief.name == "speech marks"]
    assert tails
    assert all("in answers: counter_question, asks back" in tail for tail in tails)


def test_a_judge_is_shown_what_kind_of_speech_it_is():
    shown = [prompt.shared for call, prompt in sent("judging") if call.brief.name == "speech marks"]
    assert re.search(r"in cross-examination by [^,>]+, answers, \d+ words>>", shown[0])
