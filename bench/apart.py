"""How often an input is reported to stand apart although all are copies that were perturbed alike.

    python bench/apart.py

20 bases for each number of variables, limits 4 and 5, effort quick: about two minutes of one core.
"""

from __future__ import annotations

import bnfuse
from bnfuse.report.summary import Summary
from bnfuse.study.generator import inputs, synthetic_base

VARIABLES, COPIES, LIMITS, BASES = (10, 20, 30), (5, 10, 20, 30), (4, 5), 20


def main() -> None:
    """A line for each number of copies, and one for all."""
    named: dict[int, list[list[tuple[str, ...]]]] = {copies: [] for copies in COPIES}
    for number in range(BASES):
        for n in VARIABLES:
            base = synthetic_base(n, 700_000 + 1000 * number + n)
            for copies in COPIES:
                dags = inputs(base, copies, f"fresh {number} {n} {copies}")
                found = [bnfuse.consensus(dags, limit, effort="quick") for limit in LIMITS]
                named[copies].append([Summary(one).outliers for one in found])
    together = [panel for own in named.values() for panel in own]
    for copies, panels in [*named.items(), ("all", together)]:
        shares = [sum(bool(panel[i]) for panel in panels) / len(panels) for i in range(len(LIMITS))]
        told = "  ".join(f"limit {limit}: {100 * share:4.1f} %" for limit, share in zip(LIMITS, shares, strict=True))
        differ = sum(panel[0] != panel[1] for panel in panels)
        print(f"{copies!s:>3} copies, {len(panels)} panels: somebody is named  {told}  limits differ in {differ}")


if __name__ == "__main__":
    main()
