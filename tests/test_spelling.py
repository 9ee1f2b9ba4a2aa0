"""How alike names are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse._base.spelling import LEAST, distance, likeness, meant, nearest, place_of, unknown, words

FEW_LETTERS = st.text("abc", max_size=9)


def slow_distance(one, other):
    """The textbook's table."""
    table = {}
    for i in range(len(one) + 1):
        for j in range(len(other) + 1):
            if i == 0 or j == 0:
                table[i, j] = i + j
                continue
            table[i, j] = min(
                table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (one[i - 1] != other[j - 1])
            )
            if i > 1 and j > 1 and one[i - 2 : i] == other[j - 2 : j][::-1]:
                table[i, j] = min(table[i, j], table[i - 2, j - 2] + 1)
    return table[len(one), len(other)]


@given(FEW_LETTERS, FEW_LETTERS)
def test_the_distance_is_that_of_the_textbook(one, other):
    assert distance(one, other) == slow_distance(one, other) == distance(other, one)


def test_the_distance_of_long_names():
    long = "a" * 70 + "bc" + "d" * 70
    assert distance(long, "a" * 70 + "cb" + "d" * 70) == 1
    assert distance(long, long[1:-1]) == 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lung_cancer", ("lung", "cancer")),
        ("LungCancer", ("lung", "cancer")),
        ("  Lung-cancer!", ("lung", "cancer")),
        ("XRayResult", ("x", "ray", "result")),
        ("HDL2Level", ("hdl", "2", "level")),
        ("V007", ("v", "7")),
        ("Café", ("cafe",)),
        ("V000", ("v", "0")),
        ("+", ()),
    ],
)
def test_words(name, expected):
    assert words(name) == expected


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("lung_cancer", "LungCancer", "the same letters"),
        ("Café", "CAFE", "the same letters"),
        ("X01", "X1", "the same words"),
        ("cancer_lung", "LungCancer", "the same words in another order"),
        ("Dyspnoea", "dyspnea", "one letter more or less"),
        ("Hopsital", "Hospital", "two letters swapped"),
        ("HeartRate", "HeartRateB", "the same words and more"),
        ("pt_HR", "HR", "the same words and more"),
        ("HR", "HRValue", "the same words and more"),
        ("Dysphagia", "Dysphasia", "spelled alike"),  # another letter makes another word
        ("Casual", "Causal", "spelled alike"),  # short words that differ by a swap are often two words
        ("Selection", "Election", "spelled alike"),  # as are words that begin or end with another letter
        ("Diarrhoea", "drrh", "the same consonants"),
        ("T1_2", "T12", "the same letters, but different numbers"),
        ("Smoker", "Smoking", "words that begin alike"),
        ("Temp", "Temperature", "words that begin alike"),
        ("BodyTemp", "BodyTemperature", "words that begin alike"),
    ],
)
def test_names_that_are_alike(one, other, why):
    found = likeness(one, other)
    assert found is not None
    assert found == likeness(other, one)
    assert found.why == why
    assert LEAST <= found.share <= 1
    assert (found.share == 1) == (why == "the same letters")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("X1", "X2"),
        ("Gene10", "Gene100"),
        ("X1_2", "X2_1"),
        ("A", "B"),
        ("Age", "Sex"),
        ("EyeLeft", "EyeRight"),
        ("Cancer", "CancerStage"),
        ("+", "-"),
        ("", "A"),
        ("Fever", "Cough"),
    ],
)
def test_names_that_are_not(one, other):
    assert likeness(one, other) is None
    assert likeness(other, one) is None


def test_a_word_more_makes_a_name_less_alike_than_a_slip():
    more, slip = likeness("HeartRate", "HeartRateB"), likeness("HeartRate", "HeartRatte")
    assert more is not None
    assert slip is not None
    assert more.share < 0.75 < slip.share


def test_the_nearest_name():
    assert nearest("Smokr", ["Cough", "Smoke", "Smoker"]) == "Smoker"
    assert nearest("cough", ["Coughs", "Cough", "COUGH"]) == "Cough"
    assert nearest("Age", ["Sex"]) is None


def test_a_message_adds_the_nearest_name_or_nothing():
    assert meant("genetics", ["direct", "genetic"]) == " (did you mean 'genetic'?)"
    assert unknown("method", "SMHD", ["smhd"]) == "unknown method 'SMHD' (did you mean 'smhd'?)"
    for nobody in ("zzz", "", 3, None, ["genetic"]):
        assert meant(nobody, ["direct", "genetic"]) == ""


@pytest.mark.parametrize(
    ("value", "labels", "place"),
    [
        ("1", ("0", "1"), 1),
        ("1.0", ("0", "1"), 1),
        (1.0, ("0", "1"), 1),
        (0, ("0.0", "1.0"), 0),
        ("-0", ("0", "1"), 0),
        ("1e1", ("1", "10"), 1),
        (0.1, ("0.10", "0.2"), 0),
        (2.0, ("1", "2", "many"), 1),
        ("1.0", ("1", "1.0"), 1),
        ("1.00", ("1", "1.0"), None),
        ("0.1000000000000001", ("0.1", "0.2"), None),
        ("1,0", ("0", "1"), None),
        ("nan", ("0", "1"), None),
        ("1e99999", ("0", "1"), None),
        (True, ("0", "1"), None),
        (True, ("False", "True"), 1),
        (None, ("None", "1"), None),
    ],
)
def test_a_value_stands_for_a_label_by_its_text_or_its_number(value, labels, place):
    assert place_of(value, labels) == place
