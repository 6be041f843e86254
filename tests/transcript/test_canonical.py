"""The canonical form is that of RFC 8785, whatever the document holds."""

from __future__ import annotations

import copy

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from hustings.transcript.canonical import canonical, digest, sealed

NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(DOCUMENTS)
def test_the_canonical_form_is_that_of_the_catalogue(document: object) -> None:
    assert canonical(document) == rfc8785.dumps(document)


def test_keys_are_ordered_by_their_utf16_units() -> None:
    assert canonical({"\uffee": 1, "🤝": 2, "b": 3, "": 4}) == '{"":4,"b":3,"🤝":2,"\uffee":1}'.encode()


def test_tuples_are_lists() -> None:
    assert canonical({"a": (1, "x", ())}) == b'{"a":[1,"x",[]]}'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53, "\ud800", {"\ud800": 1}, {"é", 1}, object()])
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"safe integer|representable|surrogates|unsupported type"):
        canonical([value])


def test_the_digest_is_over_everything_but_the_integrity_block() -> None:
    document = {"b": 1.0, "a": "é"}
    assert digest(document) == "aa58fba8483623bed37c1b02edfccbdd9a53123837c20bfa4cb4049993a2872e"
    assert digest(document | {"integrity": {"digest": "other"}}) == digest(document)
    assert digest(document | {"c": 1}) != digest(document)


def test_a_sealed_document_carries_its_own_digest() -> None:
    document = {"a": [1], "integrity": {"digest": "old", "x_more": 1}}
    before = copy.deepcopy(document)
    block = {"algorithm": "sha256", "canonicalization": "RFC8785", "digest": digest(document)}
    assert sealed(document) == {"a": [1], "integrity": block}
    assert document == before
