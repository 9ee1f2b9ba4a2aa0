"""Gaussian networks in a workspace: they are inputs like others, and what needs states says so."""

from __future__ import annotations

import json
from pathlib import Path

import bnfuse
from running import CLINICS

WARDS = sorted(str(path) for path in (Path(CLINICS[0]).parent.parent / "wards").glob("*.json"))


def test_gaussian_networks_are_solved_and_kept(server):
    path = server.workspace("wards", WARDS)
    answer = server.answered(path)["answer"]
    result = bnfuse.consensus(bnfuse.read(*WARDS))
    assert answer["distance"] == result.distance
    assert answer["has_tables"] is False
    refused = server.ask("POST", f"{path}/query", {"target": "Pressure"}, 422)
    assert "is Gaussian: its variables are numbers without states" in refused["error"]
    saved = server.ask("GET", f"{path}/out/saved")
    text = json.dumps(saved) if isinstance(saved, dict) else saved
    assert "gaussian" in (text if isinstance(text, str) else text.decode())
    refused = server.ask("GET", f"{path}/out/bif", None, 422)
    assert "cannot hold a Gaussian network" in refused["error"]
    server.ask("GET", f"{path}/out/csv")
    server.ask("GET", f"{path}/out/report")
