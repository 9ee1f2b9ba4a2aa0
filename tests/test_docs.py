"""Every code block of the README and the docs does what stands beside it."""

import shutil

import pytest
from docs_blocks import PAGES, ROOT, Block, Reader, assert_printed, blocks_of, commands_of, inside


@pytest.mark.filterwarnings("ignore::bnfuse.BnfuseWarning")
@pytest.mark.parametrize("page", PAGES)
def test_every_block_does_what_the_page_says(page, tmp_path):
    blocks = list(blocks_of(page))
    if not any(block.is_code for block in blocks):
        pytest.skip("no code on this page")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    reader = Reader()
    with inside(tmp_path):
        for block in blocks:
            reader.follow(block)
