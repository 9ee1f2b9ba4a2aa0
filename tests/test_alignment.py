"""Names and states that differ: what align proposes, what a table may say, and what applying it does."""

import contextlib
import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnfuse
from bnfuse import DAG, Alignment, BnfuseWarning, FileError, Network, OptionError, align
from bnfuse.alignment.alignment import AlignmentRow
from oracles import joint_distribution
from strategies import acyclic_arcs, tables_for

NAMES = ["LungCancer", "SmokingHabit", "Dyspnoea", "Hospitalised", "BloodPressure", "Fever", "Asthma", "XRay"]
LABELS = [("yes", "no"), ("low", "normal", "high"), ("absent", "present"), ("mild", "severe")]
SPELLINGS = {"yes": ["yes", "Yes", "TRUE", "y"], "no": ["no", "No", "False", "n"]}
HEADER = "network,variable,name,state,becomes,why\n"


# Networks that were one once


def snake(name):
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()


def slip(name, kind, place):
    """A name with one typing error in the middle of it."""
    i = 2 + place % (len(name) - 3)
    return {
        "swap": name[:i] + name[i + 1] + name[i] + name[i + 2 :],
        "drop": name[:i] + name[i + 1 :],
        "double": name[:i] + name[i] + name[i:],
    }[kind]


@st.composite
def respelled(draw, name):
    as_word = st.sampled_from([str, str.lower, str.upper, snake, lambda text: snake(text).replace("_", " ")])
    if len(name) > 6 and draw(st.booleans()):
        name = slip(name, draw(st.sampled_from(["swap", "drop", "double"])), draw(st.integers(0, 20)))
    return draw(as_word)(name)


@st.composite
def disguised(draw, network):
    """The same network in other words: names, labels, the order of variables and of states. Built without the package's
    own renaming, and with the names that it had."""
    names = {name: draw(respelled(name)) for name in network.variables}
    order = draw(st.permutations(network.variables))
    labels = {}
    for name in network.variables:
        own = [draw(st.sampled_from(SPELLINGS.get(label, [label, label.upper()]))) for label in network.states[name]]
        labels[name] = draw(st.permutations(list(zip(network.states[name], own, strict=True))))
    dag = DAG([names[name] for name in order], [(names[a], names[b]) for a, b in network.dag.edges])
    back = {other: name for name, other in names.items()}
    tables = {}
    for name in order:
        family = [*(back[parent] for parent in dag.parents(names[name])), name]
        table = np.empty([len(labels[member]) for member in family])
        for places in product(*(range(size) for size in table.shape)):
            old = {
                member: network.states[member].index(labels[member][place][0])
                for member, place in zip(family, places, strict=True)
            }
            table[places] = network.cpts[name][tuple(old[m] for m in (*network.dag.parents(name), name))]
        tables[names[name]] = table
    states = {names[name]: tuple(own for _, own in labels[name]) for name in order}
    return Network(dag, states, tables, "disguised", made_by="fusion"), back


@st.composite
def originals(draw, count=1, max_size=5):
    names = draw(st.permutations(NAMES))[: draw(st.integers(2, max_size))]
    states = {name: draw(st.sampled_from(LABELS)) for name in names}
    return [draw(tables_for(DAG(names, draw(acyclic_arcs(names))), states, f"original {i}")) for i in range(count)]


def same_joint(one, other):
    """Whether two networks over the same names have the same joint distribution, whatever their orders."""
    here, there = (
        {
            frozenset(zip(network.variables, labels, strict=True)): chance
            for labels, chance in joint_distribution(network).items()
        }
        for network in (one, other)
    )
    return here.keys() == there.keys() and all(here[key] == pytest.approx(there[key], abs=1e-12) for key in here)


@given(st.data())
def test_a_disguised_network_is_recognised(data):
    (original,) = data.draw(originals())
    other, back = data.draw(disguised(original))
    alignment = align(original, other)
    assert {row.variable: row.name for row in alignment.rows if row.name} == {
        name: meant for name, meant in back.items() if name != meant
    }
    first, second = alignment.apply_all([original, other], unchecked="apply")
    assert first is original
    assert second.dag == original.dag
    assert {name: set(own) for name, own in second.states.items()} == {
        name: set(own) for name, own in original.states.items()
    }
    assert same_joint(original, second)
    assert (second.name, second.made_by) == ("disguised", "fusion")


