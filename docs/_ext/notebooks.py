"""Pages that are notebooks, to download: as they ran when the site was built, without what only the site needs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

_LINK = re.compile(r"\[([^]]+)\]\((?!https?:)[^)]+\)")  # to another page of the site
_DIRECTIVE = re.compile(r"^:::.*\n|^```\{.*\n(?:.*\n)*?```\n?", re.M)


def executed(app: Sphinx) -> Path:
    """Where myst-nb leaves the notebooks that it ran."""
    return Path(app.outdir).parent / "jupyter_execute"


def add_link(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Below the title of a notebook: where to download it."""
    if not (executed(app) / f"{page}.ipynb").is_file() or app.builder.format != "html":
        return
    name = page.rpartition("/")[2]
    text = f'<p class="notebook"><a href="{name}.ipynb" download>Download this page as a notebook</a></p>'
    for title in doctree.findall(nodes.title):
        title.parent.insert(title.parent.index(title) + 1, nodes.raw("", text, format="html"))
        return


def write_notebooks(app: Sphinx, problem: Exception | None) -> None:
    """Put the notebooks beside their pages."""
    if problem is not None or app.builder.format != "html":
        return
    for path in executed(app).rglob("*.ipynb"):
        notebook = json.loads(path.read_text("utf-8"))
        notebook["cells"] = [_plain(cell) for cell in notebook["cells"] if not _only_for_the_site(cell)]
        notebook["metadata"] = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        target = Path(app.outdir) / path.relative_to(executed(app))
        if target.with_suffix(".html").is_file():
            target.write_text(json.dumps(notebook, indent=1, ensure_ascii=False), "utf-8")


def _only_for_the_site(cell: dict[str, Any]) -> bool:
    return "remove-cell" in cell["metadata"].get("tags", ())


def _plain(cell: dict[str, Any]) -> dict[str, Any]:
    """Without links to pages that are not beside the notebook."""
    if cell["cell_type"] != "markdown":
        return cell
    text = _LINK.sub(r"\1", "".join(cell["source"]))
    return {**cell, "source": _DIRECTIVE.sub("", text)}
