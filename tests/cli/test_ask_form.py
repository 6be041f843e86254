"""A person fills in a form at the terminal, field by field; what does not fit is explained and asked again."""

import json
from dataclasses import replace

import pytest

from hustings.cli.ask_form import FormAsker, Person
from hustings.cli.person import ask
from hustings.llm.improviser import Improviser
from hustings.protocols.moderated import Reading
from hustings.protocols.structured import CrossExamination, Opening
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.forms import schema_of


class Typist(list):
    """What is typed, line by line; `told` is all that was shown meanwhile."""

    def __init__(self, *lines):
        super().__init__(lines)
        self.told = []

    def person(self, edit=None):
        return Person(self.read, self.told.append, edit)

    def read(self, prompt):
        self.told.append(prompt)
        if not self:
            raise EOFError
        return self.pop(0)


def asked_of(protocol, seat, brief, topic="Tea?"):
    """The question to a seat, as a person gets it."""
    found = []

    def actor(call):
        if call.seat.id == seat and call.brief.name == brief:
            found.append(call)
        return Improviser()(call)

    rehearse(plan(find_protocol(protocol), topic), actor)
    return found[0]


CLAIM, STEPS, FACTS = (
    "Tea keeps people awake.",
    "It has caffeine, and caffeine wakes.",
    "General knowledge, quite sure.",
)


def argument(n=0):
    return [f"{CLAIM} {n}", STEPS, FACTS]


def test_an_opening_is_asked_field_by_field_and_numbered_for_the_person():
    typist = Typist(*argument(1), *argument(2), *argument(3), "n")
    said = json.loads(ask(asked_of("structured", "con", "opening"), typist.person()))
    assert [each["id"] for each in said["arguments"]] == ["CON-1", "CON-2", "CON-3"]
    assert said["arguments"][1]["claim"] == f"{CLAIM} 2"
    assert not typist


def test_the_rule_stands_beside_its_field():
    typist = Typist(*argument(1), *argument(2), *argument(3), "n")
    ask(asked_of("structured", "con", "opening"), typist.person())
    rule = "argument 1 · claim: one sentence that could turn out false."
    assert rule in typist.told


def test_an_answer_that_is_too_short_is_explained_and_asked_again():
    typist = Typist("Tea.", "", *argument(1), *argument(2), *argument(3), "n")
    ask(asked_of("structured", "con", "opening"), typist.person())
    assert "  It has 4 characters; 10 is the least." in typist.told
    assert "  This cannot be empty; :e opens your editor." in typist.told


def test_allowed_ids_are_shown_with_their_words_and_taken_by_number():
    call = asked_of("structured", "con", "cross-examination")
    offered = call.brief.choices["claim"]
    typist = Typist()
    for n, _ in enumerate(offered):
        typist += ["9" if n == 0 else "", *(["1"] if n == 0 else []), STEPS, "", "claim", "challenge", "y"]
        typist += ["How do you know that?", "n", *([""] if n + 1 < len(offered) else ["n"])]
    said = json.loads(ask(call, typist.person()))
    assert [each["target"] for each in said["responses"]] == [*offered]
    assert [line for line in typist.told if line.startswith(f"  1 {offered[0]}  ")]
    assert [line for line in typist.told if line.startswith("  '9' is not among them")]


def test_a_broken_rule_sends_the_form_back_with_all_that_was_typed():
    call = asked_of("structured", "con", "cross-examination")
    one = ["", STEPS, "", "claim", "challenge", "y", "How do you know that?", "n"]
    rest = [line for _ in call.brief.choices["claim"][1:] for line in ("", *one)]
    typist = Typist(*one, "n", "", *rest, "n")
    said = json.loads(ask(call, typist.person()))
    assert "\nNot accepted yet:" in typist.told
    assert f"  - {call.brief.choices['claim'][1]} is not answered" in typist.told
    assert len(said["responses"]) == len(call.brief.choices["claim"])


def test_an_entry_can_be_changed_or_deleted_on_the_way_back():
    schema = schema_of(Opening)
    before = {
        "arguments": [{"id": f"CON-{n}", "claim": CLAIM, "reasoning": STEPS, "evidence": FACTS} for n in range(4)]
    }
    typist = Typist("d", "c", "Another claim, then.", "", "", "", "", "n")
    found = FormAsker(typist.person(), {"own": ("CON",)}, {}).group(schema, before)
    assert [each["claim"] for each in found["arguments"]] == ["Another claim, then.", CLAIM, CLAIM]


def test_what_may_be_left_out_is_left_out_by_enter():
    quote = "word for word"
    typist = Typist(quote, "holds", "yes", "", "", "", "n", "n", "n")
    choices = {"seat": ("p1", "p2"), "issue": ("D-1",)}
    found = FormAsker(typist.person(), choices, {}).group(schema_of(Reading), {})
    assert Reading.model_validate_json(json.dumps(found)).next is None
    assert (found["same_as"], found["between"], found["news"]) == (None, "", "")


def test_a_list_of_ids_of_which_there_are_none_is_not_asked():
    typist = Typist()
    assert FormAsker(typist.person(), {"claim": ()}, {}).group(schema_of(CrossExamination), {}) == {"responses": []}


