"""A site's networks or data, and its owner's limits."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import cast

import numpy as np

from bnfuse import files
from bnfuse._base import disk
from bnfuse._base.options import check_options, option, positive, whole
from bnfuse._base.texts import count
from bnfuse.data.data import MISSING, Data, as_data
from bnfuse.errors import BnfuseError, FederationError, FileError, OptionError
from bnfuse.federated.agreement.roster import LEAST
from bnfuse.federated.agreement.settings import Agreement
from bnfuse.federated.site.identity import member, private_bytes, private_folder, private_place
from bnfuse.federated.sums.counts import TINY, Counts, check_noise, table_parts
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network
from bnfuse.inference.parameters import fit
from bnfuse.inference.queries import Families
from bnfuse.learning.bootstrap import bootstrap
from bnfuse.problem.tally import Tally

FILE = "site.toml"
LEARNED = "learned.tally"
ACCEPTED = "agreement.json"
"""the agreement that the owner of the site accepted: the site's own copy"""


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """The file of a site: where its networks or data are, and its conditions."""

    networks: str | None = option(None, "The folder or file with this site's networks.")
    data: str | None = option(None, "The file with this site's rows: CSV or Parquet.")
    resamples: int = option(50, "With data: the number of networks that are learned from resamples.", whole(1, 99_999))
    seed: int = option(0, "The seed of the resamples.", whole(0, 2**63 - 1))
    least_sites: int = option(LEAST, "Take no part in a sum of fewer sites than this.", whole(LEAST))
    most_epsilon: float | None = option(
        None,
        "Take part only with noise, and send nothing more once the epsilons of all sums and runs add up to this.",
        positive("nats"),
    )

    def __post_init__(self) -> None:
        check_options(self)
        if (self.networks is None) == (self.data is None):
            raise OptionError("a site holds either networks or data: give one of them")

    def to_toml(self) -> str:
        """The file."""
        lines = [
            "# A site of a federation of bnfuse. It adds up counts of what is named here with those of other sites.",
            "",
            "[site]",
        ]
        for one in fields(self):
            value = getattr(self, one.name)
            if value is not None:
                lines += [f"# {one.metadata['help']}", f"{one.name} = {json.dumps(value, ensure_ascii=False)}"]
        return "\n".join(lines) + "\n"

    @classmethod
    def read(cls, folder: Path) -> SiteSettings:
        """From the folder of a site."""
        path = folder / FILE
        if not path.is_file():
            raise FileError(folder, f"holds no site; to describe one: bnfuse federated site {folder} --data FILE")
        try:
            content = tomllib.loads(disk.read_bytes(path).decode("utf-8")).get("site")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise FileError(path, f"is not valid TOML: {error}") from None
        known = {one.name for one in fields(cls)}
        if not isinstance(content, dict) or not known.issuperset(content):
            raise FileError(path, f"must have a table [site] with {', '.join(sorted(known))} and nothing else")
        try:
            return cls(**content)
        except BnfuseError as error:
            raise FileError(path, str(error)) from None


