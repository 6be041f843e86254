"""The map has a line for every module, and every module says what it is for."""

from pathlib import Path

from tools.map import ROOT, first_line, tree


def test_packages_and_modules_are_shown_with_their_first_lines(tmp_path):
    inner = tmp_path / "rig" / "cellar"
    inner.mkdir(parents=True)
    (inner.parent / "__init__.py").write_text('"""A house."""\n')
    (inner.parent / "door.py").write_text('"""A way in.\n\nAnd out."""\n')
    (inner / "wine.py").write_text("")
    assert [line.split() for line in tree(tmp_path / "rig")] == [
        ["rig/", "A", "house."],
        ["door", "A", "way", "in."],
        ["cellar/"],
        ["wine"],
    ]


def test_every_module_of_the_package_has_a_first_line():
    silent = [path for path in (ROOT / "src").rglob("*.py") if path.read_text("utf-8").strip() and not first_line(path)]
    assert [str(path.relative_to(ROOT)) for path in map(Path, silent)] == []
