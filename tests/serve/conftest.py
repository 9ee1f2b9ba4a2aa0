"""One server for all tests of a file."""

from __future__ import annotations

import pytest
from serving import served


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("workspaces")) as running:
        yield running