@given(st.data())
def test_distances_are_those_from_before(data):
    one, two = data.draw(originals(count=2))
    other, _ = data.draw(disguised(two))
    aligned = align([one, other]).apply_all([one, other], "apply")
    for distance in (bnfuse.shd, bnfuse.smhd):
        assert distance(*aligned) == distance(one, two)
    assert bnfuse.fsim(*aligned) == bnfuse.fsim(one, two)


@given(st.data())
def test_states_in_the_order_of_the_first_are_what_applying_gives(data):
    (original,) = data.draw(originals())
    other, _ = data.draw(disguised(original))
    _, second = align(original, other).apply_all([original, other], "apply")
    assert dict(second.states) == dict(original.states)


@given(st.data())
def test_three_spellings_become_one(data):
    (original,) = data.draw(originals())
    others = [data.draw(disguised(original))[0] for _ in range(2)]
    networks = [original, *others]
    assert {network.dag for network in align(networks).apply_all(networks, "apply")} == {
        align(networks).apply(networks[0], "original 0", "apply").dag
    }


def test_nothing_differs_where_nothing_does():
    one = Network(DAG(["A", "B"], [("A", "B")]), {"A": ("x", "y"), "B": ("u", "v")}, name="one")
    two = Network(DAG(["B", "A"]), {"A": ("y", "x"), "B": ("u", "v")}, name="two")
    assert align(one, two).rows == ()
    first, second = align(one, two).apply_all([one, two])
    assert first is one
    assert second.states["A"] == ("x", "y")


# What is proposed


def proposed(*networks):
    return {(row.network, row.variable): row.name for row in align(*networks).rows if row.name and row.changes}


def dag(*arcs):
    return DAG.from_edges(tuple(arc.split(">")) for arc in arcs)


def test_the_common_name_is_that_of_most_networks_then_of_the_first():
    assert proposed(dag("lung>x"), dag("Lung>x"), dag("Lung>x")) == {("1", "lung"): "Lung"}
    assert proposed(dag("lung>x"), dag("Lung>x")) == {("2", "Lung"): "lung"}


def test_two_names_of_one_network_never_become_one():
    alignment = align(dag("Age>x", "age>x"), dag("AGE>x"))
    (row,) = alignment.changes
    assert (row.variable, row.name, row.check) == ("AGE", "Age", True)
    assert row.why == "check: the same letters, 1 of 1 neighbour shared; 'age' fits as well"


def test_names_that_one_network_tells_apart_are_apart_everywhere():
    assert proposed(dag("Age>x"), dag("age>x"), dag("Age>age", "age>x")) == {}


def test_numbered_variables_stay_apart_however_alike_their_neighbours():
    assert proposed(dag("a>X1", "b>X1", "c>X1"), dag("a>X2", "b>X2", "c>X2")) == {}


def test_neighbours_alone_are_proposed_to_be_checked():
    one, two = dag("Smoker>COPD", "Age>COPD", "COPD>Cough"), dag("Smoker>Lungs", "Age>Lungs", "Lungs>Cough")
    (row,) = align(one, two).rows
    assert (row.variable, row.name, row.check) == ("Lungs", "COPD", True)
    assert row.why == "check: different name, 3 of 3 neighbours shared"


def test_neighbours_that_fit_two_decide_nothing():
    one = dag("a>P", "b>P")
    two = dag("a>Q", "b>Q", "a>R", "b>R")
    assert proposed(one, two) == {}


def test_neighbours_count_only_with_states_that_may_be_the_same():
    states = dict.fromkeys("ab", ("0", "1"))
    one = Network(dag("a>P", "b>P"), {**states, "P": ("x", "y")})
    for labels, expected in ((("X", "Y"), {("2", "Q"): "P"}), (("x", "y", "z"), {})):
        assert proposed(one, Network(dag("a>Q", "b>Q"), {**states, "Q": labels})) == expected


def test_neighbours_settle_what_spelling_leaves_open():
    one = dag("Cough1>Phlegm", "Fever>Malaise")
    two = dag("Cough1>Phlegma", "Fever>Phlegms")
    assert proposed(one, two)["2", "Phlegma"] == "Phlegm"


