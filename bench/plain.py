"""Method A (Peña 2011) as one would write it in plain Python: what the kernel is compared with."""

from __future__ import annotations

from collections.abc import Sequence


def minimal_imap(parents: Sequence[set[int]], order: Sequence[int]) -> list[set[int]]:
    """The parents of each variable in the minimal I-map that follows the order."""
    result = [set(row) for row in parents]
    place = {variable: i for i, variable in enumerate(order)}
    current = _nearest_order(result, place)
    for i in range(1, len(current)):
        for j in range(i, 0, -1):
            before, after = current[j - 1], current[j]
            if place[before] < place[after]:
                break
            if before in result[after]:
                shared = (result[before] | result[after]) - {before}
                result[after] = shared
                result[before] = shared | {after}
            current[j - 1], current[j] = after, before
    return result


def _nearest_order(parents: Sequence[set[int]], place: dict[int, int]) -> list[int]:
    """An order of the DAG close to the wanted one: always the sink that is last in it goes last."""
    children = [0] * len(parents)
    for row in parents:
        for parent in row:
            children[parent] += 1
    sinks = {variable for variable, count in enumerate(children) if not count}
    backwards = []
    while sinks:
        sink = max(sinks, key=place.__getitem__)
        sinks.remove(sink)
        backwards.append(sink)
        for parent in parents[sink]:
            children[parent] -= 1
            if not children[parent]:
                sinks.add(parent)
    return backwards[::-1]