@dataclass(frozen=True)
class Holdings:
    """A site's networks or data, in the form of the federation."""

    folder: Path
    settings: SiteSettings
    agreement: Agreement

    @classmethod
    def of(cls, folder: Path) -> Holdings:
        """The holdings of the site that a folder describes, under the agreement that its owner accepted."""
        settings, path = SiteSettings.read(folder), folder / ACCEPTED
        if not path.is_file():
            raise FileError(folder, f"has accepted no agreement: bnfuse federated site {folder} --federation FOLDER")
        try:
            text = disk.read_bytes(path).decode("utf-8")
        except UnicodeDecodeError:
            raise FileError(path, "is not text") from None
        return cls(folder, settings, Agreement.from_json(text, path))

    def _place(self, path: str) -> Path:
        return self.folder / path  # which is the path itself where that is absolute

    def check(self) -> None:
        """Refuse networks or data that the federation could not use; the message is for the site's owner alone."""
        if self.settings.data is None:
            if self.agreement.settings.needs_data:
                raise OptionError(
                    "the federation counts rows, and this site has networks only: agree on --tables networks (or none) "
                    "and --votes site (or network)"
                )
            for network in self.networks:
                self.agreement.vocabulary.check(network)
            if self.agreement.settings.tables == "networks" and not self.has_tables:
                raise OptionError("the federation pools the tables of networks, and not all of these have tables")
        else:
            if len(self.agreement.vocabulary.known) < len(self.agreement.vocabulary.variables):
                raise OptionError("sites with data need a federation that knows the states of all variables")
            rows = len(self.data)  # reads them
            if self.agreement.settings.epsilon is not None and rows > self.agreement.settings.most_rows:
                raise OptionError(
                    f"with epsilon all rows of a site must count, as a sample of them can change with one row: this "
                    f"site has {rows:,}, and {self.agreement.settings.most_rows:,} are agreed (--most-rows)"
                )
            if not (self.folder / LEARNED).is_file():
                raise FileError(self.folder / LEARNED, "is not there: bnfuse federated site learns from the data")
        if not self.tally.weight:
            raise FederationError("the site has no networks")

    def check_allowed(self) -> None:
        """Refuse a federation that exceeds the limits of the site's owner."""
        asked, own = self.agreement.settings, self.settings
        if self.agreement.needed < own.least_sites:
            raise FederationError(
                f"the federation adds up {self.agreement.needed} sites or more, and this site wants at least "
                f"{own.least_sites}"
            )
        if own.most_epsilon is not None and (asked.epsilon is None or asked.epsilon > own.most_epsilon):
            spent = "no noise" if asked.epsilon is None else f"epsilon {asked.epsilon:g}"
            raise FederationError(f"the federation has {spent}, and this site allows epsilon {own.most_epsilon:g}")

    @cached_property
    def networks(self) -> list[Network]:
        """The networks of a site without data."""
        assert self.settings.networks is not None
        found, edge_lists = files.read_apart(self._place(self.settings.networks), only_networks=True)
        return cast("list[Network]", files.share_variables(found, edge_lists))

    @cached_property
    def data(self) -> Data:
        """The rows, in the states of the federation."""
        assert self.settings.data is not None
        vocabulary = self.agreement.vocabulary
        return as_data(self._place(self.settings.data), vocabulary.variables, vocabulary.states)

    @cached_property
    def counted(self) -> Data:
        """The rows that count: all of them, or a sample of the agreed size."""
        most = self.agreement.settings.most_rows
        if len(self.data) <= most:
            return self.data
        chosen = np.random.default_rng(self.settings.seed).choice(len(self.data), most, replace=False)
        return Data(self.data.variables, self.data.states, self.data.codes[np.sort(chosen)])

    @cached_property
    def complete(self) -> Data:
        """The counted rows without missing values: all sets of variables are counted on the same rows."""
        whole = (self.counted.codes != MISSING).all(axis=1)
        return Data(self.counted.variables, self.counted.states, self.counted.codes[whole])

    @property
    def rows(self) -> int | None:
        """The number of rows that count; None if there are only networks."""
        return None if self.settings.data is None else len(self.counted)

    @property
    def has_tables(self) -> bool:
        """Whether it has probabilities of its own."""
        if self.settings.data is not None:
            return True
        return all(network.cpts is not None and network.states is not None for network in self.networks)

    @cached_property
    def tally(self) -> Tally:
        """The sum of its networks: those that were learned, if it has data."""
        tally = Tally(self.agreement.vocabulary.variables)
        if self.settings.data is None:
            for network in self.networks:
                tally.add(network)
        else:
            tally.merge(Tally.load(self.folder / LEARNED))
        return tally

    def learn(self) -> Tally:
        """Learn networks from resamples of the data, and store their sum."""
        runs = bootstrap(self.data, self.settings.resamples, seed=self.settings.seed)
        tally = runs.run()
        private_place(self.folder / LEARNED)
        tally.save(self.folder / LEARNED, overwrite=True)
        return tally

    # For tables

    def family_counts(self, dag: DAG) -> tuple[int, list[Counts] | None]:
        """The number of rows, and the counts of each combination of states, for each family.

        For networks: the same for the votes of the site, by the probabilities in its networks. Rows with a missing
        value in a family do not count for it. None if the site has neither.
        """
        families = [(*dag.parents(variable), variable) for variable in dag.variables]
        if self.agreement.settings.tables == "data":
            if self.settings.data is None:
                return 0, None
            return len(self.counted), [self.table(family, self.counted) for family in families]
        parts = table_parts(self.agreement)
        networks = self.networks if self.settings.data is None else [fit(dag, self.counted, prior=0).network]
        votes = 1
        if self.agreement.settings.votes == "network" and self.settings.data is None:
            votes = min(len(networks), self.agreement.settings.most_votes)
        joints = [np.zeros([len(self.agreement.vocabulary.states[name]) for name in own]) for own in families]
        for network in networks:
            inside = Families(network, families)
            for place, family in enumerate(families):
                joints[place] += inside.joint(family)[np.ix_(*(self._places(network, name) for name in family))]
        share = votes * parts / len(networks)
        if self.agreement.settings.epsilon is not None:  # rounded up, a site could change more than the noise hides
            return votes * parts, [np.floor(joint * share).astype(np.int64) for joint in joints]
        return votes * parts, [np.rint(joint * share).astype(np.int64) for joint in joints]

    def _places(self, network: Network, name: str) -> list[int]:
        """The positions of the states of the federation in a network."""
        assert network.states is not None
        return [tuple(network.states[name]).index(label) for label in self.agreement.vocabulary.states[name]]

    def table(self, family: Sequence[str], rows: Data) -> Counts:
        """The count of each combination of states; rows with missing values do not count."""
        shape = [len(self.agreement.vocabulary.states[name]) for name in family]
        columns = [rows.column(name).astype(np.int64) for name in family]
        whole = np.logical_and.reduce([column != MISSING for column in columns])
        cells = np.ravel_multi_index([column[whole] for column in columns], shape)
        counts: Counts = np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)
        return counts

    def told(self) -> str:
        """A description for the site's owner."""
        learned = count(self.tally.weight // self.tally.parts, "network")
        if self.settings.data is None:
            return f"{learned}{' with tables' if self.has_tables else ''}"
        text = f"{count(len(self.data), 'row')}, from which {learned} were learned"
        if len(self.counted) < len(self.data):
            text += f"; a sample of {len(self.counted):,} rows counts, as agreed"
        if len(self.data) < TINY:
            text += f"; networks from fewer than {TINY} rows say little"
        return text


def described(folder: Path, settings: SiteSettings, agreement: Agreement) -> Holdings:
    """Describe a site and accept an agreement for it.

    Its networks or data are read, and learned from, before anything is written; after an error, the folder is
    unchanged.
    """
    holdings = Holdings(folder, settings, agreement)
    member(folder, agreement)
    check_noise(agreement)
    private_folder(folder)
    had = {path.name for path in folder.iterdir()}
    try:
        if settings.data is not None:
            holdings.learn()
        holdings.check()
        holdings.check_allowed()
    except BaseException:
        if LEARNED not in had:
            (folder / LEARNED).unlink(missing_ok=True)
        raise
    private_bytes(settings.to_toml().encode(), folder / FILE)
    private_bytes(agreement.to_json().encode(), folder / ACCEPTED)
    return holdings


def absolute(path: Path | None) -> str | None:
    """A path that is valid from everywhere."""
    return None if path is None else str(path.absolute())
