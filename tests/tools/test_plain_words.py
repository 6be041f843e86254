"""Old phrases are found wherever people read, in every spelling, and nowhere else."""

import ast
import json
import subprocess
import sys
import time

import pytest
from tools.plain_words import ROOT, Text, old_phrases, phrases, texts

from tools import plain_words

DATA = """
[words]
"mend(s|ed|ing)?" = "fix"

[phrases.help]
"have {} debates" = "Run {} debates"
"nothing is paid" = "free"

[phrases.briefing]
"key insight" = "Strongest argument"

[phrases.live]
"\\"was asked\\"" = "thinking"
"""


@pytest.fixture
def known(tmp_path):
    (tmp_path / "phrases.toml").write_text(DATA)
    return phrases(tmp_path / "phrases.toml")


@pytest.fixture
def house(tmp_path):
    """A project with one file, and what is found in it."""

    def found(place, content):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(content)
        return list(texts(tmp_path))

    return found


def hits(known, *said, place="src/hustings/x.py", allowed=()):
    read = iter([Text(place, 1, text) for text in said])
    return [
        line.split("; better")[0].partition(": ")[2] for line in old_phrases(known, read, dict.fromkeys(allowed, ""))
    ]


@pytest.mark.parametrize(
    "text", ["Nothing is paid.", "it runs; NOTHING IS PAID", "Have 12 debates", "have many debates"]
)
def test_a_phrase_is_found_in_any_spelling(known, text):
    assert len(hits(known, text)) == 1


@pytest.mark.parametrize("text", ["nothing is paidx", "amended", "she was asked twice", "have a look at debate"])
def test_a_part_of_another_phrase_is_not_one(known, text):
    assert hits(known, text) == []


def test_quotes_stand_for_the_ends_of_a_message(known):
    assert hits(known, '"was asked"', '"who was asked"') == ["'\"was asked\"'"]


def test_what_is_better_is_said(known):
    assert list(old_phrases(known, iter([Text("a.md", 7, "it mends")]), {})) == ["a.md:7: 'mends'; better: fix"]


def test_a_place_may_be_allowed(known):
    assert hits(known, "it mends", allowed=["src/hustings/x.py: mends"]) == []


def test_a_message_with_values_is_one_text(house):
    (text,) = house("src/hustings/a.py", '"""Doc."""\n\nsaid = (\n    f"have {1}"\n    " debates"\n)\n')
    assert text == Text("src/hustings/a.py", 4, '"have {} debates"')


def test_a_string_inside_a_value_is_a_text_too(house):
    found = house("src/hustings/a.py", "said = f\"{'none begun' if 1 else 'over again'} so far\"\n")
    assert {text.said for text in found} == {'"{} so far"', '"none begun"', '"over again"'}


def test_docstrings_are_read_where_they_are_help(house):
    source = '"""Help."""\n'
    assert house("src/hustings/a.py", source) == []
    assert [text.said for text in house("src/hustings/cli/commands/a.py", source)] == ['"Help."']


def test_prompts_are_left_to_their_authors(house):
    assert house("src/hustings/protocols/a.py", 'said = "nothing is paid"\n') == []


def test_comments_of_pages_are_not_read(house):
    found = house("frontend/src/a.ts", '/** mend\n it */\nconst url = "http://x"; // mend\nconst a = "mend";\n')
    assert [(text.line, "mend" in text.said) for text in found] == [(3, False), (4, True)]


def test_comments_of_pages_are_as_plain_as_those_of_the_package(tmp_path, monkeypatch):
    monkeypatch.setattr(plain_words, "ROOT", tmp_path)
    (tmp_path / "a.tsx").write_text('const a = "whoever";\n/** For\n whoever reads. */\n// so many\n')
    found = [line.split(";")[0] for line in plain_words.stilted(tmp_path / "a.tsx", {})]
    assert found == ["a.tsx:2: 'whoever'", "a.tsx:4: 'so many'"]


def test_what_is_generated_is_not_read(house):
    found = house("README.md", "# One\n\n<!-- begin x -->\nmend\n\nmend\n<!-- end x -->\n\ntwo\nlines\n")
    assert [text.said for text in found if text.said] == ["# One", "two lines"]
    assert [text.line for text in found if text.said] == [1, 9]


def test_nothing_is_left_and_it_is_said_quickly():
    """In seconds of computing, beside those that parsing takes on the same machine, however busy it is."""
    begun = time.process_time()
    for path in (plain_words.ROOT / "src").rglob("*.py"):
        ast.parse(path.read_text("utf-8"))
    parsed = time.process_time()
    found = list(old_phrases(phrases(), texts(), plain_words.tomllib.loads(plain_words.ALLOWED.read_text())["allowed"]))
    assert found == []
    assert time.process_time() - parsed < 4 * (parsed - begun)


@pytest.mark.nightly("reads everything again; `make gates` runs the tool on every change")
def test_its_last_line_is_for_programs():
    done = subprocess.run(
        [sys.executable, "tools/plain_words.py"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert json.loads(done.stdout.splitlines()[-1]) == {"old_phrases": len(phrases()), "left": 0}
    assert done.returncode == 0
