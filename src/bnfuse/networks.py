"""The public benchmark networks by name: the 24 discrete networks of the bnlearn repository.

Their files come with the Python package pgmpy and are looked for in the user's cache, in an installed pgmpy, in the
folder that BNFUSE_NETWORKS names, and last in pgmpy's wheel, which pip downloads without installing it and which is
unpacked into the cache. Each file is checked by its SHA-256, wherever it was found.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bnfuse._base import disk
from bnfuse._base.spelling import unknown
from bnfuse.errors import FileError, OptionError
from bnfuse.files import bif
from bnfuse.graphs.network import Network

__all__ = ["FOLDER_VARIABLE", "Benchmark", "available", "catalogue", "fetch", "load", "names", "source_text"]

FOLDER_VARIABLE = "BNFUSE_NETWORKS"
"""The environment variable that names a folder with the .bif or .bif.gz files, or with pgmpy's wheel."""

_REQUIREMENT = "pgmpy==1.1.2"
_INSIDE_PACKAGE = "utils/example_models"  # the folder in pgmpy, the same in the wheel and in an installed package
_PIP_SECONDS = 120


@dataclass(frozen=True)
class Benchmark:
    """What is known about a network before its file is read.

    Attributes
    ----------
    name
        Its name for `load`.
    variables, arcs
        Their numbers.
    parameters
        The number of free parameters in its tables.
    about
        Its subject.
    sha256
        The checksum of its file.

    Examples
    --------
    >>> from bnfuse import networks
    >>> networks.catalogue()[0].about
    'patient monitoring in intensive care'
    """

    name: str
    variables: int
    arcs: int
    parameters: int
    about: str
    sha256: str


# fmt: off
_CATALOGUE = {row.name: row for row in (
    Benchmark("alarm", 37, 46, 509, "patient monitoring in intensive care",
              "701e6c561f71b55669070c29614f0724b761289aa2c4a35bcc97b638ee881fa2"),
    Benchmark("andes", 223, 338, 1157, "a tutoring system's model of a physics student",
              "2330f233405fbbdf2a485651edd4130d3d09f816e81cb7056842ae6021edabe4"),
    Benchmark("asia", 8, 8, 18, "a textbook example: lung diseases",
              "9f770c96940dc4d860b581602120790ac538983b30b28d38631b8184dc7b5f89"),
    Benchmark("barley", 48, 84, 114005, "growing malting barley without pesticides",
              "1250e958b3d8ca87ccf8af9584de8baa18da667fbccbf4e0efa2a33e112fe346"),
    Benchmark("cancer", 5, 4, 10, "a textbook example: lung cancer",
              "05d4ea00a758450eed6fe68ea6de4da05ce0e3e919bd3e8ff7f0bc80a1db4b48"),
    Benchmark("child", 20, 25, 230, "diagnosis of heart diseases of newborns",
              "432c22e661cd0e8235c8d95599ac22ccc261002459f5c4e6e7235b057908fe6e"),
    Benchmark("diabetes", 413, 602, 429409, "adjusting doses of insulin",
              "062a429ad6fb61120f4a3d68fa9bc7350799cdab33cd60bf383c5d41b42b43fb"),
    Benchmark("earthquake", 5, 4, 10, "a textbook example: burglar alarm",
              "74dd131e2c6437a39de17f2963d2d16fadd91e70450d1fc20501df05e8dc4f2e"),
    Benchmark("hailfinder", 56, 66, 2656, "forecasting severe hail",
              "cf09960af33dd643771c61e23a89c7815448047f335ffa9ba7d57359bc755548"),
    Benchmark("hepar2", 70, 123, 1453, "diagnosis of liver disorders",
              "d70ffdcc3b698235002898344c98d9645beb277969f29ba7af6f11d7db3f16cc"),
    Benchmark("insurance", 27, 52, 1008, "risks of car insurance",
              "39f9e706e9208e720a55a98b6811188b33a7292335a53373a9343a0c7065dab4"),
    Benchmark("link", 724, 1125, 14211, "genetic linkage",
              "19299d5710d9a59b8812e0c811bbabb1230d3e42801d297c7f90dffb4fc1c59e"),
    Benchmark("mildew", 35, 46, 540150, "fungicide against mildew in wheat",
              "bc1cf6af78a9b289249b6805a65f83af8be9a742aca5d789188d4737b80cfd9b"),
    Benchmark("munin", 1041, 1397, 80592, "electromyography",
              "9235aff13057307e3f1b8aaea0c6cd072653e0cfbd0db8f9068094f8f18dbf11"),
    Benchmark("munin1", 186, 273, 15622, "electromyography, subnetwork 1",
              "decf5ce383c6d1c3010ec3c8419a9fa7520efef924f27f98578bb5332968b6d2"),
    Benchmark("munin2", 1003, 1244, 69431, "electromyography, subnetwork 2",
              "572ba4528e45d933953073c546abae4014eaee73f041356eb181838de8b33880"),
    Benchmark("munin3", 1041, 1306, 71059, "electromyography, subnetwork 3",
              "bbed2463e8f4ab2f84144ea16eb0a94bc4388045e5898110cad514244adc1f2c"),
    Benchmark("munin4", 1038, 1388, 80352, "electromyography, subnetwork 4",
              "af0ec78fce35f3cdebedff4b1a191a44b8d28e1c8d609e3a5cbc7ce4489d74d1"),
    Benchmark("pathfinder", 109, 195, 72079, "diagnosis of lymph-node diseases",
              "2c67a693139b417067d895077aa00b8610a97eadf8a6fbae544631729a7a6f24"),
    Benchmark("pigs", 441, 592, 5618, "pedigree of breeding pigs",
              "1d474376703784f755048daa0fd1ce0be89b5676254e08256c3424e3e4caf805"),
    Benchmark("sachs", 11, 17, 178, "protein signalling in human cells",
              "b7bd3931192f9e529f0f88bba15fca6cc61ba3c805d5c8ae57eba57ed3b332ec"),
    Benchmark("survey", 6, 6, 21, "a textbook example: means of transport",
              "3698ccc0f1f74b9f935617d91989e4cdb39edb5360b558216af64047fc88b3b0"),
    Benchmark("water", 32, 66, 10083, "purification of waste water",
              "433a1c1a795e6a26d4ea41e1916982e7af9c7fff236438f4d4006bbacd226661"),
    Benchmark("win95pts", 76, 112, 574, "printer problems in Windows 95",
              "14d2195e0c4613e0beb1f06e9199c8cd39a1154171a215c38b47c0fd773d0b36"),
)}
# fmt: on


