"""The scripts of the page: real ES modules, each usable alone, and what joins them into one script."""

import base64
import json
import random
import re
import zlib
from dataclasses import asdict
from html import unescape

import numpy as np
import pytest

import bnfuse
from bnfuse import read
from bnfuse.report.drawing.layout import arrange
from bnfuse.report.drawing.picture import Picture
from bnfuse.report.drawing.routes import HEAD, Streets, curve
from bnfuse.report.page.compact import compact_script, packed
from bnfuse.report.page.page import page, resource
from bnfuse.report.page.page_data import page_layout
from bnfuse.report.page.scripts import joined
from bnfuse.report.summary import Summary
from drawings import boxes_behind, drawing, points_of, sampled
from packed_tables import packed_style, plain_data
from page_browser import TEMPLATE, browser_fixture, needs_browser, opened_fixture, served_fixture  # noqa: F401
from page_parts import CLINICS
from strategies import random_dag

SCRIPTS = sorted(one.name for one in TEMPLATE.iterdir() if one.name.endswith(".js"))


def joined_from(**modules):
    """What `main` and its modules become."""
    return joined("main.js", {f"{name.replace('_', '-')}.js": text for name, text in modules.items()}.__getitem__)


# Joining


def test_a_module_runs_once_and_after_what_it_needs():
    script = joined_from(
        main='import { b } from "./b.js";\nimport { a } from "./a.js";\nshow(a, b);\n',
        a="export const a = 1;\n",
        b='import { a } from "./a.js";\nexport const b = a + 1;\n',
    )
    assert re.findall("^// (.*)", script, re.M) == ["a.js", "b.js", "main.js"]


@pytest.mark.parametrize(
    ("modules", "complaint"),
    [
        ({"main": 'import { a } from "./a.js";\n', "a": "export const b = 1;\n"}, "main.js: a.js does not export a"),
        ({"main": "export let a = 1;\n"}, "main.js: cannot be joined because of the line 'export let a = 1;'"),
        ({"main": "export default 1;\n"}, "cannot be joined"),
        ({"main": "const a = 1;\nexport { a };\n"}, "cannot be joined"),
        ({"main": "export const { a, b } = f();\n"}, "cannot be joined"),
        ({"main": 'const c = 1;\nimport { a } from "./a.js";\n', "a": "export const a = 1;\n"}, "cannot be joined"),
        ({"main": 'import * as a from "./a.js";\n', "a": "export const a = 1;\n"}, "cannot be joined"),
        ({"main": 'import "./a.js";\n', "a": "f();\n"}, "cannot be joined"),
        ({"main": 'import { a b } from "./a.js";\n', "a": ""}, "main.js: cannot import 'a b'"),
        (
            {"main": 'import { a } from "./a.js";\n', "a": "export const a = 1;\nexport function a() {}\n"},
            "a.js: exports a twice",
        ),
        (
            {
                "main": 'import { a } from "./a.js";\n',
                "a": 'import { b } from "./b.js";\nexport const a = 1;\n',
                "b": 'import { a } from "./a.js";\nexport const b = 1;\n',
            },
            "a.js: needs itself, by way of a.js and b.js",
        ),
    ],
)
def test_what_the_joiner_does_not_understand_it_refuses(modules, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)):
        joined_from(**modules)


def test_every_script_of_the_template_is_on_the_page():
    entries = ("report-page.js", "solver-worker.js", "unpack.js")
    script = "".join(joined(entry, lambda name: TEMPLATE.joinpath(name).read_text("utf-8")) for entry in entries)
    assert sorted(set(re.findall(r"^// ([\w-]+\.js)$", script, re.M))) == SCRIPTS
    assert not re.search(r"^\s*(import|export)\b", script, re.M)
    assert not any("module$" in TEMPLATE.joinpath(name).read_text("utf-8") for name in SCRIPTS)


@needs_browser
def test_scopes_stay_apart_and_names_may_change_on_the_way(served):
    script = joined_from(
        main=(
            "// Comments may come first.\n"
            'import {\n  value as first,\n  tell,\n} from "./one.js";\n'
            '/* and\n between */\nimport { value, Thing, wait } from "./the-other.js";\n'
            "const hidden = 'mine';\n"
            "window.seen = [first, value, tell(), hidden, new Thing().name, typeof wait, this === undefined];\n"
        ),
        one="const hidden = 'one';\nexport const value = 1;\nexport function tell() {\n  return hidden;\n}\n",
        the_other="const hidden = 2;\nexport const value = hidden;\nexport class Thing {\n  name = 'thing';\n}\n"
        "export async function wait() {}\n",
    )
    tab = served()
    tab.evaluate(script)
    assert tab.evaluate("window.seen") == [1, 2, "one", "mine", "thing", "function", True]
    assert tab.evaluate("typeof hidden") == "undefined"


