"""Scripts and style sheets in fewer bytes: they do the same."""

import re

import pytest

from bnfuse.report.page.compact import compact_script, compact_style
from bnfuse.report.page.page import resource, style
from bnfuse.report.page.scripts import joined
from page_browser import browser_fixture, needs_browser, served_fixture  # noqa: F401

# Each gives a value; what stands in literals must be left alone, and what ends a statement too.
SCRIPTS = [
    "// nothing\n  'a // b' + \"c /* d */ '  e\"",
    "`two  \n   lines // no comment ${ 'x' /* one */ }  ${ `in  ${ { a : 1 } . a }  side` }  {  }`",
    "`a${1}b${ [1, 2].map((x) => `<${x}  >`).join(' ,  ') }\\`  ${'}'} `",
    "'a  b c'.replace(/ +|[/\"'`]/g, '  // ')",
    "((text) => /\\/\\*  \\*\\//.test(text))('/*  */')",
    "[8 / 2 / 2, 'x'.length / 2, (6) / 2 /* half */ / 1, [4][0] / 2]",
    "(() => { let a = 1\n let b = 2\n a\n ++b\n return [a, b, a + +b, a - -b, a+ ++b, a - --b] })()",
    "(() => { let [a, b] = [5, 2]; a += b - 1; b -= - 1; return [a++ + b, a-- - b, a + ++b, - a + - b, a + - - b] })()",
    "(() => { const f = () => 1\n const g = (x) =>\n  x > 0\n ? { y : x }\n : null\n return f() + g(2).y })()",
    "(() => {\n  if (true) {\n    return /  a{1,2}  /.source\n  } else {\n    return 0\n  }\n})()",
    "(() => { label: for (const [a, ...b] of [[1, 2, 3]]) { return [a, ...b, 'in' in { in : 1 }, typeof a] } })()",
    "(() => { class A { name = 'x y'\n  get  value () { return this.name } }\n return new A().value })()",
    "[1, 2, 3]\n  .map((one) => one * 2) // twice\n  .filter((one) =>\n    one > 2 &&\n    one !== 5\n  )",
    "(() => { let x = 5; x /= 5; const o = { x, 'y z' : x ?? 2 }; return o?.x ? .5 : o })()",
    "'\\'  \\\\' + \"\\\"  //\" + '\\ud83d\\ude00'",
]


@needs_browser
def test_short_scripts_do_the_same(served):
    tab = served()
    for script in SCRIPTS:
        short = compact_script(script)
        assert len(short) <= len(script) + 1
        assert tab.evaluate("text => eval(text)", short) == tab.evaluate("text => eval(text)", script)


def test_no_comment_is_left_and_every_literal_is():
    script = joined("main.js", resource)
    short = compact_script(script)
    assert len(short) < 0.8 * len(script)
    assert not re.search(r"^\s", short, re.M)
    texts = re.findall(r'"(?:[^"\\\n`\']|\\.)*"', re.sub(r"^\s*//.*$", "", script, flags=re.M))
    assert len(texts) > 500
    assert all(text in short for text in texts)
    assert compact_script(short) == short


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("const a = `one", "a template without an end"),
        ("const a = `one ${two`", "a template without an end"),
        ("const a = 'one", "cannot be read from"),
        ("if (a < !--b) c();", "<!--"),
    ],
)
def test_what_cannot_be_shortened_is_refused(script, complaint):
    with pytest.raises(ValueError, match=complaint):
        compact_script(script)


@needs_browser
def test_short_style_sheets_say_the_same(served):
    odd = 'a::after { content: "; } /* x */  ,"; }\n/* no */ b > c , d :hover { margin: 0 1px !important; }'
    rules = """sheet => {
        const own = new CSSStyleSheet();
        own.replaceSync(sheet);
        return [...own.cssRules].map((rule) => rule.cssText);
    }"""
    tab = served()
    for sheet in (style(), odd):
        found, wanted = tab.evaluate(rules, compact_style(sheet)), tab.evaluate(rules, sheet)
        # Values with variables in them are given back as they were written.
        assert [spaced(rule) for rule in found] == [spaced(rule) for rule in wanted]
        assert found


def spaced(rule):
    """A rule with the same spaces, however it was written."""
    return " ".join(rule.replace(",", ", ").split())
