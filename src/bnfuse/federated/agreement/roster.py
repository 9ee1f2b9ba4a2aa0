"""The members of a federation: the name and the identity key of each site, with fingerprints that people compare."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bnfuse._base import disk
from bnfuse.errors import FileError, OptionError

LEAST, MOST = 3, 9_999
"""With two sites, each could subtract its own vector from the sum."""
PUBLIC = "identity.pub"
"""The file of a site with its name and its public key."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_KEY = re.compile(r"[0-9a-f]{64}")
_GROUP, _SHOWN = 4, 32  # hexadecimal digits of a fingerprint


def fingerprint(content: bytes) -> str:
    """Digits that people can compare by telephone: 128 bits of a SHA-256."""
    digits = hashlib.sha256(content).hexdigest()[:_SHOWN]
    return " ".join(digits[i : i + _GROUP] for i in range(0, _SHOWN, _GROUP))


def check_name(name: str) -> str:
    """Refuse a name that a roster cannot hold."""
    if not _NAME.fullmatch(name):
        raise OptionError(
            f"{name!r:.80} cannot be the name of a site: use up to 64 letters, digits, dots, hyphens and underscores"
        )
    return name


@dataclass(frozen=True)
class Roster:
    """The sites of a federation and their public identity keys."""

    keys: Mapping[str, bytes]

    def __post_init__(self) -> None:
        if not LEAST <= len(self.keys) <= MOST:
            raise OptionError(f"a federation has from {LEAST} to {MOST:,} sites; the roster has {len(self.keys)}")
        for name in self.keys:
            check_name(name)
        if len({name.casefold() for name in self.keys}) < len(self.keys):
            raise OptionError("two sites of the roster have the same name")
        if len(set(self.keys.values())) < len(self.keys):
            raise OptionError("two sites of the roster have the same key")

    def to_hex(self) -> dict[str, str]:
        """For files and messages, by name."""
        return {name: self.keys[name].hex() for name in sorted(self.keys)}

    @classmethod
    def of(cls, content: Any, where: object) -> Roster:
        """From the names and keys in a file."""
        if not isinstance(content, Mapping):
            raise FileError(where, "lacks the roster: the names of the sites and their keys")
        for name, key in content.items():
            if not isinstance(key, str) or not _KEY.fullmatch(key):
                raise FileError(where, f"the key of site {name!r:.60} must have 64 hexadecimal digits; got {key!r:.80}")
        try:
            return cls({str(name): bytes.fromhex(key) for name, key in content.items()})
        except OptionError as error:
            raise FileError(where, str(error)) from None

    @classmethod
    def read(cls, paths: Iterable[Path]) -> Roster:
        """From the files of sites: each line has a name and a key; of a folder, all files that end in .pub."""
        found: dict[str, bytes] = {}
        for path in _files(paths):
            for number, line in enumerate(disk.read_bytes(path).decode("utf-8", "replace").splitlines(), 1):
                words = line.split()
                if not words or words[0].startswith("#"):
                    continue
                if len(words) != 2 or not _KEY.fullmatch(words[1]):
                    raise FileError(path, "must have the name of a site and its key in each line", number)
                if words[0] in found:
                    raise FileError(path, f"site {words[0]!r} is already in the roster", number)
                found[words[0]] = bytes.fromhex(words[1])
        return cls(found)


def _files(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted({*path.glob("*.pub"), *path.glob(f"*/{PUBLIC}")})
        if not inside:
            raise FileError(path, f"has no keys of sites (*.pub, or */{PUBLIC}); bnfuse federated identity writes them")
        found += inside
    return found


def public_line(name: str, key: bytes) -> str:
    """The file of a site with its public key."""
    return f"{name} {key.hex()}\n"