def test_neighbours_alone_need_three_of_four():
    assert proposed(dag("a>P", "b>P", "c>P", "d>a"), dag("a>Q", "b>Q", "c>Q", "d>Q")) == {("2", "Q"): "P"}
    assert proposed(dag("a>P", "b>P", "c>a"), dag("a>Q", "b>Q", "c>Q")) == {}


def test_one_neighbour_is_enough_only_for_the_last_name_of_two_networks():
    assert proposed(dag("a>P"), dag("a>Q")) == {("2", "Q"): "P"}
    assert proposed(dag("a>P"), dag("a>Q", "Q>R")) == {}
    assert proposed(dag("a>P", "P>R"), dag("a>Q")) == {}


@pytest.mark.parametrize(
    ("other", "states", "neighbour", "is_proposed"),
    [
        ("abcdefwxyz", None, "", False),  # 0.58: six of ten letters, and nothing else is known
        ("abcdefwxyz", ("x", "y"), "", True),
        ("abcdefwxyz", ("x", "y", "z"), "", False),
        ("abcdefwxyz", None, "shared", True),
        ("abcdefwxyz", None, "other", False),
        ("abcdefgxyz", None, "", True),  # 0.67
        ("abcdefgxyz", ("x", "y", "z"), "", True),
        ("abcdefgxyz", None, "other", True),
        ("abcdefgxyz", ("x", "y", "z"), "other", False),
    ],
)
def test_states_and_neighbours_decide_where_spelling_is_not_enough(other, states, neighbour, is_proposed):
    names = ["shared", "other"]
    one = DAG(["abcdefghij", *names], [("abcdefghij", "shared")] if neighbour else [])
    two = DAG([other, *names], [(other, neighbour)] if neighbour else [])
    known = dict.fromkeys(names, ("0", "1"))
    labels = [{**known, "abcdefghij": ("x", "y")}, {**known, other: states or ("p", "q")}]
    inputs = [Network(dag, own) for dag, own in zip((one, two), labels, strict=True)]
    assert proposed(*inputs) == ({("2", other): "abcdefghij"} if is_proposed else {})


def test_the_most_alike_is_joined_first_and_one_about_as_good_is_named():
    def why(*others):
        rows = align(dag("abcdefghijklmnopqrst>x"), dag(*(f"{other}>y" for other in others))).changes
        (row,) = (row for row in rows if row.name == "abcdefghijklmnopqrst")
        return row.variable, "fits as well" in row.why

    three, four, five = "abcdefghijklmnopq123", "abcdefghijklmnop1234", "abcdefghijklmno12345"
    three, four, five = (other.translate(str.maketrans("12345", "vwxyz")) for other in (three, four, five))
    assert why(five, three) == why(three, five) == (three, False)
    assert why(four, three) == why(three, four) == (three, True)


def test_what_only_some_networks_have_is_listed_once():
    alignment = align(dag("A>B", "B>C"), dag("A>B"), dag("A>B"))
    (row,) = alignment.rows
    assert (row.network, row.variable, row.name, row.why) == ("*", "C", "C", "check: only in 1")
    assert not row.changes
    (row,) = align(dag("A>B", "B>C"), dag("A>B", "B>C"), dag("A>B")).rows
    assert row.why == "check: not in 3"


@pytest.mark.parametrize(
    ("common", "own", "expected", "checked"),
    [
        (("yes", "no"), ("No", "YES"), {"YES": "yes", "No": "no"}, False),
        (("yes", "no"), ("true", "false"), {"true": "yes", "false": "no"}, False),
        (("yes", "no"), ("0", "1"), {"1": "yes", "0": "no"}, False),
        (("present", "absent"), ("1", "0"), {"1": "present", "0": "absent"}, False),
        (("0", "1"), ("1", "2"), {"1": "0", "2": "1"}, True),
        (("0", "1"), ("2", "1"), {"1": "0", "2": "1"}, True),
        (("low", "high"), ("lo", "high"), {"lo": "low", "high": "high"}, False),
        (("a", "b"), ("x", "y"), {"x": "a", "y": "b"}, True),
        (("<5", ">5"), ("> 5", "< 5"), {"> 5": ">5", "< 5": "<5"}, False),
        (("-1", "0"), ("1", "0"), {"0": "-1", "1": "0"}, True),
        (("moderate", "severe"), ("severe", "moderat"), {"moderat": "moderate", "severe": "severe"}, False),
        (("a", "b"), ("a", "b", "c"), {"a": "a", "b": "b", "c": "c"}, True),
    ],
)
def test_states(common, own, expected, checked):
    one, two = (Network(DAG(["A"]), {"A": labels}) for labels in (common, own))
    rows = align(one, two).rows
    assert {row.state: row.becomes for row in rows} == expected
    assert any(row.check for row in rows) == checked
    _, other = align(one, two).apply_all([one, two], "apply")
    if len(own) == len(common):
        assert other.states == one.states


