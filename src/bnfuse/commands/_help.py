"""The help of a command: its options in groups, everyday options first."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand, TyperGroup

OPTIONS, ADVANCED = "Options", "Advanced"

GROUPS: dict[str, tuple[str, ...]] = {
    "Limit": ("max_clique", "max_table"),
    "Inputs": (
        *("resamples", "weight", "variables", "names", "states", "cyclic"),
        *("missing", "bins", "binning", "gaussian", "keep", "cut", "leave_out", "na", "weights", "group"),
    ),
    "Rules": ("require", "forbid", "tiers", "max_parents", "directions"),
    "Tables": ("fit", "prior", "pool", "judgements"),
    "Search": ("metric", "method", "score", "effort", "prove", "time_limit", "seed"),
    "Output": (
        *("output", "report", "frontier", "plot", "save", "strength", "ensemble", "tally", "store"),
        *("as_json", "force", "help"),
    ),
    ADVANCED: (
        *("threads", "workers", "cluster", "target", "marginalise", "support", "soft", "unchecked", "input_cases"),
        *("threshold", "candidates", "preset", "population", "generations", "min_cut"),
        *("sample_size", "alpha_mu", "alpha_w"),
        *("learning_max_clique", "learning_method", "learning_effort", "tabu", "restarts", "solver", "placeholders"),
    ),
}
"""The options by subject, in the order of the help."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "Consensus": ("consensus", "frontier", "disputes", "schools", "report", "draw"),
    "Inputs": ("inspect", "compare", "align", "convert", "networks"),
    "Data": ("learn", "bootstrap", "fit", "sample"),
    "Questions": ("query", "explain", "informative", "sensitivity", "effects"),
    "Together": ("serve", "try", "tally", "federated"),
    ADVANCED: ("strength", "fuse", "study"),
}
"""The commands by purpose."""

_DEFAULT = re.compile(r"\[default: \(([^][]*)\)(?=[];])")
_FEW = 12
"""up to this number, options need no groups"""


class Command(TyperCommand):
    """A command whose help has groups, and whose usage line shows which arguments can be repeated."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the command's name."""
        pieces = ["[OPTIONS]"]
        for one in self.params:
            if one.param_type_name == "argument":
                word = str(one.metavar or one.name).rstrip(".") + ("..." if one.nargs != 1 else "")
                pieces.append(word if one.required else f"[{word}]")
        return pieces

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The arguments, then each group."""
        arguments = [one for one in self.get_params(ctx) if one.param_type_name == "argument"]
        options = [one for one in self.get_params(ctx) if one.param_type_name == "option"]
        sections: dict[str, list[Any]] = {"Arguments": arguments, OPTIONS: [], **{group: [] for group in GROUPS}}
        for one in options:
            sections[group_of(str(one.name)) if len(options) > _FEW else OPTIONS].append(one)
        for title, members in sections.items():
            names = GROUPS.get(title, ())
            members.sort(key=lambda one, names=names: names.index(one.name) if names else 0)  # type: ignore[misc]
            records = [record for one in members if (record := _record(one, ctx)) is not None]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def _record(parameter: Any, ctx: Any) -> tuple[str, str] | None:
    """The name and the text of an option or argument, the same with every version of typer.

    Versions differ: some escape brackets for rich, some add the type of an argument. A default given in words has
    brackets.
    """
    if (record := parameter.get_help_record(ctx)) is None:
        return None
    name, text = record
    if parameter.param_type_name == "argument":
        name = str(parameter.metavar or parameter.name)
    return name, _DEFAULT.sub(r"[default: \1", text.replace("\\[", "["))


class Commands(TyperGroup):
    """A group of commands whose list has headings."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """One list for each heading."""
        shown: dict[str, Any] = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        width = max(map(len, shown))
        for title, names in COMMANDS.items():
            with formatter.section(title):
                limit = formatter.width - width - 6
                formatter.write_dl([(f"{name:{width}}", shown[name].get_short_help_str(limit)) for name in names])


def group_of(option: str) -> str:
    """The group of an option; options of a single command are simply its options."""
    return next((group for group, names in GROUPS.items() if option in names), OPTIONS)
