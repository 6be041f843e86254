"""How far the words around a quote reach: which ones turn it, from how far away, and what stops them."""

import pytest

from hustings.text.clipping import cut_after, cut_before, cut_inside, left_out
from hustings.text.folding import Text

FILLER = " ".join(f"z{one}{two}" for one in "abcdefgh" for two in "abcdefgh")


def some(size: int) -> str:
    """Words of no language."""
    return " ".join(FILLER.split()[:size])


def place(text: Text, quote: str) -> tuple[int, int]:
    words = Text(quote).words
    first = next(text.places(words))
    return first, first + len(words)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        (f"not {some(23)} safe to use", "not"),
        (f"not {some(24)} safe to use", ""),
        (f"it {some(2)} not {some(23)} safe to use", "not"),
        (f"it {some(2)} not {some(24)} safe to use", ""),
        ("not safe to use", "not"),
        ("they didn't safe to use", "didn't"),
        ("was not planned, built or safe to use", "not"),
        ("was not planned, built, safe to use", ""),
        ("was not planned, now safe to use", ""),
        ("was not planned; built or safe to use", ""),
        ("not, as they said, safe to use", "not"),
        ("is not, then, safe to use", "not"),
        ("not (so) safe to use", "not"),
        ("is not (so) safe (to use)", "not"),
        ("never) safe to use", ""),
        ("never) safe to use, isn't it, or isn't", ""),
        ("anything but safe to use", "anything but"),
        ("莫斯科 safe to use", ""),
        ("was due to too much safe to use", ""),
        ("it is too to safe to use", "too"),
        ("was not planned or, then, safe to use", ""),
        ("wurde weder geplant, gebaut noch safe to use", "weder"),
        ("he denies, safe to use", "denies"),
        ("he denies it, safe to use", ""),
        ("Er bezweifelt sehr, dass safe to use", "bezweifelt"),
        ("Es ist nicht klar, ob safe to use", "nicht"),
        ("nobody came, but safe to use", ""),
        ("nobody came but safe to use", ""),
        ("it is anything but safe to use", "anything but"),
        ("nobody came and the safe to use", ""),
        ("nobody came and very safe to use", "nobody"),
        ("nobody came. Safe to use", ""),
        ("nobody, e.g. it. Safe to use", ""),
        ("is not (as they said) safe to use", "not"),
        ("is not (as, they, said) safe to use", "not"),
        (f"is not ({some(23)}) safe to use", "not"),
        (f"is not ({some(24)}) safe to use", ""),
        (f"it was said ({some(22)}) safe to use", ""),
        ("is not, as they said, safe to use", "not"),
        (f"is not, {some(9)}, safe to use", "not"),
        (f"is not, {some(10)}, safe to use", ""),
        ("is not; as they said, safe to use", ""),
        ("is bad, as they said, safe to use", ""),
        ("it fails, as they said, safe to use", ""),
        ("without it safe to use", "without"),
        ("without it all today safe to use", "without"),
        ("without it all of today safe to use", ""),
        ("instead of it all today safe to use", "instead of"),
        ("instead of it all of today safe to use", ""),
        ("failed to make it safe to use", "failed to"),
        (f"failed to {some(10)} safe to use", "failed to"),
        ("far too bad to be safe to use", "too bad to"),
        ("far too bad and safe to use", ""),
        ("much too safe to use", ""),
        ("no longer safe to use", "no longer"),
        ("not only safe to use", ""),
        ("it is not just very safe to use", ""),
        ("only a few safe to use", ""),
        ("there are few safe to use", "few"),
        ("few safe to use", "few"),
        ("非常 safe to use", ""),
        ("不同 safe to use", ""),
        ("不可避免 safe to use", "避免"),
        ("", ""),
    ],
)
def test_a_negation_reaches_from_before_a_quote_to_the_end_of_its_clause(text: str, cut: str) -> None:
    read = Text(text if "afe to use" in text else f"{text} safe to use")
    assert cut_before(read, place(read, "safe to use")[0]) == cut


