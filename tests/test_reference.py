"""What the public program of the paper's authors recorded for three of its synthetic instances.

Each file is an ensemble (variables, networks) with the program's order and fused network G+ and the mean SMHD and
FSim of G+ to the inputs under "reference". The program draws the orders inside FSim in its own way, so FSim may
differ by 1 %.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from bnfuse import DAG, fsim, fuse, order, smhd

FILES = sorted((Path(__file__).parent / "data").glob("n*_r*_s*.json"))


@dataclass(frozen=True)
class Instance:
    inputs: list[DAG]
    order: tuple[str, ...]
    fused: DAG
    smhd: float
    fsim: float


@pytest.fixture(scope="module", params=FILES, ids=lambda path: path.stem)
def instance(request: pytest.FixtureRequest) -> Instance:
    content = json.loads(request.param.read_text(encoding="utf-8"))
    variables, reference = content["variables"], content["reference"]
    return Instance(
        inputs=[DAG(variables, network["edges"]) for network in content["networks"]],
        order=tuple(reference["order"]),
        fused=DAG(variables, reference["fused"]),
        smhd=reference["fused_smhd"],
        fsim=reference["fused_fsim"],
    )


def test_all_three_instances_are_there() -> None:
    assert [path.stem for path in FILES] == ["n10_r10_s0", "n30_r10_s0", "n50_r10_s0"]


def test_order_is_the_recorded_one(instance: Instance) -> None:
    assert order(instance.inputs) == instance.order


def test_fused_network_is_the_recorded_one(instance: Instance) -> None:
    fusion = fuse(instance.inputs)
    assert fusion.order == instance.order
    assert fusion.dag == instance.fused


def test_mean_smhd_is_the_recorded_one(instance: Instance) -> None:
    assert smhd(instance.fused, instance.inputs) == pytest.approx(instance.smhd, abs=1e-9)


def test_mean_fsim_is_within_a_percent_of_the_recorded_one(instance: Instance) -> None:
    assert fsim(instance.fused, instance.inputs) == pytest.approx(instance.fsim, rel=0.01)
