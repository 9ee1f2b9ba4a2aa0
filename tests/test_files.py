"""Reading and writing files: the front, the ensemble, the edge list, DOT and GraphML."""

from __future__ import annotations

import errno
import gzip
import io
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import DAG, BnfuseError, BnfuseWarning, FileError, Network, OptionError, consensus, files
from bnfuse._base import disk
from bnfuse.files import _registry, dot, edge_list, ensemble, graphml, read, write
from file_checks import failure, put
from strategies import dags

DIAMOND = DAG(["A", "B", "C", "D"], [("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")])
TABLES = Network(
    DAG(["Rain", "Wet"], [("Rain", "Wet")]),
    {"Rain": ("no", "yes"), "Wet": ("no", "yes")},
    {"Rain": [0.8, 0.2], "Wet": [[0.9, 0.1], [0.05, 0.95]]},
)
HOLD_ANY_NAME = [".bif", ".xmlbif", ".xml", ".json", ".csv"]
OURS = [*HOLD_ANY_NAME, ".dagitty", ".tetrad", ".modelstring"]
ODD_NAMES = [
    "<5",
    "Asy/Patch",
    "with space",
    " led",
    "trailed ",
    'quo"te',
    "com,ma",
    "line\nbreak",
    "Größe",
    "日本",
    "a\\b",
    "&amp;",
    "%d",
]


# The front: what comes back


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("extension", OURS)
def test_structure_comes_back_from_every_format(tmp_path: Path, extension: str, packed: str) -> None:
    path = tmp_path / f"diamond{extension}{packed}"
    write(DIAMOND, path)
    [network] = read(path)
    assert network.dag == DIAMOND
    assert network.name == "diamond"


@pytest.mark.parametrize("extension", [".bif", ".xmlbif"])
def test_tables_come_back(tmp_path: Path, extension: str) -> None:
    write(TABLES, tmp_path / f"wet{extension}")
    assert read(tmp_path / f"wet{extension}") == [TABLES]


@pytest.mark.parametrize("extension", HOLD_ANY_NAME)
def test_odd_names_come_back(tmp_path: Path, extension: str) -> None:
    dag = DAG(ODD_NAMES, [(ODD_NAMES[0], ODD_NAMES[1]), (ODD_NAMES[2], ODD_NAMES[5])])
    write(dag, tmp_path / f"odd{extension}")
    assert read(tmp_path / f"odd{extension}")[0].dag == dag


@pytest.mark.parametrize("extension", OURS)
def test_format_is_known_by_content_when_the_extension_says_nothing(tmp_path: Path, extension: str) -> None:
    write(DIAMOND, tmp_path / f"known{extension}.gz")
    os.rename(tmp_path / f"known{extension}.gz", tmp_path / "unknown.download")
    [network] = read(tmp_path / "unknown.download")
    assert network.dag == DIAMOND
    assert network.name == "unknown.download"


def test_several_files_come_in_order_under_names_that_tell_them_apart(tmp_path: Path) -> None:
    for site in ("north", "south"):
        (tmp_path / site).mkdir()
        write(DIAMOND, tmp_path / site / "model.csv")
    write(Network(DIAMOND, name="x"), tmp_path / "single.csv")
    write([Network(DIAMOND, name="twin"), Network(DIAMOND, name="twin"), Network(DIAMOND)], tmp_path / "many.json")
    found = read(
        tmp_path / "single.csv", tmp_path / "north/model.csv", tmp_path / "many.json", tmp_path / "south/model.csv"
    )
    assert [network.name for network in found] == [
        "single", "north/model", "twin", "twin (2)", "many-3", "south/model"
    ]  # fmt: skip


def test_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    [network] = read(put(tmp_path / "excel.csv", b"\xef\xbb\xbffrom,to\r\nA,B\r\n"))
    assert network.dag == DAG(["A", "B"], [("A", "B")])


def test_declared_encoding_of_xml_is_honoured(tmp_path: Path) -> None:
    write(DAG(["Größe", "B"], [("Größe", "B")]), tmp_path / "utf8.xml")
    text = (tmp_path / "utf8.xml").read_text("utf-8")
    assert text.startswith("<?xml")
    declared = '<?xml version="1.0" encoding="ISO-8859-1"?>' + text[text.index("?>") + 2 :]
    assert read(put(tmp_path / "latin.xml", declared.encode("latin-1")))[0].variables == ("Größe", "B")


