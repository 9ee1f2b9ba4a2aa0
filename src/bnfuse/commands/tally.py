"""`bnfuse tally`: the sums over networks, in one file that can be shared instead of the networks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from bnfuse._base.spelling import meant
from bnfuse._base.texts import count, listed, shown_weight
from bnfuse.commands._console import AsJson, Cell, Force, examples, note, print_facts, print_json, say, working
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import (
    TALLY_ENDINGS,
    CountedInputs,
    Inputs,
    files_of,
    is_tally,
    load_tally,
    note_left_out,
    note_own,
    note_repeated,
    read_graphs,
    weights_of,
)
from bnfuse.commands._output import STANDARD, check_kept
from bnfuse.errors import FileError, OptionError
from bnfuse.files import Input
from bnfuse.graphs.dag import DAG, check_same_variables
from bnfuse.problem.inputs import SHARED, UNION, InputOptions
from bnfuse.problem.tally import Tally, check_save

EXAMPLES = examples(
    "bnfuse tally examples/clinics/[eh]*.bif -o north.tally  # each site its own",
    "bnfuse tally examples/clinics/[mn]*.bif -o south.tally",
    "bnfuse tally north.tally south.tally -o all.tally.gz    # tallies add up",
    "bnfuse tally examples/clinics/*.bif -o all.tally --weight harbour=2",
    "bnfuse tally south.tally examples/clinics/harbour.bif -o south.tally --force",
)


@grouped
def tally(
    files: Inputs,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write: a .tally or .tally.gz file.")
    ],
    counted: CountedInputs = CountedInputs(),  # noqa: B008 - never changed
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Count arcs and moral edges, to share instead of networks.

    A tally records how many networks have each arc and each moral edge, and in how many the equivalence class fixes the
    direction of the arc. A consensus by smhd or shd needs nothing else: bnfuse consensus finds the same network for
    tallies as for the networks that they count. Networks and tallies can be mixed here, and any number of them takes as
    much space as one.

    A tally hides which network had which arc, once several are in it; it always hides states and tables. It does not
    hide the names of the variables or how often each arc occurs, so it shows arcs that all or none of the networks
    have. A tally of one network reveals its arcs, as do two tallies, one from before and one from after that network
    was added.
    """
    files = files_of(files)
    check_kept({"-o": output}, [*files, counted.names], force)
    check_tally_output(output, force)
    weights, options = weights_of(counted.weight) or {}, counted.options()
    if counted.variables == SHARED:
        raise OptionError("a tally counts over the same variables, or with --variables union over all of them")
    reading = {"cyclic": counted.cyclic, "variables": counted.variables, "names": counted.common_names}
    total, networks = None, 0
    with working(f"counting {count(len(files), 'file')}"):
        for label, part in _counted(files, weights, reading):
            networks += not isinstance(part, Tally) and weights.get(part.name, 1) > 0
            total = _added(total, label, part, weights, options)
    assert total is not None
    tallies = sum(map(is_tally, files))
    total.save(output, overwrite=force)
    _tell(total, networks, tallies, output, as_json)
    note_left_out(weights)


def check_tally_output(path: Path, force: bool) -> None:
    """Refuse a path to which no tally could be written."""
    if not is_tally(path):
        raise FileError(path, f"a tally is written to a file that ends in {' or '.join(TALLY_ENDINGS)}")
    check_save(path, force)


def _counted(
    files: Sequence[Path], weights: dict[str, float], reading: dict[str, Any]
) -> Iterator[tuple[str, Input | Tally]]:
    """Everything to count, with its name in an error."""
    for path in filter(is_tally, files):
        yield str(path), load_tally(path)
    paths = [path for path in files if not is_tally(path)]
    # Only one file at a time is in memory. All of them are needed only to distinguish names, which weights and --names
    # use, and for edge lists, which share their variables.
    lists = [path for path in paths if ".csv" in path.suffixes]
    groups = [[path] for path in paths if path not in lists] + ([lists] if lists else [])
    is_together = bool(weights or reading["names"].names) and bool(paths)
    note_repeated([path for path in files if is_tally(path) or not (is_together or path in lists or path == STANDARD)])
    known = []
    for group in [paths] if is_together else groups:
        networks = read_graphs(group, **reading)
        note_own(networks)
        for network in networks:
            known.append(network.name)
            yield f"network {network.name!r}", network
    if unknown := [name for name in weights if name not in known]:
        name = unknown[0]
        raise OptionError(f"a weight for {name!r}{meant(name, known)}, but the networks are {listed(known) or 'none'}")


def _added(
    total: Tally | None, label: str, part: Input | Tally, weights: dict[str, float], options: InputOptions
) -> Tally:
    if total is None:
        total = Tally(part.variables)
    partly = options.variables == UNION
    if not partly:
        check_same_variables(DAG(total.variables), DAG(part.variables), "what was counted so far", label)
    elif set(part.variables) - set(total.variables):
        before, total = total, Tally(dict.fromkeys((*total.variables, *part.variables)))
        total.merge(before, partly=True)
    if isinstance(part, Tally):
        total.merge(part, partly)
        return total
    weight = weights.get(part.name, 1.0)
    if not weight.is_integer() or weight < 0:
        raise OptionError(f"--weight {part.name}={weight:g}: a tally takes whole numbers of at least 0")
    words: Any = {"support": options.support, "soft": options.soft}  # as they were typed: `add` checks them
    total.add(part, int(weight), partly=partly, **words)
    return total


def _tell(total: Tally, networks: int, tallies: int, output: Path, as_json: bool) -> None:
    edges = int(np.count_nonzero(np.triu(total.moral)))
    arcs = int(np.count_nonzero(total.arcs))
    if as_json:
        print_json(
            "tally",
            {
                "networks": networks,
                "tallies": tallies,
                "weight": total.weight / total.parts if total.weight % total.parts else total.weight // total.parts,
                "variables": len(total.variables),
                "moral_edges": edges,
                "arcs": arcs,
                "output": str(output),
            },
        )
    else:
        counted = [count(networks, "network")] if networks else []
        if tallies:
            counted.append(count(tallies, "tally", "tallies"))
        facts: dict[str, Cell] = {
            "counted": " and ".join(counted),
            "total weight": shown_weight(total.weight, total.parts),
            "variables": len(total.variables),
            "moral edges": edges,
            "arcs": arcs,
        }
        print_facts(facts)
        say(f"wrote {output}")
    if networks == 1 and not tallies:
        note("a tally of one network hides nothing of its structure")
