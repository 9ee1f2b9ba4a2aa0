"""`bnfuse federated`: a consensus of sites that keep their networks and data on their own machines."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bnfuse._base.optional import require
from bnfuse._base.options import default_of, help_of
from bnfuse._base.spelling import unknown
from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, examples, note, print_facts, print_json, say, working
from bnfuse.commands._grouped import grouped
from bnfuse.commands._help import Command
from bnfuse.errors import FileError, OptionError
from bnfuse.federated.agreement.roster import PUBLIC, Roster, fingerprint
from bnfuse.federated.agreement.settings import FILE, RESULT, STRUCTURES, TABLES, VOTES, Agreement, Settings
from bnfuse.federated.agreement.vocabulary import Vocabulary
from bnfuse.federated.site.holdings import Holdings, SiteSettings, absolute, described

if TYPE_CHECKING:
    from bnfuse.federated.coordinator.rounds import Finished

_IDENTITIES = "bnfuse federated identity sites/eastgate sites/harbour sites/hillcrest"
_INIT = (
    "bnfuse federated init clinics/ --roster sites/ --tables networks \\\n"
    "      --vocabulary examples/clinics/eastgate.bif"
)
_SITES = [
    f"bnfuse federated site sites/{name} --federation clinics/ \\\n      --networks examples/clinics/{name}.bif"
    for name in ("eastgate", "harbour", "hillcrest")
]
_REHEARSE = "bnfuse federated rehearse clinics/ \\\n      sites/eastgate sites/harbour sites/hillcrest"

EXAMPLES = examples(_IDENTITIES, _INIT, *_SITES, _REHEARSE, "bnfuse federated status clinics/")
IDENTITY_EXAMPLES = examples("bnfuse federated identity north", "bnfuse federated identity sites/east sites/west")
INIT_EXAMPLES = examples(
    _IDENTITIES,
    "bnfuse federated init clinics/ --roster sites/ \\\n      --vocabulary examples/clinics/eastgate.bif",
    "bnfuse federated init study/ --roster sites/ --epsilon 8 --most-edges 60 \\\n"
    "      --vocabulary examples/clinics/eastgate.bif",
)
SITE_EXAMPLES = examples(
    _IDENTITIES,
    _INIT,
    _SITES[0],
    "bnfuse federated site sites/harbour --federation clinics/ \\\n      --data examples/patients.csv --resamples 50",
)
REHEARSE_EXAMPLES = examples(_IDENTITIES, _INIT, *_SITES, _REHEARSE, f"{_REHEARSE} --json")
STATUS_EXAMPLES = examples(
    _IDENTITIES, _INIT, "bnfuse federated status clinics/", "bnfuse federated status clinics/ --json"
)
SERVE_EXAMPLES = examples(
    "bnfuse federated serve north --insecure --superlink 127.0.0.1:8000",
    "bnfuse federated serve north --superlink fed.example.org:8000 \\\n"
    "      --root-certificates ca.pem --supernode-key north-key",
)
RUN_EXAMPLES = examples("bnfuse federated run clinics/ SUPERLINK", "bnfuse federated run clinics/ SUPERLINK --json")
ALLOW_EXAMPLES = examples(
    _IDENTITIES,
    _INIT,
    _SITES[0],
    "bnfuse federated allow sites/eastgate tally",
    "bnfuse federated allow sites/eastgate tables",
)

app = typer.Typer(rich_markup_mode=None)

Federation = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the federation.", show_default=False)]


@app.callback()
def federated() -> None:
    """Find a consensus of sites that keep their data at home.

    Sites add up votes for arcs and counts for tables under masks, through a coordinator and Flower. A lying coordinator
    that colludes with up to a third of the sites learns only sums over more than two thirds of them, once per
    agreement; --epsilon adds noise to these sums. docs/federated.md describes the limits, and what each party can
    learn.
    """


@dataclass(frozen=True)
class _Asked:
    """The settings of a federation."""

    name: Annotated[str | None, typer.Option(metavar="NAME", help=help_of(Settings, "name"), show_default="FOLDER")] = (
        None
    )
    votes: Annotated[
        str | None, typer.Option(metavar="|".join(VOTES), help=help_of(Settings, "votes"), show_default=False)
    ] = None
    most_votes: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(Settings, "most_votes"))] = default_of(
        Settings, "most_votes"
    )
    most_rows: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(Settings, "most_rows"))] = default_of(
        Settings, "most_rows"
    )
    structure: Annotated[str, typer.Option(metavar="|".join(STRUCTURES), help=help_of(Settings, "structure"))] = (
        default_of(Settings, "structure")
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
        """Check the values."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return Settings(**given | {"name": self.name or folder.absolute().name or "federation"})


