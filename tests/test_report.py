"""What a report is made of: the layout, the reasons, the numbers, and a consensus that comes back from its file."""

import gzip
import json
import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import bnfuse
import oracles
from bnfuse import DAG, Consensus, FileError, Network, Tally, read
from bnfuse._base import display
from bnfuse.answer.provenance import Origin
from bnfuse.fusion.cliques import maximal_cliques
from bnfuse.graphs.pdag import PDAG
from bnfuse.report.drawing.picture import STYLES, Picture
from bnfuse.report.page import page_tables
from bnfuse.report.page.compact import packed
from bnfuse.report.page.page import page, style
from bnfuse.report.page.page_data import layout_of, page_data
from bnfuse.report.solver.parts import kernel
from bnfuse.report.summary import Summary, outliers
from bnfuse.study.generator import inputs as perturbed
from bnfuse.study.generator import synthetic_base
from packed_tables import embedded, unpacked, without_input_tables
from report_cases import CLINICS, HOSTILE, benchmark, hostile_consensus, shuffled_copies, with_tables
from strategies import dags


@pytest.fixture(scope="module")
def clinics():
    return read(*CLINICS)


@pytest.fixture(scope="module")
def consensus(clinics):
    return bnfuse.consensus(clinics)


def decoded(steps, n):
    return {(int(code) // n, int(code) % n) for code in np.cumsum(steps)}


# Who stands apart


def test_harbour_stands_apart(consensus):
    assert Summary(consensus).outliers == ("harbour",)
    assert Summary(consensus).who == "harbour (13) may stand apart: the others have distances of 3 to 4"


@pytest.mark.parametrize(
    ("distances", "expected"),
    [
        ([5, 5, 5, 5], []),
        ([5, 5, 5, 8], []),  # three edges are a trifle
        ([5, 5, 5, 13], [3]),
        ([16, 16, 16, 16, 29, 30], []),  # not apart from the next
        ([16, 16, 16, 16, 16, 31, 32], [5, 6]),
        ([0, 0, 0, 0, 5], [4]),
        ([0, 100], []),  # of two, neither is the odd one
        ([30, 35, 40, 45, 50], []),
        ([30, 35, 40, 45, 90], [4]),
        ([1, 90, 91, 92, 93], []),  # closer than the others is not apart
    ],
)
def test_outliers_are_far_above_the_median(distances, expected):
    assert [i for i, apart in enumerate(outliers(distances)) if apart] == expected


@pytest.mark.long
def test_copies_that_were_perturbed_alike_seldom_stand_apart():
    named, changed = 0, 0
    for seed in range(30):
        copies = perturbed(synthetic_base(10, seed), 12, f"alike {seed}")
        apart = [Summary(bnfuse.consensus(copies, limit, effort="quick")).outliers for limit in (4, 5)]
        named += bool(apart[0])
        changed += apart[0] != apart[1]
    assert named <= 2
    assert changed <= 3


def test_the_summary_says_what_is_proven(clinics, consensus):
    summary = Summary(consensus)
    assert summary.what == "14 arcs over 11 variables from 5 networks; largest clique 4 (limit 4, treewidth 3)"
    assert summary.quality == "mean smhd to the inputs 5.40, proven optimal; majority vote 5.40; full fusion 15.20"
    worse = bnfuse.consensus(clinics, method="majority", threshold=0.9)
    promised = float(re.search(r"at most ([0-9.]+) %", Summary(worse).quality)[1]) / 100
    assert promised >= worse.gap > 0


def test_an_input_called_majority_vote_is_not_taken_for_it(clinics):
    found = bnfuse.consensus([clinics[0].renamed("majority vote"), *clinics[1:]], effort="quick")
    vote = bnfuse.consensus(clinics, method="majority")
    assert Summary(found).baseline("majority vote").distance == vote.distance
    assert Summary(found).baseline("majority vote").arcs == len(vote.dag.edges)


# Weights, and a consensus that is an input


def test_the_summary_says_who_counts_for_how_much(clinics, consensus):
    assert Summary(consensus).weighting is None
    for weights, expected in (
        ({"harbour": 5}, "harbour counts for 56 % of the total, the others for 11 % each"),
        ({"harbour": 5, "eastgate": 2}, "harbour counts for 50 % of the total, the others for 10 % to 20 % each"),
        ({"harbour": 2, "eastgate": 2}, "the inputs count for 14 % to 29 % of the total each"),
        ({"harbour": 10_000}, "harbour counts for over 99 % of the total, the others for under 1 % each"),
    ):
        summary = Summary(bnfuse.consensus(clinics, weights=weights, effort="quick"))
        given = ", ".join(f"{one.name}={weights.get(one.name, 1):,}" for one in clinics)
        assert summary.weighting == f"weights were given ({given}): {expected}"
        assert summary.quality.startswith("weighted mean smhd to the inputs ")
        assert summary.lines[-1] == summary.weighting


def test_the_summary_says_when_the_consensus_is_an_input(clinics, consensus):
    assert Summary(consensus).itself is None
    weighted = Summary(bnfuse.consensus(clinics, weights={"harbour": 5}))
    assert weighted.itself == "the consensus is one of the inputs, arc for arc: harbour"
    assert "arc for arc: harbour" in weighted.consensus._repr_html_()
    assert Summary(bnfuse.consensus(clinics[:1])).itself == "the consensus is the input itself, arc for arc"
    assert Summary(bnfuse.consensus(clinics[:1] * 3)).itself == "all inputs are this network"


def test_a_class_and_an_input_that_lacks_variables_are_not_the_consensus():
    chain = [("A", "B"), ("B", "C")]
    whole = DAG(["A", "B", "C"], chain)
    assert Summary(bnfuse.consensus([PDAG.of_class(whole)] * 2)).itself is None
    partly = bnfuse.consensus([whole, whole, DAG(["A", "B", "C", "D"], chain)], variables="union")
    assert Summary(partly).itself == "the consensus is one of the inputs, arc for arc: 3"


@pytest.mark.parametrize("of", ["networks", "tally"])
def test_the_summary_says_what_nobody_has_seen(of):
    inputs = [DAG(["A", "B"], [("A", "B")]), DAG(["B", "C", "D"], [("B", "C")])]
    if of == "tally":
        tally = Tally(list("ABCD"))
        for one in inputs:
            tally.add(one, partly=True)
        assert Summary(bnfuse.consensus(tally)).coverage == (
            "of 6 pairs of variables, 2 are in no input together: no input has a vote on them"
        )
        return
    summary = Summary(bnfuse.consensus(inputs, variables="union"))
    assert summary.coverage == (
        "the inputs have 2 to 3 of the 4 variables each; of 6 pairs of variables, 2 are in no input together: no "
        "input has a vote on them"
    )
    assert Summary(bnfuse.consensus([inputs[0]] * 2, variables="union")).coverage is None


def test_a_picture_tells_the_shares_of_those_that_have_both_variables():
    inputs = [DAG(["A", "B"], [("A", "B")]), DAG(["A", "B"]), DAG(["B", "C"], [("B", "C")])]
    words = {arc.words.partition(":")[0]: arc.words for arc in picture_of(inputs).arcs}
    assert words["B \u2192 C"].startswith("B \u2192 C: 100% of the inputs with both variables, 0% reversed")
    halves = [PDAG(["A", "B"], [], [("A", "B")]), DAG(["A", "B"], [("A", "B")])]
    (arc,) = picture_of(halves).arcs
    assert arc.words.startswith("A \u2192 B: 75% of the weight, 25% reversed")


def picture_of(inputs):
    return Picture.of_consensus(bnfuse.consensus(inputs, variables="union"))


def test_a_saved_consensus_of_every_kind_of_input_has_the_same_page(tmp_path):
    inputs = [
        Network(DAG(["A", "B", "C"], [("A", "B"), ("C", "B")]), name="network"),
        PDAG(["B", "C", "D"], [("D", "C"), ("B", "C")], name="class"),
        PDAG(["A", "B"], [], [("A", "B")], name="edge"),
    ]
    for metric in ("smhd", "shd"):
        found = bnfuse.consensus(inputs, variables="union", metric=metric)
        found.save(tmp_path / f"{metric}.json")
        assert page(Summary(Consensus.load(tmp_path / f"{metric}.json"))) == page(Summary(found))


# Equal names


def equally_named(found, tmp_path):
    """A saved consensus whose inputs all have one name, as an older version could write it."""
    found.save(tmp_path / "equal.json")
    content = json.loads((tmp_path / "equal.json").read_bytes())
    for one in content["inputs"]:
        one["name"] = "unknown"
    (tmp_path / "equal.json").write_text(json.dumps(content, separators=(",", ":")))
    return Consensus.load(tmp_path / "equal.json")


@pytest.mark.parametrize("options", [{}, {"weights": {"harbour": 2}}, {"metric": "fsim"}])
def test_equal_names_of_an_old_file_have_a_report(tmp_path, clinics, options):
    found = equally_named(bnfuse.consensus(clinics, effort="quick", **options), tmp_path)
    labels = found.problem.names
    assert labels == ("unknown", *(f"unknown ({i})" for i in range(2, 6)))
    data = embedded(page(Summary(found)))
    assert [one["name"] for one in data["inputs"]] == list(labels)
    assert [one["name"] for one in data["compared"]][2:7] == list(labels)
    assert all(f"{label}=" in data["origin"]["options"].get("weights", f"{label}=") for label in labels)
    if not options:
        assert "unknown (2) (13) may stand apart" in found._repr_html_()
    found.report(tmp_path / "report.html")


# The page's data


def test_the_data_holds_every_network_and_every_distance(clinics, consensus):
    data = embedded(page(Summary(consensus)))
    n = len(data["variables"])
    assert data["variables"] == list(clinics[0].variables)
    assert decoded(data["consensus"], n) == set(map(tuple, consensus.dag.arc_numbers.tolist()))
    assert decoded(data["fusion"], n) == set(map(tuple, bnfuse.fuse(clinics).dag.arc_numbers.tolist()))
    for one, clinic in zip(data["inputs"], clinics, strict=True):
        assert one["name"] == clinic.name
        assert decoded(one["arcs"], n) == set(map(tuple, clinic.dag.reordered(data["variables"]).arc_numbers.tolist()))
        assert one["distance"] == bnfuse.smhd(consensus.dag, clinic)
        assert one["apart"] == (clinic.name == "harbour")
    members = data["between"]["inputs"]
    assert sorted(members) == list(range(5))
    assert data["inputs"][members[0]]["name"] == "harbour"
    assert data["between"]["values"] == [[bnfuse.smhd(clinics[i], clinics[j]) for j in members] for i in members]


def test_groups_of_similar_inputs_stand_side_by_side():
    names = [f"V{i}" for i in range(8)]
    chain = [(names[i], names[i + 1]) for i in range(7)]
    star = [(names[0], name) for name in names[2:]]
    inputs = [DAG(names, chain[i % 3 :]) if i % 2 else DAG(names, star[i % 3 :]) for i in range(10)]
    found = bnfuse.consensus(inputs, effort="quick")
    between = page_data(Summary(found), layout_of(found)).between
    assert sorted(between.inputs) == list(range(10))
    halves = between.inputs[:5], between.inputs[5:]
    assert {len({i % 2 for i in half}) for half in halves} == {1}
    assert between.values == [[bnfuse.smhd(inputs[i], inputs[j]) for j in between.inputs] for i in between.inputs]


def outcomes(graph, a, b):
    """How likely two variables are joined one way, the other way and not at all."""
    if {(a, b), (b, a)} & set(graph.edges):
        return 0.5, 0.5, 0
    return (a, b) in graph.arcs, (b, a) in graph.arcs, not {(a, b), (b, a)} & set(graph.arcs)


def test_shd_between_classes_over_some_of_the_variables():
    first = PDAG(list("ABCD"), [("A", "C"), ("B", "C")], name="first")
    second = PDAG(list("ABC"), [], [("A", "C"), ("B", "C")], name="second")
    third = PDAG(list("BCDE"), [("D", "E")], [("C", "B")], name="third")
    fourth = PDAG(list("EF"), [("F", "E")], name="fourth")
    graphs = [first, second, third, fourth]
    found = bnfuse.consensus(graphs, metric="shd", variables="union")
    between = page_data(Summary(found), layout_of(found)).between
    assert sorted(between.inputs) == [0, 1, 2, 3]
    for i, row in zip(between.inputs, between.values, strict=True):
        for j, value in zip(between.inputs, row, strict=True):
            shared = [name for name in graphs[i].variables if name in graphs[j].variables]
            pairs = [(outcomes(graphs[i], *pair), outcomes(graphs[j], *pair)) for pair in combinations(shared, 2)]
            differing = [sum(abs(p - q) for p, q in zip(one, other, strict=True)) / 2 for one, other in pairs]
            assert value == (sum(differing) if pairs else None)
    assert {value for row in between.values for value in row} >= {0, 0.5, 1, None}


@given(dags(max_size=7))
def test_cliques_are_those_of_networkx(dag):
    order = bnfuse.clique_size(dag).elimination_order
    found = {frozenset(clique) for clique in maximal_cliques(dag, order)}
    graph = oracles.moral_graph(oracles.graph_of(dag))
    left = graph.copy()
    for variable in order:
        around = list(left[variable])
        for target in (graph, left):
            target.add_edges_from((a, b) for i, a in enumerate(around) for b in around[:i])
        left.remove_node(variable)
    assert found == {frozenset(clique) for clique in nx.find_cliques(graph)}


def test_parameters_are_embedded_as_far_as_there_is_room(consensus, monkeypatch):
    small = with_tables(consensus)
    tables = page_data(Summary(small), layout_of(small)).tables
    for i, name in enumerate(small.dag.variables):
        assert unpacked(tables.values[i]).tolist() == small.network.cpts[name].ravel().tolist()
    names = [f"V{i}" for i in range(13)]
    star = DAG(names, [(name, "V0") for name in names[1:]])
    states = dict.fromkeys(names, ("no", "yes"))
    large = bnfuse.consensus([Network(star, states)], max_clique=13)
    tables = page_data(Summary(with_tables(large)), layout_of(large)).tables
    assert unpacked(tables.values[0]).size == 2**13
    assert sorted(tables.order) == list(range(13))
    monkeypatch.setattr(page_tables, "_MOST_TEXT", 1_000)
    tables = page_data(Summary(with_tables(large)), layout_of(large)).tables
    assert tables.sizes[0] == 2**13
    assert tables.values[0] is None
    assert tables.order is None
    assert tables.values[1] == [pytest.approx(1 / 3), pytest.approx(2 / 3)]


def test_a_tally_has_a_report_too(clinics):
    tally = Tally(clinics[0].variables)
    for clinic in clinics:
        tally.add(clinic)
    found = bnfuse.consensus(tally, effort="quick")
    data = embedded(page(Summary(found)))
    assert (data["inputs"], data["fusion"], data["between"]) == ([], None, None)
    n = len(data["variables"])
    assert {divmod(one["arc"], n): one["weight"] for one in data["counts"]} == {
        (a, b): int(tally.arcs[a, b]) for a, b in np.argwhere(tally.arcs).tolist()
    }
    assert "a tally has only counts" in data["facts"]["who"]


# The page


class Outline(HTMLParser):
    """The tags and attributes of a page, and whether any reaches outside."""

    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_nothing_on_the_page_reaches_outside(consensus):
    html = page(Summary(consensus))
    outline = Outline()
    outline.feed(html)
    for tag, attributes in outline.tags:
        for name in ("src", "href", "action", "data", "poster", "srcset"):
            assert attributes.get(name, "#").startswith(("#", "data:,")), (tag, attributes)
    assert "@import" not in html
    assert not re.search(r"url\((?!#)", html)
    policy = next(a["content"] for tag, a in outline.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")


def test_hostile_names_stay_names():
    html = page(Summary(hostile_consensus()))
    plain = page(Summary(bnfuse.consensus([DAG(list("ABCDE"), [("A", "B")])] * 3, effort="quick")))
    outline, expected = Outline(), Outline()
    outline.feed(html)
    expected.feed(plain)
    scripts = [tag for tag, _ in outline.tags if tag in ("script", "img", "b", "title")]
    assert [one for one in scripts if one != "title"] == ["script"] * (4 if kernel() is None else 6)
    assert {tag for tag, _ in outline.tags} == {tag for tag, _ in expected.tags}
    data = embedded(html)
    assert data["variables"] == HOSTILE
    assert [one["name"] for one in data["inputs"]] == ["</title><b>one", "two", "<!-- three"]


def test_every_style_sheet_is_in_the_page_once():
    folder = Path(bnfuse.__file__).parent / "report" / "template"
    assert all(style().count(sheet.read_text("utf-8")) == 1 for sheet in folder.glob("*.css"))


def test_the_kinds_of_arcs_look_the_same_on_the_page_and_in_pictures():
    sheet = style()
    for kind, look in STYLES.items():
        dashes = re.search(rf"\.line\.{kind} \{{[^}}]*stroke-dasharray: ([0-9 ]+);", sheet)
        assert (tuple(map(int, dashes[1].split())) if dashes else ()) == look.dashes


def test_a_report_replaces_only_a_report(tmp_path, consensus):
    path = tmp_path / "report.html"
    consensus.report(path)
    first = path.read_bytes()
    consensus.report(path)
    assert path.read_bytes() == first
    path.write_text("<html>my own page</html>")
    with pytest.raises(FileError, match="exists and is not a report"):
        consensus.report(path)
    assert path.read_text() == "<html>my own page</html>"
    consensus.report(path, overwrite=True)
    assert path.read_bytes() == first
    with pytest.raises(FileError, match=r"ends in \.html"):
        consensus.report(tmp_path / "report.pdf")


def test_a_report_with_everything_takes_little_room(tmp_path, clinics):
    assert size_of_everything(clinics, tmp_path) < 150_000  # beside the kernel
    bnfuse.consensus(clinics, effort="quick").report(tmp_path / "plain.html")
    assert (tmp_path / "plain.html").stat().st_size < 220_000


@pytest.mark.long
def test_a_report_on_many_large_networks_takes_little_room(tmp_path):
    assert size_of_everything(shuffled_copies(benchmark("hailfinder"), 50), tmp_path) < 400_000


def size_of_everything(inputs, folder):
    found = bnfuse.consensus(inputs, effort="quick")
    found = found.with_frontier(bnfuse.frontier(inputs, range(2, 5), effort="quick"))
    found.report(folder / "report.html")
    carried = kernel(len(inputs[0].variables))
    return (folder / "report.html").stat().st_size - (len(packed(carried)) if carried else 0)


# Notebooks


def test_notebooks_show_pictures_and_escape_names(consensus, clinics):
    for shown in (consensus, consensus.dag, clinics[0]):
        html = shown._repr_html_()
        assert html.count("<svg") == 1
        assert html.count('class="node"') == 11
    assert "harbour (13) may stand apart" in consensus._repr_html_()
    html = hostile_consensus()._repr_html_()
    assert "<img" not in html
    assert "<script" not in html


def test_notebooks_ask_whoever_the_package_says(monkeypatch, consensus, clinics):
    monkeypatch.setattr(display, "_drawer", [])
    assert display.html(consensus) is None
    display.drawn_by("bnfuse.report.page.notebook", "html")
    for shown in (consensus, consensus.dag, clinics[0]):
        assert display.html(shown) == shown._repr_html_()


def test_notebooks_get_words_alone_for_large_networks_without_arcs():
    html = DAG([f"V{i}" for i in range(400)], [])._repr_html_()
    assert "400 variables" in html
    assert "<svg" not in html


# Commands


def test_a_saved_run_gives_the_same_report_later(tmp_path, said):
    first, later, saved = tmp_path / "first.html", tmp_path / "later.html", tmp_path / "result.json.gz"
    arguments = ["consensus", *CLINICS, "--report", first, "--save", saved, "--frontier", "--effort", "quick"]
    assert f"wrote {first}" in said(*arguments)
    lines = said("report", saved, "-o", later).splitlines()
    one, other = (without_input_tables(file.read_text("utf-8")) for file in (first, later))
    assert one == other
    assert embedded(later.read_text("utf-8"))["tables"]["inputs"] is None
    assert lines[0].startswith(f"wrote {later} (")
    summary = Summary(Consensus.load(saved))
    assert lines[1:] == [f"  {line}" for line in summary.lines]
    assert summary.lines == [summary.what, summary.quality, summary.who, summary.ties, summary.directions]
    data = embedded(first.read_text("utf-8"))
    assert data["origin"]["command"] == " ".join(["bnfuse", *map(str, arguments)])
    assert [file["path"] for file in data["origin"]["files"]] == list(map(str, CLINICS))
    assert [point["max_clique"] for point in data["frontier"]][:2] == [2, 3]


def test_json_says_what_was_written(tmp_path, said):
    path = tmp_path / "r.html"
    facts = json.loads(said("consensus", *CLINICS, "--effort", "quick", "--report", path, "--json"))
    assert (facts["report"], facts["saved"]) == (str(path), None)
    assert path.stat().st_size > 10_000
    saved = tmp_path / "r.json"
    said("consensus", *CLINICS, "--effort", "quick", "--save", saved)
    facts = json.loads(said("report", saved, "-o", path, "--json"))
    assert facts == {
        "kind": "report",
        "version": 1,
        "report": str(path),
        "convergence": None,
        "summary": Summary(Consensus.load(saved)).lines,
    }


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--report", "r.txt"], "ends in .html"),
        (["--report", "missing/r.html"], "there is no folder 'missing'"),
        (["--save", "missing/r.json"], "there is no folder 'missing'"),
        (["--frontier"], "--frontier is for the report"),
        (["--report", "mine.html"], "exists and is not a report"),
        (["--save", "mine.html"], "exists and is not a saved consensus"),
    ],
)
def test_a_report_is_refused_before_any_input_is_read(tmp_path, monkeypatch, refused, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    Path("mine.html").write_text("<p>mine")
    assert complaint in refused("consensus", "missing.bif", *arguments)
    assert Path("mine.html").read_text() == "<p>mine"


def test_a_report_needs_a_saved_consensus(tmp_path, refused):
    assert "is not a saved consensus" in refused("report", CLINICS[0], "-o", tmp_path / "r.html")
    assert "there is nothing to write" in refused("report", "missing.json")
    assert not list(tmp_path.iterdir())


def test_the_convergence_is_plotted_and_needs_steps(tmp_path, said, refused):
    pytest.importorskip("matplotlib")
    said("consensus", *CLINICS, "--effort", "quick", "--save", tmp_path / "r.json")
    said("report", tmp_path / "r.json", "--convergence", tmp_path / "c.svg")
    text = (tmp_path / "c.svg").read_text()
    assert all(f"<!-- {words} -->" in text for words in ("best network so far", "proven bound", "step of the search"))
    said("consensus", *CLINICS, "--method", "majority", "--save", tmp_path / "m.json")
    assert "has no steps" in refused("report", tmp_path / "m.json", "--convergence", tmp_path / "m.svg")
    assert not (tmp_path / "m.svg").exists()


def test_a_packed_result_is_gzip(tmp_path, consensus):
    consensus.save(tmp_path / "c.json.gz")
    assert json.loads(gzip.decompress((tmp_path / "c.json.gz").read_bytes()))["kind"] == "bnfuse consensus"


def test_a_saved_consensus_is_read_as_its_network_and_kept(tmp_path, clinics, consensus, said, refused):
    saved, network = tmp_path / "result.json", tmp_path / "consensus.bif"
    consensus.save(saved)
    (found,) = read(saved)
    assert found == consensus.network
    said("convert", saved, network)
    assert read(network)[0].dag == consensus.dag
    before = saved.read_bytes()
    line = refused("consensus", *CLINICS, "-o", saved)
    assert "exists and is not an ensemble file" in line
    assert saved.read_bytes() == before


@pytest.mark.parametrize(("first", "second", "name"), [("-o", "--save", "a.json"), ("--report", "--save", "a.html")])
def test_a_file_that_is_named_twice_is_refused_before_the_search(tmp_path, refused, first, second, name):
    path = tmp_path / name
    assert "named twice" in refused("consensus", *CLINICS, first, path, second, path)
    assert not path.exists()


def test_a_report_tells_why_there_are_no_tables(tmp_path, clinics):
    other = Network(clinics[0].dag, {**clinics[0].states, "Age": ("young", "old", "older")}, name="other")
    tables = {v: np.full([len(other.states[w]) for w in (*other.dag.parents(v), v)], 1.0) for v in other.variables}
    other = Network(other.dag, other.states, {v: t / t.shape[-1] for v, t in tables.items()}, "other")
    found = bnfuse.consensus([clinics[1], other])
    path = tmp_path / "report.html"
    found.report(path)
    assert "The tables were not pooled: variable 'Age' has the states" in unescape(path.read_text())


def test_a_consensus_is_written_with_its_tables(tmp_path, consensus):
    path = tmp_path / "consensus.xmlbif"
    bnfuse.write(consensus, path)
    assert read(path)[0] == consensus.network


def test_the_page_says_how_inputs_were_taken(clinics):
    union = bnfuse.consensus([DAG(["A", "B"], [("A", "B")]), DAG(["B", "C"])], variables="union", support="class")
    options = embedded(page(Summary(union)))["origin"]["options"]
    assert (options["variables"], options["support"]) == ("union", "class")
    usual = embedded(page(Summary(bnfuse.consensus(clinics, effort="quick"))))["origin"]["options"]
    assert not {"variables", "support", "marginalised", "moral edges of votes"} & set(usual)


@pytest.mark.parametrize(
    ("directions", "command", "shown"),
    [
        ("any", "bnfuse consensus a.bif -t 3", "bnfuse consensus --directions any a.bif -t 3"),
        ("any", "bnfuse consensus a.bif --directions any", "bnfuse consensus a.bif --directions any"),
        ("any", "bnfuse federated coordinator", "bnfuse federated coordinator"),
        (None, "bnfuse consensus a.bif -t 3", "bnfuse consensus a.bif -t 3"),
    ],
)
def test_the_command_of_an_older_version_gets_the_rule_on_directions_that_it_had(directions, command, shown):
    """Before there was one by default, a command without it meant any direction."""
    dags = [DAG(["A", "B"], [("A", "B")])]
    found = replace(bnfuse.consensus(dags, directions=directions), origin=Origin((), command, "0.1.0", "then"))
    assert page_data(Summary(found), layout_of(found)).origin.command == shown
