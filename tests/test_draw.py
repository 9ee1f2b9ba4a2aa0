"""Pictures of networks as files."""

import io
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import bnfuse
from bnfuse import DAG, Network, networks, read
from bnfuse.commands import run
from bnfuse.report.drawing.picture import Picture
from bnfuse.report.drawing.plots import rendered
from drawings import drawing
from strategies import dag_pairs

CLINICS = Path(__file__).parent.parent / "examples" / "clinics"
SVG = "{http://www.w3.org/2000/svg}"


def titles(root):
    return [one.text for one in root.iter(f"{SVG}title")]


def test_an_svg_names_every_variable_and_every_arc(tmp_path, said):
    said("draw", CLINICS / "harbour.bif", "-o", tmp_path / "h.svg")
    root = ET.parse(tmp_path / "h.svg").getroot()
    (harbour,) = read(CLINICS / "harbour.bif")
    assert sorted(text.text for text in root.iter(f"{SVG}text")) == sorted(harbour.variables)
    arcs = [one for one in root.iter(f"{SVG}path") if one.get("class", "").startswith("arc")]
    assert sorted(one[0].text for one in arcs) == sorted(f"{a} → {b}" for a, b in harbour.dag.edges)


@pytest.mark.parametrize(("ending", "opening"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_every_kind_of_file_is_the_same_on_every_run(tmp_path, said, ending, opening):
    if ending != "svg":
        pytest.importorskip("matplotlib")
    path = tmp_path / f"c.{ending}"
    command = ["draw", CLINICS / "millbrook.bif", "--compare", CLINICS / "harbour.bif", "-o", path]
    assert said(*command) == f"wrote {path}\n"
    first = path.read_bytes()
    said(*command)
    assert path.read_bytes() == first
    assert first.startswith(opening)


@given(dag_pairs(min_size=2, max_size=6))
def test_a_difference_has_each_arc_once_and_of_the_right_kind(pair):
    first, second = pair
    picture = Picture.comparing(first, second, ("first", "second"))
    names = picture.variables
    drawn = {(names[arc.source], names[arc.target]): arc.kind for arc in picture.arcs}
    assert len(drawn) == len(picture.arcs)
    ours, theirs = set(first.edges), set(second.edges)
    turned = {(b, a) for a, b in theirs}
    expected = dict.fromkeys(ours & theirs, "kept") | dict.fromkeys(ours & turned, "reversed")
    expected |= dict.fromkeys(ours - theirs - turned, "dropped")
    expected |= dict.fromkeys(theirs - ours - {(b, a) for a, b in ours}, "added")
    assert drawn == expected
    assert len(drawn) - list(drawn.values()).count("kept") == bnfuse.shd(first, second)


def test_a_difference_says_what_its_lines_mean(tmp_path, said):
    said("draw", CLINICS / "millbrook.bif", "--compare", CLINICS / "harbour.bif", "-o", tmp_path / "d.svg")
    text = (tmp_path / "d.svg").read_text("utf-8")
    for words in ("in both", "only in millbrook", "only in harbour", "reversed in harbour"):
        assert f">{words}<" in text


def test_json_says_what_was_drawn(tmp_path, said):
    first, second = CLINICS / "millbrook.bif", CLINICS / "harbour.bif"
    path = tmp_path / "d.svg"
    one, other = read(first, second)
    assert json.loads(said("draw", first, "-o", path, "--json")) == {
        "kind": "draw", "version": 1, "output": str(path), "variables": 11, "arcs": len(one.dag.edges)
    }  # fmt: skip
    facts = json.loads(said("draw", first, "--compare", second, "-o", path, "--json"))
    assert facts["different"] == bnfuse.shd(one, other)


def test_a_saved_consensus_is_drawn_with_its_support(tmp_path, said):
    said("consensus", *sorted(CLINICS.glob("*.bif")), "--effort", "quick", "--save", tmp_path / "r.json")
    said("draw", tmp_path / "r.json", "-o", tmp_path / "r.svg")
    root = ET.parse(tmp_path / "r.svg").getroot()
    by_words = {one[0].text: float(one.get("stroke-width")) for one in root.iter(f"{SVG}path") if len(one)}
    thick = next(width for words, width in by_words.items() if words.startswith("Age → COPD: 100%"))
    assert thick == max(by_words.values()) > min(by_words.values())
    said("draw", tmp_path / "r.json", "--compare", CLINICS / "harbour.bif", "-o", tmp_path / "d.svg")
    assert ">only in consensus<" in (tmp_path / "d.svg").read_text("utf-8")


def test_support_is_told_by_weight_where_weights_were_given():
    names = list("ABC")
    inputs = [Network(DAG(names, [("A", "B"), ("B", "C")]), name=f"n{i}") for i in range(4)]
    inputs.append(Network(DAG(names, [("B", "A"), ("C", "B")]), name="heavy"))
    plain = Picture.of_consensus(bnfuse.consensus(inputs, required=[("A", "B")]))
    assert {arc.words.split(";")[0] for arc in plain.arcs} == {
        f"{arc}: 80% of the inputs, 20% reversed" for arc in ("A → B", "B → C")
    }
    weighted = Picture.of_consensus(bnfuse.consensus(inputs, weights={"heavy": 6}, required=[("A", "B")]))
    words = {arc.words.split(";")[0]: arc.kind for arc in weighted.arcs}
    assert words["A → B: 40% of the weight, 60% reversed"] == "reversed"
    assert ("reversed", "kept, reversed by more weight") in weighted.legend
    assert [kind for kind, _ in plain.legend] == ["kept", "bare", "thicker"]
    assert ("thicker", "thicker: in more inputs (in either direction)") in plain.legend


def test_arcs_whose_direction_is_free_have_no_head_or_a_hollow_one():
    found = bnfuse.consensus([DAG(list("ABC"), [("A", "B"), ("B", "C")])] * 2)
    chain, hollow = Picture.of_consensus(found), Picture.of_consensus(found, hollow_heads=True)
    for picture, words, heads in ((chain, "no head", 0), (hollow, "hollow head", 3)):  # two arcs, and the legend
        assert all(arc.is_free for arc in picture.arcs)
        assert [one.split(":")[0] for _, one in picture.legend] == ["kept", words, "thicker"]
        svg = picture.svg()
        assert svg.count("marker-end") == svg.count('marker-end="url(#bnfuse-kept-free)"') == heads
        assert "its direction is free" in titles(ET.fromstring(svg))[0]
    # Without a head, a line leads on to its box.
    boxes = drawing(chain.svg()).boxes
    assert [way[-1][1] for way in drawing(chain.svg()).ways] == pytest.approx(boxes[1:, 1])
    assert [way[-1][1] for way in drawing(hollow.svg()).ways] == pytest.approx(boxes[1:, 1] - 8)
    fixed = Picture.of_consensus(bnfuse.consensus([DAG(list("ABC"), [("A", "C"), ("B", "C")])] * 2))
    assert not any(arc.is_free for arc in fixed.arcs)
    assert [kind for kind, _ in fixed.legend] == ["kept", "thicker"]
    assert "-free)" not in fixed.svg()
    for kind in ("png", "pdf"):
        files = [rendered(one, kind) for one in (chain, hollow, fixed)]
        assert len(set(files)) == 3
        assert rendered(chain, kind) == files[0]


def test_draw_takes_hollow_heads_for_a_saved_consensus_alone(tmp_path, said, refused):
    said("consensus", *sorted(CLINICS.glob("*.bif")), "--effort", "quick", "--save", tmp_path / "r.json")
    heads = {}
    for more in ((), ("--hollow-heads",)):
        said("draw", tmp_path / "r.json", "-o", tmp_path / "r.svg", *more, "--force")
        heads[more] = (tmp_path / "r.svg").read_text("utf-8").count("-free)")
    assert heads[()] == 0 < heads["--hollow-heads",]
    text = refused("draw", CLINICS / "harbour.bif", "-o", tmp_path / "h.svg", "--hollow-heads")
    assert "--hollow-heads goes with a saved consensus" in text
    assert not (tmp_path / "h.svg").exists()


def test_hostile_names_are_text():
    names = ["<script>alert(1)</script>", 'a"b', "A & B", "x\0y"]
    svg = Picture.of(DAG(names, [(names[0], names[1]), (names[2], names[3])])).svg()
    root = ET.fromstring(svg)
    assert {one.tag for one in root.iter()} == {
        f"{SVG}{tag}" for tag in ("svg", "rect", "defs", "marker", "path", "g", "title", "text")
    }
    assert f"{names[0]} → {names[1]}" in titles(root)


def test_one_network_of_an_ensemble_is_chosen_by_name(tmp_path, said, refused):
    ensemble = tmp_path / "two.json"
    bnfuse.write(read(CLINICS / "harbour.bif", CLINICS / "millbrook.bif"), ensemble)
    assert "holds 2 networks; choose one, such as --name 'harbour'" in refused(
        "draw", ensemble, "-o", tmp_path / "x.svg"
    )
    assert "has no network 'nobody'; it has 'harbour'" in refused(
        "draw", ensemble, "--name", "nobody", "-o", tmp_path / "x.svg"
    )
    said("draw", ensemble, "--name", "millbrook", "-o", tmp_path / "one.svg")
    said("draw", CLINICS / "millbrook.bif", "-o", tmp_path / "same.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "same.svg").read_bytes()


def test_a_drawing_is_refused_before_the_network_is_read(tmp_path, refused):
    (tmp_path / "mine.svg").write_text("my notes")
    for name, complaint in (("x.gif", "ends in .png, .svg, .pdf"), ("mine.svg", "exists and is not an SVG file")):
        assert complaint in refused("draw", "missing.bif", "-o", tmp_path / name)
    assert (tmp_path / "mine.svg").read_text() == "my notes"


def test_networks_over_other_variables_are_refused(tmp_path, refused):
    (tmp_path / "other.csv").write_text("from,to\nA,B\n")
    line = refused("draw", CLINICS / "harbour.bif", "--compare", tmp_path / "other.csv", "-o", tmp_path / "x.svg")
    assert "all networks need the same variables" in line


def test_without_matplotlib_svg_still_works(tmp_path, monkeypatch, said, refused):
    import importlib.util

    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "matplotlib" else find(name, *more)
    )
    line = refused("draw", CLINICS / "harbour.bif", "-o", tmp_path / "x.png")
    assert line == (
        "bnfuse: a picture in PNG (SVG needs nothing more) needs the package matplotlib: pip install 'bnfuse[plot]'"
    )
    said("draw", CLINICS / "harbour.bif", "-o", tmp_path / "x.svg")


@pytest.mark.long
def test_large_networks_are_drawn(tmp_path):
    if not networks.available(["munin"]):
        pytest.skip("the benchmark networks are not on this machine")
    svg = Picture.of(networks.load("munin")).svg()
    assert svg.count('class="node"') == 1041
    assert sys.getsizeof(svg) < 2_000_000


@pytest.mark.long
def test_labels_stand_in_the_middle_of_their_boxes_in_small_and_large_pictures():
    """In pictures that are too large for all dots, labels are outlines: read from the dots."""
    pytest.importorskip("matplotlib")
    from PIL import Image

    for count in (5, 400):
        names = [f"{'Mean' if i % 2 else 'Größe'}_{i}" for i in range(count)]
        picture = Picture.of(DAG(names, [(names[0], other) for other in names[1:]]))
        image = Image.open(io.BytesIO(rendered(picture, "png"))).convert("RGB")
        scale = image.width / picture.size[0]
        assert (scale < 1.9) == (count == 400)
        dots = np.asarray(image).astype(int)
        assert abs(dots[2, 2] - 255).max() <= 8  # few colours, but the paper stays white
        for centre, width in list(zip(picture.layout.centres, picture.layout.widths, strict=True))[:20]:
            x, y = (round(scale * value) for value in centre)
            across, down = int(scale * (width / 2 - 4)), int(scale * 8)
            inside = dots[y - down : y + down, x - across : x + across].sum(axis=2)
            columns = np.flatnonzero((inside < 400).any(axis=0))
            assert columns.size > 0.3 * inside.shape[1]
            assert abs(columns[0] + columns[-1] + 1 - inside.shape[1]) / 2 < 2 * scale


@pytest.mark.parametrize("ending", ["png", "pdf"])
@pytest.mark.parametrize("name", ["lung cancer", "a  b", "\u00a0", "\u3000", "\u2800"])
def test_names_with_spaces_are_drawn(tmp_path, said, ending, name):
    pytest.importorskip("matplotlib")
    bnfuse.write(DAG([name, "B"], [(name, "B")]), tmp_path / "spaces.json")
    said("draw", tmp_path / "spaces.json", "-o", tmp_path / f"x.{ending}")
    assert (tmp_path / f"x.{ending}").stat().st_size > 1_000


def test_names_with_spaces_are_drawn_in_large_pictures():
    pytest.importorskip("matplotlib")
    names = [f"name {i}" for i in range(400)]
    assert rendered(Picture.of(DAG(names, [(names[0], other) for other in names[1:]])), "png").startswith(b"\x89PNG")


def test_letters_come_from_any_font_that_has_them(monkeypatch):
    """The first family stands for a font list that ends before the one that has the letters."""
    pytest.importorskip("matplotlib")
    from bnfuse.report.drawing import fonts

    monkeypatch.setattr(fonts, "_FIRST", ("DejaVu Sans Mono",))
    chosen, missing = fonts.fonts_for("a\ufe0f \u0531\U0001f600")  # an emoji, and Armenian, which the first has
    assert (chosen[0], missing) == ("DejaVu Sans Mono", [])
    assert len(chosen) == 2


def test_letters_that_no_font_has_are_named_with_the_remedy(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    from bnfuse.report.drawing import fonts

    has = fonts._letters_in
    monkeypatch.setattr(fonts, "_letters_in", lambda font, letters: has(font, letters) - {"\u0915"})
    (tmp_path / "hindi.csv").write_text("from,to\n\u0915 x,B\n", encoding="utf-8")
    for ending, remark in (
        ("svg", ""),
        (
            "png",
            "note: no font on this machine has \u0915 (U+0915): install one that does, such as Noto, or draw SVG\n",
        ),
    ):
        assert run(["draw", str(tmp_path / "hindi.csv"), "-o", str(tmp_path / f"x.{ending}")]) == 0
        assert capsys.readouterr().err == remark


def test_matplotlib_that_cannot_shape_scripts_is_named(monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    from bnfuse.report.drawing import fonts

    for version, shapes in (((3, 10, 8, "final", 0), False), ((3, 11, 0, "final", 0), True)):
        monkeypatch.setattr(matplotlib, "__version_info__", version)
        assert fonts.is_shaped("Größe → 漢")
        assert fonts.is_shaped("שלום") is fonts.is_shaped("सलिल") is shapes
