"""What stands in quotation marks, in any script."""

import pytest

from hustings.text.quotations import quotations_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ada says “buses are late” and “trams are dear”.", ["buses are late", "trams are dear"]),
        ('He wrote "so it is".', ["so it is"]),
        ("Sie sagt: „Busse sind spät“.", ["Busse sind spät"]),
        ("Elle dit « les bus sont en retard ».", ["les bus sont en retard"]),
        ("彼は「バスは遅い」と言った。", ["バスは遅い"]),
        ("It's Ada's point, and Ben's.", []),
        ("An “open mark has no end.", []),
    ],
)
def test_passages_in_quotation_marks_are_found_without_their_marks(text, found):
    assert quotations_in(text) == found
