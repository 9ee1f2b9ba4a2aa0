"""How well the tests bite: random one-token changes of the package, and which of them no test notices.

    make mutants
    python tests/mutants.py --each 24 --seed 0 --only problem/tally.py

The changes are cosmic-ray's. Running the whole suite for each would take days, so it is run once to learn which test
runs which line, and a change is tried on the tests that run its line: first the fastest with few examples, then, if
they notice nothing, the others as they stand. What survives is printed as a diff.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import difflib
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import SimpleQueue
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "mutants"
TARGETS = (
    *("search/*.py", "search/paper/*.py", "search/proof/*.py", "files/*.py", "problem/*.py", "fusion/weights.py"),
    *("answer/*.py", "answer/reasons/*.py", "inference/parameters.py", "report/summary.py", "alignment/*.py"),
    *("federated/sums/counts.py", "serve/workspace/disputes.py", "study/tables.py", "study/statistics.py"),
)
LEFT_OUT = {
    "test_page_scripts.py",
    "test_examples.py",
    "test_networks.py",
    "test_rooms.py",
}  # scripts, programs, imports
FIRST = ("consensus", "direct", "tally", "files", "report", "study", "genetic", "candidates", "bif", "xdsl", "saved")
QUICK_SECONDS = 3.0  # of tests in the first round, as measured
WIDE_SECONDS = 6.0  # in the second
QUICK_EXAMPLES = 10
MEMORY = 12 << 30
SAME = ("_Is", "_IsNot")  # for == and != they mean the same mostly, by how Python keeps small values
OTHER = ("core/ReplaceComparisonOperator_Is_", "core/ReplaceComparisonOperator_IsNot_")
HEAVY = ("cosmic_ray.mutating", "coverage", "hypothesis", "networkx", "numpy", "opt_einsum", "pytest", "rich", "typer")
OF_THE_WHOLE = "::test_what_is_passed_around_cannot_be_changed"
NOTICED = ("killed", "too slow")


@dataclass(frozen=True)
class Mutant:
    """One change of one token, and the line it is on."""

    module: str
    operator: str
    occurrence: int
    line: int


class Chosen:
    """A pytest plugin: runs these tests only, fastest first, with fewer examples where told."""

    def __init__(self, wanted: list[str] | None, examples: int | None) -> None:
        self.place = None if wanted is None else {name: place for place, name in enumerate(wanted)}
        self.examples = examples

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        from hypothesis import settings

        if self.place is not None:
            items[:] = sorted((i for i in items if i.nodeid in self.place), key=lambda i: self.place[i.nodeid])
        for item in items if self.examples else ():
            function = getattr(item.obj, "__func__", item.obj)
            old = getattr(function, "_hypothesis_internal_use_settings", None)
            if old is not None:
                fewer = settings(old, max_examples=min(self.examples, old.max_examples))
                function._hypothesis_internal_use_settings = fewer


class Measured:
    """A pytest plugin: which lines each test runs, and its processor time."""

    def __init__(self, coverage: Any) -> None:
        self.coverage, self.seconds, self.passed = coverage, {}, {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.coverage.switch_context(nodeid)
        self.seconds[nodeid] = time.process_time()

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.passed[report.nodeid] = self.passed.get(report.nodeid, True) and report.passed

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.seconds[nodeid] = time.process_time() - self.seconds[nodeid]
        self.coverage.switch_context("")


def tree_copied() -> Path:
    """The project in a folder of its own, compiled so that a changed file is always compiled anew."""
    tree = Path(tempfile.mkdtemp(prefix="mutants-"))
    unwanted = shutil.ignore_patterns(".git", ".venv", "build", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, tree, dirs_exist_ok=True, ignore=unwanted)
    installed = find_spec("bnfuse")
    for kernel in Path(installed.origin).parent.glob("_kernel.*") if installed and installed.origin else ():
        if not (tree / "src" / "bnfuse" / kernel.name).exists():
            shutil.copy(kernel, tree / "src" / "bnfuse")
    for folder in ("src", "tests"):
        compileall.compile_dir(tree / folder, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
    return tree


def in_child(tree: Path, work: Any, seconds: float) -> int:
    """Runs work in a fork that sees this tree's package; its exit code, or minus the signal that ended it."""
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            os.chdir(tree)
            silence = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(silence, stream)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
            sys.modules["__main__"].__dict__.update(
                __spec__=None, __file__=None
            )  # processes that tests start need it not
            sys.path[:0] = [str(tree / "src"), str(tree / "tests")]
            os.environ["PYTHONPATH"] = str(tree / "src")
            os._exit(int(work()))
        finally:
            os._exit(70)
    ends = time.monotonic() + 20 * seconds + 60  # the machine may be shared; the limit above is the processor's
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > ends:
            os.killpg(child, signal.SIGKILL)
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)  # what the tests started and left behind
    return os.waitstatus_to_exitcode(status)


def run_pytest(files: Iterable[str], plugins: list[Any], *options: str) -> int:
    import pytest

    quiet = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--assert=plain", "--tb=no")
    return int(pytest.main([*quiet, *options, *files], plugins=plugins))


