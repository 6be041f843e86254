"""The map has a line for every module, with what the module says of itself."""

from tools.map import tree


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