@needs_browser
def test_the_joined_script_does_what_the_modules_do(opened, served, tmp_path):
    found = bnfuse.consensus(read(*CLINICS), weights={"harbour": 2})
    html = page(Summary(found))
    (tmp_path / "joined.html").write_text(html, "utf-8")
    data = json.dumps(plain_data(html)).replace("<", "\\u003c")
    apart = re.sub(r'(?<=id="data">)[^<]*', lambda _: data, re.sub(r"<meta http-equiv[^>]*>", "", html))
    apart = apart.replace("</style>", f"</style><style>{packed_style(html)}</style>", 1)
    before, _, rest = apart.rpartition("<script>")
    apart = f'{before}<script type="module" src="/report-page.js"></script>{rest.partition("</script>")[2]}'
    tabs = opened(tmp_path / "joined.html", at=""), served(apart)
    contents = []
    for tab in tabs:
        tab.select_option("#view", "fusion")
        tab.locator("[data-a]").first.focus()
        contents.append(tab.evaluate("document.querySelector('main').innerHTML"))
    assert contents[0] == contents[1]
    assert "added by fusion" in unescape(contents[0])


TEXTS = [
    b"",
    b"a",
    bytes(range(256)) * 300,
    b"ab" * 40_000,
    random.Random(0).randbytes(70_000),
    "né \u2192 ".encode() * 9,
    *(TEMPLATE.joinpath(name).read_bytes() for name in SCRIPTS[:6]),
]


@needs_browser
def test_what_python_deflates_the_page_inflates(served):
    tab = served()
    for level, strategy in (
        (0, zlib.Z_DEFAULT_STRATEGY),
        (9, zlib.Z_DEFAULT_STRATEGY),
        (9, zlib.Z_FIXED),
        (1, zlib.Z_RLE),
    ):
        for text in TEXTS:
            packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS, strategy=strategy)
            deflated = base64.b64encode(packer.compress(text) + packer.flush()).decode()
            found = tab.evaluate(
                """async (packed) => {
                    const { inflated } = await import("/inflate.js");
                    return btoa([...inflated(atob(packed))].map((one) => String.fromCharCode(one)).join(""));
                }""",
                deflated,
            )
            assert base64.b64decode(found) == text


@needs_browser
def test_what_python_packs_the_page_unpacks(served):
    rng = random.Random(1)
    texts = [*TEXTS, *(bytes(rng.choices(b"abcd", k=rng.randrange(3_000))) for _ in range(30))]
    far = rng.randbytes(5_000)
    texts += [far + rng.randbytes(distance) + far + far[::-1] for distance in (1, 200, 9_000, 300_000)]
    texts.append(compact_script(joined("report-page.js", resource)).encode())
    tab = served()
    for text in texts:
        found = tab.evaluate(
            """async (packed) => {
                const { unpackedBytes } = await import("/lzma.js");
                return btoa([...unpackedBytes(packed)].map((one) => String.fromCharCode(one)).join(""));
            }""",
            packed(text),
        )
        assert base64.b64decode(found) == text


# Modules alone


IN_JAVASCRIPT = """async cases => {
    const { arcGeometry, pathOf } = await import("/geometry.js");
    return cases.map(([layout, codes]) => {
        const ways = arcGeometry(layout).ways(codes);
        return codes.map((code) => [ways.get(code), pathOf(ways.get(code))]);
    });
}"""


@needs_browser
def test_python_and_javascript_draw_the_same_curves(served):
    """Arcs of the layout, arcs that came later, and those turned round; in JavaScript also within a row."""
    graphs = [random_dag(seed, 5 + seed % 20) for seed in range(20)] + [random_dag(60, 60)]
    cases, layouts = [], []
    for seed, dag in enumerate(graphs):
        n = len(dag.variables)
        layout = arrange(dag.variables, [tuple(arc) for arc in dag.arc_numbers.tolist()])
        own = list(layout.ways)
        pairs = [(a, b) for a in range(n) for b in range(n) if a != b and (a, b) not in own]
        chosen = random.Random(seed).sample(pairs, min(len(pairs), 2 * n))
        arcs = own + chosen
        cases.append([asdict(page_layout(layout)), [a * n + b for a, b in arcs]])
        layouts.append((layout, arcs))
    for (layout, arcs), found in zip(layouts, served().evaluate(IN_JAVASCRIPT, cases), strict=True):
        level = [y for _, y in layout.centres]
        boxes = drawing(Picture([str(v) for v in range(len(level))], layout, ()).svg()).boxes
        ways = dict(layout.ways)
        first_in_row = next((i for i, (a, b) in enumerate(arcs) if level[a] == level[b]), len(arcs))
        Streets(layout.centres, layout.widths, ways).add(arcs[:first_in_row])
        for i, ((a, b), (points, svg_path)) in enumerate(zip(arcs, found, strict=True)):
            assert boxes_behind(sampled(points), boxes, 4) <= {a, b}
            assert points_of(svg_path) == pytest.approx(np.array(points), abs=0.051)
            assert points[-1][1] == boxes[b][1] - HEAD or level[b] < level[a]
            if i < first_in_row:  # these take places at boxes that the others then cannot have
                assert np.array(points) == pytest.approx(np.array(curve(ways[a, b])), abs=1e-6)