def measure(tree: Path, test_file: str, modules: list[str]) -> None:
    """Writes which of the file's tests run which lines of the modules."""
    import coverage

    watched = coverage.Coverage(data_file=None, include=[str(tree / "src" / "bnfuse" / m) for m in modules])
    watched.start()
    plugin = Measured(watched)
    run_pytest([f"tests/{test_file}"], [plugin, Chosen(None, QUICK_EXAMPLES)])
    watched.stop()
    data = watched.get_data()
    lines: dict[str, dict[str, list[str]]] = {}
    for path in data.measured_files():
        name = str(Path(path).relative_to(tree / "src" / "bnfuse"))
        by_line = data.contexts_by_lineno(path)
        lines[name] = {str(line): tests for line, tests in by_line.items()}
    seconds = {name: plugin.seconds[name] for name, passed in plugin.passed.items() if passed}
    kept_for(test_file).write_text(json.dumps({"seconds": seconds, "lines": lines}))


def kept_for(test_file: str) -> Path:
    return KEPT / f"{test_file.replace(os.sep, '-')}.json"


class Map:
    """Which tests run which line, from what was measured."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.lines: dict[str, dict[int, set[str]]] = {}
        for path in sorted(KEPT.glob("*test_*.json")):
            found = json.loads(path.read_text())
            self.seconds.update(found["seconds"])
            for module, lines in found["lines"].items():
                mine = self.lines.setdefault(module, {})
                for line, tests in lines.items():
                    mine.setdefault(int(line), set()).update(tests)

    def tests(self, module: str, line: int) -> list[str]:
        """Those that run the line, fastest first. For one that runs on import, whose test has no name, those that run
        any of the module, or of its folder if it has no functions; and those that look at the package as a whole."""
        lines = self.lines.get(module, {})
        found = lines.get(line) or {""}
        if "" in found:
            found = set().union(*lines.values()) - {""}
            if not found:
                folder = [lines for name, lines in self.lines.items() if Path(name).parent == Path(module).parent]
                found = set().union(*(tests for lines in folder for tests in lines.values()))
            found |= {test for test in self.seconds if test.endswith(OF_THE_WHOLE)}
        return sorted(
            found & self.seconds.keys(), key=lambda test: (not test.endswith(OF_THE_WHOLE), self.seconds[test], test)
        )

    def within(self, tests: list[str], seconds: float) -> list[str]:
        """The first of them, as many as take so long together, and at least one."""
        chosen, spent = [], 0.0
        for test in tests:
            spent += self.seconds[test]
            if spent > seconds and chosen:
                break
            chosen.append(test)
        return chosen


def not_code(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where a change means nothing to a running program: annotations, and imports for them."""
    spans = []
    for node in ast.walk(ast.parse(source)):
        parts = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            parts.append(node)
        spans += [((p.lineno, p.col_offset), (p.end_lineno, p.end_col_offset)) for p in parts if p is not None]
    return spans


def mutants_of(module: str) -> Iterator[tuple[tuple[int, int], Mutant]]:
    """All of cosmic-ray's changes of a module that are code, with their places."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    source = (ROOT / "src" / "bnfuse" / module).read_text()
    tree, skipped = get_ast(source), not_code(source)
    nodes = list(ast_nodes(tree))
    for name in sorted(operator_names()):
        operator = get_operator(name)
        if operator.arguments() or (name.endswith(SAME) and not name.startswith(OTHER)):
            continue
        positions = (start for node in nodes for start, _ in operator().mutation_positions(node))
        for occurrence, start in enumerate(positions):
            if not any(first <= start < last for first, last in skipped):
                place = (start[0], -1) if "Exception" in name else start  # a long list of exceptions is one place
                yield place, Mutant(module, name, occurrence, start[0])


def sampled(module: str, each: int, seed: int) -> list[Mutant]:
    """So many of a module's places, drawn with the seed, and one change of each."""
    places: dict[tuple[int, int], list[Mutant]] = {}
    for start, mutant in mutants_of(module):
        places.setdefault(start, []).append(mutant)
    chance = random.Random(f"{seed} {module}")
    drawn = chance.sample(sorted(places), min(each, len(places)))
    return [chance.choice(places[place]) for place in drawn]


def changed(mutant: Mutant) -> str:
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    source = (ROOT / "src" / "bnfuse" / mutant.module).read_text()
    return mutate_code(source, get_operator(mutant.operator)(), mutant.occurrence) or source


