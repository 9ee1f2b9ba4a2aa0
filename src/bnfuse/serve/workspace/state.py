"""The question of a workspace: inputs with their weights, limits, rules and notes, as one value that JSON can hold.

A change makes a new value, so that undo simply restores the old one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from bnfuse._base.options import like
from bnfuse.answer.question import Question, usual_directions
from bnfuse.inference.experts.judgements import INPUT_CASES, RowJudgement
from bnfuse.problem.inputs import InputOptions
from bnfuse.search.direct import EFFORTS
from bnfuse.serve.drawing.drawing import Drawing

Arc = tuple[str, str]

DIRECT = "direct"
QUICK, NORMAL, _ = EFFORTS
PROOF = "proof"
STAGES = (*EFFORTS, PROOF)
"""the efforts that can be requested, in the order in which they are searched"""
OPTIONS = ("max_table", "metric", "variables", "required", "forbidden", "tiers", "directions")
"""the options of a consensus that a workspace has, apart from the limit, the method and its effort"""
ONCE = NORMAL
"""the name of the single search of a method without efforts"""


def effort_of(stage: str) -> str:
    """How hard the direct search tries in a stage."""
    return NORMAL if stage == PROOF else stage


@dataclass(frozen=True, slots=True)
class Input:
    """One input: a part of a file, its name here, and its weight."""

    id: str
    name: str
    file: str
    place: int
    on: bool = True
    weight: str = "1"


@dataclass(frozen=True, slots=True)
class DataFile:
    """Data from which the tables are estimated."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class VariableName:
    """The name of an input's variable here; its own name if it was decided that it stays."""

    id: str
    variable: str
    """as the file has it"""
    name: str


@dataclass(frozen=True, slots=True)
class StateNames:
    """The names of the states of an input's variable here, in their order."""

    id: str
    variable: str
    states: tuple[tuple[str, str], ...]
    """pairs: the name in the file, and the name here"""

    @property
    def changes(self) -> bool:
        """Whether any state is renamed."""
        return any(own != becomes for own, becomes in self.states)


