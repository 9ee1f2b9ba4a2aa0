"""The identity of a site: a secret key that never leaves its folder, and a public one for the roster."""

from __future__ import annotations

import os
from pathlib import Path

from bnfuse._base import disk
from bnfuse.errors import FileError
from bnfuse.federated.agreement.roster import PUBLIC, check_name, public_line
from bnfuse.federated.agreement.settings import Agreement
from bnfuse.federated.protocol import keys
from bnfuse.federated.protocol.participant import Member

SECRET = "identity.key"
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


def private_folder(folder: Path) -> None:
    """Make a folder that only its owner can read."""
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, f"cannot be made: {disk.reason(error)}") from None


def private_place(path: Path) -> None:
    """Make a file readable by its owner only, even if it is yet to be written."""
    if not path.exists():
        try:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, PRIVATE_FILE))
        except OSError as error:
            raise FileError(path, f"cannot be written: {disk.reason(error)}") from None
    path.chmod(PRIVATE_FILE)


def private_bytes(content: bytes, path: Path) -> None:
    """Write a file that only its owner can read."""
    private_place(path)
    disk.write_bytes(content, path)


def made(folder: Path, name: str | None = None) -> tuple[str, bytes]:
    """The name and the public key of the site in a folder; both are created if missing, and never replaced."""
    name = check_name(name or folder.absolute().name)
    path = folder / SECRET
    if path.exists():
        kept = disk.read_bytes(folder / PUBLIC).decode("utf-8", "replace").split()
        key = keys.identity_key(_secret(folder))
        if kept[1:] != [key.hex()] or kept[0] != name:
            raise FileError(folder / PUBLIC, f"belongs to {SECRET} of another name or key; use another folder")
        return name, key
    secret = keys.drawn()
    key = keys.identity_key(secret)
    private_folder(folder)
    private_bytes(secret.hex().encode() + b"\n", path)
    disk.write_bytes(public_line(name, key).encode(), folder / PUBLIC)
    return name, key


def _secret(folder: Path) -> bytes:
    path = folder / SECRET
    if not path.is_file():
        raise FileError(folder, f"has no identity; to make one: bnfuse federated identity {folder}")
    try:
        secret = bytes.fromhex(disk.read_bytes(path).decode("ascii").strip())
    except ValueError:
        secret = b""
    if len(secret) != keys.SECRET:
        raise FileError(path, f"must have {2 * keys.SECRET} hexadecimal digits")
    return secret


def member(folder: Path, agreement: Agreement) -> Member:
    """The site in a folder as a member of a federation."""
    secret = _secret(folder)
    public = keys.identity_key(secret)
    name = next((site for site, key in agreement.roster.keys.items() if key == public), None)
    if name is None:
        raise FileError(
            folder,
            f"has an identity that is not in the roster of {agreement.settings.name}; send {folder / PUBLIC} to "
            "whoever writes the agreement",
        )
    return Member(name, secret, agreement.hash, agreement.roster.keys)
