"""One site's part of each round: what it answers, and what it refuses.

A request and what the site remembers go in, an answer and what it remembers then come out, as bytes: whoever carries
them need not understand them. A refusal leaves the site as one word; why, in full, is for its owner alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bnfuse._base import disk
from bnfuse.errors import BnfuseError, FederationError, MismatchError
from bnfuse.federated import counts, secure_sum
from bnfuse.federated.holdings import Holdings
from bnfuse.federated.home import write_report
from bnfuse.federated.privacy import noise
from bnfuse.federated.secure_sum import Secrets
from bnfuse.federated.settings import Agreement
from bnfuse.federated.wire import Body, packed, unpacked
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network

PROBLEM = "problem.txt"
REFUSALS = ("vocabulary", "privacy", "holdings", "protocol")
"""All that a refusal says to others."""
_LETTERS = "letters"


class _RefusedError(FederationError):
    """What the site does not do, with the word that leaves it."""

    def __init__(self, message: str, word: str = "protocol") -> None:
        self.word = word
        super().__init__(message)


@dataclass
class _Memory:
    """What a site remembers from one round to the next, in one run."""

    agreement: str
    number: int
    letters: bytes
    """the secret of its key for sealed shares"""
    secrets: dict[str, Secrets]
    """by the sum that they are for"""
    public: dict[int, dict[str, bytes]] = field(default_factory=dict)
    """of all sites: their keys by the sum"""
    needed: int = 0
    sealed: dict[int, bytes] = field(default_factory=dict)
    """shares from others"""
    own_shares: dict[str, dict[str, bytes]] = field(default_factory=dict)
    sent: dict[str, list[int]] = field(default_factory=dict)
    """by the sum: the sites with which it shares masks in what it sent"""
    revealed: list[str] = field(default_factory=list)
    """the sums for which it has given its shares away: never twice"""

    def to_bytes(self) -> bytes:
        return packed(
            {
                "agreement": self.agreement,
                "number": self.number,
                "letters": self.letters,
                "secrets": {name: [own.key, own.own] for name, own in self.secrets.items()},
                "public": self.public,
                "needed": self.needed,
                "sealed": self.sealed,
                "own_shares": self.own_shares,
                "sent": self.sent,
                "revealed": self.revealed,
            }
        )

    @classmethod
    def of(cls, content: bytes) -> _Memory:
        body = unpacked(content)
        body["secrets"] = {name: Secrets(*own) for name, own in body["secrets"].items()}
        for name in ("public", "sealed"):
            body[name] = {int(site): own for site, own in body[name].items()}
        return cls(**body)


class Site:
    """Answers the coordinator on behalf of what a folder describes."""

    def __init__(self, folder: Path, say: Callable[[str], None] | None = None) -> None:
        self.folder = folder
        self._say = say or (lambda text: None)

    def answer(self, kind: str, request: bytes, memory: bytes, number: int) -> tuple[bytes, bytes]:
        """The answer to a request, and what to remember; `number` is what the site is called by others."""
        try:
            handlers: Mapping[str, Callable[[Body, bytes, int], tuple[Body, bytes]]] = {
                "join": self._join,
                "share": self._share,
                "tally": self._tally,
                "tables": self._tables,
                "unmask": self._unmask,
                "finish": self._finish,
            }
            if kind not in handlers:
                raise _RefusedError(f"the coordinator asks for {kind!r:.40}, which this bnfuse does not know")
            answer, remembered = handlers[kind](unpacked(request), memory, number)
            return packed({"ok": True, **answer}), remembered
        except _RefusedError as error:
            return self._refusal(error.word, error), memory
        except BnfuseError as error:
            return self._refusal("holdings", error), memory
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            return self._refusal(
                "protocol", FederationError(f"the coordinator's message is damaged: {error!r:.80}")
            ), memory

    def _refusal(self, word: str, error: BnfuseError) -> bytes:
        self._say(f"took no part: {error}")
        if self.folder.is_dir():
            disk.write_bytes(f"{error}\n".encode(), self.folder / PROBLEM)
        return packed({"ok": False, "why": word})

    def _join(self, request: Body, memory: bytes, number: int) -> tuple[Body, bytes]:
        """Round 1: the same words, nothing that the owner forbids, and keys for the sums to come."""
        agreement = Agreement.from_json(request["agreement"])
        holdings = Holdings.of(self.folder, agreement)
        try:
            holdings.check_allowed()
        except FederationError as error:
            raise _RefusedError(str(error), "privacy") from None
        try:
            holdings.check()
        except MismatchError as error:
            raise _RefusedError(str(error), "vocabulary") from None
        sums = [str(name) for name in request["sums"]]
        mine = _Memory(request["agreement"], number, Secrets.drawn().key, {name: Secrets.drawn() for name in sums})
        (self.folder / PROBLEM).unlink(missing_ok=True)
        keys = {_LETTERS: secure_sum.public_key(mine.letters)}
        keys |= {name: own.public for name, own in mine.secrets.items()}
        return {
            "keys": keys,
            "commitments": {name: own.commitment for name, own in mine.secrets.items()},
        }, mine.to_bytes()

    def _share(self, request: Body, memory: bytes, number: int) -> tuple[Body, bytes]:
        """Shares of the secrets behind the masks, sealed for each of the other sites."""
        mine = _Memory.of(memory)
        public = {int(site): dict(own) for site, own in request["keys"].items()}
        every = [key for own in public.values() for key in own.values()]
        if len(set(every)) != len(every):
            raise _RefusedError("two sites have the same key")
        own_keys = {_LETTERS: secure_sum.public_key(mine.letters)}
        own_keys |= {name: own.public for name, own in mine.secrets.items()}
        if public.get(number) != own_keys:
            raise _RefusedError("the coordinator does not pass on this site's own keys")
        settings = Agreement.from_json(mine.agreement).settings
        if len(public) < settings.least_sites:
            raise _RefusedError(f"only {len(public)} sites take part, and {settings.least_sites} are agreed", "privacy")
        mine.public, mine.needed = public, secure_sum.needed_sites(len(public), settings.least_sites)
        order = sorted(public)
        shares: dict[int, dict[str, list[bytes]]] = {site: {} for site in order}
        for name, own in mine.secrets.items():
            keys = secure_sum.split(own.key, mine.needed, len(order))
            owns = secure_sum.split(own.own, mine.needed, len(order))
            for site, key, other in zip(order, keys, owns, strict=True):
                shares[site][name] = [key, other]
        mine.own_shares = {name: {"key": key, "own": other} for name, (key, other) in shares.pop(number).items()}
        letters = {
            site: secure_sum.sealed(
                mine.letters, public[site][_LETTERS], packed({"from": number, "to": site, "shares": own})
            )
            for site, own in shares.items()
        }
        return {"letters": letters}, mine.to_bytes()

    def _tally(self, request: Body, memory: bytes, number: int) -> tuple[Body, bytes]:
        """Round 2: the votes of the site, masked."""
        mine = _Memory.of(memory)
        self._keep_letters(mine, request)
        holdings = Holdings.of(self.folder, Agreement.from_json(mine.agreement))
        votes = counts.votes_of(holdings.tally, holdings.agreement)
        if (epsilon := holdings.agreement.settings.tally_epsilon) is not None:
            scale = counts.scale_of(counts.votes_sensitivity(holdings.agreement), epsilon)
            votes[1:] += noise(len(votes) - 1, scale, mine.needed)  # how many sites there are is no secret
        return self._masked(mine, "tally", votes, request)

    def _tables(self, request: Body, memory: bytes, number: int) -> tuple[Body, bytes]:
        """Round 4: counts of the families of the consensus and how far it is from this site, masked."""
        mine = _Memory.of(memory)
        self._keep_letters(mine, request)
        holdings = Holdings.of(self.folder, Agreement.from_json(mine.agreement))
        agreement = holdings.agreement
        dag = _dag(agreement, request["arcs"])
        families = counts.Families(dag, agreement)
        total, tables = (0, None) if agreement.settings.tables == "none" else holdings.family_counts(dag)
        away = counts.mean_distance(holdings.tally, dag, agreement.settings.metric)
        vector = families.vector(total, tables, counts.bin_of(away, float(request["mean"])))
        if (epsilon := agreement.settings.tables_epsilon) is not None and epsilon > 0:
            vector += noise(len(vector), counts.scale_of(families.sensitivity, epsilon), mine.needed)
        return self._masked(mine, "tables", vector, request)

    def _keep_letters(self, mine: _Memory, request: Body) -> None:
        if not mine.sealed:
            mine.sealed = {int(site): letter for site, letter in request["letters"].items() if int(site) in mine.public}

    def _masked(self, mine: _Memory, name: str, vector: Any, request: Body) -> tuple[Body, bytes]:
        among = sorted({int(site) for site in request["among"]})
        known = {mine.number, *mine.sealed}
        if mine.number not in among or not known.issuperset(among) or len(among) < mine.needed:
            raise _RefusedError(f"the sum is over {len(among)} sites, of {mine.needed} that are needed", "privacy")
        if name in mine.sent or name not in mine.secrets:
            raise _RefusedError(f"the sum {name!r:.20} is asked for again")
        public = {site: mine.public[site][name] for site in among}
        masked = secure_sum.masked(vector, mine.number, mine.secrets[name], public)
        mine.sent[name] = among
        return {"masked": masked.astype("<u8").tobytes()}, mine.to_bytes()

    def _unmask(self, request: Body, memory: bytes, number: int) -> tuple[Body, bytes]:
        """Shares of what hides the sum: of the second mask of those who sent a vector, of the key of those who left."""
        mine = _Memory.of(memory)
        name, active = str(request["sum"]), sorted({int(site) for site in request["active"]})
        among = mine.sent.get(name)
        if among is None or number not in active or not set(among).issuperset(active):
            raise _RefusedError(f"the sum {name!r:.20} is not one that this site is in")
        if name in mine.revealed:
            raise _RefusedError(f"the shares for the sum {name!r:.20} are asked for again")
        if len(active) < mine.needed:
            raise _RefusedError(
                f"{len(active)} sites are left, and {mine.needed} are needed: nothing is unmasked", "privacy"
            )
        mine.revealed.append(name)
        shares = {}
        for site in among:
            which = 1 if site in active else 0
            if site == number:
                shares[site] = mine.own_shares[name]["own"]
            else:
                shares[site] = self._opened(mine, site)[name][which]
        return {"shares": shares}, mine.to_bytes()

    def _opened(self, mine: _Memory, site: int) -> dict[str, list[bytes]]:
        letter = unpacked(secure_sum.opened(mine.letters, mine.public[site][_LETTERS], mine.sealed[site]))
        if letter["from"] != site or letter["to"] != mine.number:
            raise _RefusedError("a share of another site was passed on to the wrong one")
        shares: dict[str, list[bytes]] = letter["shares"]
        return shares

    def _finish(self, request: Body, memory: bytes, number: int) -> tuple[Body, bytes]:
        """Round 5: the finished network; the report on it stays at home."""
        mine = _Memory.of(memory)
        holdings = Holdings.of(self.folder, Agreement.from_json(mine.agreement))
        network = finished_network(holdings.agreement, request["arcs"], request["tables"])
        lines = write_report(holdings, network, request["facts"])
        self._say(f"{lines[1]}; the report is in {self.folder}")
        return {}, b""


def _dag(agreement: Agreement, arcs: Iterable[Sequence[int]]) -> DAG:
    names = agreement.vocabulary.variables
    return DAG(names, [(names[a], names[b]) for a, b in arcs])


def finished_network(agreement: Agreement, arcs: Iterable[Sequence[int]], tables: bytes | None) -> Network:
    """The network that all sites get: arcs by the numbers of their variables, and the numbers of its tables."""
    dag, states = _dag(agreement, arcs), agreement.vocabulary.states
    if tables is None:
        return Network(dag, dict(states) if len(agreement.vocabulary.known) == len(states) else None, name="consensus")
    cpts, place = {}, 0
    for variable in dag.variables:
        shape = [len(states[name]) for name in (*dag.parents(variable), variable)]
        cpts[variable] = np.frombuffer(tables, "<f8", math.prod(shape), place).reshape(shape).astype(np.float64)
        place += 8 * math.prod(shape)
    return Network(dag, dict(states), cpts, "consensus")


def vector_of(content: Any, length: int) -> secure_sum.Words:
    """A masked vector from an answer; one of another length is refused."""
    if not isinstance(content, bytes) or len(content) != 8 * length:
        found = len(content) // 8 if isinstance(content, bytes) else 0
        raise FederationError(f"sent {found:,} numbers, and {length:,} are expected")
    return np.frombuffer(content, "<u8").astype(np.uint64)