@needs_browser
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("percent(0)", "0\u00a0%"),
        ("percent(0.004)", "under 1\u00a0%"),
        ("percent(4 / 9)", "44\u00a0%"),
        ("percent(0.996)", "over 99\u00a0%"),
        ("percent(1)", "100\u00a0%"),
        ("gapText(1.12301, 1)", "12.4\u00a0%"),
        ("gapText(2 / 3, 0)", "0.67"),
        ("amount(1.234)", "1.23"),
        ("amount(0.0023)", "0.002"),
        ("count(1, 'arc')", "1 arc"),
        ("count(1234, 'arc')", "1,234 arcs"),
        ("large('1.23e+45')", "1.23\u00b710^45"),
        ("large('1234567')", "1,234,567"),
        ("listed(['A'])", "A"),
        ("listed(['A', 'B', 'C'])", "A, B and C"),
    ],
)
def test_numbers_as_words(served, call, expected):
    assert served().evaluate(f"import('/number-texts.js').then(texts => {{ with (texts) return {call} }})") == expected


NO_REASON = {
    "change": None, "is_rare": False, "closes_cycle": False, "barrier": None, "clique": None, "clique_at_least": None,
    "married": [],
}  # fmt: skip
ARC = {
    "source": "A", "target": "B", "forward": 2, "backward": 0, "voters": 5, "isSeenByAll": True, "isTurned": False,
}  # fmt: skip
PROBLEM = {"limit": 4, "mostParents": 2, "isCounted": True, "input": "input", "measure": "weight"}


ALONE = "In this network, without changing anything else, "


@needs_browser
@pytest.mark.parametrize(
    ("reason", "arc", "problem", "expected"),
    [
        ({"barrier": "parents"}, {}, {}, ["B has as many parents as the constraints allow: 2."]),
        ({"closes_cycle": True}, {}, {}, ["Adding it would close a cycle with other arcs of the consensus."]),
        (
            {"is_rare": True, "change": 0.2},
            {},
            {},
            ["Fewer than half of the inputs have it.", f"{ALONE}adding it would raise the mean distance by 0.20."],
        ),
        (
            {"is_rare": True, "change": 0.2},
            {"backward": 1},
            {"isCounted": False},
            [
                "Inputs of less than half of the total weight have it, in either direction.",
                f"{ALONE}adding it would raise the mean distance by 0.20.",
            ],
        ),
        (
            {"is_rare": True, "change": 0.2},
            {"backward": 1},
            {"halvesTurned": True},
            [
                "Fewer than half of the inputs have it, if those that have it in the other direction count half.",
                f"{ALONE}adding it would raise the mean distance by 0.20.",
            ],
        ),
        (
            {"is_rare": True, "change": 0.2},
            {"isSeenByAll": False},
            {},
            [
                "Fewer than half of the inputs that have both variables have it.",
                f"{ALONE}adding it would raise the mean distance by 0.20.",
            ],
        ),
        (
            {"is_rare": True, "change": 0.2},
            {"isSeenByAll": False, "backward": 1},
            {"isCounted": False},
            [
                "Inputs of less than half of the weight of those that have both variables have it, in either "
                "direction.",
                f"{ALONE}adding it would raise the mean distance by 0.20.",
            ],
        ),
        (
            {"is_rare": True, "change": 0.2},
            {"isSeenByAll": False},
            {"isCounted": False, "measure": "votes"},
            [
                "It has less than half of the votes of those that have both variables.",
                f"{ALONE}adding it would raise the mean distance by 0.20.",
            ],
        ),
        (
            {"change": 0, "clique": 4, "clique_at_least": 1},
            {"voters": 3, "isSeenByAll": False},
            {},
            [f"{ALONE}adding it would not change the mean distance."],
        ),
        (
            {"change": 0, "clique": 4, "clique_at_least": 1},
            {"isTurned": True, "backward": 3},
            {"isCounted": False, "measure": "votes"},
            [f"{ALONE}reversing it would not change the mean distance, and it has more votes in the other direction."],
        ),
        (
            {"change": 0.2, "married": ["C", "D", "E", "F"]},
            {"forward": 4},
            {},
            [
                f"{ALONE}adding it would raise the mean distance by 0.20: A would share the child B with C, D, E and 1 "
                "more, which costs more than the arc itself gains."
            ],
        ),
        (
            {"change": 0, "clique": 4, "clique_at_least": 1},
            {},
            {},
            [
                f"{ALONE}adding it would not change the mean distance, and fewer than half of the inputs have it in "
                "this direction."
            ],
        ),
        (
            {"change": 0, "clique": 4, "clique_at_least": 1},
            {"isTurned": True, "backward": 3},
            {"isCounted": False},
            [
                f"{ALONE}reversing it would not change the mean distance, and inputs of more weight have it in "
                "the other direction."
            ],
        ),
        (
            {"change": -1, "clique": 5, "clique_at_least": 5},
            {},
            {},
            [
                "Adding it needs a clique of at least 5: the limit is 4.",
                f"{ALONE}adding it would lower the mean distance by 1.00.",
            ],
        ),
        (
            {"change": -1},
            {},
            {},
            [
                f"{ALONE}adding it would lower the mean distance by 1.00; the clique it would make was not computed.",
            ],
        ),
    ],
)
def test_reasons_in_words(served, reason, arc, problem, expected):
    given_to = [NO_REASON | reason, ARC | arc, PROBLEM | problem]
    assert served().evaluate("async all => (await import('/why-out.js')).whyOut(...all)", given_to) == expected


