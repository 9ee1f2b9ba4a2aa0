"""The command, and the lines of Python, that reproduce an answer exactly from the files that were dropped in."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from bnfuse.alignment.table import AlignmentRow, table_text
from bnfuse.inference.experts.judgements import INPUT_CASES
from bnfuse.problem.constraints import pairs_apart
from bnfuse.problem.inputs import distinct
from bnfuse.serve import limits
from bnfuse.serve.drawing.states import drawn_states
from bnfuse.serve.naming.decisions import alignment_rows
from bnfuse.serve.workspace.state import DIRECT, PROOF, Input, State, effort_of

TIERS = "tiers.json"
STATES = "states.json"
NAMES = "names.csv"
SAVED = "result.json"
JUDGEMENTS = "judgements.json"


def arguments(question: State, files: Mapping[str, Mapping[str, Any]], effort: str) -> list[str] | None:
    """The arguments of `bnfuse`; None if the command line cannot express them.

    `files` has the name of each file, and its facts.
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
    if any(question.renaming):
        words += ["--names", _beside(NAMES, files)]
    if question.tiers:
        words += ["--tiers", TIERS]
    if drawn_states(question, files):
        words += ["--states", STATES]
    if question.data is not None:
        words += ["--fit", _path(question.data.name)]
    if _has_judgements(question, files):
        words += ["--judgements", JUDGEMENTS]
        if question.data is None and question.input_cases != INPUT_CASES:
            words += ["--input-cases", f"{question.input_cases:.17g}"]
    return words


def command(question: State, files: Mapping[str, Mapping[str, Any]], effort: str) -> str:
    """The command, for a shell; tiers and states are written to files first."""
    words = arguments(question, files, effort)
    if words is None:
        return (
            "# A name of a variable in a rule, or of one that was renamed, cannot be written on the command line: use "
            "Python.\n"
        )
    lines = ["# In the folder with the files that were dropped in:"]
    if any(question.renaming):
        rows = table_text(_rows(question, files)).removesuffix("\n").split("\n")
        lines.append(shlex.join(["printf", "%s\\n", *rows]) + f" > {_beside(NAMES, files)}")
    said = _judgements(question) if _has_judgements(question, files) else []
    for value, file in ((question.tiers, TIERS), (drawn_states(question, files), STATES), (said, JUDGEMENTS)):
        if value:
            lines.append(f"printf %s {shlex.quote(json.dumps(value, ensure_ascii=False))} > {file}")
    lines.append(shlex.join(["bnfuse", *words, "--save", SAVED]))
    return "\n".join(lines) + "\n"


def python(question: State, files: Mapping[str, Mapping[str, Any]], effort: str) -> str:
    """The same in Python."""
    inputs = [files[one]["name"] for one in question.files if question.data is None or one != question.data.id]
    names = ", ".join(repr(_path(name)) for name in inputs)
    are_tallies = all(files[one.file]["kind"] == "tally" for one in question.read)
    how = "" if question.variables == "same" else f", variables={question.variables!r}"
    renamed = _renamed(question, files)
    how += ", names=names" if renamed else ""
    read = f"[bnfuse.Tally.load(path) for path in [{names}]]" if are_tallies else f"bnfuse.read({names}{how})"
    settings: dict[str, Any] = _settings(question, effort)
    given = weights(question, files)
    if given:
        settings["weights"] = {name: float(weight) for name, weight in given.items()}
    for rule in ("required", "forbidden", "tiers"):
        if value := getattr(question, rule):
            settings[rule] = [list(one) if rule == "tiers" else one for one in value]
    if states := drawn_states(question, files):
        settings["states"] = states
    lines = [
        *(["from pathlib import Path", ""] if renamed else []),
        "import bnfuse",
        "",
        *renamed,
        f"inputs = {read}",
        "consensus = bnfuse.consensus(",
        "    inputs,",
        *(f"    {name}={value!r}," for name, value in settings.items()),
        ")",
    ]
    is_judged = _has_judgements(question, files)
    if is_judged:
        said = [", ".join(f"{name}={value!r}" for name, value in one.items()) for one in _judgements(question)]
        lines += ["judgements = [", *(f"    bnfuse.RowJudgement({one})," for one in said), "]"]
    if question.data is not None:
        more = ", judgements=judgements" if is_judged else ""
        lines.append(f"consensus = consensus.fit({_path(question.data.name)!r}{more})")
    elif is_judged:
        more = "" if question.input_cases == INPUT_CASES else f", input_cases={question.input_cases!r}"
        lines.append(f"consensus = consensus.pool(judgements=judgements{more})")
    lines.append(f"consensus.save({SAVED!r}, overwrite=True)")
    return "\n".join(lines) + "\n"


def _has_judgements(question: State, files: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether there are judgements of rows, and tables to which they apply."""
    tabled = any(files[one.file]["inputs"][one.place]["has_tables"] for one in question.counted)
    return bool(question.judgements) and (question.data is not None or tabled)


def _judgements(question: State) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in asdict(one).items() if value or name not in ("by", "reason")}
        for one in question.judgements
    ]


def weights(question: State, files: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The weights that are not 1, by the names that `bnfuse.read` gives the inputs; 0 for one that is off."""
    names = _names_as_read(question, files)
    counts = {names[one.id]: one.weight if one.on else "0" for one in question.read}
    return {name: weight for name, weight in counts.items() if weight != "1"}


def _names_as_read(question: State, files: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The names that `bnfuse.read` gives the inputs, by their ids."""
    names = distinct([_name_as_read(one, files) for one in question.read])
    return {one.id: name for one, name in zip(question.read, names, strict=True)}


def _rows(question: State, files: Mapping[str, Mapping[str, Any]]) -> list[AlignmentRow]:
    return alignment_rows(question, _names_as_read(question, files))


def _renamed(question: State, files: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The lines of Python that write and read the table of names."""
    if not any(question.renaming):
        return []
    file = _beside(NAMES, files)
    return [
        f"Path({file!r}).write_text(",
        *(f"    {line!r}" for line in table_text(_rows(question, files)).splitlines(keepends=True)),
        "    '',",
        "    encoding='utf-8',",
        "    newline='',",
        ")",
        f"names = bnfuse.Alignment.load({file!r})",
    ]


def _beside(name: str, files: Mapping[str, Mapping[str, Any]]) -> str:
    """A file name that differs from those of all files that were dropped in."""
    taken = {str(one["name"]).lower() for one in files.values()}
    stem, _, ending = name.partition(".")
    numbered = (f"{stem}-{i}.{ending}" if i > 1 else name for i in range(1, len(taken) + 2))
    return next(one for one in numbered if one not in taken)


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
    is_rule = not any("->" in name or name != name.strip() or "\0" in name for name in names) and not any(
        "--" in name or name.startswith("-") or name.endswith("-") for name in paired
    )
    renamed, states = question.renaming
    texts = [text for one in renamed for text in (one.variable, one.name)]
    texts += [text for one in states for text in (one.variable, *(text for pair in one.states for text in pair))]
    return is_rule and not any("\0" in text for text in texts)


def _path(name: str) -> str:
    """A file name that looks like an option is given with its folder."""
    return f"./{name}" if name.startswith("-") else name
