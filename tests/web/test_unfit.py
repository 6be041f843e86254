"""A person who sends a field that does not fit is told which one and what it takes."""

import pytest

from .rig import MOTION

LONG = "at most {} characters."


@pytest.fixture(scope="module")
def held(site):
    return site.play(model="improviser")


@pytest.mark.parametrize(
    ("path", "body", "says"),
    [
        ("/api/debates", {"question": "x" * 2_001}, "question: " + LONG.format("2,000")),
        ("/api/debates", {"question": ""}, "question: at least 1 character."),
        ("/api/debates", {}, "question: missing."),
        ("/api/debates", {"question": MOTION, "budget": -1}, "budget: at least 0."),
        ("/api/debates", {"question": MOTION, "budget": "1", "seed": 0.5}, "seed: a whole number; budget: a number."),
        ("/api/debates", {"question": MOTION, "colour": "red"}, "another field: this address takes no such field."),
        ("/api/debates", {"question": MOTION, "language": "?"}, "language: this value is not allowed."),
        ("/api/debates", {"question": MOTION, "judges": 3}, "judges: this value is not allowed."),
        ("/api/debates/{}/speeches", {"seat": "con", "text": "x" * 150_000}, "text: " + LONG.format("100,000")),
        ("/api/debates/{}/instructions", {"text": "x" * 2_001}, "text: " + LONG.format("2,000")),
        ("/api/debates", {"question": MOTION, "on_failure": "stop"}, "on_failure: 'pause' or 'go-on'."),
        ("/api/debates/{}/ratings", {"stars": 6}, "stars: at most 5."),
        ("/api/debates/{}/outcome", {"option": "x" * 201}, "option: " + LONG.format("200")),
        ("/api/debates/{}/outcome", {"option": "yes", "source": "x" * 2_001}, "source: " + LONG.format("2,000")),
    ],
)
def test_a_field_that_does_not_fit_has_its_own_sentence(site, held, path, body, says):
    answer = site.http.post(path.format(held), json=body)
    assert (answer.status_code, answer.json()["title"]) == (422, says)


@pytest.mark.parametrize(
    ("tags", "says"),
    [(["x" * 41], "tags: " + LONG.format(40)), ([str(n) for n in range(21)], "tags: at most 20 entries.")],
)
def test_tags_that_do_not_fit_have_their_own_sentence(site, held, tags, says):
    answer = site.http.patch(f"/api/debates/{held}", json={"tags": tags})
    assert (answer.status_code, answer.json()["title"]) == (422, says)


def test_only_a_rule_without_words_sends_people_to_the_schema(site):
    plain, odd = (
        site.http.post("/api/debates", json={"question": MOTION, **more}) for more in ({"budget": -1}, {"judges": 3})
    )
    assert (plain.json()["fix"], odd.json()["fix"]) == ("", "See /api/openapi.json for the allowed values.")