@needs_browser
@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ({"is_rare": True, "change": 0.2}, ["Fewer than half of the inputs have it.", "Solved."]),
        ({"closes_cycle": True}, ["Adding it would close a cycle with other arcs of the consensus.", "Solved."]),
        ({"barrier": "forbidden"}, ["The constraints forbid it.", "Solved."]),
    ],
)
def test_what_was_solved_again_is_said_instead_of_what_the_arc_alone_does(served, reason, expected):
    given_to = [NO_REASON | reason, ARC, PROBLEM, ["Solved."]]
    assert served().evaluate("async all => (await import('/why-out.js')).whyOut(...all)", given_to) == expected


OTHER = {"decision": "out", "cost": 0.6, "cost_at_least": 0.6, "added": [], "dropped": [], "reversed": []}
AGAIN = "with everything else solved again"


@needs_browser
@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({}, [f"Leaving it out costs 0.60, {AGAIN}; no other arc changes."]),
        ({"decision": "in", "cost_at_least": 0.0}, [f"Adding it costs at most 0.60, {AGAIN}; no other arc changes."]),
        ({"cost_at_least": -0.4}, [f"Leaving it out costs at most 0.60, {AGAIN}; no other arc changes."]),
        ({"cost_at_least": None}, [f"Leaving it out costs at most 0.60, {AGAIN}; no other arc changes."]),
        ({"cost_at_least": 0.248}, [f"Leaving it out costs 0.24 to 0.60, {AGAIN}; no other arc changes."]),
        (
            {"decision": "turned", "cost": 0, "cost_at_least": -0.2, "added": ["A"]},
            [f"Reversing it costs nothing, {AGAIN}; with it, A is added."],
        ),
        (
            {"cost": -0.2, "dropped": ["A", "B"], "reversed": ["C", "D"]},
            [
                f"Leaving it out, {AGAIN}, brings the network 0.20 closer: this search did not find that; with it, A "
                "is dropped, B is dropped, C is reversed and 1 more."
            ],
        ),
        ({"cost": None}, []),
    ],
)
def test_decisions_solved_again_in_words(served, other, expected):
    ask = "async other => (await import('/solved-again.js')).solvedAgain(other)"
    assert served().evaluate(ask, OTHER | other) == expected


@needs_browser
def test_a_decision_for_the_reversal_of_an_arc_in_words(served):
    ask = "async other => (await import('/solved-again.js')).solvedAgain(other, true)"
    expected = f"Adding it reversed costs 0.60, {AGAIN}; no other arc changes."
    assert served().evaluate(ask, OTHER | {"decision": "in"}) == [expected]


@needs_browser
def test_cells_of_a_csv_are_quoted_where_they_must_be(served):
    cells = ["plain", "a,b", 'say "no"', "two\nlines", "3"]
    quoted = served().evaluate("async all => all.map((await import('/sortable-table.js')).csvCell)", cells)
    assert quoted == ["plain", '"a,b"', '"say ""no"""', '"two\nlines"', "3"]


@needs_browser
def test_steps_of_an_axis_are_round_and_within_it(served):
    for low, high in ((0, 1), (0, 97), (3.2, 3.9), (-5, 12), (7, 7)):
        steps = served().evaluate(
            "async ([low, high]) => (await import('/plot-frame.js')).axisSteps(low, high, 5)", [low, high]
        )
        assert 1 <= len(steps) <= 11
        assert all(low - 1e-9 <= one <= high + 1e-9 for one in steps)