@given(
    st.lists(
        st.lists(st.text('aAbB_1 \n\r";,é=', min_size=1, max_size=4), min_size=1, max_size=5, unique=True),
        min_size=2,
        max_size=4,
    )
)
@settings(max_examples=200)
def test_any_names_can_be_aligned_saved_and_applied(tmp_path_factory, names):
    path = tmp_path_factory.mktemp("names") / "names.csv"
    networks = [DAG(own) for own in names]
    alignment = align(networks)
    assert alignment == align(networks)
    alignment.save(path)
    assert Alignment.load(path) == alignment
    applied = Alignment.load(path).apply_all(networks, "apply")
    assert [len(network.variables) for network in applied] == [len(own) for own in names]
    for network, own in zip(applied, names, strict=True):
        for new, old in zip(network.variables, own, strict=True):
            assert new == old or not any(new in other and old in other for other in names)


# Applying a table


@pytest.fixture
def table(tmp_path):
    """Saves a table and loads it."""

    def load(text, header=HEADER):
        path = tmp_path / "names.csv"
        path.write_text(header + text, "utf-8")
        return Alignment.load(path)

    return load


ASIA = Network(
    DAG(["Smoke", "Lung"], [("Smoke", "Lung")]),
    {"Smoke": ("yes", "no"), "Lung": ("a", "b", "c")},
    {"Smoke": [0.2, 0.8], "Lung": [[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]]},
    "asia",
)


def test_a_row_for_all_networks_and_one_for_a_single_network(table):
    alignment = table("*,Smoke,Smoker,,,\n,Lung,LungCancer,,,\nasia,Lung,Cancer,,,\n")
    assert alignment.apply(ASIA).variables == ("Smoker", "Cancer")
    assert alignment.apply(ASIA.renamed("other")).variables == ("Smoker", "LungCancer")
    assert alignment.apply(ASIA.renamed("other"), "asia").variables == ("Smoker", "Cancer")


def test_only_two_columns_are_needed_in_any_order_with_any_delimiter(table):
    for header, row in (("name,variable\n", "Smoker,Smoke\n"), ("Variable;Name;note\n", "Smoke;Smoker;hm\n")):
        assert table(row, "\ufeff" + header).apply(ASIA).variables == ("Smoker", "Lung")
    assert table("Smoke\tSmoker\r\n\r\n", "variable\tname\r\n").apply(ASIA).variables == ("Smoker", "Lung")


def test_states_in_the_order_of_the_table(table):
    changed = table("asia,Lung,,c,C,\nasia,Lung,,a,A,\nasia,Lung,,b,B,\n").apply(ASIA)
    assert changed.states["Lung"] == ("C", "A", "B")
    assert changed.cpts["Lung"].tolist() == [[0.2, 0.5, 0.3], [0.7, 0.1, 0.2]]


def test_states_that_are_not_named_keep_their_places(table):
    changed = table("asia,Lung,,c,C,\n*,Smoke,,no,never,\n").apply(ASIA)
    assert changed.states == {"Smoke": ("yes", "never"), "Lung": ("a", "b", "C")}
    assert changed.cpts["Lung"].tolist() == ASIA.cpts["Lung"].tolist()


def test_states_of_a_parent_move_its_axis(table):
    changed = table("asia,Smoke,,no,yes,\nasia,Smoke,,yes,no,\n").apply(ASIA)
    assert changed.states["Smoke"] == ("yes", "no")
    assert changed.cpts["Smoke"].tolist() == [0.8, 0.2]
    assert changed.cpts["Lung"].tolist() == [[0.1, 0.2, 0.7], [0.5, 0.3, 0.2]]


def test_a_dag_stays_one_and_a_model_becomes_a_network(table):
    alignment = table("*,Smoke,Smoker,,,\n*,Smoke,,yes,ja,\n")
    changed = alignment.apply(ASIA.dag)
    assert isinstance(changed, DAG)
    assert changed == DAG(["Smoker", "Lung"], [("Smoker", "Lung")])
    networkx = pytest.importorskip("networkx")
    assert alignment.apply(networkx.DiGraph([("Smoke", "Lung")])).variables == ("Smoker", "Lung")