# The front: what goes wrong


def test_missing_file(tmp_path: Path) -> None:
    assert failure(tmp_path / "none.bif") == f"{tmp_path}/none.bif: no such file or folder"


def test_folder(tmp_path: Path) -> None:
    assert "is a folder" in failure(tmp_path)


@pytest.mark.parametrize("content", ["", " \n\t\n", gzip.compress(b"")], ids=["empty", "blank", "gzip of nothing"])
def test_empty_file(tmp_path: Path, content: str | bytes) -> None:
    assert failure(put(tmp_path / "a.bif", content)).endswith("a.bif: is empty")


def test_binary_file(tmp_path: Path) -> None:
    assert "binary" in failure(put(tmp_path / "a.csv", b"\x7fELF\0\0\0"))
    assert "UTF-16" in failure(put(tmp_path / "b.csv", "from,to\nA,B\n".encode("utf-16")))


def test_text_that_is_not_utf8_says_where(tmp_path: Path) -> None:
    path = put(tmp_path / "a.csv", "from,to\nGrö,B\n".encode("latin-1"))
    assert failure(path).startswith(f"{path}:2:3: is not valid UTF-8")
    marked = put(tmp_path / "b.csv", b"\xef\xbb\xbf" + path.read_bytes())
    assert failure(marked).startswith(f"{marked}:2:3: is not valid UTF-8")


def test_unreadable_file(tmp_path: Path) -> None:
    path = put(tmp_path / "a.csv", "from,to\nA,B\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert failure(path).endswith("permission denied")


def test_path_with_a_nul_character() -> None:
    assert "null" in failure(Path("a\0.bif"))


@pytest.mark.parametrize("cut", [5, 30, -4])
def test_truncated_gzip(tmp_path: Path, cut: int) -> None:
    packed = gzip.compress(edge_list.write_text(Network(DIAMOND)).encode())
    assert "truncated" in failure(put(tmp_path / "a.csv.gz", packed[:cut]))


def test_damaged_gzip(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(edge_list.write_text(Network(DIAMOND)).encode()))
    packed[-6] ^= 1
    assert "damaged" in failure(put(tmp_path / "a.csv.gz", bytes(packed)))
    assert "not gzipped" in failure(put(tmp_path / "b.csv.gz", "from,to\n"))


def test_file_that_unpacks_to_more_than_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MAX_BYTES", 1 << 20)
    assert "more than 1 MiB" in failure(put(tmp_path / "a.csv.gz", gzip.compress(b"x" * ((1 << 20) + 1))))
    assert "more than 1 MiB" in failure(put(tmp_path / "a.csv", b"x" * ((1 << 20) + 1)))


def test_unknown_content(tmp_path: Path) -> None:
    assert "neither the name nor the content" in failure(put(tmp_path / "letter.txt", "Dear Sir,"))


def test_content_of_another_format_is_named(tmp_path: Path) -> None:
    message = failure(put(tmp_path / "a.json", "from,to\nA,B\n"))
    assert message.endswith("the content looks like CSV, not ensemble")


@pytest.mark.parametrize("extension", [".dot", ".graphml"])
def test_drawings_are_not_read(tmp_path: Path, extension: str) -> None:
    write(DIAMOND, tmp_path / f"a{extension}")
    assert "can only be written" in failure(tmp_path / f"a{extension}")


def test_wrong_arguments() -> None:
    with pytest.raises(OptionError):
        read()
    with pytest.raises(OptionError):
        read({"a": "a.bif"})  # type: ignore[arg-type]
    with pytest.raises(FileError, match="expected a network, got int"):
        write(5, "a.bif")


# Writing


def test_file_of_another_kind_is_not_replaced(tmp_path: Path) -> None:
    path = put(tmp_path / "notes.csv", "my notes, nothing else\n")
    with pytest.raises(FileError, match="exists; to replace it: overwrite=True"):
        write(DIAMOND, path)
    assert path.read_text() == "my notes, nothing else\n"
    write(DIAMOND, path, overwrite=True)
    write(TABLES, path, overwrite=True)
    assert read(path)[0].dag == TABLES.dag


def test_json_that_is_no_ensemble_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="exists and is not an ensemble file"):
        write(DIAMOND, put(tmp_path / "package.json", '{"name": "precious"}'))