def test_a_number_outside_its_bounds_is_explained():
    schema = {"properties": {"sure": {"type": "integer", "minimum": 0, "maximum": 10}}, "required": ["sure"]}
    typist = Typist("eleven", "11", "7")
    assert FormAsker(typist.person(), {}, {}).group(schema, {}) == {"sure": 7}
    assert [line for line in typist.told if line.startswith("  '") or "must be" in line] == [
        "  'eleven' is no whole number.",
        "  It must be from 0 to 10.",
    ]


def test_yes_or_no_becomes_true_or_false():
    schema = {"properties": {"fair": {"type": "boolean"}}, "required": ["fair"]}
    assert FormAsker(Typist("n").person(), {}, {}).group(schema, {}) == {"fair": False}


def test_a_field_can_be_written_in_the_editor():
    typist, drafts = Typist(":e", *argument(1)[1:], *argument(2), *argument(3), "n"), []

    def edit(draft, remarks):
        drafts.append((draft, remarks))
        return f"{CLAIM}\n"

    said = json.loads(ask(asked_of("structured", "con", "opening"), typist.person(edit)))
    assert said["arguments"][0]["claim"] == CLAIM
    assert drafts[0][1][0] == "argument 1 · claim: one sentence that could turn out false."


def test_without_an_editor_the_person_is_told_what_to_do():
    typist = Typist(":e", *argument(1), *argument(2), *argument(3), "n")
    ask(asked_of("structured", "con", "opening"), typist.person())
    assert "  No editor is set up: set EDITOR, or type it here on one line." in typist.told


def test_a_speech_is_one_line():
    typist = Typist("Tea, of course.")
    call = asked_of("competition", "pro_1", "opening")
    assert ask(call, typist.person()) == "Tea, of course."
    assert typist.told[0].startswith("\nPRO_1, it is your turn: opening, at most 750 words.")


def test_enter_opens_the_editor_for_a_speech():
    call, seen = asked_of("competition", "pro_1", "opening"), []

    def edit(draft, remarks):
        seen.append((draft, remarks))
        return "Tea.\nAnd no coffee."

    assert ask(call, Typist("").person(edit)) == "Tea.\nAnd no coffee."
    assert call.brief.text in seen[0][1]


def pasted(*lines):
    return "\n".join(lines)


def test_a_speech_that_was_pasted_is_shown_and_posted_as_one():
    typist = Typist(pasted("Tea first.", "", "Coffee never."), "")
    assert ask(asked_of("competition", "pro_1", "opening"), typist.person()) == "Tea first.\n\nCoffee never."
    assert typist.told[-1] == "Post 2 paragraphs, 4 words? Enter posts, e edits: "


def test_a_pasted_speech_that_is_not_posted_comes_back_to_its_line():
    typist, begun = Typist(pasted("Tea first.", "Coffee never."), "e", "Tea."), []
    person = replace(typist.person(), begin=begun.append)
    assert ask(asked_of("competition", "pro_1", "opening"), person) == "Tea."
    assert begun == ["Tea first.\nCoffee never."]


def test_what_is_pasted_into_a_field_stays_there():
    typist = Typist(CLAIM, pasted(STEPS, "And so on."), FACTS, *argument(2), *argument(3), "n")
    said = json.loads(ask(asked_of("structured", "con", "opening"), typist.person()))
    assert said["arguments"][0]["reasoning"] == f"{STEPS}\nAnd so on."


def test_far_too_many_words_are_posted_after_a_yes_alone():
    typist = Typist(said := "tea " * 1_501, "", said, "y")
    assert ask(asked_of("competition", "pro_1", "opening"), typist.person()) == said.strip()
    asked = [line for line in typist.told if "were asked" in line]
    assert asked == ["1,501 words; about 750 were asked. Post it? y posts, e edits: "] * 2


def test_twice_as_many_words_are_posted_without_a_question():
    assert ask(asked_of("competition", "pro_1", "opening"), Typist("tea " * 1_500).person())


def test_who_leaves_gives_no_answer():
    with pytest.raises(EOFError):
        ask(asked_of("structured", "con", "opening"), Typist(*argument(1)).person())


class Anyone(Typist):
    """Answers whatever is asked, with the first choice and one sentence."""

    def read(self, prompt):
        if "number or name" in prompt:
            return "1"
        if prompt.endswith(("[y/N] ", "[Y/n] ")):
            return "n"
        return "5" if "whole number" in self.told[-1] else "A sentence that is long enough for any field."


@pytest.mark.parametrize("protocol", ["structured", "moderated", "adaptive", "competition"])
def test_every_form_of_every_protocol_can_be_filled_in(protocol):
    calls = {}

    def actor(call):
        if not call.brief.form.prose:
            calls[call.brief.form] = call
        return Improviser()(call)

    rehearse(plan(find_protocol(protocol), "Tea?"), actor)
    assert calls
    for form, call in calls.items():
        found = FormAsker(Anyone().person(), call.brief.choices, {}).group(schema_of(form), {})
        assert form.model_validate_json(json.dumps(found))
