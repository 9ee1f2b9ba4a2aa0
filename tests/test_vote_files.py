"""Opinions in CSV and NumPy files: edges without a direction, strengths, probabilities, counts, and cycles."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from bnfuse import DAG, PDAG, ArcVotes, BnfuseWarning, FileError, Network, OptionError, files
from bnfuse.files import edge_list, matrix, read, read_apart, write
from soft_graphs import pdags, votes


def only(text: str) -> object:
    [opinion] = edge_list.read_text(text, "a.csv")
    return opinion


def put(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# Edges without a direction


@given(pdags())
def test_a_pdag_comes_back(graph: PDAG) -> None:
    expected = graph if graph.edges else Network(DAG(graph.variables, graph.arcs))
    assert edge_list.read_text(edge_list.write_text(graph), "a") == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "from,to,type\nA,B,-->\nB,C,---\nD,,\n",
        "From;To;Type\nA;B;-->\nB;C;---\nD;;\n",
        '"","from","to","type"\n"1","A","B","-->"\n"2","B","C","---"\n"3","D","",""\n',
        '"from","to","type"\n"1","A","B","-->"\n"2","B","C","---"\n"3","D","",""\n',
    ],
)
def test_a_column_tells_arcs_from_edges(text: str) -> None:
    assert only(text) == PDAG(list("ABCD"), [("A", "B")], [("B", "C")])


def test_a_list_in_which_all_have_a_direction_is_a_network() -> None:
    assert only("from,to,type\nA,B,-->\nC,,\n") == Network(DAG(list("ABC"), [("A", "B")]))


# Votes

BOOT = """"","from","to","strength","direction"
"1","A","B",0.75,0.666666666666667
"2","A","C",0,0
"3","B","A",0.75,0.333333333333333
"4","B","C",0.25,1
"5","C","A",0,0
"6","C","B",0.25,0
"""
SHARES = [[0, 0.5, 0], [0.25, 0, 0.25], [0, 0, 0]]


@given(votes())
def test_votes_come_back(opinion: ArcVotes) -> None:
    assert edge_list.read_text(edge_list.write_text(opinion), "a") == [opinion]


@pytest.mark.parametrize(
    "text",
    [
        BOOT,
        BOOT.replace('"",', "", 1),  # as write.table() writes it
        BOOT.replace('"', "").replace(",", "\t"),
        "from,to,strength,direction\nA,B,0.75,0.6666666667\nC,B,0.25,0\n",
        "from,to,direction,strength\nA,B,0.6666666667,.75\nC,B,0,2.5e-1\n",
        "from,to,probability\nA,B,0.5\nB,A,0.25\nB,C,0.25\n",
        "from,to,count,of,networks\nA,B,2,4,1\nB,A,1,4,1\nB,C,1,4,1\n",
        "from,to,votes,of,networks\nA,B,2,4,1\nB,A,1,4,\nB,C,1,4,\n",
        ",A,B,C\nA,0,0.5,0\nB,0.25,0,0.25\nC,0,0,0\n",
        '"A","B","C"\n"C",0,0,0\n"A",0,0.5,0\n"B",0.25,0,0.25\n',
    ],
)
def test_votes_in_every_form(text: str) -> None:
    opinion = only(text)
    assert opinion == ArcVotes(list("ABC"), SHARES)
    assert isinstance(opinion, ArcVotes)
    assert opinion.total == 4


def test_how_many_networks_votes_stand_for() -> None:
    assert only("from,to,count,of\nA,B,30,200\nC,,,\n") == ArcVotes.from_counts(
        {("A", "B"): 30}, of=200, variables=list("ABC")
    )
    counted = only("from,to,strength,direction,networks\nA,B,0.15,1,200\nC,,,,\n")
    assert isinstance(counted, ArcVotes)
    assert (counted.networks, counted.total, counted.counts[0, 1]) == (200, 200, 30)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("from,to,type\nA,B,<->\n", "a.csv:2: A <-> B: a hidden common cause"),
        ("from,to,type\nA,B,o->\n", "a.csv:2: A o-> B: an end that may or may not"),
        ("from,to,type\nA,B,x\n", "a.csv:2: A x B: an unknown kind of edge; expected --> or ---"),
        ("from,to,type\nA,B,\n", "a.csv:2: A ? B: an unknown kind of edge"),
        ("from,to,type\nA,B\n", "a.csv:2: expected 3 cells, got 2"),
        ("from,to,type\nA,B,---\nA,B,-->\n", "a.csv: A --> B is given as an edge without a direction too"),
        ("from,to,type\n", "a.csv: has no arcs"),
        ("from,to,type\nA,A,---\n", "a.csv:2: arc A -> A"),
        (
            BOOT.replace("0.333333333333333", "0.6"),
            "a.csv:4: the directions of A -> B (0.666667) and B -> A (0.6) ",
        ),
        (BOOT.replace('A",0.75', 'A",0.5'), "a.csv:4: A -> B has strength 0.75 and B -> A has 0.5; it is the"),
        (BOOT.replace("0.25,1\n", "1.25,1\n"), "a.csv:5: strength: expected a number from 0 to 1, got '1.25'"),
        (BOOT.replace("0.25,1\n", "0.25,NA\n"), "a.csv:5: direction: expected a number from 0 to 1, got 'NA'"),
        (BOOT.replace("0.25,1\n", "0.25,-1\n"), "a.csv:5: direction: expected a number from 0 to 1, got '-1'"),
        (BOOT.replace('"C","A"', '"A","C"'), "a.csv:6: A -> C is listed twice"),
        (BOOT.replace('"C","A"', '"A","A"'), "a.csv:6: arc A -> A"),
        ("from,to,count,of\nA,B,5,4\n", "a.csv:2: A -> B has 5 votes of 4"),
        ("from,to,count,of\nA,B,5,10\nB,A,6,10\n", "a.csv: the probabilities of A -> B (0.5) and B -> A (0.6) add up"),
        ("from,to,count,of\nA,B,1,4\nB,C,1,5\n", "a.csv:3: of is 5 here and 4 before; it must be the same"),
        ("from,to,count,of\nA,B,1.5,4\n", "a.csv:2: count: expected a whole number of votes, got '1.5'"),
        ("from,to,count,of\nA,B,1,0\n", "a.csv:2: of: expected a whole number above 0, got '0'"),
        ("from,to,count,of\nA,,,\n", "a.csv: has no number of votes"),
        ("from,to,count,of\n", "a.csv: has no votes"),
        ("from,to,probability,networks\nA,B,1,-3\n", "a.csv:2: networks: expected a whole number above 0, got '-3'"),
        ("from,to,probability\nA,B,0.7\nB,A,0.4\n", "a.csv: the probabilities of A -> B (0.7) and B -> A (0.4) add up"),
        ("from,to,probability\nA,B,1_0\n", "a.csv:2: probability: expected a number from 0 to 1, got '1_0'"),
        ("from,to,strength\nA,B,1\n", "a.csv:1: expected the header from,to, and after it none, type, strength,dir"),
        (
            ",A,B\nA,0,0.5\nB,x,0\n",
            "a.csv:3: a matrix may contain only 0 and 1, or probabilities between",
        ),
        (",A,B\nA,0.5,0.5\nB,0,0\n", "a.csv: A -> A has votes: a variable cannot be its own parent"),
        (",A,B\nA,1,0\nB,0,0\n", "a.csv: arc A -> A: a variable cannot be its own parent"),
        (",A,B\nA,0,0.7\nB,0.4,0\n", "a.csv: the probabilities of A -> B (0.7) and B -> A (0.4) add up to more than 1"),
        ("from,to,probability\n" + "".join(f"X{i},,\n" for i in range(30_000)), "bnfuse handles at most"),
    ],
)
def test_broken_votes_say_where(text: str, problem: str) -> None:
    with pytest.raises(FileError) as caught:
        edge_list.read_text(text, "a.csv")
    assert problem in str(caught.value)


def test_a_matrix_of_zeros_and_ones_is_a_network() -> None:
    assert only(",A,B\nA,0,1.0\nB,0,0.0\n") == Network(DAG(["A", "B"], [("A", "B")]))


# Cycles

CYCLE = "from,to\nA,B\nB,C\nC,A\nA,C\nD,\n"
VOTES = ArcVotes.from_arcs(list("ABCD"), [("A", "B"), ("B", "C"), ("C", "A"), ("A", "C")])


def test_a_cycle_is_refused_and_named_unless_votes_are_wanted(tmp_path: Path) -> None:
    file = put(tmp_path / "cycle.csv", CYCLE)
    with pytest.raises(FileError, match=r'the arcs form a cycle: .* -> .*as votes for arcs: cyclic="votes"'):
        read(file)
    [opinion] = read(file, cyclic="votes")
    assert opinion == VOTES
    assert opinion.name == "cycle"
    with pytest.raises(OptionError, match="cyclic must be one of 'refuse', 'votes'; got 'yes'"):
        read(file, cyclic="yes")


def test_a_list_without_a_cycle_stays_a_network(tmp_path: Path) -> None:
    file = put(tmp_path / "plain.csv", "from,to\nA,B\n")
    assert read(file, cyclic="votes") == read(file)


def test_a_cycle_in_a_list_with_types(tmp_path: Path) -> None:
    file = put(tmp_path / "cycle.csv", "from,to,type\nA,B,-->\nB,A,-->\nB,C,---\n")
    with pytest.raises(FileError, match="the arcs form a cycle: A -> B -> A; to read them as votes"):
        read(file)
    expected = ArcVotes(list("ABC"), [[0, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0]])
    assert read(file, cyclic="votes") == [expected]
    assert read(put(file, "from,to,type\nA,B,-->\nB,A,-->\n"), cyclic="votes") == [
        ArcVotes(["A", "B"], [[0, 0.5], [0.5, 0]])
    ]


@pytest.mark.parametrize(
    "text",
    [
        '"","from","to"\n"1","A","B"\n"2","B","C c"\n',  # write.csv(arcs(x), file)
        '"from","to"\n"A","B"\n"B","C c"\n',
        '"from" "to"\n"1" "A" "B"\n"2" "B" "C c"\n',  # write.table(arcs(x), file)
        '"from" "to"\r\n"A" "B"\r\n"B" "C c"\r\n',
        '"from"\t"to"\n"1"\t"A"\t"B"\n"2"\t"B"\t"C c"\n',
    ],
)
def test_arcs_as_r_writes_them(tmp_path: Path, text: str) -> None:
    expected = Network(DAG(["A", "B", "C c"], [("A", "B"), ("B", "C c")]))
    assert only(text) == expected
    assert read(put(tmp_path / "arcs.txt", text)) == [expected]


@pytest.mark.parametrize("text", [BOOT, BOOT.replace('"",', "", 1), BOOT.replace('"",', "", 1).replace(",", " ")])
def test_strengths_as_r_writes_them_are_known_by_their_content(tmp_path: Path, text: str) -> None:
    assert read(put(tmp_path / "boot.txt", text)) == [ArcVotes(list("ABC"), SHARES)]


def test_data_with_such_columns_is_not_taken_for_votes(tmp_path: Path) -> None:
    put(tmp_path / "a.csv", "from,to\nA,B\n")
    put(tmp_path / "money.csv", "from,to,amount\nA,B,3\n")
    with pytest.warns(BnfuseWarning, match=r"left out 'money.csv'"):
        assert len(read(tmp_path)) == 1


def test_a_cyclic_matrix(tmp_path: Path) -> None:
    file = put(tmp_path / "cycle.csv", ",A,B\nA,0,1\nB,1,0\n")
    with pytest.raises(FileError, match="the arcs form a cycle: A -> B -> A; to read them as votes"):
        read(file)
    assert read(file, cyclic="votes") == [ArcVotes(["A", "B"], [[0, 0.5], [0.5, 0]])]


def test_lists_of_every_kind_share_their_variables(tmp_path: Path) -> None:
    contents = {
        "cycle": CYCLE,
        "mixed": "from,to,type\nA,B,-->\nB,E,---\n",
        "boot": "from,to,strength,direction,networks\nA,B,0.5,1,10\n",
        "plain": "from,to\nA,F\n",
    }
    paths = [put(tmp_path / f"{name}.csv", content) for name, content in contents.items()]
    with pytest.warns(BnfuseWarning, match="'E', 'F' in cycle.csv, 'C', 'D', 'F' in mixed.csv"):
        cycle, mixed, boot, plain = read(*paths, cyclic="votes")
    assert {opinion.variables for opinion in (cycle, mixed, boot, plain)} == {tuple("ABCDEF")}
    assert isinstance(cycle, ArcVotes)
    assert cycle.counts.sum() == VOTES.counts.sum()
    assert cycle.probabilities[0, 1] == 1
    assert mixed == PDAG(list("ABCDEF"), [("A", "B")], [("B", "E")])
    assert boot == ArcVotes.from_counts({("A", "B"): 5}, 10, list("ABCDEF"))
    assert plain == Network(DAG(list("ABCDEF"), [("A", "F")]))
    assert [opinion.name for opinion in (cycle, mixed, boot, plain)] == list(contents)


def test_where_networks_are_needed_the_file_is_named(tmp_path: Path) -> None:
    mixed = put(tmp_path / "mixed.csv", "from,to,type\nA,B,---\n")
    boot = put(tmp_path / "boot.csv", "from,to,probability\nA,B,0.5\n")
    plain = put(tmp_path / "plain.csv", "from,to\nA,B\n")
    with pytest.raises(
        FileError, match=r"mixed.csv: holds edges without a direction \(a PDAG\), where a DAG is needed"
    ):
        read_apart(plain, mixed, only_networks=True)
    with pytest.raises(FileError, match=r"boot.csv: holds votes for arcs, where a DAG is needed"):
        read_apart(plain, boot, only_networks=True)
    assert read_apart(plain, only_networks=True)[0] == read(plain)


def test_votes_are_written_to_csv_alone(tmp_path: Path) -> None:
    write(VOTES, tmp_path / "votes.csv")
    assert read(tmp_path / "votes.csv") == [VOTES]
    with pytest.raises(FileError, match=r"BIF files cannot hold votes for arcs; those that can: .csv$"):
        write(VOTES, tmp_path / "votes.bif")


def test_a_folder_has_them_all(tmp_path: Path) -> None:
    put(tmp_path / "a.csv", BOOT)
    put(tmp_path / "b.csv", "from,to,type\nA,B,---\nC,,\n")
    put(tmp_path / "c.dagitty", "dag { A -> B C }")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [type(opinion) for opinion in read(tmp_path)] == [ArcVotes, PDAG, Network]


# NumPy


def saved(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(array))
    return stream.getvalue()


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int8, np.bool_, ">f8"])
def test_numpy_matrices(tmp_path: Path, kind: object) -> None:
    arcs = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]]).astype(kind)
    expected = Network(DAG(["X1", "X2", "X3"], [("X1", "X2"), ("X2", "X3")]))
    assert read(put(tmp_path / "a.npy", saved(arcs))) == [expected]
    assert read(put(tmp_path / "a.bin", saved(np.asfortranarray(arcs)))) == [expected]


def test_numpy_probabilities_and_cycles(tmp_path: Path) -> None:
    shares = put(tmp_path / "p.npy", saved(SHARES))
    assert read(shares) == [ArcVotes(["X1", "X2", "X3"], SHARES)]
    cycle = put(tmp_path / "c.npy", saved([[0, 1], [1, 0]]))
    with pytest.raises(FileError, match=r'c.npy: the arcs form a cycle: .*cyclic="votes"'):
        read(cycle)
    assert read(cycle, cyclic="votes") == [ArcVotes(["X1", "X2"], [[0, 0.5], [0.5, 0]])]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (saved([1, 2]), r"expected a square matrix of numbers, got .*'shape': \(2,\)"),
        (saved([[1, 2]]), "expected a square matrix of numbers"),
        (saved([["a"]]), "expected a square matrix of numbers, got .*<U1"),
        (saved([[0, 2], [0, 0]]), "the probability of X1 -> X2 must be from 0 to 1, got 2"),
        (saved([[0, np.nan], [0, 0]]), "the probability of X1 -> X2 must be from 0 to 1, got nan"),
        (saved([[1.0]]), "arc X1 -> X1: a variable cannot be its own parent"),
        (saved([[0, 0.5], [0, 0]])[:-3], "is not a whole NumPy file"),
        (saved([[0, 0.5], [0, 0]]).replace(b"(2, 2)", b"(9, 9)"), "is not a whole NumPy file"),
        (saved([[0, 0.5], [0, 0]]).replace(b"'<f8'", b"'|O8'"), "expected a square matrix of numbers"),
        (saved([[0, 0.5], [0, 0]])[:20], "expected a square matrix of numbers"),
        (b"\x93NUMPY", "is not a NumPy file"),
        (saved(np.zeros((0, 0))), "a network needs at least one variable"),
    ],
)
def test_broken_numpy_files_are_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        read(put(tmp_path / "a.npy", content))


def test_a_text_with_the_extension_of_numpy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is not a NumPy file"):
        read(put(tmp_path / "a.npy", "from,to\nA,B\n"))
    with pytest.raises(FileError, match=r"NumPy|cannot tell the format"):
        write(DAG(["A"]), tmp_path / "a.npy")
    assert matrix.read_npy(saved([[0]]), "a") == [Network(DAG(["X1"]))]
    assert ".npy" not in files._registry.extensions(to_read=False)