@pytest.mark.parametrize("extension", [*OURS, ".dot", ".graphml"])
def test_a_file_that_says_that_bnfuse_wrote_it_is_replaced(tmp_path: Path, extension: str) -> None:
    for packed in ("", ".gz"):
        path = tmp_path / f"a{extension}{packed}"
        write(TABLES, path)
        first = path.read_bytes()
        if extension in (".csv", ".dagitty", ".tetrad", ".modelstring"):  # these formats have no comments
            with pytest.raises(FileError, match="exists; to replace it: overwrite=True"):
                write(DIAMOND, path)
            assert path.read_bytes() == first
        else:
            write(DIAMOND, path)
            assert path.read_bytes() != first


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    write(DIAMOND, tmp_path / "a.csv.gz")
    write(DIAMOND, tmp_path / "b.csv.gz")
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


@pytest.mark.parametrize("problem", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()])
def test_failure_while_writing_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: BaseException
) -> None:
    path = tmp_path / "a.csv"
    write(DIAMOND, path)
    before = path.read_bytes()

    def fail(descriptor: int) -> None:
        raise problem

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(FileError if isinstance(problem, OSError) else KeyboardInterrupt) as caught:
        write(TABLES, path, overwrite=True)
    if isinstance(problem, OSError):
        assert str(caught.value) == f"{path}: cannot be written: no space left on device"
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.csv"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device /dev/full")
def test_full_disk(tmp_path: Path) -> None:
    (tmp_path / "a.csv").symlink_to("/dev/full")
    with pytest.raises(FileError, match="cannot be written: no space left on device"):
        write(DIAMOND, tmp_path / "a.csv")


def test_folder_that_is_missing_or_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written: there is no folder"):
        write(DIAMOND, tmp_path / "none" / "a.csv")
    with pytest.raises(FileError, match="cannot be written: there is no folder"):
        write(DIAMOND, put(tmp_path / "file", "") / "a.csv")
    (tmp_path / "b.csv").mkdir()
    with pytest.raises(FileError, match="is a folder"):
        write(DIAMOND, tmp_path / "b.csv")


def test_unwritable_folder_and_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write(DIAMOND, path)
    path.chmod(0o444)
    if os.access(path, os.W_OK):
        pytest.skip("this user may write everywhere")
    with pytest.raises(FileError, match="permission denied"):
        write(DIAMOND, path)
    tmp_path.chmod(0o555)
    with pytest.raises(FileError, match="permission denied"):
        write(DIAMOND, tmp_path / "b.csv")
    tmp_path.chmod(0o755)


def test_symbolic_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.csv").symlink_to(tmp_path / "real" / "target.csv")
    write(DIAMOND, tmp_path / "link.csv")
    write(TABLES, tmp_path / "link.csv", overwrite=True)
    assert (tmp_path / "link.csv").is_symlink()
    assert read(tmp_path / "real" / "target.csv")[0].dag == TABLES.dag


def test_permissions_are_those_of_the_old_file_or_of_any_new_file(tmp_path: Path) -> None:
    old_mask = os.umask(0o027)
    try:
        write(DIAMOND, tmp_path / "a.csv")
        assert stat.S_IMODE((tmp_path / "a.csv").stat().st_mode) == 0o640
        (tmp_path / "a.csv").chmod(0o600)
        write(DIAMOND, tmp_path / "a.csv", overwrite=True)
        assert stat.S_IMODE((tmp_path / "a.csv").stat().st_mode) == 0o600
    finally:
        os.umask(old_mask)


def test_extension_must_say_the_format_to_write(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"use one of \.bif, "):
        write(DIAMOND, tmp_path / "a.txt")


def test_only_an_ensemble_takes_several_networks(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="hold one network, got 2"):
        write([DIAMOND, DIAMOND], tmp_path / "a.csv")
    with pytest.raises(FileError, match="lacks variables"):
        write([DIAMOND, TABLES], tmp_path / "a.json")
    assert os.listdir(tmp_path) == []


