"""The door: the server's addresses and names, and the secret for each role.

No cookie is ever set: browsers send cookies to every port of a host, and any server there could take them. A tab keeps
its key in its session storage, which belongs to one scheme, host and port, and sends it in a header.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from bnfuse.serve.meeting.roles import Role

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_FAR = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""addresses elsewhere: nothing is sent there"""
_EVERYWHERE = {"0.0.0.0": (socket.AF_INET,), "::": (socket.AF_INET, socket.AF_INET6)}
"""the kinds of addresses at which such a server answers"""
_USUAL_PORTS = {"http": "80", "https": "443"}
_NONCE = 16  # bytes


def _random() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True)
class Door:
    """The server's addresses, and the secrets for access."""

    host: str
    port: int
    token: str = field(default_factory=_random, repr=False)
    """opens everything: the facilitator's secret, from which the others are derived"""
    scheme: str = "http"
    _start: str = field(default_factory=_random, repr=False)
    """for this run of the server: keys of tabs end with it, even if the token stays"""

    # Secrets

    def secret(self, role: Role) -> str:
        """The secret for a role; the secret of another role cannot be derived from it."""
        return self.token if role is Role.FACILITATOR else _mac(self.token, f"link:{role}")

    def new_key(self, role: Role) -> str:
        """A key for one tab of a browser, until the server ends; the original secret cannot be derived from it."""
        nonce = secrets.token_hex(_NONCE)
        return f"{nonce}{_mac(self._start, f'key:{role}:{nonce}')}"

    def role(self, given: str) -> Role | None:
        """The role for a secret, or for the key of a tab; None if it is neither."""
        shown, nonce = given.encode(), given[: 2 * _NONCE]
        found = None
        for role in Role:  # all of them, so that the time does not reveal which one was nearly right
            key = f"{nonce}{_mac(self._start, f'key:{role}:{nonce}')}"
            if hmac.compare_digest(shown, self.secret(role).encode()) or hmac.compare_digest(shown, key.encode()):
                found = role
        return found

    # Names

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def addresses(self) -> list[str]:
        """The addresses to open in a browser: on this machine, or from others, the most usable one first."""
        hosts = _reachable(_EVERYWHERE[self.host]) if self.host in _EVERYWHERE else [self.host]
        shown = [f"[{host}]" if ":" in host else host for host in hosts]
        return [f"{self.scheme}://{host}:{self.port}" for host in shown]

    def knows_host(self, given: str) -> bool:
        """Whether a request names this server: a page of another site whose own name points here does not."""
        usual = _USUAL_PORTS[self.scheme]
        host, _, port = given.rpartition(":") if given.rpartition(":")[2].isdigit() else (given, "", usual)
        if port != str(self.port):
            return False
        name = host.lower()
        if name in _LOOPBACK or name.strip("[]") == self.host.lower():
            return True
        if self.is_loopback:
            return False
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return name in (socket.gethostname().lower(), socket.getfqdn().lower())
        return True  # an address is not a name

    def knows_origin(self, given: str) -> bool:
        """Whether a request comes from this server's own page."""
        scheme, _, host = given.partition("://")
        return scheme == self.scheme and self.knows_host(host)


def _mac(secret: str, text: str) -> str:
    return hmac.new(secret.encode(), text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _reachable(families: Sequence[socket.AddressFamily]) -> list[str]:
    """The addresses of this machine that others can use, and its name; that of the default route comes first."""
    found: list[str] = []
    for family in families:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((_FAR[family], 9))
            found.append(way.getsockname()[0])
    for family in families:
        with suppress(OSError):
            found += [str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), None, family)]
    usable = [one for one in found if not _is_local(one)]
    return [*dict.fromkeys(usable), socket.gethostname()]


def _is_local(address: str) -> bool:
    try:
        own = ipaddress.ip_address(address)
    except ValueError:  # with the name of an interface
        return True
    return own.is_loopback or own.is_link_local or own.is_unspecified
