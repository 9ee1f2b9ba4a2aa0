"""What is drawn, read back from an SVG: boxes, and the ways of arcs as points close to each other."""

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

import numpy as np

SVG = "{http://www.w3.org/2000/svg}"
_STEPS = np.linspace(0, 1, 60)[:, None]
_WEIGHTS = np.hstack(
    [(1 - _STEPS) ** 3, 3 * _STEPS * (1 - _STEPS) ** 2, 3 * _STEPS**2 * (1 - _STEPS), _STEPS**3]
)  # of the four points of a cubic Bézier curve


@dataclass(frozen=True)
class Drawing:
    boxes: np.ndarray
    """left, top, right and bottom of each"""
    ways: list
    """arrays of points, from where an arc leaves a box to where its head begins"""
    headings: list
    """of each arc, the direction in which it ends, which is that of its head"""


def drawing(svg):
    """The boxes and arcs of an SVG file."""
    root = ET.fromstring(svg)
    boxes = []
    for node in root.iter(f"{SVG}g"):
        if node.get("class") == "node":
            x, y, width, height = (float(node.find(f"{SVG}rect").get(key)) for key in ("x", "y", "width", "height"))
            boxes.append((x, y, x + width, y + height))
    arcs = [one.get("d") for one in root.iter(f"{SVG}path") if one.get("class", "").startswith("arc")]
    points = [points_of(d) for d in arcs]
    return Drawing(np.array(boxes), [sampled(one) for one in points], [one[-1] - one[-2] for one in points])


def points_of(d):
    """The points of a path of cubic Bézier curves and lines, the lines as curves too."""
    assert re.fullmatch(r"M[-0-9. ]+([LC][-0-9. ]+)+", d), d
    points = []
    for letter, numbers in re.findall(r"([MLC])([-0-9. ]+)", d):
        new = np.array(numbers.split(), float).reshape(-1, 2)
        points += [points[-1] + (new[0] - points[-1]) * part for part in (1 / 3, 2 / 3, 1)] if letter == "L" else [*new]
    return np.array(points)


def sampled(points):
    """Points on cubic Bézier curves, close to each other."""
    points = np.asarray(points, float)
    assert len(points) % 3 == 1
    return np.vstack([_WEIGHTS @ points[i : i + 4] for i in range(0, len(points) - 1, 3)])


def boxes_behind(way, boxes, margin):
    """The numbers of the boxes that a way runs behind, or closer by than the margin."""
    x, y = way[:, :1], way[:, 1:]
    left, top, right, bottom = boxes.T
    inside = (x > left - margin) & (x < right + margin) & (y > top - margin) & (y < bottom + margin)
    return set(np.flatnonzero(inside.any(axis=0)).tolist())