def names() -> tuple[str, ...]:
    """The names that `load` accepts.

    Returns
    -------
    tuple of str
        24 names.

    Examples
    --------
    >>> from bnfuse import networks
    >>> networks.names()[:3]
    ('alarm', 'andes', 'asia')
    """
    return tuple(_CATALOGUE)


def catalogue() -> tuple[Benchmark, ...]:
    """Facts about all networks, without reading any.

    Returns
    -------
    tuple of Benchmark
        A row for each name.

    Examples
    --------
    >>> from bnfuse import networks
    >>> [row.name for row in networks.catalogue() if row.variables < 6]
    ['cancer', 'earthquake']
    """
    return tuple(_CATALOGUE.values())


def load(name: str) -> Network:
    """A benchmark network with its states and tables.

    If its file is not on this machine, the files of all networks are downloaded once.

    Parameters
    ----------
    name
        One of `names()`.

    Returns
    -------
    Network
        The network, as it was published.

    Raises
    ------
    OptionError
        There is no such network, or it is not here and cannot be downloaded.
    FileError
        Its file is damaged or is a different one.

    Examples
    --------
    >>> from bnfuse import networks
    >>> networks.load("asia").variables  # doctest: +SKIP
    ('asia', 'tub', 'smoke', 'lung', 'bronc', 'either', 'xray', 'dysp')
    """
    return bif.read_text(source_text(name), f"{name}.bif")[0].renamed(name)


def source_text(name: str) -> str:
    """The BIF file of a network, as it was published.

    Parameters
    ----------
    name
        One of `names()`.

    Returns
    -------
    str
        The text of the file.

    Raises
    ------
    OptionError
        There is no such network, or it is not here and cannot be downloaded.
    FileError
        Its file is damaged or is a different one.

    Examples
    --------
    >>> from bnfuse import networks
    >>> networks.source_text("asia").splitlines()[0]  # doctest: +SKIP
    'network unknown {'
    """
    benchmark = _known(name)
    content = _find(benchmark)
    if content is None:
        _download()
        content = _cached(benchmark)
    if content is None:
        raise FileError(_cache(), f"the files of {_REQUIREMENT} do not hold the network {name!r} that bnfuse knows")
    return content.decode()


def fetch(wanted: Iterable[str] | None = None) -> None:
    """Make sure that networks can be loaded from now on; download them if they are not on this machine.

    Parameters
    ----------
    wanted
        Names; None is all.

    Raises
    ------
    OptionError
        There is no such network, or they cannot be downloaded.

    Examples
    --------
    >>> from bnfuse import networks
    >>> networks.fetch(["asia", "alarm"])  # doctest: +SKIP
    """
    if not available(wanted):
        _download()


