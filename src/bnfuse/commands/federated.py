"""`bnfuse federated`: a consensus of sites that keep their networks and data at home."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bnfuse._base.optional import require
from bnfuse._base.options import default_of, help_of
from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, examples, note, print_facts, print_json, say, working
from bnfuse.commands._grouped import grouped
from bnfuse.errors import FileError
from bnfuse.federated.holdings import SiteSettings, absolute, described
from bnfuse.federated.settings import FILE, TABLES, VOTES, Agreement, Settings
from bnfuse.federated.vocabulary import Vocabulary

if TYPE_CHECKING:
    from bnfuse.federated.coordinator import Finished

EXAMPLES = examples(
    "bnfuse federated init clinics/ --sites 3 --tables networks \\\n      --vocabulary examples/clinics/eastgate.bif",
    "bnfuse federated site eastgate --federation clinics/ \\\n      --networks examples/clinics/eastgate.bif",
    "bnfuse federated site harbour --federation clinics/ \\\n      --networks examples/clinics/harbour.bif",
    "bnfuse federated site hillcrest --federation clinics/ \\\n      --networks examples/clinics/hillcrest.bif",
    "bnfuse federated rehearse clinics/ eastgate harbour hillcrest",
    "bnfuse federated status clinics/",
)
INIT_EXAMPLES = examples(
    "bnfuse federated init clinics/ --vocabulary examples/clinics/eastgate.bif",
    "bnfuse federated init experts/ --sites 3 --tables networks \\\n      --vocabulary examples/clinics/eastgate.bif",
    "bnfuse federated init study/ --epsilon 8 --most-edges 60 \\\n      --vocabulary examples/clinics/eastgate.bif",
)
SITE_EXAMPLES = examples(
    "bnfuse federated init clinics/ --vocabulary examples/clinics/eastgate.bif",
    "bnfuse federated site north --federation clinics/ \\\n      --data examples/patients.csv --resamples 50",
    "bnfuse federated site south --federation clinics/ \\\n      --networks examples/clinics/harbour.bif",
)
REHEARSE_EXAMPLES = examples(
    "bnfuse federated init clinics/ --sites 3 --tables networks \\\n      --vocabulary examples/clinics/eastgate.bif",
    "bnfuse federated site eastgate --federation clinics/ \\\n      --networks examples/clinics/eastgate.bif",
    "bnfuse federated site harbour --federation clinics/ \\\n      --networks examples/clinics/harbour.bif",
    "bnfuse federated site hillcrest --federation clinics/ \\\n      --networks examples/clinics/hillcrest.bif",
    "bnfuse federated rehearse clinics/ eastgate harbour hillcrest",
    "bnfuse federated rehearse clinics/ eastgate harbour hillcrest --json",
)
STATUS_EXAMPLES = examples(
    "bnfuse federated init clinics/ --vocabulary examples/clinics/eastgate.bif",
    "bnfuse federated status clinics/",
    "bnfuse federated status clinics/ --json",
)

app = typer.Typer(rich_markup_mode=None)

Federation = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the federation.", show_default=False)]


@app.callback()
def federated() -> None:
    """Find a consensus of sites that keep their data at home.

    A coordinator and sites run a Flower app. Votes for arcs and counts for tables are added up under masks, so that a
    coordinator that follows the protocol sees only sums; --epsilon adds noise to these sums. Sites must trust the
    coordinator: they run the app that it sends. docs/federated.md says what each party can learn.
    """


@dataclass(frozen=True)
class _Asked:
    """The settings of a federation."""

    name: Annotated[str | None, typer.Option(metavar="NAME", help=help_of(Settings, "name"), show_default="FOLDER")] = (
        None
    )
    sites: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(Settings, "sites"))] = default_of(
        Settings, "sites"
    )
    least_sites: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(Settings, "least_sites"))] = default_of(
        Settings, "least_sites"
    )
    votes: Annotated[str, typer.Option(metavar="|".join(VOTES), help=help_of(Settings, "votes"))] = default_of(
        Settings, "votes"
    )
    most_votes: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(Settings, "most_votes"))] = default_of(
        Settings, "most_votes"
    )
    metric: Annotated[str, typer.Option(metavar="NAME", help=help_of(Settings, "metric"))] = default_of(
        Settings, "metric"
    )
    max_clique: Annotated[
        int, typer.Option("--max-clique", "-t", metavar="SIZE", help=help_of(Settings, "max_clique"))
    ] = default_of(Settings, "max_clique")
    effort: Annotated[str, typer.Option(metavar="NAME", help=help_of(Settings, "effort"))] = default_of(
        Settings, "effort"
    )
    seed: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(Settings, "seed"))] = default_of(Settings, "seed")
    frontier: Annotated[bool, typer.Option("--frontier/--no-frontier", help=help_of(Settings, "frontier"))] = (
        default_of(Settings, "frontier")
    )
    tables: Annotated[str, typer.Option(metavar="|".join(TABLES), help=help_of(Settings, "tables"))] = default_of(
        Settings, "tables"
    )
    prior: Annotated[float, typer.Option(metavar="ROWS", help=help_of(Settings, "prior"))] = default_of(
        Settings, "prior"
    )
    epsilon: Annotated[float | None, typer.Option(metavar="NUMBER", help=help_of(Settings, "epsilon"))] = None
    tally_share: Annotated[float, typer.Option(metavar="SHARE", help=help_of(Settings, "tally_share"))] = default_of(
        Settings, "tally_share"
    )
    most_edges: Annotated[int | None, typer.Option(metavar="NUMBER", help=help_of(Settings, "most_edges"))] = None
    wait: Annotated[float, typer.Option(metavar="SECONDS", help=help_of(Settings, "wait"))] = default_of(
        Settings, "wait"
    )

    def settings(self, folder: Path) -> Settings:
        """Checked."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return Settings(**given | {"name": self.name or folder.absolute().name or "federation"})


