"""Whoever runs the pages would notice a page that is wrong."""

import pytest

from .blocks import ROOT, blocks, settle
from .console import Console
from .outputs import WORDS, fits


@pytest.fixture
def silent(home):
    return Console()


def test_what_is_not_said_is_noticed(silent):
    with pytest.raises(AssertionError, match="should say"):
        silent.play("$ hustings --version\nhustings 99\n")


def test_a_command_that_fails_is_noticed(silent):
    with pytest.raises(AssertionError, match="ended with 2"):
        silent.play("$ hustings rehearse nothing-like-it\n")


def test_a_line_that_is_left_out_is_noticed(silent):
    with pytest.raises(AssertionError, match="let the command cut"):
        silent.play("$ echo one; echo two\none\n…\n")


def test_dots_within_a_line_stand_for_themselves(silent):
    silent.play("$ echo debate whether …\ndebate whether …\n")
    with pytest.raises(AssertionError, match="should say"):
        silent.play("$ echo one two\none …\n")


@pytest.mark.parametrize(
    ("shown", "output"),
    [
        ("<number> calls", "1,204 calls"),
        ("after <seconds> s", "after 2.5 s"),
        ("stopped at <dollars>", "stopped at $0.50"),
        ("<Result <id>: played>", "<Result tabs-or-spaces-0f3c: played>"),
    ],
)
def test_a_word_in_angle_brackets_stands_for_what_changes(shown, output):
    assert fits(shown, output)
    assert not fits(shown, shown)


def test_any_other_word_in_angle_brackets_is_read_as_it_stands():
    assert fits("<file>", "<file>")
    assert not fits("<file>", "plan.md")


def test_a_line_that_is_not_shown_is_noticed():
    assert not fits("one", "one\ntwo")
    assert not fits("", "one")


def test_there_are_few_words():
    assert len(WORDS) <= 8


def test_on_old_pages_dots_stand_for_what_varies(silent):
    silent.play(
        "$ hustings --version\nhustings …\n$ hustings protocols\nadaptive  (…)\n…\nTry one without a model: …\n",
        dots=True,
    )


def test_on_old_pages_dots_do_not_stand_for_everything(silent):
    with pytest.raises(AssertionError, match="should say"):
        silent.play("$ hustings protocols\nadaptive  (…)\n…\nTry none\n", dots=True)


def test_a_line_goes_on_in_the_next(silent):
    silent.play("$ hustings rehearse \\\n>   structured\nstructured/1: …\n…\n", dots=True)


def test_several_commands_in_a_line_are_left_to_a_shell(silent):
    silent.play("$ echo one; echo two\none\ntwo\n")


def test_an_exported_variable_holds_for_what_follows(silent):
    silent.play(
        "$ export LLM_PROVIDER=ollama LLM_MODEL=qwen3\n$ hustings config show\n…\nprovider …ollama\nmodel …qwen3\n…\n",
        dots=True,
    )


def test_what_python_prints_is_what_stands_below(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1)\n```\n```text\n1\n```\n```python\nprint(2)\n```\n\n```text\n2\n```\n")
    assert [block.output for block in blocks(page) if block.language == "python"] == ["1\n", ""]


def test_what_python_prints_is_heard(interpreter):
    assert interpreter.run("print(1 + 1)", "here") == "2\n"


def test_python_that_raises_is_noticed(interpreter):
    interpreter.run("a = 1", "here")
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        interpreter.run("a / 0", "here")


def test_settings_that_nobody_knows_are_noticed(home):
    page = home / "page.md"
    page.write_text('```toml title="hustings.toml"\nbudgets = 1\n```\n')
    (block,) = blocks(page)
    (home / block.file).write_text(block.text)
    with pytest.raises(Exception, match="budget"):
        settle(block)


def test_a_block_in_a_list_is_a_block_too(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("- a thing\n\n  ```console\n  $ hustings --version\n  ```\n")
    assert [(block.language, block.text) for block in blocks(page)] == [("console", "$ hustings --version\n")]


def test_the_readme_has_blocks():
    assert len(blocks(ROOT / "README.md")) >= 4