def test_words_of_the_quote_itself_do_not_count_as_cut_off() -> None:
    read = Text("it was too safe to use")
    assert [cut_before(read, n) for n in range(5)] == ["", "", "", "", "too"]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("safe to use", ""),
        ("safe to use unless it rains", "unless"),
        ("safe to use, unless it rains", "unless"),
        ("safe to use. Unless it rains", ""),
        ("safe to use\n\nUnless it rains", ""),
        ("safe to use, not today", ""),
        ("safe to use not today", "not"),
        ("safe to use nor to sell", ""),
        ("safe to use isn't", "isn't"),
        ("safe to use is false", "is false"),
        ("safe to use is a myth", "is a myth"),
        ("safe to use is a good plan", ""),
        ("safe to use only now", "only"),
        ("safe to use just now", ""),
        ("safe to use not only now", ""),
        (f"safe to use {some(15)} nicht", "nicht"),
        (f"safe to use {some(16)} nicht", ""),
        (f"safe to use {some(3)} not", ""),
        (f"safe to use {some(3)} nicht nur", ""),
        (f"safe to use {some(3)}, nicht", ""),
        (f"safe to use {some(3)} aber nicht", ""),
        (f"safe to use {some(3)} und nicht", ""),
        (f"safe to use {some(3)} oder nicht", ""),
    ],
)
def test_what_stands_behind_a_quote_may_take_it_back(text: str, cut: str) -> None:
    read = Text(text)
    assert cut_after(read, 3) == cut


def test_after_a_negation_at_the_end_of_a_quote_only_is_cut_off() -> None:
    assert cut_after(Text("it is not merely safe"), 3) == "merely"
    assert cut_after(Text("it is now merely safe"), 3) == ""


def test_a_quote_that_ends_in_and_shows_that_more_was_said() -> None:
    assert cut_after(Text("it is and not more"), 3) == ""
    assert cut_after(Text("it is so not more"), 3) == "not"


@pytest.mark.parametrize(
    ("text", "quote", "cut"),
    [
        ("five pumps ran", "five pumps ran", ""),
        ("twenty five pumps ran", "five pumps ran", "twenty five"),
        ("twenty, five pumps ran", "five pumps ran", ""),
        ("treinta y cinco bombas", "cinco bombas", "treinta y cinco"),
        ("blanco y cinco bombas", "cinco bombas", ""),
        ("y cinco bombas", "cinco bombas", ""),
        ("less than 5 pumps", "5 pumps", "less than 5"),
        ("less than -5 pumps", "-5 pumps", "less than -5"),
        ("than 5 pumps", "5 pumps", ""),
        ("no more than 5 pumps", "5 pumps", "more than 5"),
        ("less than, 5 pumps", "5 pumps", ""),
        ("less than pumps", "pumps", ""),
        ("at € 5 pumps", "5 pumps", "€ 5"),
        ("at €5 pumps", "5 pumps", "€5"),
        ("at €, 5 pumps", "5 pumps", ""),
        ("risk-free pumps ran", "free pumps ran", "risk-free"),
        ("risk – free pumps ran", "free pumps ran", ""),
        ("in 5 million pumps", "in 5", "5 million"),
        ("in 5 pumps", "in 5", ""),
        ("in 5, million pumps", "in 5", ""),
        ("in five million pumps", "in five", "five million"),
        ("in million % pumps", "in million", "million %"),
        ("in five six pumps", "in five", "five six"),
        ("in 5 six pumps", "in 5", ""),
        ("of x² pumps", "of x", "x²"),
        ("of x ² pumps", "of x", ""),
        ("of 5-10 pumps", "of 5", "5-"),
        ("of 5 -big pumps", "of 5", ""),
        ("of 5-", "of 5", ""),
        ("of 5-!", "of 5", ""),
        ("of 5-7", "of 5", "5-"),
        ("of 5-big pumps", "of 5", ""),
        ("of 5 mn % pumps", "of 5 mn", "mn %"),
        ("of pumps % more", "of pumps", ""),
        ("less than 1,5 pumps", "1,5 pumps", "less than 1,5"),
        ("five million pumps or twenty", "five", "five million"),
        ("risk–free pumps ran", "free pumps ran", ""),
        ("risk−free pumps ran", "free pumps ran", ""),
        ("hay treinta y cinco", "hay treinta", "treinta y"),
        ("hay treinta y bombas", "hay treinta", ""),
        ("hay treinta y", "hay treinta", ""),
        ("the code is error-free", "code is error", "error-free"),
        ("the code is error", "code is error", ""),
    ],
)
def test_a_figure_or_compound_is_cut_or_whole(text: str, quote: str, cut: str) -> None:
    read = Text(text)
    assert cut_inside(read, *place(read, quote)) == cut


