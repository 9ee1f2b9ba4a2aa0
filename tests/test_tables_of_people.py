"""Tables as people have them: counts, subjects, money, ranges, states with any name; small copies of known shapes."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
from bnfuse import BnfuseError, MismatchError, OptionError, discretised, learn
from bnfuse.data.cells import is_date, number_format, plain_number, state_name
from bnfuse.data.data import MISSING, as_data
from bnfuse.data.label_order import in_people_order
from bnfuse.inference.parameters import fit

DRAW = random.Random(3)


def written(folder: Path, columns: dict[str, list[Any]], name: str = "table.csv") -> Path:
    """A CSV file; cells that hold a comma are quoted."""
    rows = [[*columns], *zip(*columns.values(), strict=True)]
    quoted = [[f'"{cell}"' if "," in str(cell) else str(cell) for cell in row] for row in rows]
    path = folder / name
    path.write_text("".join(",".join(row) + "\n" for row in quoted))
    return path


def crossed(levels: dict[str, list[str]], count_of: Any, count_name: str = "Freq") -> dict[str, list[Any]]:
    """A table of counts, as R makes one of a table: a row for each combination."""
    rows = list(itertools.product(*levels.values()))
    columns = {name: [row[i] for row in rows] for i, name in enumerate(levels)}
    return {"": list(range(1, len(rows) + 1)), **columns, count_name: [count_of(*row) for row in rows]}


HAIR = crossed(
    {"Hair": ["Black", "Brown", "Blond"], "Eye": ["Brown", "Blue", "Green"], "Sex": ["Male", "Female"]},
    lambda hair, eye, sex: 60 if (hair == "Blond") == (eye == "Blue") else 9,
)
SHIP = crossed(
    {"Class": ["1st", "2nd", "Crew"], "Sex": ["Male", "Female"], "Age": ["Child", "Adult"], "Survived": ["No", "Yes"]},
    lambda rank, sex, age, survived: (
        0 if rank == "Crew" and age == "Child" else (120 if (sex == "Male") == (survived == "No") else 12) + len(age)
    ),
)
ADMISSIONS = crossed(
    {"Admit": ["Admitted", "Rejected"], "Gender": ["Male", "Female"], "Dept": ["A", "B", "C"]},
    lambda admit, gender, dept: (
        (
            {"A": 8, "B": 5, "C": 1}[dept] * (10 if gender == "Male" else 2)
            if admit == "Admitted"
            else {"A": 2, "B": 5, "C": 9}[dept] * (10 if gender == "Male" else 2)
        )
        * (1 if (dept == "A") == (gender == "Male") else 8)
    ),
)


def skeleton(dag: bnfuse.DAG) -> set[frozenset[str]]:
    return set(map(frozenset, dag.edges))


@pytest.mark.parametrize(
    ("columns", "joined"),
    [
        (HAIR, {frozenset({"Hair", "Eye"})}),
        (ADMISSIONS, {frozenset({"Admit", "Dept"}), frozenset({"Gender", "Dept"})}),
        (SHIP, {frozenset({"Sex", "Survived"})}),
    ],
    ids=["HairEyeColor", "UCBAdmissions", "Titanic"],
)
def test_a_table_of_counts_is_learned_from_as_the_people_that_it_counts(
    tmp_path: Path, columns: dict[str, list[Any]], joined: set[frozenset[str]]
) -> None:
    table = written(tmp_path, columns)
    hint = (
        "'Freq' looks like counts: if these are the frequencies of the combinations of the others, name it in weights"
    )
    assert hint in discretised(table).notes
    found = learn(table, weights="Freq")
    assert joined <= skeleton(found.dag)
    names = [name for name in columns if name not in ("", "Freq")]
    people = {
        name: [cell for cell, n in zip(columns[name], columns["Freq"], strict=True) for _ in range(n)] for name in names
    }
    expected = learn(written(tmp_path, people, "people.csv"))
    assert (found.dag, found.score) == (expected.dag, expected.score)
    assert hint not in found.notes
    rows, total = sum(n > 0 for n in columns["Freq"]), sum(columns["Freq"])
    assert f"'Freq' is the weight of a row: {rows} rows for {total:,}" in found.notes


def test_rows_that_nobody_is_in_are_dropped_and_counted(tmp_path: Path) -> None:
    notes = discretised(written(tmp_path, SHIP), weights="Freq").notes
    assert f"dropped {SHIP['Freq'].count(0)} rows of weight 0" in notes


@pytest.mark.parametrize("name", ["Freq", "count", "n", "Weight", "people", "cases"])
def test_counts_are_pointed_out_by_whatever_name(tmp_path: Path, name: str) -> None:
    columns = {**HAIR, name: HAIR["Freq"]}
    if name != "Freq":
        del columns["Freq"]
    assert any("looks like counts" in note for note in discretised(written(tmp_path, columns)).notes)


def test_numbers_of_single_rows_do_not_look_like_counts(tmp_path: Path) -> None:
    columns = {
        "spray": [("A", "B", "C")[i % 3] for i in range(60)],
        "day": [("1", "2")[i % 2] for i in range(60)],
        "count": [DRAW.randrange(20) for _ in range(60)],
    }
    assert not any("counts" in note for note in discretised(written(tmp_path, columns)).notes)


tables_with_weights = st.integers(2, 25).flatmap(
    lambda rows: st.tuples(
        st.lists(st.sampled_from("abc"), min_size=rows, max_size=rows),
        st.lists(st.integers(0, 40), min_size=rows, max_size=rows),
        st.lists(st.sampled_from(["x", "y", "NA"]), min_size=rows, max_size=rows),
        st.lists(st.sampled_from([0, 2, 3]), min_size=rows, max_size=rows),
    )
)


@given(tables_with_weights, st.sampled_from(["quantile", "width"]), st.sampled_from(["available", "drop"]))
def test_a_weight_is_that_many_rows_whatever_becomes_of_the_columns(
    tmp_path_factory: pytest.TempPathFactory, table: Any, binning: Any, missing: Any
) -> None:
    folder = tmp_path_factory.mktemp("weights")
    *columns, weights = table
    named = dict(zip("ABC", columns, strict=True))
    many = {name: np.repeat(np.array(cells, object), weights).tolist() for name, cells in named.items()}
    asked = {"binning": binning, "missing": missing}
    try:
        expected = discretised(written(folder, many, "many.csv"), **asked)
    except BnfuseError:
        with pytest.raises(BnfuseError):
            discretised(written(folder, {**named, "W": weights}), weights="W", **asked)
        return
    found = discretised(written(folder, {**named, "W": weights}), weights="W", **asked)
    assert found.data.states == expected.data.states
    assert found.data.cuts == expected.data.cuts
    assert found.data.weights is not None
    assert np.array_equal(np.repeat(found.data.codes, found.data.weights.astype(int), axis=0), expected.data.codes)
    assert dict(found.left_out) == {**expected.left_out, "W": "the weight of each row"}


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        (["1", "x"], "row 2 has 'x'"),
        (["1", "-2"], "row 2 has '-2'"),
        (["1", ""], "row 2 has none"),
        (["inf", "1"], "row 1 has 'inf'"),
        (["0.5", "0.5"], "add up to 1: a weight is the number of rows that a row represents"),
        (["0", "0"], "add up to 0"),
    ],
)
def test_weights_that_are_none_get_one_clear_line(tmp_path: Path, cells: list[str], problem: str) -> None:
    columns = {"A": ["p", "q"], "B": ["u", "v"], "W": cells}
    with pytest.raises(MismatchError, match=problem):
        discretised(written(tmp_path, columns), weights="W")
    with pytest.raises(MismatchError, match=problem), pytest.warns(bnfuse.BnfuseWarning):
        fit(bnfuse.DAG(["A"]), written(tmp_path, columns), weights="W")


def test_weights_and_groups_must_be_columns_that_serve_nothing_else(tmp_path: Path) -> None:
    table = written(tmp_path, {"A": ["p", "q"], "B": ["u", "v"], "W": ["1", "2"]})
    with pytest.raises(MismatchError, match=r"has no column 'w' \(did you mean 'W'\?\), which weights names"):
        discretised(table, weights="w")
    with pytest.raises(MismatchError, match="which group names"):
        discretised(table, group="G")
    with pytest.raises(OptionError, match="keep and weights both name the column 'W'"):
        discretised(table, weights="W", keep="W")
    with pytest.raises(OptionError, match="a variable of the network"):
        fit(bnfuse.DAG(["A", "W"]), table, weights="W")
    with pytest.raises(OptionError, match="their own weights and groups"):
        discretised(discretised(table, keep="W").data, weights="W")


def test_weights_of_a_survey_that_count_a_population_are_doubted(tmp_path: Path) -> None:
    columns = {"A": ["p", "q", "p", "q"], "B": ["u", "v", "v", "u"], "W": ["1,000.5", "2000", "999.5", "1000"]}
    notes = discretised(written(tmp_path, columns), weights="W").notes
    assert any("those of a survey should add up to the number of rows, 4" in note for note in notes)
    columns["W"] = ["1.5", "0.5", "0.75", "1.25"]
    assert not any("survey" in note for note in discretised(written(tmp_path, columns), weights="W").notes)


# Subjects


def visits(name: str = "Subject") -> dict[str, list[Any]]:
    return {
        name: [f"S{i // 4:02}" for i in range(80)],
        "dose": [("low", "high")[i % 2] for i in range(80)],
        "pain": [("yes", "no")[(i // 4) % 2] for i in range(80)],
    }


@pytest.mark.parametrize("name", ["ID", "Subject", "patient_id", "MRN", "PatientID", "subj", "caseid"])
def test_a_repeated_identifier_is_left_out_and_its_subjects_can_be_drawn(tmp_path: Path, name: str) -> None:
    table = written(tmp_path, visits(name))
    found = discretised(table)
    assert dict(found.left_out) == {name: "an identifier whose values repeat"}
    assert any(note.startswith(f"several rows have the same {name!r}") and "group" in note for note in found.notes)
    grouped = discretised(table, group=name)
    assert grouped.data.groups is not None
    assert grouped.data.groups.tolist() == [i // 4 for i in range(80)]
    assert dict(grouped.left_out) == {name: "the subject of each row"}
    assert f"80 rows are of 20 subjects by {name!r}: resamples draw whole subjects" in grouped.notes
    assert not any("several rows" in note for note in grouped.notes)


def test_a_grouping_variable_can_be_kept_and_a_row_without_subject_is_one(tmp_path: Path) -> None:
    columns = visits()
    columns["Subject"] = ["", "", "NA", *columns["Subject"][3:]]
    found = discretised(written(tmp_path, columns), group="Subject", keep="Subject")
    assert "Subject" in found.data.variables
    assert found.data.groups is not None
    assert found.data.groups.max() + 1 == 20 + 3
    assert "3 rows without 'Subject': each is a subject" in found.notes
    with pytest.raises(MismatchError, match="all rows have the same 'dose'"):
        discretised(written(tmp_path, {**columns, "dose": ["x"] * 80}), group="dose")


def test_few_values_of_a_column_called_subject_are_states(tmp_path: Path) -> None:
    columns = {**visits(), "Subject": [("maths", "english", "art")[i % 3] for i in range(80)]}
    assert discretised(written(tmp_path, columns)).data.states["Subject"] == ("art", "english", "maths")


# Columns that are variables


def test_sorted_measurements_and_ranks_are_variables(tmp_path: Path) -> None:
    women = {"": list(range(1, 16)), "height": list(range(58, 73)), "weight": [115 + 3 * i + i // 5 for i in range(15)]}
    found = discretised(written(tmp_path, women))
    assert set(found.data.cuts) == {"height", "weight"}
    assert any(note.startswith("the whole numbers in 'height', 'weight' increase") for note in found.notes)
    ranks = [DRAW.sample(range(1, 41), 40) for _ in range(2)]
    guerry = {
        "dept": [2 * i + i // 7 for i in range(1, 41)],
        "Region": [("N", "S", "W")[i % 3] for i in range(40)],
        "Department": [f"Place {i}" for i in range(40)],
        "Crime_pers": [15_000 + 371 * rank for rank in ranks[0]],
        "Wealth": ranks[0],
        "Suicides": ranks[1],
    }
    found = discretised(written(tmp_path, guerry))
    assert set(found.data.cuts) == {"dept", "Crime_pers", "Wealth", "Suicides"}
    assert set(found.left_out) == {"Department"}


# Missing values


def test_a_state_called_none_is_a_state(tmp_path: Path) -> None:
    cloud = bnfuse.Network(
        bnfuse.DAG(["Cloud", "Rain"], [("Cloud", "Rain")]),
        {"Cloud": ("None", "Some", "Lots"), "Rain": ("None", "Light", "Strong")},
        {"Cloud": [0.5, 0.3, 0.2], "Rain": [[0.9, 0.05, 0.05], [0.3, 0.5, 0.2], [0.1, 0.3, 0.6]]},
    )
    rows = cloud.sample(400, seed=1)
    rows.write(tmp_path / "rows.csv")
    found = discretised(tmp_path / "rows.csv").data
    assert set(found.states["Cloud"]) == {"None", "Some", "Lots"}
    assert found.missing == 0
    assert learn(tmp_path / "rows.csv").score == learn(rows).score
    asked = discretised(tmp_path / "rows.csv", na="None")
    assert set(asked.data.states["Cloud"]) == {"Some", "Lots"}
    nones = int((rows.codes == 0).sum())
    assert asked.data.missing == nones
    assert f"taken as missing: 'None' ({nones}); na sets the labels that are" in asked.notes
    assert discretised(rows, na="None").data.missing == nones
    assert as_data(tmp_path / "rows.csv", ("Cloud", "Rain")).missing == 0


WITH_LABELS = {"A": ["p", "q"] * 6, "X": ["NA", "u", "v", "?", "u", "NA", "u", "v", "u", "v", "", "u"]}


def test_labels_taken_as_missing_are_named_with_their_counts(tmp_path: Path) -> None:
    table = written(tmp_path, WITH_LABELS)
    found = discretised(table)
    assert found.data.missing == 4
    assert "taken as missing: 'NA' (2), '?' (1); na sets the labels that are" in found.notes
    fitted = fit(bnfuse.DAG(["A", "X"]), table)
    assert "taken as missing: 'NA' (2), '?' (1); na sets the labels that are" in fitted.notes
    only = discretised(table, na=["?"])
    assert set(only.data.states["X"]) == {"NA", "u", "v"}
    assert only.data.missing == 2
    assert set(discretised(table, na=[""]).data.states["X"]) == {"?", "NA", "u", "v"}


def test_the_default_takes_nothing_from_a_kept_column_or_a_declared_category(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    kept = discretised(written(tmp_path, WITH_LABELS), keep="X")
    assert set(kept.data.states["X"]) == {"?", "NA", "u", "v"}
    assert kept.data.missing == 1  # the empty cell
    frame = pandas.DataFrame(
        {**WITH_LABELS, "X": pandas.Categorical([x or None for x in WITH_LABELS["X"]], ["v", "NA", "u", "?"])}
    )
    assert discretised(frame).data.states["X"] == ("v", "NA", "u", "?")
    asked = discretised(frame, na="NA").data
    assert asked.states["X"] == ("v", "u", "?")
    assert np.flatnonzero(asked.column("X") == MISSING).tolist() == [0, 5, 10]


@pytest.mark.parametrize("rows", [40, 3_000])
def test_numbers_that_mean_missing_are_taken_however_they_are_written(tmp_path: Path, rows: int) -> None:
    cells = [f"{i / 7:.5f}" for i in range(rows)]
    cells[3], cells[-1], cells[-2] = "-999", "-999.0", "."
    columns = {"A": [("p", "q")[i % 2] for i in range(rows)], "X": cells}
    table = written(tmp_path, columns)
    assert "'X' has -999, far from its other numbers: if that means missing, name it in na" in discretised(table).notes
    for na in ("-999", -999, [-999.0]):
        found = discretised(table, na=na)
        assert np.flatnonzero(found.data.column("X") == MISSING).tolist() == [3, rows - 2, rows - 1]
        taken = next(note for note in found.notes if note.startswith("taken as missing"))
        assert "'-999' (2)" in taken
        assert "'.' (1)" in taken


def test_numbers_near_the_others_are_not_doubted(tmp_path: Path) -> None:
    columns = {"A": ["p", "q"] * 60, "X": list(range(-9, 111)), "Y": [1, 2, 3, 9] * 30}
    notes = discretised(written(tmp_path, columns)).notes
    assert [note for note in notes if "far from" in note] == [
        "'Y' has 9, far from its other numbers: if that means missing, name it in na"
    ]


def test_labels_that_differ_only_in_capitals_are_pointed_out(tmp_path: Path) -> None:
    answers = {"Smoker": ["Yes", "no", "yes", "No "], "Site": ["a", "b", "a", "b"]}
    note = "'Smoker' has states that differ only in capitals, 'No', 'no': if they mean the same"
    assert any(one.startswith(note) for one in discretised(written(tmp_path, answers)).notes)
    assert not any("capitals" in one for one in discretised(written(tmp_path, answers), keep=["Smoker"]).notes)


def test_more_than_a_thousand_dates_of_eight_digits_are_dates(tmp_path: Path) -> None:
    days = [f"{2000 + i // 336}{i // 28 % 12 + 1:02}{i % 28 + 1:02}" for i in range(1_500)]
    coin = [str(i % 2) for i in range(1_500)]
    columns = {"admitted": days, "A": coin, "B": coin[::-1]}
    assert discretised(written(tmp_path, columns)).left_out == {"admitted": "dates or times"}


def test_labels_that_are_no_labels_are_refused() -> None:
    with pytest.raises(OptionError, match="na must be labels"):
        discretised("table.csv", na=[None])  # type: ignore[list-item]


# Numbers


@pytest.mark.parametrize(
    ("labels", "numbers"),
    [
        (["42%", "7 %", "3.5%"], [42, 7, 3.5]),
        (["$12,000", "$900", "($1,200.50)", "-$3"], [12000, 900, -1200.5, -3]),
        (["1,234", "987", "12,345"], [1234, 987, 12345]),
        (["1.234,50", "17,20", "3"], [1234.5, 17.2, 3]),
        (["1 234 567", "12"], [1234567, 12]),
        (["€ 12,50", "€ 1.200,00"], [12.5, 1200]),
        (["12.50 USD", "7 USD"], [12.5, 7]),
        (["1'234", "1'235"], [1234, 1235]),
        (["1,5", "2,75"], [1.5, 2.75]),
        (["1.5", "-2e3"], [1.5, -2000]),
        (["−1.5", "2"], [-1.5, 2]),  # a minus sign instead of a hyphen
        (["−1,5", "2,75"], [-1.5, 2.75]),
        (["−$3", "$−4", "$5"], [-3, -4, 5]),
    ],
)
def test_numbers_are_read_as_people_write_them(labels: list[str], numbers: list[float]) -> None:
    written_so = number_format(labels)
    assert written_so is not None
    assert [written_so.read(label) for label in labels] == numbers


@pytest.mark.parametrize(
    "labels", [["$5", "€7"], ["a", "b"], ["+41 79 123 45 67", "+41 79 123 45 68"], ["1,2,3", "4,5,6"]]
)
def test_what_is_not_one_quantity_is_not_a_number(labels: list[str]) -> None:
    assert number_format(labels) is None


@given(st.lists(st.integers(-(10**9), 10**9).map(lambda number: number / 100), min_size=2, max_size=8))
def test_money_is_read_back(numbers: list[float]) -> None:
    shapes = ("${:,.2f}", "{:,.2f} €", "{:.2f}%", "{:,.2f}")
    for shape in shapes:
        labels = [shape.format(number) for number in numbers]
        found = number_format(labels)
        assert found is not None
        assert [found.read(label) for label in labels] == numbers
    swapped = [f"{number:,.2f}".translate(str.maketrans(",.", ".,")) for number in numbers]
    found = number_format(swapped)
    assert found is not None
    assert [found.read(label) for label in swapped] == numbers


def test_columns_of_money_are_cut_with_a_note_and_few_amounts_are_states_in_their_order(tmp_path: Path) -> None:
    columns = {
        "income": [f"${9_000 + 1_234 * i:,}" for i in range(30)],
        "share": [f"{i % 29}%" for i in range(30)],
        "fee": [("$5", "$10", "$1,000")[i % 3] for i in range(30)],
    }
    found = discretised(written(tmp_path, columns))
    assert set(found.data.cuts) == {"income", "share"}
    assert found.data.cuts["income"][0] > 9_000
    assert found.data.states["fee"] == ("$5", "$10", "$1,000")
    assert "removed the sign $ in 'income', 'fee'" in found.notes
    assert "removed the sign % in 'share'" in found.notes


@pytest.mark.parametrize(
    "date",
    [
        "12 Mar 2020",
        "March 3, 2021",
        "03-Mar-21",
        "Mar 2020",
        "2020-03",
        "Mon, 3 Jan 2022 10:30",
        "3:45 pm",
        "05MAR2020",
        "20240315",
    ],
)
def test_written_dates_are_dates(date: str) -> None:
    assert is_date(date)


@pytest.mark.parametrize(
    "label", ["May 5", "12 monkeys 2000", "marble 2000", "1990-95", "0-4", "12", "20241315", "30240315"]
)
def test_what_only_looks_like_a_date_is_none(label: str) -> None:
    assert not is_date(label)


def test_a_number_has_one_name_wherever_it_comes_from(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    texts = {"A": ["1.0", "0.0", "1.0", "0.0"], "B": ["1", "2.50", "", "1.0"]}
    frame = pandas.DataFrame({"A": [1, 0, 1, 0], "B": [1, 2.5, None, 1]})
    for source in (written(tmp_path, texts), frame, frame.astype({"A": float})):
        assert discretised(source).data.states == {"A": ("0", "1"), "B": ("1", "2.5")}
        assert as_data(source, ("A", "B")).states == {"A": ("0", "1"), "B": ("1", "2.5")}
    assert [state_name(label) for label in ("007", "1e3", "-0.50", "x1.0")] == ["007", "1000", "-0.5", "x1.0"]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_name_of_a_number_is_that_number(number: float) -> None:
    assert plain_number(state_name(repr(number))) == number


# Order


@pytest.mark.parametrize(
    "labels",
    [
        ["<18", "18–64", "65+"],
        ["<=44", "45-65", ">65"],
        ["<=-0.5", "-0.5..0.5", ">0.5"],
        ["0-39g/day", "40-79", "80-119", "120+"],
        ["0-4", "5-9", "10-14"],
        ["≤5", ">5 to 10", ">10"],
        ["0-<5", "5-<10", "≥10"],
        ["0", "1", "2", "3+"],
        ["<1", "1", "2 or more"],
        ["(-inf, 3]", "(3, 5]", "(5, inf)"],
        ["under $25,000", "$25,000-$49,999", "$50,000 or more", "unknown"],
        ["less than 5 years", "5 to 10 years", "more than 10 years"],
        ["Jan", "Feb", "Mar", "Dec"],
        ["April", "August", "October"],
        ["Mon", "Tue", "Sun"],
        ["LOW", "NORMAL", "HIGH"],
        ["very low", "low", "medium", "high", "very_high"],
        ["Strongly disagree", "disagree", "neutral", "agree", "Strongly agree", "Don't know"],
        ["never", "rarely", "sometimes", "often", "always"],
        ["none", "mild", "moderate", "severe"],
        ["poor", "fair", "good", "excellent"],
        ["S", "M", "L", "XL"],
        ["no", "yes"],
        ["1", "2", "10"],
        ["a2", "a10", "b1"],
        ["apple", "other", "pear"],
        ["3-4", "10-5"],
    ],
)
def test_labels_have_the_order_that_people_mean(labels: list[str]) -> None:
    for seed in range(5):
        assert in_people_order(random.Random(seed).sample(labels, len(labels))) == labels


@given(st.lists(st.text(max_size=8), unique=True, max_size=8))
def test_no_label_is_lost_in_sorting_and_its_first_place_does_not_matter(labels: list[str]) -> None:
    found = in_people_order(labels)
    assert sorted(found) == sorted(labels)
    assert in_people_order(labels[::-1]) == found


# The command line


def test_the_commands_take_weights_subjects_and_missing_labels(tmp_path: Path, said: Any, refused: Any) -> None:
    counts = written(tmp_path, HAIR, "hair.csv")
    assert json.loads(said("learn", counts, "--weights", "Freq", "--json"))["edges"] in (
        [["Eye", "Hair"]],
        [["Hair", "Eye"]],
    )
    network = tmp_path / "hair.bif"
    text = said("bootstrap", counts, "--weights", "Freq", "--resamples", "5", "-o", network)
    assert f"the tables are estimated from 18 rows, which represent {sum(HAIR['Freq']):,}" in text
    fitted = json.loads(said("fit", network, counts, "--weights", "Freq", "--na", "Green", "--json"))
    assert any(note.startswith("taken as missing: 'Green' (6)") for note in fitted["notes"])
    many = written(tmp_path, visits(), "visits.csv")
    said("bootstrap", many, "--group", "Subject", "--resamples", "5")
    line = refused("learn", counts, "--weights", "Hair")
    assert (
        "column 'Hair', which --weights names, must have a number of 0 or more in each row; row 1 has 'Black'" in line
    )
