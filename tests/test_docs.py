"""Every code block of the README and the docs does what stands beside it."""

import shutil

import pytest

from docs_blocks import PAGES, ROOT, Block, Reader, assert_printed, blocks_of, commands_of, inside

LONG = {
    *("docs/federated.md", "docs/howto/cluster.md", "docs/learn/limit.md"),
    *("docs/learning.md", "docs/limit.md", "docs/report.md"),
}
WITH_CODE = [
    pytest.param(page, marks=[pytest.mark.long] * (page in LONG))
    for page in PAGES
    if any(block.is_code for block in blocks_of(page))
]


@pytest.mark.filterwarnings("ignore::bnfuse.BnfuseWarning")
@pytest.mark.parametrize("page", WITH_CODE)
def test_every_block_does_what_the_page_says(page, tmp_path):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    reader = Reader()
    with inside(tmp_path):
        for block in blocks_of(page):
            reader.follow(block)


def test_few_blocks_are_not_run_and_each_says_why():
    code = [block for page in PAGES for block in blocks_of(page) if block.is_code]
    left_out = [f"{block.place}: {block.value}" for block in code if block.mark == "not run"]
    print(f"{len(left_out)} of {len(code)} blocks are not run:", *left_out, sep="\n")
    assert all(block.value for block in code if block.mark == "not run")
    assert 5 * len(left_out) < len(code)


@pytest.mark.parametrize(
    ("shown", "printed", "fits"),
    [
        ("found in 0.06 s", "found in  12.30 s\n", True),
        ("a\n...\nz", "a b c z", True),
        ("a ... z", "a b c", False),
        ("a", "a b", False),
        ("5.40", "5.41", False),
        ("wrote it (...)", "wrote it (3 KB)", True),
    ],
)
def test_what_is_shown_is_compared_but_for_times_and_what_is_left_out(shown, printed, fits):
    if fits:
        assert_printed(shown, printed, "")
    else:
        with pytest.raises(AssertionError):
            assert_printed(shown, printed, "")


def test_a_block_that_says_nothing_of_itself_or_shows_what_is_not_so_is_refused(tmp_path):
    with inside(tmp_path), pytest.raises(AssertionError, match="say which language"):
        Reader().follow(Block("page:1", "", "make"))
    with inside(tmp_path), pytest.raises(AssertionError, match="mark the block"):
        Reader().follow(Block("page:1", "console", "$ make\n"))
    with inside(tmp_path), pytest.raises(AssertionError, match="shows"):
        Reader().follow(Block("page:1", "console", "$ bnfuse --version\nbnfuse 99\n"))
    with inside(tmp_path), pytest.raises(AssertionError, match="Expected"):
        Reader().follow(Block("page:1", "pycon", ">>> 1 + 1\n3\n"))


def test_commands_go_over_lines_and_have_comments():
    block = Block("page:1", "console", "$ bnfuse a \\\n  b  # why\nsaid\n$ bnfuse c\n")
    assert [(one.split(), said) for one, said in commands_of(block)] == [
        (["bnfuse", "a", "b"], "said\n"),
        (["bnfuse", "c"], ""),
    ]