@app.command(epilog=INIT_EXAMPLES)
@grouped
def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write the app.", show_default=False)],
    vocabulary: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help='The variables and their states: a network, or JSON such as {"Smoker": ["yes", "no"]}.',
            show_default=False,
        ),
    ],
    asked: _Asked,
    force: Annotated[bool, typer.Option("--force", help="Replace files that bnfuse did not write.")] = False,
) -> None:
    """Write a Flower app that is ready to run.

    It is a pyproject.toml for Flower and a federation.toml with what all sites agree on, and a line of explanation
    for each setting. Give both to the sites; nothing in them is secret.
    """
    from bnfuse.federated.folder import write_app  # noqa: PLC0415 - keeps the start fast

    agreement = Agreement(asked.settings(folder), Vocabulary.read(vocabulary))
    for path in write_app(folder, agreement, force):
        say(f"wrote {path}")
    say()
    say("On the coordinator's machine (see docs/federated.md for certificates and other machines):")
    say("  flower-superlink --insecure --host 127.0.0.1 --disable-runtime-dependency-installation")
    say(f"  flwr run {folder} SUPERLINK --stream")
    say("Each site first describes what it holds:")
    say(f"  bnfuse federated site SITE --federation {folder} --data FILE")


@app.command(epilog=SITE_EXAMPLES)
def site(
    folder: Annotated[Path, typer.Argument(metavar="SITE", help="Where the site keeps its part.", show_default=False)],
    federation: Annotated[
        Path, typer.Option(metavar="FOLDER", help="What init wrote: the agreement.", show_default=False)
    ],
    networks: Annotated[Path | None, typer.Option(metavar="DIR", help=help_of(SiteSettings, "networks"))] = None,
    data: Annotated[Path | None, typer.Option(metavar="FILE", help=help_of(SiteSettings, "data"))] = None,
    resamples: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(SiteSettings, "resamples"))] = default_of(
        SiteSettings, "resamples"
    ),
    seed: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(SiteSettings, "seed"))] = default_of(
        SiteSettings, "seed"
    ),
    least_sites: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(SiteSettings, "least_sites"))] = default_of(
        SiteSettings, "least_sites"
    ),
    most_epsilon: Annotated[
        float | None, typer.Option(metavar="NUMBER", help=help_of(SiteSettings, "most_epsilon"))
    ] = (None),
) -> None:
    """Describe what a site holds: networks, or data.

    They are checked against the agreement on this machine. From data, networks are learned on this machine, one from
    each resample. Neither rows nor networks ever leave it. Afterwards, point the site's Flower SuperNode to the folder
    SITE.
    """
    agreement = Agreement.read(federation / FILE)
    settings = SiteSettings(absolute(networks), absolute(data), resamples, seed, least_sites, most_epsilon)
    with working("reading and learning"):
        held = described(folder, settings, agreement)
    say(f"{folder}: {held.told()}; agrees with the federation {agreement.settings.name}")
    say("To take part, on this machine:")
    say("  flower-supernode --insecure --superlink 127.0.0.1:8000 --port 9094 \\")
    say(f"      --node-config 'site=\"{folder.absolute()}\"'")


@app.command(epilog=REHEARSE_EXAMPLES)
def rehearse(
    federation: Federation,
    sites: Annotated[
        list[Path], typer.Argument(metavar="SITE...", help="Folders of sites on this machine.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Run all rounds in one process, with sites on this machine.

    The messages are those of a real run, under the same masks: to try a federation out, or to see what it gives. A run
    that was stopped resumes after its last finished round.
    """
    require("flwr", "bnfuse federated", extra="federated")
    from bnfuse.federated.coordinator import RESULT, coordinate  # noqa: PLC0415 - keeps the start fast
    from bnfuse.federated.local import LocalChannel  # noqa: PLC0415

    agreement = Agreement.read(federation / FILE)
    for one in sites:
        if not one.is_dir():
            raise FileError(one, "is not the folder of a site")
    tell = note if as_json else say
    with working("running the rounds"):
        finished = coordinate(agreement, federation / RESULT, LocalChannel(sites, tell), tell)
    if as_json:
        print_json(_facts(finished))
    else:
        say(f"wrote {federation / RESULT}: consensus.bif, consensus.json and report.html")


def _facts(finished: Finished) -> dict[str, Any]:
    found = finished.consensus
    return {
        "sites": finished.sites,
        "arcs": found.dag.edges,
        "distance": found.distance,
        "lower_bound": found.lower_bound,
        "clique_size": found.clique_size,
        "notes": finished.notes,
    }


@app.command(epilog=STATUS_EXAMPLES)
def status(federation: Federation, as_json: AsJson = False) -> None:
    """Show which rounds are finished, even while it runs."""
    from bnfuse.federated.coordinator import RESULT, ROUNDS  # noqa: PLC0415 - keeps the start fast
    from bnfuse.federated.store import rounds  # noqa: PLC0415

    agreement = Agreement.read(federation / FILE)
    done = rounds(federation / RESULT)
    if as_json:
        print_json({"settings": asdict(agreement.settings), "vocabulary": agreement.vocabulary.states, "rounds": done})
        return
    print_facts(
        {
            "federation": agreement.settings.name,
            "variables": len(agreement.vocabulary.variables),
            "sites expected": agreement.settings.sites,
            **{f"round {name}": count(done[name], "site") if name in done else "not finished" for name in ROUNDS},
        }
    )