def test_name_that_no_file_can_hold(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="not valid Unicode"):
        write(DAG(["\ud800"]), tmp_path / "a.csv")
    with pytest.raises(FileError, match="XML cannot hold"):
        write(DAG(["\x01"]), tmp_path / "a.graphml")


# Several files at once


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Networks in several formats beside other files."""
    place = tmp_path / "nets"
    (place / "deeper").mkdir(parents=True)
    write(DIAMOND, place / "b.bif")
    write(DIAMOND, place / "a.xmlbif.gz")
    write(DIAMOND, place / "c.csv")
    write(DIAMOND, place / "deeper" / "d.bif")
    put(place / "rows.csv", "A,B\n1,2\n")
    put(place / "notes.txt", "hello")
    put(place / "settings.json", "{}")
    put(place / ".hidden.bif", "")
    return place


def test_a_folder_stands_for_the_networks_in_it(folder: Path) -> None:
    with pytest.warns(BnfuseWarning, match=r"nets: left out 'rows\.csv', 'settings\.json': these do not begin like"):
        assert [network.name for network in read(folder)] == ["a", "b", "c"]
    (folder / "rows.csv").unlink()
    (folder / "settings.json").unlink()
    assert [network.name for network in read(str(folder), folder / "deeper")] == ["a", "b", "c", "d"]


def test_a_pattern_stands_for_the_files_that_match(folder: Path) -> None:
    assert [network.name for network in read(folder / "*.bif")] == ["b"]
    assert [network.name for network in read(f"{folder}/**/?.bif")] == ["b", "d"]
    assert [network.name for network in read(f"{folder}/[bc].*")] == ["b", "c"]
    assert "no file matches this pattern" in failure(folder / "*.xdsl")
    put(folder / "[b].csv", "from,to\nA,B\n")
    assert read(folder / "[b].csv")[0].variables == ("A", "B"), "a file of that name goes first"


def test_a_folder_without_networks_is_refused(tmp_path: Path) -> None:
    put(tmp_path / "notes.txt", "hello")
    assert "is a folder without networks" in failure(tmp_path)


def test_an_open_file_is_read_by_its_content(tmp_path: Path) -> None:
    write(DIAMOND, tmp_path / "d.bif.gz")
    with (tmp_path / "d.bif.gz").open("rb") as file:
        [network] = read(file)
    assert network.dag == DIAMOND
    assert network.name == "d"
    with pytest.raises(FileError, match=r"standard input: neither the name nor the content determines the format"):
        read(io.BytesIO(b"hello"))


def test_names_of_files_that_are_no_text_become_names_that_are(tmp_path: Path) -> None:
    write(DIAMOND, tmp_path / os.fsdecode(b"caf\xe9.csv"))
    [network] = read(tmp_path)
    assert network.name == "caf\\xe9"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("A,B\n", "a.csv:1: expected the header from,to of an edge list, or an adjacency matrix; got 'A,B'"),
        ("from,to,strength\nA,B,1\n", "none, type, strength,direction, probability or count,of; got 'from,to,stren"),
        ("from,to\nA,B,0.9\n", "a.csv:2: expected two names (from, to), got 3"),
        ("A,B\nyes,no\nno,no\n", "a.csv:1: looks like data (columns 'A', 'B'), not like a network; bnfuse bootstrap "),
        ('"","A","B"\n"1","x","y"\n', "a.csv:1: looks like data"),
        (",A,B\nA,0,1\nB,0,2\n", "a.csv:3: a matrix may contain only 0 and 1, or probabilities between them, got '2'"),
        (",A,B\nA,0,1\nB,0\n", "a.csv:3: expected 2 numbers after the name, got 1"),
        (",A,B\nA,0,1\nB,1,0\n", "a.csv: the arcs form a cycle"),
        (",A,A\nA,0,1\nA,0,0\n", "a.csv: variable 'A'"),
        ("from,to\nA\n", "a.csv:2: expected two names (from, to), got 1"),
        ("from,to\nA,B\nA,B,C\n", "a.csv:3: expected two names (from, to), got 3"),
        ("from,to\n,B\n", "a.csv:2: the name in 'from' is empty"),
        ("from,to\nA,B\nB,B\n", "a.csv:3: arc B -> B"),
        ("from,to\nA,B\nB,A\n", "a.csv: the arcs form a cycle"),
        ('from,to\n"A,B\n', "a.csv:2: is not valid CSV"),
        ('from,to\n"A"x,B\n', "a.csv:2: is not valid CSV"),
        ("from,to\n" + "A" * 1_000_000 + ",B\n", "a.csv:2: is not valid CSV"),
        ("from,to\n", "a.csv: has no arcs"),
        ("from,to\n" + "".join(f"X{i},\n" for i in range(30_000)), "bnfuse handles at most"),
    ],
)
def test_broken_edge_list_says_where(content: str, problem: str) -> None:
    with pytest.raises(FileError) as caught:
        edge_list.read_text(content, "a.csv")
    assert problem in str(caught.value)


# DOT and GraphML, read by others


@given(dags())
def test_dot_and_graphml_hold_the_structure(dag: DAG) -> None:
    assert DAG.from_networkx(networkx.parse_graphml(graphml.write_text(Network(dag)))) == dag
    lines = dot.write_text(Network(dag, name="n")).splitlines()
    assert lines[1] == 'digraph "n" {'
    assert {line for line in lines if "->" in line} == {f'  "{a}" -> "{b}";' for a, b in dag.edges}
    assert all(f'  "{name}";' in lines for name in dag.variables)


def test_dot_and_graphml_with_odd_names() -> None:
    network = Network(DAG(ODD_NAMES, [(ODD_NAMES[0], ODD_NAMES[1])]))
    assert DAG.from_networkx(networkx.parse_graphml(graphml.write_text(network))) == network.dag
    assert '  "quo\\"te";' in dot.write_text(network)
    assert '  "a\\\\b";' in dot.write_text(network)


# Whatever a file holds, nothing but a BnfuseError comes out

PIECES = [
    *'{}[],:" ',
    "\n",
    "\r",
    '"variables"',
    '"networks"',
    '"edges"',
    '"name"',
    '"A"',
    "1e999",
    "NaN",
    "\\u",
    "from,to",
]


def refusal(reader: Callable[[], list[Network]]) -> str | None:
    """Why a file is refused; None if it is read. Any error but ours goes through."""
    try:
        assert reader()
    except BnfuseError as error:
        return str(error)
    return None


@st.composite
def mutated(draw: st.DrawFn, original: str) -> str:
    text = original
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 8)))
        text = text[:start] + draw(st.sampled_from(PIECES) | st.text(max_size=4)) + text[end:]
    return text


@given(mutated(ensemble.write_networks([Network(DIAMOND, name="a"), Network(DIAMOND)])))
def test_mutated_ensembles_are_read_or_refused(text: str) -> None:
    problem = refusal(lambda: ensemble.read_text(text, "a.json"))
    assert problem is None or problem.startswith("a.json")


@given(mutated(edge_list.write_text(Network(DIAMOND))))
def test_mutated_edge_lists_are_read_or_refused(text: str) -> None:
    problem = refusal(lambda: edge_list.read_text(text, "a.csv"))
    assert problem is None or problem.startswith("a.csv")


@given(st.binary(max_size=200), st.sampled_from([*OURS, ".dot", ".txt", ".csv.gz", ""]))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, extension: str
) -> None:
    path = put(tmp_path_factory.getbasetemp() / f"any{extension}", content)
    problem = refusal(lambda: read(path))
    assert problem is None or problem.startswith(str(path))


def test_formats_that_are_only_written_are_not_offered_for_reading(tmp_path: Path) -> None:
    path = put(tmp_path / "notes", "nothing that anybody knows")
    with pytest.raises(FileError, match="known: ") as caught:
        read(path)
    assert ".xdsl" in str(caught.value)
    assert ".dot" not in str(caught.value)
    assert ".graphml" not in str(caught.value)
    with pytest.raises(FileError, match=r"use one of .*\.dot, \.graphml"):
        write(DIAMOND, tmp_path / "a.unknown")
    for name, content in (
        ("a.dot", "digraph {}"),
        ("b.graphml", "<graphml></graphml>"),
        ("c.xml", "<graphml></graphml>"),
    ):
        with pytest.raises(FileError, match="can only be written"):
            read(put(tmp_path / name, content))


def test_a_format_of_another_package_registers_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_registry, "_formats", list(_registry._formats))
    files.register(
        files.Format(
            "lines",
            (".lines",),
            "lines:",
            read=lambda text, path: [Network(DAG(text.split()[1:]))],
            write=lambda network: "lines: " + " ".join(network.variables),
            has_tables=False,
        )
    )
    write(DAG(["A", "B"]), tmp_path / "a.lines")
    assert read(tmp_path / "a.lines") == [Network(DAG(["A", "B"]))]
    assert read(put(tmp_path / "b", "lines: A B")) == read(tmp_path / "a.lines")


def test_a_saved_consensus_and_a_tally_are_not_taken_for_an_ensemble(tmp_path: Path) -> None:
    result = consensus([DIAMOND], max_clique=3)
    result.save(tmp_path / "saved.json")
    assert files.kind_of(tmp_path / "saved.json") == "saved consensus"
    assert read(tmp_path / "saved.json")[0].dag == result.dag
    result.problem.tally.save(tmp_path / "tally.json")
    assert files.kind_of(tmp_path / "tally.json") is None


def test_lists_of_files_are_read_like_files(folder: Path) -> None:
    paths = sorted(folder.glob("[a-z].*"))
    wanted = read(*paths)
    assert wanted
    assert read(paths) == read(map(str, paths)) == read(path for path in paths) == read([paths[0]], paths[1:]) == wanted
    for nothing in ([], (), [[]]):
        with pytest.raises(OptionError, match="at least one file"):
            read(nothing)
    with pytest.raises(OptionError, match="expected the path of a file, got dict"):
        read({"a": paths[0]})


def with_tables(yes: float) -> Network:
    return Network(DAG(["A"]), {"A": ("yes", "no")}, {"A": [yes, 1 - yes]})


def test_a_file_that_is_given_twice_is_reported(tmp_path: Path) -> None:
    write(DAG(["A", "B"], [("A", "B")]), tmp_path / "alice.bif")
    with pytest.warns(BnfuseWarning, match=r"counted twice: .*alice.bif is given twice; leave one"):
        read(tmp_path / "alice.bif", tmp_path / "." / "alice.bif")


def test_copies_with_tables_are_reported(tmp_path: Path) -> None:
    for name, yes in (("alice", 0.3), ("copy", 0.3), ("bob", 0.4)):
        write(with_tables(yes), tmp_path / f"{name}.bif")
    with pytest.warns(BnfuseWarning) as said:
        read(tmp_path)
    (warning,) = said
    assert re.search(r"copy.bif holds the same as .*alice.bif; leave", str(warning.message))
    assert "bob" not in str(warning.message)


def test_networks_beside_an_ensemble_of_them_are_reported(tmp_path: Path) -> None:
    named = {"alice": DAG(["A", "B", "C"], [("A", "B")]), "bob": DAG(["A", "B", "C"], [("B", "C")])}
    for name, dag in named.items():
        write(dag, tmp_path / f"{name}.bif")
    write(named, tmp_path / "all.json")
    with pytest.warns(
        BnfuseWarning, match=r"alice.bif holds the same as .*all.json, .*bob.bif holds the same as .*all"
    ):
        read(tmp_path)


@pytest.mark.filterwarnings("error::bnfuse.BnfuseWarning")
def test_people_who_agree_are_not_taken_for_one(tmp_path: Path) -> None:
    dag = DAG(["A", "B"], [("A", "B")])
    for name in ("alice.csv", "bob.csv", "carol.bif"):
        write(dag, tmp_path / name)
    ensembles = [{"1": dag, "2": DAG(["A", "B"])}, {"1": dag, "2": dag}]
    for place, networks in enumerate(ensembles):
        write(networks, tmp_path / f"site{place}.json")
    (tmp_path / "south").mkdir()
    write(dag, tmp_path / "south" / "alice.csv")
    assert len(read(tmp_path, tmp_path / "south")) == 8
