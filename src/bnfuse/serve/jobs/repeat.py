"""What repeats an answer exactly: the command, and the lines of Python, beside the files that were dropped in."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from bnfuse.problem.constraints import pairs_apart
from bnfuse.problem.inputs import distinct
from bnfuse.serve import limits
from bnfuse.serve.workspace.state import DIRECT, PROOF, Input, State, effort_of

TIERS = "tiers.json"
SAVED = "result.json"


def arguments(question: State, files: Mapping[str, Mapping[str, Any]], effort: str) -> list[str] | None:
    """What follows `bnfuse` on the command line; None where the command line cannot say it.

    `files` gives the name of each file, and its facts.
    """
    if not _is_sayable(question):
        return None
    given = [_path(files[file]["name"]) for file in question.files if question.data is None or file != question.data.id]
    words = ["consensus", *given]
    for name, weight in weights(question, files).items():
        words += ["--weight", f"{name}={weight}"]
    for flag, value in _settings(question, effort).items():
        words += [f"--{flag.replace('_', '-')}", *([] if value is True else [str(value)])]
    for source, target in question.required:
        words += ["--require", f"{source}->{target}"]
    pairs, single = pairs_apart(question.forbidden)
    for names, join in [*((pair, "--") for pair in pairs), *((arc, "->") for arc in single)]:
        words += ["--forbid", join.join(names)]
    if question.tiers:
        words += ["--tiers", TIERS]
    if question.data is not None:
        words += ["--fit", _path(question.data.name)]
    return words


def command(question: State, files: Mapping[str, Mapping[str, Any]], effort: str) -> str:
    """The command, for a shell; tiers are written to a file first."""
    words = arguments(question, files, effort)
    if words is None:
        return (
            "# A name of a variable in a required or forbidden arc cannot be written on the command line: use Python.\n"
        )
    lines = ["# In the folder with the files that were dropped in:"]
    if question.tiers:
        lines.append(f"printf %s {shlex.quote(json.dumps(question.tiers, ensure_ascii=False))} > {TIERS}")
    lines.append(shlex.join(["bnfuse", *words, "--save", SAVED]))
    return "\n".join(lines) + "\n"


def python(question: State, files: Mapping[str, Mapping[str, Any]], effort: str) -> str:
    """The same in Python."""
    inputs = [files[one]["name"] for one in question.files if question.data is None or one != question.data.id]
    names = ", ".join(repr(_path(name)) for name in inputs)
    are_tallies = all(files[one.file]["kind"] == "tally" for one in question.read)
    variables = "" if question.variables == "same" else f", variables={question.variables!r}"
    read = f"[bnfuse.Tally.load(path) for path in [{names}]]" if are_tallies else f"bnfuse.read({names}{variables})"
    settings: dict[str, Any] = _settings(question, effort)
    given = weights(question, files)
    if given:
        settings["weights"] = {name: float(weight) for name, weight in given.items()}
    for rule in ("required", "forbidden", "tiers"):
        if value := getattr(question, rule):
            settings[rule] = [list(one) if rule == "tiers" else one for one in value]
    lines = [
        "import bnfuse",
        "",
        f"inputs = {read}",
        "consensus = bnfuse.consensus(",
        "    inputs,",
        *(f"    {name}={value!r}," for name, value in settings.items()),
        ")",
    ]
    if question.data is not None:
        lines.append(f"consensus = consensus.fit({_path(question.data.name)!r})")
    lines.append(f"consensus.save({SAVED!r}, overwrite=True)")
    return "\n".join(lines) + "\n"


def weights(question: State, files: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The weights that are not 1, by what `bnfuse.read` calls the inputs; 0 for one that is off."""
    read = question.read
    names = distinct([_name_as_read(one, files) for one in read])
    counts = {name: one.weight if one.on else "0" for name, one in zip(names, read, strict=True)}
    return {name: weight for name, weight in counts.items() if weight != "1"}


def _name_as_read(one: Input, files: Mapping[str, Mapping[str, Any]]) -> str:
    name: str = files[one.file]["inputs"][one.place]["name"]
    return name


def _settings(question: State, effort: str) -> dict[str, Any]:
    """The settings that are not the defaults of the command and of the function, under the names of the latter."""
    settings: dict[str, Any] = {}
    if question.max_clique is not None:
        settings["max_clique"] = question.max_clique
    if question.max_table is not None:
        settings["max_table"] = question.max_table
    settings["metric"] = question.metric
    settings["method"] = question.method
    if question.directions != question.usual_directions:
        settings["directions"] = question.directions
    if question.variables != "same":
        settings["variables"] = question.variables
    if question.method == DIRECT:
        settings["effort"] = effort_of(effort)
    if effort == PROOF:
        settings |= {"prove": True, "time_limit": limits.PROOF_SECONDS}
    settings["seed"] = 0
    return settings


def _is_sayable(question: State) -> bool:
    """Whether the arcs can be written as FROM->TO, and pairs as ONE--OTHER."""
    names = {name for arc in (*question.required, *question.forbidden) for name in arc}
    paired = {name for pair in pairs_apart(question.forbidden)[0] for name in pair}
    return not any("->" in name or name != name.strip() or "\0" in name for name in names) and not any(
        "--" in name or name.startswith("-") or name.endswith("-") for name in paired
    )


def _path(name: str) -> str:
    """A file that looks like an option is none."""
    return f"./{name}" if name.startswith("-") else name
