"""The site of the docs: Sphinx reads this; `make docs` builds it into build/docs."""

import logging
import os
import shutil
import sys
from pathlib import Path

import bnfuse

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "_ext"))

# Pages that are notebooks run in a folder of their own, which has the examples: what they write is thrown away.
NOTEBOOKS = ROOT / "build" / "notebooks"
shutil.rmtree(NOTEBOOKS, ignore_errors=True)
shutil.copytree(ROOT / "examples", NOTEBOOKS / "examples")
os.environ["BNFUSE_NOTEBOOKS"] = str(NOTEBOOKS)  # their first cell goes there
# Kernels have a profile of their own: nobody's settings count, and they say nothing that is not an error.
PROFILE = NOTEBOOKS / "ipython" / "profile_default"
PROFILE.mkdir(parents=True)
(PROFILE / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 40\n", "utf-8")
os.environ["IPYTHONDIR"] = str(PROFILE.parent)
logging.getLogger("traitlets").setLevel(logging.WARNING)

project = "bnfuse"
version = release = bnfuse.__version__
copyright = "the authors of bnfuse"  # noqa: A001 - what Sphinx calls it
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "bnfuse_pages",
]
exclude_patterns = ["_ext", "_static", "_templates", "figures"]
templates_path = ["_templates"]
nitpicky = True
nitpick_ignore_regex = [
    # types of other packages, and names that only annotations have: there is no page to lead to
    (r"py:.*", r"(?!bnfuse\.).*"),
    (r"py:.*", r"bnfuse\._.*"),
    (r"py:.*", r"bnfuse\.(search\.outcome\.Found|problem\.input_votes\.InputVotes|problem\.inputs\.Inputs)"),
    (r"py:.*", r"bnfuse\.search\.proof\.inequalities\..*"),
    (r"py:.*", r"bnfuse\..*\.(MoreOptions|FrontierOptions|RawDataArguments|Naming)"),
]
suppress_warnings = [
    "myst.header",  # a measured page may start its tables one level down
    "ref.python",  # an attribute that several classes have
]

myst_enable_extensions = ["colon_fence", "deflist", "html_image"]
myst_heading_anchors = 3
default_role = "name"  # of docstrings: see bnfuse_pages.py
highlight_language = "none"  # blocks that are code say which

nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_execution_in_temp = False
nb_merge_streams = True
nb_ipywidgets_js = {}  # nothing is loaded from outside

# One page per class and function in reference/api, written anew by each build. `Consensus` and `consensus` must not
# share a file where names of files ignore case.
shutil.rmtree(HERE / "reference" / "api", ignore_errors=True)
_FUNCTIONS = {name for name in bnfuse.__all__ if name.islower()}
autosummary_filename_map = {
    f"bnfuse.{name}": f"bnfuse.{name}-class"
    for name in bnfuse.__all__
    if name not in _FUNCTIONS and name.lower() in _FUNCTIONS
}
viewcode_line_numbers = True

copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"bnfuse {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(HERE / "_ext" / "scorer.js")
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
