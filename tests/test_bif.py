"""BIF: what is read, what is refused and where, and that whatever is written is read back exactly."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import DAG
from bnfuse.errors import BnfuseError, BnfuseWarning, FileError
from bnfuse.files import _tables, bif
from bnfuse.graphs.network import Network
from file_checks import assert_same, mutations, networks

TINY = """\
network tiny {
  property author = somebody;
}
variable A {
  type discrete [ 2 ] { yes, no };
}
variable B {
  type discrete [ 3 ] { low, mid, high };
}
variable C {
  type discrete [ 2 ] { on, off };
}
probability ( A ) {
  table 0.25, 0.75;
}
probability ( B | A ) {
  (yes) 0.1, 0.2, 0.7;
  (no) 0.3, 0.3, 0.4;
}
probability ( C | B, A ) {
  (low, yes) 0.0, 1.0;
  (low, no) 0.1, 0.9;
  (mid, yes) 0.2, 0.8;
  (mid, no) 0.3, 0.7;
  (high, yes) 0.4, 0.6;
  (high, no) 0.5, 0.5;
}
"""


def read(text: str) -> Network:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (network,) = bif.read_text(text, "net.bif")
    return network


def pair(child: str, states: str = "yes, no", label: str = "a") -> str:
    """A -> B with the probabilities of B to be filled in on line 5."""
    return (
        "network x { }\n"
        f"variable A {{ type discrete [ 2 ] {{ {label}, b }}; }}\n"
        f"variable B {{ type discrete [ 2 ] {{ {states} }}; }}\n"
        "probability ( A ) { table 0.5, 0.5; }\n"
        f"probability ( B | A ) {{ {child} }}\n"
    )


def test_a_file_gives_structure_states_tables_and_name():
    network = read(TINY)
    assert network.name == "tiny"
    assert network.variables == ("A", "B", "C")
    assert set(network.dag.edges) == {("A", "B"), ("A", "C"), ("B", "C")}
    assert network.states == {"A": ("yes", "no"), "B": ("low", "mid", "high"), "C": ("on", "off")}
    assert network.cpts["B"].tolist() == [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]


def test_parent_axes_follow_the_dag_not_the_file():
    table = read(TINY).cpts["C"]  # the file says B, A
    assert table.shape == (2, 3, 2)
    assert table[1, 2].tolist() == [0.5, 0.5]
    assert table[0, 1].tolist() == [0.2, 0.8]


@pytest.mark.parametrize(
    "labels",
    [
        ("<5", ">=7.5"),
        ("Asy/Patch", "12+"),
        ("6-12", "Transp."),
        ("é", "漢字"),
        ("a\\b", "C:\\user"),
        ("table", "default"),
        ("7", "-1"),
    ],
)
def test_odd_labels_need_no_quotes(labels: tuple[str, str]):
    text = pair(f"({labels[0]}) 0.1, 0.9; (b) 0.2, 0.8;", ", ".join(labels), labels[0])
    network = read(text)
    assert network.states == {"A": (labels[0], "b"), "B": labels}
    assert '"' not in bif.write_text(network)


def test_quoted_names_and_labels_may_hold_anything():
    text = (
        'network "my net" { }\n'
        'variable "the A" { type discrete [ 2 ] { "one, two", "say \\"hi\\" {;}" }; }\n'
        "variable B { type discrete [ 2 ] { yes, no }; }\n"
        'probability ( "the A" ) { table 0.5 0.5; }\n'
        'probability ( B | "the A" ) { ("one, two") 0.1 0.9; ("say \\"hi\\" {;}") 0.2 0.8; }\n'
    )
    network = read(text)
    assert network.name == "my net"
    assert network.states["the A"] == ("one, two", 'say "hi" {;}')
    assert network.cpts["B"].tolist() == [[0.1, 0.9], [0.2, 0.8]]


def test_backslashes_that_escape_nothing_stand_for_themselves():
    assert read(pair("table 0.1 0.2 0.9 0.8;", '"C:\\new", "\\u00e9\\\\"')).states["B"] == ("C:\\new", "é\\")


def test_labels_with_spaces_need_no_quotes_where_commas_or_the_count_separate_them():
    text = pair("(not  so low) 0.1, 0.9; (b) 0.2, 0.8;", "very low, high", "not  so low")
    assert read(text).states == {"A": ("not  so low", "b"), "B": ("very low", "high")}
    assert read(pair("table 0.1 0.2 0.9 0.8;", "yes no")).states["B"] == ("yes", "no")
    assert read(pair("table 0.1 0.2 0.9 0.8;", 'very low, "a, b"')).states["B"] == ("very low", "a, b")
    assert read(pair("table 0.1 0.2 0.9 0.8;").replace("A", "the A")).dag.edges == (("the A", "B"),)


INTERVALS = """network unknown {
}
variable BMI {
  type discrete [ 3 ] { [0,18.5], (18.5,25], (25,1e+02] };
}
variable Age {
  type discrete [ 2 ] { (-Inf,40), [40, Inf) };
}
variable Sick {
  type discrete [ 2 ] { yes, no };
}
probability ( BMI ) {
  table 0.2, 0.5, 0.3;
}
probability ( Age | BMI ) {
  ([0,18.5]) 0.5, 0.5;
  ((18.5,25]) 0.4, 0.6;
  ((25,1e+02]) 0.3, 0.7;
}
probability ( Sick | BMI, Age ) {
  ([0,18.5], (-Inf,40)) 0.1, 0.9;
  ((18.5,25], (-Inf,40)) 0.2, 0.8;
  ((25,1e+02], (-Inf,40)) 0.3, 0.7;
  ([0,18.5], [40, Inf)) 0.4, 0.6;
  ((18.5,25],[40, Inf)) 0.5, 0.5;
  ((25,1e+02], [40, Inf)) 0.6, 0.4;
}
"""


def test_the_intervals_of_r_are_labels():
    network = read(INTERVALS)
    assert network.states["BMI"] == ("[0,18.5]", "(18.5,25]", "(25,1e+02]")
    assert network.states["Age"] == ("(-Inf,40)", "[40, Inf)")
    assert network.cpts["Age"].tolist() == [[0.5, 0.5], [0.4, 0.6], [0.3, 0.7]]
    assert network.cpts["Sick"][:, :, 0].tolist() == [[0.1, 0.4], [0.2, 0.5], [0.3, 0.6]]
    assert_same(read(bif.write_text(network)), network)
    wrong = INTERVALS.replace("((18.5,25],[40, Inf))", "((18.5,26],[40, Inf))")
    with pytest.raises(FileError, match=r":25:\d+: probabilities of 'Sick': 'BMI' has no state '\(18.5,26\]'"):
        read(wrong)


@pytest.mark.parametrize("row", ["0.33, 0.33, 0.33", "0.34, 0.33, 0.34", "0.3, 0.3, 0.391"])
def test_a_row_within_a_hundredth_of_1_is_renormalised_and_said(row: str):
    text = f"network n {{ }} variable A {{ type discrete [ 3 ] {{ a, b, c }}; }} probability ( A ) {{ table {row}; }}"
    with pytest.warns(BnfuseWarning, match="renormalised a row that does not sum to 1"):
        (network,) = bif.read_text(text, "n.bif")
    numbers = np.array([float(number) for number in row.split(",")])
    np.testing.assert_allclose(network.cpts["A"], numbers / numbers.sum())


def test_the_javabayes_dialect_has_neither_commas_nor_bars():
    text = (
        '// Bayesian network\nnetwork "Dog-Problem" { //2 variables\n}\n'
        'variable  "light-on" { //2 values\n\ttype discrete[2] {  "true"  "false" };\n'
        '\tproperty "position = (218, 195)" ;\n}\n'
        'variable "family-out" { type discrete[2] {  "true"  "false" }; }\n'
        'probability (  "light-on"  "family-out" ) { //2 variable(s) and 4 values\n\ttable 0.6 0.05 0.4 0.95 ;\n}\n'
        'probability (  "family-out" ) { table 0.15 0.85 ; }\n'
    )
    network = read(text)
    assert network.dag.edges == (("family-out", "light-on"),)
    assert network.cpts["light-on"].tolist() == [[0.6, 0.4], [0.05, 0.95]]


def test_blocks_may_come_in_any_order_and_white_space_does_not_count():
    blocks = TINY.split("network tiny {\n  property author = somebody;\n}\n")[1]
    variables, probabilities = blocks.split("probability", 1)
    shuffled = "probability" + probabilities + "network\ttiny{}" + variables.replace(" ", "\r\n ")
    assert read(shuffled) == read(TINY)
    dense = TINY.replace("\n", "").replace("( ", "(").replace(" )", ")").replace("[ ", "[").replace(" ]", "]")
    assert read(dense) == read(TINY)


def test_comments_and_properties_may_stand_anywhere():
    text = TINY.replace("{\n", '{ // a " { comment }\n  property p = {1} // no comment; /* * } ; **/\n')
    text = text.replace("0.25, ", "0.25, /* 0.3, */ ").replace("}\n", "}\nproperty url http://example.org;\n")
    assert read(text) == read(TINY)


def test_comment_signs_in_quotes_are_no_comments():
    assert read(pair("table 0.1 0.2 0.9 0.8;", '"a//b", "/*"')).states["B"] == ("a//b", "/*")


def test_a_whole_table_varies_the_child_slowest_and_the_last_parent_fastest():
    text = TINY.replace(TINY[TINY.index("  (low, yes)") : TINY.rindex("}")], "  table {};\n")
    numbers = "0 0.1 0.2 0.3 0.4 0.5  1 0.9 0.8 0.7 0.6 0.5"
    assert read(text.replace("{};", f"{numbers};")) == read(TINY)


def test_whole_tables_that_fit_only_the_other_order_are_read_so_and_said():
    text = pair("table 0.1 0.9 0.2 0.8;")
    with pytest.warns(BnfuseWarning, match=r"net\.bif: .*child varying fastest") as said:
        (network,) = bif.read_text(text, "net.bif")
    assert len(said) == 1
    assert network.cpts["B"].tolist() == [[0.1, 0.9], [0.2, 0.8]]


def test_default_fills_the_rows_that_are_not_given():
    before = read(pair("default 0.3, 0.7; (b) 0.2, 0.8;")).cpts["B"]
    after = read(pair("(b) 0.2, 0.8; default 0.3, 0.7;")).cpts["B"]
    assert before.tolist() == after.tolist() == [[0.3, 0.7], [0.2, 0.8]]
    assert read(pair("default 1 0;")).cpts["B"].tolist() == [[1, 0], [1, 0]]


def test_rounding_is_left_alone():
    assert read(pair("(a) 0.3333333, 0.6666666; (b) 0.2, 0.8;")).cpts["B"][0].tolist() == [0.3333333, 0.6666666]


def test_small_errors_are_renormalised_and_said_once():
    text = pair("(a) 0.1, 0.9004; (b) 0.2, 0.7995;")
    with pytest.warns(BnfuseWarning, match=r"net\.bif: renormalised 2 rows .*P\(B \| A = a\) sums to 1\.0004") as said:
        (network,) = bif.read_text(text, "net.bif")
    assert len(said) == 1
    assert network.cpts["B"][0].tolist() == [0.1 / 1.0004, 0.9004 / 1.0004]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (pair("(a) 0.1, 0.9; (b) 0.2, 0.7;"), r"5:40: P\(B \| A = b\) sums to 0.9, not to 1"),
        (pair("(a) 0.1, 0.9; (b) -0.2, 1.2;"), r"5:40: .*'B': -0.2 is not a probability"),
        (pair("(a) 0.1, 0.9; (b) nan, 1.2;"), r"5:43: expected a number for 'B', got 'nan"),
        (pair("(a) 0.1, 0.9; (b) 1_0, 1;"), r"5:43: expected a number for 'B', got '1_0"),
        (pair("(a) 0.1, 0.9; (b) 1.2.3, 1;"), r"5:43: expected a number for 'B', got '1.2.3"),
        (pair("(a) 0.1, 0.9; (b) 1e999, 1;"), r"5:40: .*'B': inf is not a probability"),
        (pair("(a) 0.1, 0.9; (b) 0.2;"), r"5:42: .*'B': expected 2 numbers, got 1"),
        (pair("(a) 0.1, 0.9; (b) 0.2, 0.7, 0.1;"), r"5:42: .*'B': expected 2 numbers, got more"),
        (pair("table 0.1, 0.9, 0.3;"), r"5:30: .*'B': expected 4 numbers, got 3"),
        (pair("(a) 0.1, 0.9;"), r"5:15: P\(B \| A = b\) is missing"),
        (pair(""), r"5:15: P\(B \| A = a\) is missing"),
        (pair("(a) 0.1, 0.9; (b) 0.2, 0.8; (a) 0.1, 0.9;"), r"5:54: P\(B \| A = a\) is given twice"),
        (pair("(a) 0.1, 0.9; (c) 0.2, 0.8;"), r"5:40: .*'B': 'A' has no state 'c'"),
        (pair("(a, b) 0.1, 0.9;"), r"5:26: .*expected the states of 1 parents, got 2"),
        (pair("default 1 0; default 1 0;"), r"5:38: .*a second 'default'"),
        (pair("table 0 0 1 1; (a) 1 0;"), "a table and rows at the same time"),
        (pair("0.5, 0.5;"), r"5:25: expected a row: .* got '0.5,'"),
        (pair("(a) 0.1, 0.9; (b) 0.2, 0.8;").replace("B | A )", "B | A, Z )"), "5:22: unknown variable 'Z'"),
        (pair("(a) 0.1, 0.9; (b) 0.2, 0.8;").replace("B | A )", "B | A, A )"), "has the parent 'A' twice"),
        (pair("(a) 0.1, 0.9; (b) 0.2, 0.8;").replace("B | A )", "B | B )"), "'B' is its own parent"),
        (pair("table 0 0 1 1;") + "probability ( A ) { table 1 0; }", "6:15: variable 'A' has a second probability"),
        (pair("table 0 0 1 1;") + "variable A { }", "6:10: variable 'A' is declared twice"),
        (pair("table 0 0 1 1;") + "variable Z { }", "6:10: variable 'Z' has no states"),
        (pair("table 0 0 1 1;") + "network y { }", "6:.*a second network"),
        (pair("table 0 0 1 1;", "yes, no, perhaps"), "3:.* 'B' declares 2 states and lists 3"),
        (pair("table 0 0 1 1;", "yes, yes"), "3:.* 'B' has the state 'yes' twice"),
        (pair("table 0 0 1 1;").replace("[ 2 ]", "[ " + "9" * 5000 + " ]"), "2:14: expected 'type discrete"),
        (pair("table 0 0 1 1;").replace("probability ( A )", "probably ( A )"), "4:1: expected a network, variable"),
        (pair("table 0 0 1 1;").split("probability ( B")[0], "3:10: variable 'B' has no probabilities"),
        (pair("table 0 0 1 1;").replace("( A )", "( A | B )").replace("0.5, 0.5", "0 0 1 1"), "form a cycle"),
        (pair("table 0 0 1 1;")[:-3], "5:13: expected .*a bracket is missing"),
        (pair("table 0 0 1 1;") + "/* open", "6:1: this comment is not closed"),
        (pair("table 0 0 1 1;", '"yes, no'), "3:14: expected 'type discrete"),
        ("", "it has no network and no variable blocks"),
        ("// only a comment", "it has no network and no variable blocks"),
        ("network x { }", "at least one variable"),
        ("\x00\x01", "1:1: expected a network, variable or probability block"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, problem: str):
    with pytest.raises(FileError, match="^net.bif:.*" + problem):
        read(text)


def test_a_text_cut_anywhere_is_refused():
    for length in range(TINY.rindex("}")):
        with pytest.raises(FileError):
            read(TINY[:length])


@pytest.mark.parametrize(
    "text",
    [
        "{" * 300_000,
        "(" * 300_000,
        "/*" * 300_000,
        "// " + '"\\' * 300_000,
        '"' * 300_001,
        "network x {" * 100_000,
        "property " * 100_000,
        "//\nvariable x { property" + ' "' * 300_000,
        "probability (" * 100_000,
        pair("(" * 300_000),
        pair("property " * 100_000),
        pair('property "' + '\\"' * 300_000),
        "//\n" + "property " * 100_000,
        pair("table " + "1" * 1_000_000 + ";"),
        pair("table " + "0," * 300_000 + ";"),
        pair("table ;").replace("B | A", "B | " + "A, " * 300_000),
        pair("table ;").replace("{ a,", "{ " + "a " * 300_000),
        "".join(f"variable v{i} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for i in range(30_000))
        + f"probability ( v0 | {', '.join(f'v{i}' for i in range(1, 30_000))} ) {{ default 1, 0; }}",
    ],
    ids=lambda text: text[:20],
)
def test_large_nonsense_is_refused_without_much_ado(text: str):
    with pytest.raises(FileError):
        read(text)


def test_defaults_cannot_ask_for_more_than_a_bounded_table():
    names = [f"v{i}" for i in range(30)]
    text = "".join(f"variable {v} {{ type discrete [ 2 ] {{ a, b }}; }} " for v in names)
    text += "".join(f"probability ( {v} ) {{ default 1, 0; }} " for v in names[1:])
    with pytest.raises(FileError, match="table of 'v0' with 29 parents needs more than"):
        read(text + f"probability ( v0 | {', '.join(names[1:])} ) {{ default 1, 0; }}")


@pytest.mark.parametrize("other", ["a;//b", "a;/*b", "plain"])
def test_a_variable_and_a_state_called_property_are_read_back(other: str):
    dag = DAG([other, "property"], [(other, "property")])
    states = {other: ("property", "no"), "property": ("yes", "property")}
    assert_same(read(bif.write_text(Network(dag, states))), Network(dag, states))


@given(networks())
def test_whatever_is_written_is_read_back_exactly(network: Network):
    assert_same(read(bif.write_text(network)), network)


@given(st.data())
def test_mutated_files_raise_nothing_but_our_errors(data: st.DataObject):
    text = data.draw(mutations(data.draw(st.sampled_from([TINY, pair('("a b") 0.1, 0.9; default 0.2 0.8;')]))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BnfuseWarning)
        try:
            networks_read = bif.read_text(text, "net.bif")
        except BnfuseError:
            return
    assert len(networks_read) == 1


@given(st.data())
def test_rows_read_in_bulk_are_what_they_are_one_by_one(data: st.DataObject):
    head, first, rest = TINY.partition("  (low, yes) 0.0, 1.0;\n")
    rows = data.draw(st.permutations([first, *rest.removesuffix("}\n").splitlines(keepends=True)]))
    text = head + data.draw(st.one_of(st.just("".join(rows)), mutations("".join(rows)))) + "}\n"
    with_quotes = text.replace("somebody", '"somebody"')  # they end the bulk
    assert outcome(text) == outcome(with_quotes)


def outcome(text: str) -> Network | str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BnfuseWarning)
        try:
            return bif.read_text(text, "net.bif")[0]
        except BnfuseError as error:
            return str(error)


def test_a_bare_structure_is_written_with_uniform_tables_that_say_so():
    network = Network(DAG(["A", "B"], [("A", "B")]))
    text = bif.write_text(network)
    assert "property bnfuse_states = assumed;" in text
    assert "property bnfuse_tables = uniform;" in text
    assert "(yes) 0.5, 0.5;" in text
    assert_same(read(text), network)


def test_marks_give_way_to_what_somebody_filled_in():
    text = bif.write_text(Network(DAG(["A", "B"], [("A", "B")])))
    assert read(text.replace("(yes) 0.5, 0.5", "(yes) 0.1, 0.9")).cpts["B"][0].tolist() == [0.1, 0.9]
    assert read(text.replace("yes", "present")).states == {"A": ("present", "no"), "B": ("present", "no")}


def test_uniform_tables_beyond_all_use_are_refused():
    names = [f"v{i}" for i in range(60)]
    network = Network(DAG(names, [(parent, "v0") for parent in names[1:]]))
    with pytest.raises(BnfuseError, match=r"that of 'v0' with 59 parents has 1\.15e\+18"):
        bif.write_text(network)


def test_escapes_undo_each_other():
    assert _tables.escaped('a"b\\\n\ud800') == 'a\\"b\\\\\\u000a\\ud800'
    assert _tables.unescaped('a\\"b\\\\\\u000a\\ud800\\x') == 'a"b\\\n\ud800\\x'