def available(wanted: Iterable[str] | None = None) -> bool:
    """Whether networks can be loaded without a download.

    Parameters
    ----------
    wanted
        Names; None is all.

    Returns
    -------
    bool
        True if all of them are on this machine.

    Raises
    ------
    OptionError
        There is no such network.

    Examples
    --------
    >>> from bnfuse import networks
    >>> networks.available([])
    True
    """
    return all(_find(_known(name)) is not None for name in (names() if wanted is None else wanted))


def _known(name: str) -> Benchmark:
    if name in _CATALOGUE:
        return _CATALOGUE[name]
    raise OptionError(f"{unknown('network', name, names())}; the known ones are {', '.join(names())}")


def _find(benchmark: Benchmark) -> bytes | None:
    """The BIF file of a network that is already on this machine. All places hold the same bytes: the fastest first."""
    for source in (_cached, _installed, _named):
        if (content := source(benchmark)) is not None:
            return content
    return None


def _cached(benchmark: Benchmark) -> bytes | None:
    content = _in_folder(_cache(), benchmark)
    return content if _is_genuine(content, benchmark) else None


def _installed(benchmark: Benchmark) -> bytes | None:
    try:
        package = importlib.util.find_spec("pgmpy")  # does not import pgmpy
    except ValueError:
        return None
    for folder in (package and package.submodule_search_locations) or ():
        content = _in_folder(Path(folder) / _INSIDE_PACKAGE, benchmark)
        if _is_genuine(content, benchmark):  # another version may have a different file
            return content
    return None


def _named(benchmark: Benchmark) -> bytes | None:
    if not (value := os.environ.get(FOLDER_VARIABLE)):
        return None
    place = Path(value)
    if not place.exists():
        raise OptionError(f"{FOLDER_VARIABLE} names {value!r}, which does not exist")
    content = _in_folder(place, benchmark) if place.is_dir() else None
    for wheel in sorted(place.glob("pgmpy-*.whl")) if place.is_dir() else [place]:
        if content is None and (packed := _in_wheel(wheel, benchmark)):
            content = disk.gunzip(packed, wheel)
    if content is not None and not _is_genuine(content, benchmark):
        raise FileError(
            place, f"its file of {benchmark.name!r} is not the one of {_REQUIREMENT}; bnfuse.read reads any BIF file"
        )
    return content


def _in_folder(folder: Path, benchmark: Benchmark) -> bytes | None:
    for file in (folder / f"{benchmark.name}.bif.gz", folder / f"{benchmark.name}.bif"):
        try:
            return disk.read_bytes(file)
        except FileError:  # not there, or damaged: another place may have it
            continue
    return None


def _in_wheel(wheel: Path, benchmark: Benchmark) -> bytes | None:
    """The gzipped file of a network."""
    try:
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(f"pgmpy/{_INSIDE_PACKAGE}/{benchmark.name}.bif.gz") as member,
        ):
            return member.read(disk.MAX_BYTES)
    except KeyError:
        return None
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise FileError(wheel, f"cannot be read as pgmpy's wheel ({error})") from None


def _is_genuine(content: bytes | None, benchmark: Benchmark) -> bool:
    return content is not None and hashlib.sha256(content).hexdigest() == benchmark.sha256


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME", "")
    return Path(base if os.path.isabs(base) else os.path.expanduser("~/.cache")) / "bnfuse" / "networks"


def _download() -> None:
    """Put all networks into the cache. Each file is written as a whole, so several processes may do this at once."""
    cache = _cache()
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(cache, f"the cache cannot be made ({error.strerror}); set XDG_CACHE_HOME") from None
    with tempfile.TemporaryDirectory(prefix="bnfuse-") as folder:
        _pip_download(folder)
        wheel = next(Path(folder).glob("pgmpy-*.whl"))
        for benchmark in catalogue():
            packed = _in_wheel(wheel, benchmark)
            if packed is None or not _is_genuine(disk.gunzip(packed, wheel.name), benchmark):
                raise FileError(wheel.name, f"the network {benchmark.name!r} in it is missing or not the known one")
            if _cached(benchmark) is None:
                disk.write_bytes(packed, cache / f"{benchmark.name}.bif.gz")


def _pip_download(folder: str) -> None:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    options = ["--quiet", "--no-input", "--disable-pip-version-check", "--dest", folder]
    try:
        done = subprocess.run(
            [*command, *options, _REQUIREMENT],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PIP_SECONDS,
            check=False,
        )
        said = done.stderr.strip().splitlines()
        problem = (said[-1] if said else f"exit code {done.returncode}") if done.returncode else ""
    except subprocess.TimeoutExpired:
        problem = f"no answer within {_PIP_SECONDS} seconds"
    except OSError as error:
        problem = str(error)
    if problem:
        raise OptionError(
            f"the benchmark networks are not on this machine and pip cannot download {_REQUIREMENT} ({problem}); "
            f"set {FOLDER_VARIABLE} to a folder with pgmpy's wheel or with the .bif files"
        )