@pytest.mark.parametrize(
    ("gap", "why"),
    [
        ("in a long year", ""),
        ("in no year", "leaves out 'no'"),
        ("no longer", "leaves out 'no longer'"),
        ("without it", "leaves out 'without'"),
        ("and failed to", "leaves out 'failed to'"),
        ("instead of it", "leaves out 'instead of'"),
        ("perhaps so", "leaves out 'perhaps'"),
        ("in May of it", ""),
        ("it may be", "leaves out 'may'"),
        ("not only so", "leaves out 'only'"),
        ("they didn't so", "leaves out 'didn't'"),
        ("it was. But", "makes one sentence of two"),
        ("it was. But it was.", ""),
        ("unless it was. But it was.", "leaves out 'unless'"),
        ("it rained unless dry. But it was.", ""),
        ("it was as far", ""),
        ("a few of it", ""),
        ("without doubt it", ""),
        ("it was far", ""),
    ],
)
def test_some_words_may_not_be_left_out(gap: str, why: str) -> None:
    read = Text(f"one two three {gap} four five six")
    assert left_out(read, 3, len(read) - 3) == why


def test_a_sentence_of_one_word_may_begin_the_next_part() -> None:
    assert left_out(Text("one two three it was. Four. Five six"), 3, 5) == ""


def test_a_phrase_that_goes_on_into_the_next_part_is_told_as_far_as_it_was_left_out() -> None:
    assert left_out(Text("one two three no longer five six"), 3, 4) == "leaves out 'no'"


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("It is not\nsafe to use in the rain today", "not"),
        ("It is not\n\nsafe to use", ""),
        ("It is not\n \t\nsafe to use", ""),
        ("It is not\n- safe to use", ""),
        ("It is not\n  * safe to use", ""),
        ("It is not\n1. safe to use", ""),
        ("It is not\n2) safe to use", ""),
        ("It is not\n20 safe to use", "not"),
        ("not\nSafe to use", ""),
        ("not\nsafe to use", "not"),
        ("not now\nSafe to use it all", ""),
        ("it is not now\nSafe to use it", "not"),
        ("first of all of these things\nnot now\nSafe to use it all\nand more", ""),
        ("first\nit is not now\nSafe to use it\nand much more of it here", "not"),
        ("it is not 12345\nSafe to use it all, all of it", "not"),
        ("| not | safe to use |", "not"),
        ("it is not |\nsafe to use", ""),
        ("not\n| safe to use |", ""),
        ("It is not e.g. safe to use", "not"),
        ("It is not e.g. Dr. safe to use", "not"),
        ("It is not so. safe to use", ""),
        ("It is not so.safe to use", ""),
        ("It is not so! safe to use", ""),
        ("It is not so.” safe to use", ""),
        ("It is not so。safe to use", ""),
        ("It is not: safe to use", ""),
        ("It is not - safe to use", ""),
        ("It is not – safe to use", ""),
        ("It is not—safe to use", ""),
    ],
)
def test_a_sentence_a_line_or_a_sign_ends_the_reach_of_a_negation(text: str, cut: str) -> None:
    read = Text(text)
    assert cut_before(read, place(read, "safe to use")[0]) == cut


def test_a_heading_is_less_than_half_as_long_as_the_line_below_it() -> None:
    line = "Safe to use in rain."
    for size, cut in ((9, ""), (10, "not")):
        for start in ("", "\n"):
            read = Text(f"{start}{'x' * (size - 4)} not\n{line}")
            assert cut_before(read, place(read, "safe to use")[0]) == cut
