"""The benchmark networks: where they come from, and that what is read is what is in them."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from math import prod
from pathlib import Path

import numpy as np
import pytest

from bnfuse import BnfuseError, FileError, Network, OptionError, networks
from bnfuse.files import bif, read, write, xmlbif
from bnfuse.graphs.network import ROUNDING

HERE = networks.available()
needs_files = pytest.mark.skipif(
    not HERE, reason="the benchmark networks are not on this machine; bnfuse.networks.fetch() downloads them"
)
LARGE = {"diabetes", "link", "mildew", "munin", "munin2", "munin3", "munin4"}
BY_SIZE = [pytest.param(row.name, marks=[pytest.mark.long] * (row.parameters > 10_000)) for row in networks.catalogue()]
UNREADABLE_BY_PYAGRUM = {"child"}
INSIDE = "pgmpy/utils/example_models"


@pytest.fixture(scope="session")
def sources() -> dict[str, bytes]:
    """The published files, from wherever this machine has them."""
    return {name: networks.source_text(name).encode() for name in networks.names()} if HERE else {}


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without the networks and without a registry: the cache is an empty folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(networks.FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setitem(sys.modules, "pgmpy", None)  # an installed pgmpy does not count
    return tmp_path


def wheel_of(sources: dict[str, bytes], folder: Path) -> Path:
    folder.mkdir()
    path = folder / "pgmpy-1.1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in sources.items():
            archive.writestr(f"{INSIDE}/{name}.bif.gz", gzip.compress(content, 1))
        archive.writestr("pgmpy-1.1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: pgmpy\nVersion: 1.1.2\n")
        archive.writestr(
            "pgmpy-1.1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("pgmpy-1.1.2.dist-info/RECORD", "")
    return path


# What is in them


def test_there_are_24() -> None:
    assert len(networks.names()) == len(set(networks.names())) == 24
    assert [row.name for row in networks.catalogue()] == list(networks.names())


@needs_files
@pytest.mark.parametrize("name", networks.names())
def test_catalogue_says_what_is_in_the_file(name: str) -> None:
    [row] = [row for row in networks.catalogue() if row.name == name]
    network = networks.load(name)
    assert network.name == name
    assert network.states is not None
    count = {variable: len(labels) for variable, labels in network.states.items()}
    parameters = sum((count[v] - 1) * prod(count[p] for p in network.dag.parents(v)) for v in network.variables)
    assert (len(network.variables), len(network.dag.edges), parameters) == (row.variables, row.arcs, row.parameters)


@needs_files
@pytest.mark.parametrize("name", [name for name in BY_SIZE if name.values[0] not in UNREADABLE_BY_PYAGRUM])
def test_structure_and_every_value_agree_with_pyagrum(name: str, tmp_path: Path) -> None:
    pyagrum = pytest.importorskip("pyagrum", reason="needs the extra 'files'")
    path = tmp_path / f"{name}.bif"
    path.write_text(networks.source_text(name))
    model = pyagrum.loadBN(str(path))
    network = networks.load(name)
    assert network.states is not None
    assert network.cpts is not None
    assert set(network.variables) == set(model.names())
    numbered = {(model.variable(a).name(), model.variable(b).name()) for a, b in model.arcs()}
    assert set(network.dag.edges) == numbered
    for variable in network.variables:
        assert network.states[variable] == model.variable(variable).labels()
        cpt = model.cpt(variable)
        axes = list(reversed(cpt.names))
        wanted = [axes.index(axis) for axis in (*network.dag.parents(variable), variable)]
        theirs = np.array(cpt.toarray()).transpose(wanted)
        sums = theirs.sum(-1, keepdims=True)
        repaired = np.where(np.abs(sums - 1) > ROUNDING, theirs / sums, theirs)  # pyAgrum leaves such rows as they are
        np.testing.assert_allclose(network.cpts[variable], repaired, rtol=1e-6, atol=1e-9)  # it reads single precision


@needs_files
def test_child_which_pyagrum_cannot_read() -> None:
    child = networks.load("child")
    assert child.states is not None
    assert child.cpts is not None
    assert child.states["Disease"] == ("PFC", "TGA", "Fallot", "PAIVS", "TAPVD", "Lung")
    assert child.states["LowerBodyO2"] == ("<5", "5-12", "12+")
    assert child.states["ChestXray"] == ("Normal", "Oligaemic", "Plethoric", "Grd_Glass", "Asy/Patch")
    assert child.dag.parents("BirthAsphyxia") == ()
    assert child.cpts["BirthAsphyxia"].tolist() == [0.1, 0.9]
    assert child.dag.parents("Disease") == ("BirthAsphyxia",)
    assert child.cpts["Disease"].tolist() == [
        [0.2, 0.3, 0.25, 0.15, 0.05, 0.05],
        [0.03061224, 0.33673469, 0.29591837, 0.23469388, 0.05102041, 0.05102041],
    ]
    assert _row(child, "LowerBodyO2", HypDistrib="Unequal", HypoxiaInO2="Moderate") == [0.5, 0.45, 0.05]
    assert _row(child, "HypDistrib", DuctFlow="Rt_to_Lt", CardiacMixing="None") == [0.05, 0.95]
    assert _row(child, "HypoxiaInO2", CardiacMixing="Transp.", LungParench="Congested") == [0.1, 0.3, 0.6]
    assert _row(child, "ChestXray", LungParench="Abnormal", LungFlow="Low") == [0.05, 0.15, 0.05, 0.05, 0.7]


def _row(network: Network, variable: str, **given: str) -> list[float]:
    assert network.states is not None
    assert network.cpts is not None
    parents = network.dag.parents(variable)
    assert set(parents) == set(given)
    place = tuple(network.states[parent].index(given[parent]) for parent in parents)
    row: list[float] = network.cpts[variable][place].tolist()
    return row


@needs_files
@pytest.mark.parametrize("name", BY_SIZE)
def test_writing_and_reading_back_is_exact(name: str) -> None:
    network = networks.load(name)
    assert bif.read_text(bif.write_text(network), "a.bif") == [network]
    if name not in LARGE:
        assert xmlbif.read_text(xmlbif.write_text(network), "a.xml") == [network]


@needs_files
def test_benchmark_goes_through_files(tmp_path: Path) -> None:
    network = networks.load("alarm")
    for extension in (".bif.gz", ".xml.gz", ".json", ".csv"):
        write(network, tmp_path / f"alarm{extension}")
        [found] = read(tmp_path / f"alarm{extension}")
        assert found.dag == network.dag
        assert found == network or extension in (".json", ".csv")


# Where they come from


@needs_files
def test_folder_with_files(nowhere: Path, monkeypatch: pytest.MonkeyPatch, sources: dict[str, bytes]) -> None:
    monkeypatch.setenv(networks.FOLDER_VARIABLE, str(nowhere))
    (nowhere / "asia.bif").write_bytes(sources["asia"])
    (nowhere / "cancer.bif.gz").write_bytes(gzip.compress(sources["cancer"]))
    assert len(networks.load("asia").variables) == 8
    assert len(networks.load("cancer").variables) == 5
    assert networks.available(["asia", "cancer"])
    assert not networks.available(["alarm"])
    assert networks.source_text("asia").encode() == sources["asia"]


@needs_files
def test_folder_with_the_wheel_or_the_wheel_itself(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, sources: dict[str, bytes]
) -> None:
    wheel = wheel_of(sources, nowhere / "wheels")
    for place in (wheel.parent, wheel):
        monkeypatch.setenv(networks.FOLDER_VARIABLE, str(place))
        assert len(networks.load("asia").variables) == 8
    assert not (nowhere / "cache").exists()


@needs_files
def test_installed_pgmpy_is_found_but_not_imported(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, sources: dict[str, bytes]
) -> None:
    folder = nowhere / "site" / INSIDE
    folder.mkdir(parents=True)
    (folder / "asia.bif.gz").write_bytes(gzip.compress(sources["asia"]))
    (folder / "cancer.bif.gz").write_bytes(gzip.compress(sources["asia"]))  # as another version might have it
    (nowhere / "site" / "pgmpy" / "__init__.py").write_text("raise AssertionError('imported')")
    monkeypatch.delitem(sys.modules, "pgmpy")
    monkeypatch.syspath_prepend(str(nowhere / "site"))
    assert len(networks.load("asia").variables) == 8
    assert not networks.available(["cancer"])


@needs_files
def test_pip_fills_and_mends_the_cache_once(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, sources: dict[str, bytes]
) -> None:
    cache = nowhere / "cache" / "bnfuse" / "networks"
    cache.mkdir(parents=True)
    (cache / "asia.bif.gz").write_bytes(gzip.compress(sources["asia"])[:50])
    (cache / "cancer.bif.gz").write_bytes(gzip.compress(sources["asia"]))
    wheel = wheel_of(sources, nowhere / "registry")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    networks.fetch()
    assert sorted(os.listdir(cache)) == sorted(f"{name}.bif.gz" for name in networks.names())
    wheel.unlink()
    assert networks.available()
    assert all(networks.source_text(name).encode() == sources[name] for name in ("asia", "cancer"))


@needs_files
def test_processes_at_the_same_time_do_no_harm(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, sources: dict[str, bytes]
) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel_of(sources, nowhere / "registry").parent))
    code = (
        "import sys; sys.modules['pgmpy'] = None\n"
        "from bnfuse import networks; print(len(networks.load('alarm').variables))"
    )

    def run(_: int) -> str:
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(run, range(2))) == ["37", "37"]
    assert len(os.listdir(nowhere / "cache" / "bnfuse" / "networks")) == 24


def test_wheel_with_other_files_is_refused(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forged = dict.fromkeys(networks.names(), b"network forged {\n}\n")
    wheel = wheel_of(forged, nowhere / "registry")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    with pytest.raises(FileError, match="missing or not the known one"):
        networks.load("asia")
    monkeypatch.setenv(networks.FOLDER_VARIABLE, str(wheel.parent))
    with pytest.raises(FileError, match=r"not the one of pgmpy==1\.1\.2"):
        networks.load("asia")


def test_without_registry_the_message_says_what_to_do(nowhere: Path) -> None:
    with pytest.raises(BnfuseError, match="set BNFUSE_NETWORKS to a folder") as caught:
        networks.load("asia")
    assert "\n" not in str(caught.value)


def test_named_folder_that_does_not_exist(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(networks.FOLDER_VARIABLE, str(nowhere / "typo"))
    with pytest.raises(OptionError, match=r"BNFUSE_NETWORKS names .*typo.*does not exist"):
        networks.load("asia")


def test_file_that_is_no_wheel(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (nowhere / "pgmpy-1.1.2-py3-none-any.whl").write_text("no wheel")
    monkeypatch.setenv(networks.FOLDER_VARIABLE, str(nowhere))
    with pytest.raises(FileError, match="cannot be read as pgmpy's wheel"):
        networks.load("asia")


def test_unknown_name_brings_the_list_and_what_is_close() -> None:
    with pytest.raises(
        OptionError, match=r"unknown network 'alrm' \(did you mean 'alarm'\?\); the known ones are alarm, "
    ):
        networks.load("alrm")
    with pytest.raises(OptionError, match="unknown network 'zzz'; the known ones"):
        networks.load("zzz")
