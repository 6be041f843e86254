"""Text for people at a terminal."""

import io

from hustings.cli.terminal import show_prose


class Screen(io.StringIO):
    def isatty(self):
        return True


def shown(text, monkeypatch, columns=40):
    screen = Screen()
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout", screen)
    show_prose(text)
    return screen.getvalue().splitlines()


def test_prose_is_wrapped_at_words_and_keeps_its_indent(monkeypatch):
    text = "    Think of the best objection first, and build on it.\nThen stop."
    assert shown(text, monkeypatch) == [
        "    Think of the best objection first,",
        "    and build on it.",
        "Then stop.",
    ]


def test_a_command_stays_on_one_line(monkeypatch):
    text = "Answer it later, whenever you like: hustings say cats-or-dogs-1 con"
    assert shown(text, monkeypatch) == ["Answer it later, whenever you like:", "hustings say cats-or-dogs-1 con"]


def test_without_a_terminal_a_line_is_a_line(capsys):
    show_prose("word " * 40)
    assert capsys.readouterr().out == "word " * 40 + "\n"