def test_a_structure_with_states_keeps_them(table):
    bare = Network(ASIA.dag, ASIA.states)
    changed = table("*,Smoke,Smoker,,,\n*,Smoke,,yes,ja,\n").apply(bare)
    assert changed.states == {"Smoker": ("ja", "no"), "Lung": ("a", "b", "c")}
    assert changed.cpts is None


def test_rows_for_networks_that_are_not_there_are_said(table):
    alignment = table("asia,Smoke,Smoker,,,\nother,Fever,Heat,,,\n")
    with pytest.warns(BnfuseWarning, match=r"names.csv: rows for a network that is not among the inputs.*'other'"):
        (changed,) = alignment.apply_all([ASIA])
    assert changed.variables == ("Smoker", "Lung")
    with pytest.raises(FileError, match=r"names.csv:3: there is no network 'other'; the networks are 'asia'"):
        table("\nother,Fever,Heat,,,\n").apply_all([ASIA])


# Tables that cannot be meant


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a,X,Z,,,\na,Y,Z,,,\n", 3, "'X' (line 2) and 'Y' cannot both be called 'Z'"),
        (
            "a,X,Y,,,\na,Y,Z,,,\n",
            2,
            "a chain of renames: 'X' of network 'a' becomes 'Y', which itself becomes 'Z' (line 3)",
        ),
        ("a,X,Y,,,\na,Y,X,,,\n", 2, "a chain of renames"),
        ("*,X,Y,,,\n,Y,Z,,,\n", 2, "a chain of renames: 'X' becomes 'Y'"),
        ("a,X,Y,,,\na,X,Z,,,\n", 3, "'X' of network 'a' is to be called both 'Y' (line 2) and 'Z'"),
        ("a,X,Y,s,t,\na,X,Z,,,\n", 3, "is to be called both"),
        ("a,X,,s,t,\na,X,,u,t,\n", 3, "the states 's' and 'u' of 'X' of network 'a' cannot both become 't'"),
        ("a,X,,s,t,\na,X,,s,u,\n", 3, "the state 's' of 'X' of network 'a' is to become both 't' (line 2) and 'u'"),
        ("a,X,,,,\n", 2, "the variable 'X' has no name to get; to keep its name, repeat it"),
        ("a,X,  ,,,\n", 2, "has no name to get"),
        ("a,,X,,,\n", 2, "a row without a variable"),
        ("a,X,,s,,\n", 2, "the state 's' of 'X' has no label to become"),
        ("a,X,Y,,t,\n", 2, "'X' has the label 't', but no state that gets it"),
        ("a,X,Y,,,,more\n", 2, "7 cells for 6 columns"),
        ('a,"X,Y,,,\n', 2, "is not CSV: unexpected end of data"),
        ('a,"X"Z,Y,,,\n', 2, "is not CSV"),
    ],
)
def test_bad_tables_are_refused_with_their_line(table, text, line, problem):
    with pytest.raises(FileError) as refused:
        table(text)
    assert f"names.csv:{line}: " in str(refused.value)
    assert problem in str(refused.value)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty; bnfuse align writes such a table"),
        (b"from,to\nA,B\n", ":1: is not a table of names: it lacks the column 'variable', 'name'"),
        (b"variable,name,state\n", ":1: the columns 'state' and 'becomes' need each other"),
        (b"variable,name,name\n", ":1: has the column 'name' twice"),
        (b"variable,name\n\xff,b\n", "is not text in UTF-8"),
        (b"variable,name\n\0,b\n", "is a binary file"),
    ],
)
def test_files_that_are_no_tables(tmp_path, content, problem):
    path = tmp_path / "names.csv"
    path.write_bytes(content)
    with pytest.raises(FileError) as refused:
        Alignment.load(path)
    assert problem in str(refused.value)


