"""Thinking, channels, roles and end tokens around an answer are taken away, and nothing of the answer is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.script.reply_marks import MOST_BLOCKS, last_end_of_thinking, without_thinking, words_alone

FINAL = "<|start|>assistant<|channel|>final<|message|>"
ANALYSIS = "<|channel|>analysis<|message|>"


@pytest.mark.parametrize(
    "before",
    [
        "",
        "\ufeff \n",
        "assistant\n\n",
        "<think>It may rain.</think>\n",
        "<THINKING></Thinking>",
        "[THINK]It may rain.[/THINK]",
        "◁think▷It may rain.◁/think▷",
        "<|begin_of_thought|>It may rain.<|end_of_thought|>",
        "<think>It may rain.</think>assistant\n<think>It does.</think>",
        "<|channel|>final<|message|>",
        f"{ANALYSIS}It may rain.<|end|>{FINAL}",
        f"{ANALYSIS}It may rain.{FINAL}",
        f"{ANALYSIS}It may rain.<|channel|>final <|constrain|>json<|message|>",
    ],
)
def test_what_stands_before_the_words_is_taken_away(before):
    assert without_thinking(f"{before}Take a coat.") == "Take a coat."


@pytest.mark.parametrize("reply", ["<think>It may rain.", f"{ANALYSIS}It may rain.", "\n<think></think><reasoning>So"])
def test_thinking_that_never_ends_leaves_no_words(reply):
    assert (without_thinking(reply), words_alone(reply)) == (None, None)


def test_thinking_within_the_words_stays():
    assert words_alone("I say <think>so</think> there.") == "I say <think>so</think> there."


def test_as_many_blocks_are_taken_away_as_the_limit():
    assert without_thinking("<think></think>" * MOST_BLOCKS + "So.") == "So."


def test_a_block_beyond_the_limit_stays():
    assert without_thinking("<think></think>" * (MOST_BLOCKS + 1) + "So.") == "<think></think>So."


def test_the_last_end_of_thinking_is_found():
    text = "I weigh it.</think> So.[/THINK]\nYes."
    assert text[last_end_of_thinking(text) :] == "\nYes."


def test_without_an_end_of_thinking_all_is_answer():
    assert last_end_of_thinking("Yes.") == 0


def test_the_end_of_thinking_in_a_line_of_its_own_begins_the_words():
    assert words_alone("I weigh it.\n</think>\nI weigh it again.\n </think> \nYes.") == "Yes."


@pytest.mark.parametrize("end", ["", "\n", "<|im_end|>", "</s>", "<end_of_turn>\n<eos>", " <|eot_id|></s>\n"])
def test_end_tokens_behind_the_words_are_taken_away(end):
    assert words_alone(f"Take a coat.{end}") == "Take a coat."


def test_an_end_token_within_the_words_stays():
    assert words_alone("It ends with </s> always.") == "It ends with </s> always."


def test_as_many_end_tokens_are_taken_away_as_the_limit():
    assert words_alone("So." + "</s>" * (MOST_BLOCKS + 1)) == "So.</s>"


@given(st.text(st.characters(codec="utf-8", exclude_characters="<[◁")))
def test_words_without_marks_stay_as_they_are(text):
    words = f"So {text} it is."
    assert words_alone(words) == words