@app.command(cls=Command, epilog=IDENTITY_EXAMPLES)
def identity(
    folders: Annotated[
        list[Path], typer.Argument(metavar="SITE...", help="Where each site keeps its part.", show_default=False)
    ],
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The name of the site in the roster.", show_default="the folder's name"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make the identity of a site: a secret key and a public one.

    The secret key stays in the folder SITE, for its owner alone. Send SITE/identity.pub to whoever writes the
    agreement, and give the other owners the fingerprint in another way, such as by telephone: they compare it with the
    one that the agreement shows. An existing identity is kept.
    """
    from bnfuse.federated.site import identity as identities  # noqa: PLC0415 - keeps the start fast

    if name is not None and len(folders) > 1:
        raise OptionError("--name is for one site; several sites are named after their folders")
    made = [(*identities.made(folder, name), folder) for folder in folders]
    if as_json:
        sites = [{"site": site, "key": key.hex(), "fingerprint": fingerprint(key)} for site, key, _ in made]
        print_json("federated identity", {"sites": sites})
        return
    for site, key, folder in made:
        say(f"{site}: {fingerprint(key)}  ({folder / PUBLIC})")


@app.command(cls=Command, epilog=INIT_EXAMPLES)
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
    roster: Annotated[
        list[Path],
        typer.Option(
            metavar="PATH",
            help="The sites' identity.pub files, or a folder with them. Can be repeated.",
            show_default=False,
        ),
    ],
    asked: _Asked,
    force: Annotated[bool, typer.Option("--force", help="Replace files that bnfuse did not write.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write the agreement, and a Flower app that runs it.

    federation.toml is what all sites agree on: settings, each with a line of explanation, variables, and the sites with
    their keys. Nothing in it is secret. Each owner reads it and accepts it with bnfuse federated site.
    """
    from bnfuse.federated.agreement.folder import write_app  # noqa: PLC0415 - keeps the start fast
    from bnfuse.federated.sums.counts import check_noise  # noqa: PLC0415

    agreement = Agreement(asked.settings(folder), Vocabulary.read(vocabulary), Roster.read(roster))
    check_noise(agreement)
    written = write_app(folder, agreement, force)
    if as_json:
        paths = [str(path) for path in written]
        print_json("federated init", {"written": paths, "fingerprint": agreement.fingerprint})
        return
    for path in written:
        say(f"wrote {path}")
    say()
    _show(agreement)
    say()
    say("Each site accepts the agreement, and then stays:")
    say(f"  bnfuse federated site SITE --federation {folder} --data FILE")
    say("  bnfuse federated serve SITE --insecure --superlink 127.0.0.1:8000")
    say("On the coordinator's machine (see docs/federated.md for certificates and other machines):")
    say("  flower-superlink --insecure --host 127.0.0.1 --disable-runtime-dependency-installation")
    say(f"  bnfuse federated run {folder} SUPERLINK")


def _show(agreement: Agreement) -> None:
    """The facts that owners compare before they accept."""
    say(f"agreement {agreement.settings.name}: {agreement.fingerprint}")
    for name, key in sorted(agreement.roster.keys.items()):
        say(f"  {name}: {fingerprint(key)}")
    say(f"every sum is over {agreement.needed} or more of these {agreement.sites} sites")


@app.command(cls=Command, epilog=SITE_EXAMPLES)
def site(
    folder: Annotated[Path, typer.Argument(metavar="SITE", help="Where the site keeps its part.", show_default=False)],
    federation: Annotated[
        Path, typer.Option(metavar="FOLDER", help="The agreement: the folder that init wrote.", show_default=False)
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
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Describe a site's networks or data, and accept an agreement.

    Networks or data are checked against the agreement on this machine. From data, networks are learned on this machine,
    one from each resample. The site keeps a copy of the agreement, and refuses every request that does not follow from
    it: compare the fingerprints with the other owners first.
    """
    agreement = Agreement.read(federation / FILE)
    settings = SiteSettings(absolute(networks), absolute(data), resamples, seed, least_sites, most_epsilon)
    with working("reading and learning"):
        held = described(folder, settings, agreement)
    if as_json:
        facts = {"site": str(folder), "holds": held.told(), "fingerprint": agreement.fingerprint}
        print_json("federated site", facts)
        return
    say(f"{folder}: {held.told()}; accepted:")
    _show(agreement)
    say("To take part, on this machine:")
    say(f"  bnfuse federated serve {folder} --insecure --superlink 127.0.0.1:8000")


SiteFolder = Annotated[Path, typer.Argument(metavar="SITE", help="The folder of the site.", show_default=False)]


@app.command(cls=Command, epilog=SERVE_EXAMPLES)
def serve(
    folder: SiteFolder,
    superlink: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="The coordinator's SuperLink.")
    ] = "127.0.0.1:8000",
    insecure: Annotated[bool, typer.Option("--insecure", help="Connect without TLS: on one machine only.")] = False,
    root_certificates: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The authority that signed the SuperLink's certificate, as PEM.")
    ] = None,
    supernode_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The site's key for Flower, if the SuperLink asks for one.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(metavar="PORT", help="The port of the SuperNode on this machine.", show_default="a free one"),
    ] = None,
) -> None:
    """Take part: answer the coordinator until Ctrl-C.

    Starts Flower's SuperNode, and answers its messages with the bnfuse that is installed here. Code that the
    coordinator sends is not unpacked, and does not run.
    """
    require("flwr", "bnfuse federated", extra="federated")
    from bnfuse.federated.flower import serve as serving  # noqa: PLC0415 - keeps the start fast
    from bnfuse.federated.site.identity import member  # noqa: PLC0415

    if insecure and (root_certificates or supernode_key):
        raise OptionError(
            "--insecure uses no certificates and keys: leave out either --insecure or --root-certificates and "
            "--supernode-key"
        )
    held = Holdings.of(folder)
    who = member(folder, held.agreement).name
    connection = ["--superlink", superlink, *(["--insecure"] if insecure else [])]
    if root_certificates is not None:
        connection += ["--root-certificates", str(root_certificates.absolute())]
    if supernode_key is not None:
        connection += ["--auth-supernode-private-key", str(supernode_key.absolute())]
    say(f"site {who} of {held.agreement.settings.name} ({held.agreement.fingerprint}); Ctrl-C stops it")
    serving.serve(folder.absolute(), connection, lambda text: say(f"{who}: {text}"), port)


@app.command(cls=Command, epilog=ALLOW_EXAMPLES)
def allow(
    folder: SiteFolder,
    sum_name: Annotated[str, typer.Argument(metavar="SUM", help="tally, families or tables.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Let a site send its part of a sum once more.

    A site sends its part of each sum once. If the run then fails, the sum can only be repeated if its owner allows it.
    Allow it only if the first sum was not completed: a coordinator that has two sums over different sites can subtract
    them.
    """
    from bnfuse.federated.site.ledger import Ledger  # noqa: PLC0415 - keeps the start fast

    agreement = Holdings.of(folder).agreement
    sums = agreement.settings.sums
    if sum_name not in sums:
        raise OptionError(f"{unknown('sum', sum_name, sums)}; the sums of this agreement are {', '.join(sums)}")
    ledger = Ledger(folder)
    times = ledger.allow(agreement.hash.hex(), sum_name)
    sent = ledger.summary(agreement.hash.hex())
    if as_json:
        facts = {"sum": sum_name, "allowed": times, "sent": sent.sent, "epsilon": float(sent.spent)}
        print_json("federated allow", facts)
        return
    before = count(sent.sent.get(sum_name, 0), "time")
    say(f"{folder} may send its {sum_name} {count(times, 'time')}; it has sent it {before}")


@app.command(cls=Command, epilog=RUN_EXAMPLES)
def run(
    federation: Federation,
    superlink: Annotated[
        str, typer.Argument(metavar="SUPERLINK", help="A connection in Flower's config.toml.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Run a federation through a SuperLink, and wait for the end.

    It calls flwr run, then reports the result, or the reason why the run stopped.
    """
    require("flwr", "bnfuse federated", extra="federated")
    from bnfuse.federated.flower.launch import launched  # noqa: PLC0415 - keeps the start fast

    done = launched(federation, Agreement.read(federation / FILE), superlink, note if as_json else say)
    if as_json:
        print_json("federated run", {"rounds": done})
    else:
        say(f"wrote {federation / RESULT}: consensus.bif, consensus.json and report.html")


@app.command(cls=Command, epilog=REHEARSE_EXAMPLES)
def rehearse(
    federation: Federation,
    sites: Annotated[
        list[Path], typer.Argument(metavar="SITE...", help="Folders of sites on this machine.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Run all rounds in one process, with sites on this machine.

    The messages are those of a real run, with the same masks. Use it to try a federation out. A run that was stopped
    resumes after its last finished round.
    """
    require("flwr", "bnfuse federated", extra="federated")
    from bnfuse.federated.coordinator.local import LocalChannel  # noqa: PLC0415
    from bnfuse.federated.coordinator.rounds import coordinate  # noqa: PLC0415 - keeps the start fast

    agreement = Agreement.read(federation / FILE)
    for one in sites:
        if not one.is_dir():
            raise FileError(one, "is not the folder of a site")
    tell = note if as_json else say
    with working("running the rounds"):
        finished = coordinate(agreement, federation / RESULT, LocalChannel(sites, tell), tell)
    if as_json:
        print_json("federated rehearse", _facts(finished))
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


@app.command(cls=Command, epilog=STATUS_EXAMPLES)
def status(federation: Federation, as_json: AsJson = False) -> None:
    """Show which rounds are finished, even while it runs."""
    from bnfuse.federated.coordinator.rounds import rounds_of  # noqa: PLC0415 - keeps the start fast
    from bnfuse.federated.coordinator.store import rounds, stopped  # noqa: PLC0415

    agreement = Agreement.read(federation / FILE)
    done, why = rounds(federation / RESULT), stopped(federation / RESULT)
    if as_json:
        facts = {"settings": asdict(agreement.settings), "vocabulary": agreement.vocabulary.states}
        more = {"roster": agreement.roster.to_hex(), "fingerprint": agreement.fingerprint, "stopped": why}
        print_json("federated status", {**facts, **more, "rounds": done})
        return
    print_facts(
        {
            "federation": agreement.settings.name,
            "variables": len(agreement.vocabulary.variables),
            "agreement": agreement.fingerprint,
            "sites": f"{agreement.sites}, of which {agreement.needed} must stay",
            **{
                f"round {name}": count(done[name], "site") if name in done else "not finished"
                for name in rounds_of(agreement)
            },
            **({} if why is None else {"stopped": why}),
        }
    )