@given(st.one_of(st.binary(max_size=60), st.text('network,variable,name;\n\t"*a\ufeff\0', max_size=60).map(str.encode)))
def test_no_file_is_more_than_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("names") / "names.csv"
    for start in (b"", HEADER.encode(), b"variable;name\r\n"):
        path.write_bytes(start + content)
        with contextlib.suppress(FileError):
            Alignment.load(path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("asia,Smok,Smoker,,,\n", "2: network 'asia' has no variable 'Smok' (did you mean 'Smoke'?)"),
        ("*,Fever,Heat,,,\n", "2: no network has a variable 'Fever'"),
        ("asia,Lung,,d,e,\n", "2: network 'asia': 'Lung' has no state 'd': it has 'a', 'b', 'c'"),
        ("*,Lung,,d,e,\n", "2: 'Lung' has no state 'd' in any network"),
        ("asia,Smoke,Lung,,,\n", "2: 'Lung' in network 'asia' and 'Smoke' cannot both be called 'Lung'"),
        ("*,Smoke,X,,,\n*,Lung,X,,,\n", "3: 'Smoke' in network 'asia' and 'Lung' cannot both be called 'X'"),
        ("*,Lung,Smoke,,,\nasia,Smoke,X,,,\n", "2: a chain of renames"),
        ("*,Lung,,a,z,\n*,Lung,,b,z,\n", "3: the states 'a' and 'b' of 'Lung' cannot both become 'z'"),
        ("asia,Lung,,a,b,\n", "2: the states 'a' and 'b' of 'Lung' of network 'asia' cannot both become 'b'"),
        ("asia,Lung,,c,b,\n", "2: the states 'b' and 'c' of 'Lung' of network 'asia' cannot both become 'b'"),
    ],
)
def test_tables_that_do_not_fit_the_networks(table, text, problem):
    with pytest.raises(FileError) as refused:
        table(text).apply_all([ASIA])
    assert f"names.csv:{problem}" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_states_of_a_structure_cannot_be_renamed(table):
    with pytest.raises(FileError, match="2: network '1': 'Lung' has no states"):
        table("1,Lung,,a,b,\n").apply_all([ASIA.dag])


def test_tables_made_in_python_are_checked_too():
    with pytest.raises(OptionError, match=r"^names: 'X' and 'Y' cannot both be called 'Z'"):
        Alignment([AlignmentRow("a", "X", "Z"), AlignmentRow("a", "Y", "Z")])
    with pytest.raises(OptionError, match="names and states must be text"):
        Alignment([AlignmentRow("a", 3, "Z")])


@pytest.mark.parametrize("wrong", [[], "asia.bif", 3, [3]])
def test_only_networks_can_be_aligned(wrong):
    with pytest.raises(OptionError):
        align(wrong)
    with pytest.raises(OptionError):
        Alignment(()).apply_all(wrong)


# Files


def test_a_table_replaces_no_file_unless_told(tmp_path):
    path = tmp_path / "names.csv"
    align(dag("A>Bee"), dag("A>bee")).save(path)
    assert path.read_text() == HEADER + '2,bee,Bee,,,"the same letters, 1 of 1 neighbour shared"\n'
    with pytest.raises(FileError, match="exists; to replace it: overwrite=True"):  # somebody may have edited it
        Alignment(()).save(path)
    Alignment(()).save(path, overwrite=True)
    assert Alignment.load(path).rows == ()
    Alignment((AlignmentRow("*", "A", "B"),)).save(tmp_path / "names.csv.gz")
    assert Alignment.load(tmp_path / "names.csv.gz").rows == (AlignmentRow("*", "A", "B"),)
    with pytest.raises(FileError, match="not valid Unicode text"):
        Alignment((AlignmentRow("*", "\ud800", "B"),)).save(path, overwrite=True)


def test_what_it_is_shows():
    alignment = align(dag("A>Smoker", "B>A"), dag("A>Smoking"))
    assert repr(alignment) == "<Alignment: 1 to rename, 2 to check>"
    assert [row.variable for row in alignment.to_check] == ["Smoking", "B"]


# The error that leads here


def test_the_error_about_variables_names_the_nearest_and_what_to_do():
    with pytest.raises(bnfuse.MismatchError) as refused:
        bnfuse.smhd(dag("Smoker>Cough"), dag("Smoke>COUGH"))
    assert str(refused.value) == (
        "network 2 lacks variables 'Smoker', 'Cough', which network 1 has, though it has 'Smoke', 'COUGH'; all "
        "networks need the same variables, spelled alike: bnfuse.align(networks) proposes common names; "
        'bnfuse.consensus takes different ones with variables="union" or shared'
    )
