"""The folder of a federation: a Flower app that is ready to run, and the agreement that every site can read."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bnfuse._base import disk
from bnfuse.errors import FileError
from bnfuse.federated.agreement.settings import FILE, Agreement

APP = "pyproject.toml"
_OURS = "# A Flower app of bnfuse"


def write_app(folder: Path, agreement: Agreement, overwrite: bool = False) -> list[Path]:
    """Write the app; files from elsewhere are replaced only with `overwrite`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError(folder, "is a file, not a folder") from None
    except OSError as error:
        raise FileError(folder, f"cannot be made: {disk.reason(error)}") from None
    contents = {folder / APP: _app(folder, agreement), folder / FILE: agreement.to_toml()}
    for path in contents:
        disk.check_replaceable(path, lambda head: b"of bnfuse" in head[:80], "a file of a federation", overwrite)
    for path, text in contents.items():
        disk.write_bytes(text.encode(), path)
    return list(contents)


def _app(folder: Path, agreement: Agreement) -> str:
    """The configuration for Flower: the sites get this file and the agreement, but none of the results."""
    name = re.sub(r"[^a-z0-9]+", "-", agreement.settings.name.lower()).strip("-") or "federation"
    return f"""{_OURS}; to run it: flwr run {folder} SUPERLINK --stream. The agreement is in {FILE}.

[project]
name = {json.dumps(name)}
version = "1.0.0"
description = "A consensus of sites that keep their networks and data at home"
license = "MIT"
dependencies = ["bnfuse[federated]"]

[tool.flwr.app]
publisher = "bnfuse"
fab-include = [{json.dumps(FILE)}]

[tool.flwr.app.components]
serverapp = "bnfuse.federated.flower.app:server"
clientapp = "bnfuse.federated.flower.app:client"

[tool.flwr.app.config]
folder = {json.dumps(str(folder.absolute()))}
"""