def difference(mutant: Mutant) -> list[str]:
    before = (ROOT / "src" / "bnfuse" / mutant.module).read_text().splitlines()
    lines = difflib.unified_diff(before, changed(mutant).splitlines(), lineterm="", n=0)
    return [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def judge(tree: Path, mutant: Mutant, tests: Map, seconds: float, examples: int | None) -> str:
    """'killed', 'survived', 'never run' or 'too slow' (which counts as killed)."""
    chosen = tests.within(tests.tests(mutant.module, mutant.line), seconds)
    if not chosen:
        return "never run"
    files = sorted({test.split("::")[0] for test in chosen})
    allowed = 30 + 10 * sum(tests.seconds[test] for test in chosen)
    path = tree / "src" / "bnfuse" / mutant.module
    original = path.read_text()
    path.write_text(changed(mutant))
    try:
        code = in_child(tree, lambda: run_pytest(files, [Chosen(chosen, examples)], "-x"), allowed)
    finally:
        path.write_text(original)
    if code < 0:
        return "too slow"
    return "survived" if code == 0 else "killed" if code in (1, 2, 3, 4) else f"error {code}"  # 4: not even conftest.py


def preload() -> None:
    """What every child would import anew."""
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    sys.dont_write_bytecode = True
    for name in HEAVY:
        import_module(name)


def shared_out(jobs: list[Any], work: Any, workers: int) -> Iterator[tuple[Any, Any]]:
    """Each job done in a tree of its own, with its answer."""
    trees: SimpleQueue[Path] = SimpleQueue()
    made = [tree_copied()]
    for number in range(1, workers):
        made.append(made[0].with_name(f"{made[0].name}-{number}"))
        shutil.copytree(made[0], made[-1])
    for tree in made:
        trees.put(tree)

    def one(job: Any) -> tuple[Any, Any]:
        tree = trees.get()
        try:
            return job, work(tree, job)
        finally:
            trees.put(tree)

    try:
        with ThreadPoolExecutor(workers) as pool:
            for done in as_completed([pool.submit(one, job) for job in jobs]):
                yield done.result()
    finally:
        for tree in made:
            shutil.rmtree(tree, ignore_errors=True)


def measured(modules: list[str], workers: int) -> Map:
    """The map of tests, measured where it is not there yet."""
    paths = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if path.name not in LEFT_OUT]
    files = [str(path.relative_to(ROOT / "tests")) for path in paths]
    files.sort(key=lambda name: not any(word in name for word in FIRST))
    missing = [name for name in files if not kept_for(name).exists()]

    def work(tree: Path, name: str) -> int:
        return in_child(tree, lambda: measure(tree, name, modules) or 0, 600)

    for name, code in shared_out(missing, work, workers) if missing else ():
        print(f"measured {name}" if code == 0 else f"could not measure {name}: exit code {code}", flush=True)
    return Map()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=10, help="changes of each module")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=TARGETS, help="modules below src/bnfuse, or patterns")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--again", action="store_true", help="only those that survived the last run")
    parser.add_argument("--measure", action="store_true", help="learn anew which tests run which lines, and stop")
    options = parser.parse_args()
    preload()
    KEPT.mkdir(parents=True, exist_ok=True)
    package = ROOT / "src" / "bnfuse"
    modules = sorted({str(p.relative_to(package)) for pattern in TARGETS for p in package.glob(pattern)})
    if options.measure:
        for path in KEPT.glob("*test_*.json"):
            path.unlink()
        measured(modules, options.workers)
        return
    tests = measured(modules, options.workers)
    wanted = [m for m in modules if any(Path(m).match(pattern) for pattern in options.only)]
    results = KEPT / "results.json"
    verdicts: dict[Mutant, str] = {}
    if options.again:
        for entry in json.loads(results.read_text()):
            verdicts[Mutant(**entry["mutant"])] = entry["verdict"]
    else:
        jobs = [mutant for module in wanted for mutant in sampled(module, options.each, options.seed)]
        random.Random(options.seed).shuffle(jobs)  # what is known half-way is then known of all modules
        verdicts = dict.fromkeys(jobs, "not tried")
    rounds = [(QUICK_SECONDS, QUICK_EXAMPLES), (WIDE_SECONDS, None)]
    for seconds, examples in rounds[1:] if options.again else rounds:
        jobs = [m for m, verdict in verdicts.items() if verdict not in NOTICED and m.module in wanted]
        work = partial(judge, tests=tests, seconds=seconds, examples=examples)
        for mutant, verdict in shared_out(jobs, work, options.workers):
            verdicts[mutant] = verdict
            if verdict not in NOTICED:
                print(f"{verdict}: {mutant.module}:{mutant.line} {mutant.operator} {mutant.occurrence}", flush=True)
                print(*(f"    {line}" for line in difference(mutant)), sep="\n", flush=True)
            entries = [{"mutant": asdict(one), "verdict": known} for one, known in verdicts.items()]
            results.with_suffix(".new").write_text(json.dumps(entries, indent=1))
            results.with_suffix(".new").replace(results)
        summarise(verdicts)


def summarise(verdicts: dict[Mutant, str]) -> None:
    """How many of each module's changes the tests notice."""
    for module in sorted({mutant.module for mutant in verdicts}):
        mine = [verdict for mutant, verdict in verdicts.items() if mutant.module == module]
        print(f"{module:24} {sum(verdict in NOTICED for verdict in mine):4} of {len(mine):4} noticed")
    print(f"{'together':24} {sum(v in NOTICED for v in verdicts.values()):4} of {len(verdicts):4} noticed", flush=True)


if __name__ == "__main__":
    main()