@dataclass(frozen=True, slots=True)
class State:
    """The state of a workspace."""

    inputs: tuple[Input, ...] = ()
    data: DataFile | None = None
    max_clique: int | None = like(Question, "max_clique")
    max_table: str | None = like(Question, "max_table")
    metric: str = like(Question, "metric")
    method: str = DIRECT
    directions: str = usual_directions(DIRECT, "smhd")
    variables: str = like(InputOptions, "variables")
    effort: str = NORMAL
    required: tuple[Arc, ...] = ()
    forbidden: tuple[Arc, ...] = ()
    tiers: tuple[tuple[str, ...], ...] = ()
    tier_ranks: tuple[float, ...] = ()
    """a number for each tier, the smallest for the earliest: changes identify a tier by it while others come and go"""
    notes: Mapping[str, str] = field(default_factory=dict)
    """by `note_key` of a pair of variables"""
    drawings: Mapping[str, Drawing] = field(default_factory=dict)
    """the drawings of inputs drawn here, by their ids; the files of these inputs are made from them"""
    names: tuple[VariableName, ...] = ()
    """decisions on names that differ, sorted"""
    labels: tuple[StateNames, ...] = ()
    """decisions on states that differ, sorted"""
    judgements: tuple[RowJudgement, ...] = ()
    """people's judgements of rows of tables"""
    input_cases: float = INPUT_CASES
    """the number of cases that an input of weight 1 counts as, compared with these"""

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> State:
        """A question from the result of `to_json`."""
        data = content["data"]
        ranks = content.get("tier_ranks", range(1, len(content["tiers"]) + 1))
        return cls(
            **{name: content[name] for name in _PLAIN},
            inputs=tuple(Input(**one) for one in content["inputs"]),
            data=None if data is None else DataFile(**data),
            required=tuple((a, b) for a, b in content["required"]),
            forbidden=tuple((a, b) for a, b in content["forbidden"]),
            tiers=tuple(map(tuple, content["tiers"])),
            tier_ranks=tuple(ranks),
            drawings={own: Drawing.from_json(one) for own, one in content.get("drawings", {}).items()},
            names=tuple(VariableName(**one) for one in content.get("names", ())),
            labels=tuple(
                StateNames(one["id"], one["variable"], tuple((a, b) for a, b in one["states"]))
                for one in content.get("labels", ())
            ),
            judgements=tuple(RowJudgement(**one) for one in content.get("judgements", ())),
            input_cases=content.get("input_cases", INPUT_CASES),
        )

    def to_json(self) -> dict[str, Any]:
        """The question for JSON."""
        return asdict(self)

    @property
    def usual_directions(self) -> str:
        """The default rule on directions for its method and metric."""
        return usual_directions(self.method, self.metric)

    @property
    def counted(self) -> tuple[Input, ...]:
        """The inputs that are on, and count."""
        return tuple(one for one in self.inputs if one.on and float(one.weight))

    @property
    def read(self) -> tuple[Input, ...]:
        """All inputs of the files of which any input counts; the others are ignored."""
        files = {one.file for one in self.counted}
        return tuple(one for one in self.inputs if one.file in files)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that an answer needs, in the order of the inputs, the data last."""
        found = dict.fromkeys(one.file for one in self.read)
        return (*found, self.data.id) if self.data is not None else tuple(found)

    @property
    def stages(self) -> tuple[str, ...]:
        """The searches that lead to its answer, one after the other."""
        return self.stages_to(self.effort)

    def stages_to(self, wanted: str) -> tuple[str, ...]:
        """The same, up to one of `STAGES`; a proof concerns the answer of a normal search, or finds a closer one."""
        if self.method != DIRECT:
            return (ONCE,)
        return (QUICK, NORMAL, PROOF) if wanted == PROOF else STAGES[: STAGES.index(wanted) + 1]

    @property
    def key(self) -> str:
        """The same for questions with the same answer: neither notes nor efforts change it."""
        names, labels = self.renaming
        asked = replace(self, inputs=self.read, tier_ranks=(), notes={}, effort=QUICK, names=names, labels=labels)
        unused = {name for name in ("names", "labels") if not getattr(asked, name)}  # older workspaces have none
        unused |= {"drawings", "judgements", "input_cases"}  # the files of drawings are there
        content = asked.to_json()
        kept = {name: value for name, value in content.items() if name not in unused}
        if said := content["judgements"]:
            without = [{name: value for name, value in one.items() if name != "reason"} for one in said]
            kept |= {"judgements": sorted(map(_digest, without)), "input_cases": content["input_cases"]}
        return _digest(kept)

    @property
    def renaming(self) -> tuple[tuple[VariableName, ...], tuple[StateNames, ...]]:
        """The decisions that rename something in the inputs of an answer."""
        read = {one.id for one in self.read}
        names = tuple(one for one in self.names if one.id in read and one.name != one.variable)
        return names, tuple(one for one in self.labels if one.id in read and one.changes)

    @property
    def names_key(self) -> str:
        """The same for the same inputs and decisions on their names."""
        inputs = [(one.id, one.name, one.file, one.place) for one in self.counted]
        return _digest([inputs, [asdict(one) for one in self.names], [asdict(one) for one in self.labels]])

    @property
    def bare(self) -> State:
        """The question about the structure: the same without people's judgements of rows of tables."""
        return replace(self, judgements=(), input_cases=INPUT_CASES) if self.judgements else self

    @property
    def places_key(self) -> str:
        """The same as long as the variables should keep their positions: for the same inputs, on or off."""
        renamed = [asdict(one) for one in self.names if one.name != one.variable]
        drawn = sorted([own, *sorted(one.variables)] for own, one in self.drawings.items())
        return _digest([sorted(one.id for one in self.inputs), self.variables, *renamed, *drawn])


_PLAIN = ("max_clique", "max_table", "metric", "method", "directions", "variables", "effort", "notes")


def tiers_of(ranks: Mapping[str, float]) -> tuple[tuple[tuple[str, ...], ...], tuple[float, ...]]:
    """The tiers, from the number of each variable, and their numbers."""
    found = sorted(set(ranks.values()))
    return tuple(tuple(name for name, own in ranks.items() if own == rank) for rank in found), tuple(found)


def note_key(arc: tuple[str, str]) -> str:
    """A pair of variables as the key of a note: the names, sorted, as a JSON list."""
    return json.dumps(sorted(arc), ensure_ascii=False)


def file_id(name: str, content: bytes) -> str:
    """A file by its name and content."""
    return hashlib.sha256(name.encode(errors="surrogatepass") + b"\0" + content).hexdigest()[:32]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:32]
