"""The documentation site: `sphinx-build -W docs build/site`, with the extra `docs`.

The pages are those of this folder, as they are read in the repository. A page with a line `<!-- shows: FILE -->` shows
a file from elsewhere: `index.md` the README, those of `project/` the changelog, the security policy and others.
"""

from __future__ import annotations

import os
import posixpath
import re
import sys
from functools import partialmethod
from importlib import metadata
from pathlib import Path

from nbclient import NotebookClient
from pygments.lexers.shell import BashSessionLexer
from sphinx.application import Sphinx

project = "fstmetrics"
author = "The fstmetrics authors"
copyright = "The fstmetrics authors"
version = release = metadata.version("fstmetrics")
# `python -m sphinx` in a clone would find the sources, which lack the compiled core, before the installed package.
sys.path[:] = [place for place in sys.path if Path(place).resolve() != Path(__file__).parents[1]]

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "myst-nb"}
exclude_patterns = ["paper"]  # it is a paper, not a page

# The tutorials are run when the site is built; a cell that fails is a warning. Commands in them are this environment's.
nb_execution_mode = "force"
nb_execution_show_tb = True
nb_execution_timeout = 120
# What a command prints comes in pieces, which are one output. MyST-NB has no setting for this one of nbclient.
NotebookClient.__init__ = partialmethod(NotebookClient.__init__, coalesce_streams=True)
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = "fstmetrics"
html_copy_source = False
html_show_sphinx = False
pygments_style = "default"
pygments_dark_style = "github-dark"

# The docstrings are Google's form.
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "signature"
# Long types that have a name; api/scoring.md says what they are.
autodoc_type_aliases = {
    name: name for name in ("Input", "Corpus", "Grammars", "FieldsGiven", "GivenBySystem")
}
autodoc_default_options = {"members": True}
python_maximum_signature_line_length = 88

# A line of a page that stands for the text of a file of the repository, by its path there.
SHOWN = re.compile(r"^<!-- shows: (\S+) -->$", re.MULTILINE)
LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)\s#]+)")
CODE = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)
HERE = Path(__file__).parent


def shown_files() -> dict[str, str]:
    """The pages that show a file from elsewhere, by the file's path in the repository."""
    pages = {
        path.relative_to(HERE).as_posix(): path.read_text(encoding="utf-8") for path in HERE.rglob("*.md")
    }
    return {found: page for page, text in pages.items() for found in SHOWN.findall(text)}


PAGES = shown_files()


def on_the_site(text: str, file: str, page: str) -> str:
    """The text of a file of the repository, its links as they must be on the page."""

    def led(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(file), link[1]))
        place = f"docs/{PAGES[target]}" if target in PAGES else target
        return posixpath.relpath(place, posixpath.dirname(f"docs/{page}"))

    return "".join(part if part.startswith("```") else LINK.sub(led, part) for part in CODE.split(text))


def with_shown_files(app: Sphinx, docname: str, source: list[str]) -> None:
    """A page with the files that it shows."""
    page = f"{docname}.md"

    def text_of(shown: re.Match[str]) -> str:
        return on_the_site((HERE.parent / shown[1]).read_text(encoding="utf-8"), shown[1], page)

    source[0] = SHOWN.sub(text_of, on_the_site(source[0], f"docs/{page}", page))


class Session(BashSessionLexer):
    """A terminal's session in which only `$` begins a command: outputs have lines that begin with `%WER`."""

    _ps1rgx = re.compile(r"^(\$ )(.*\n?)")


def without_arguments(app: Sphinx, *given: object) -> tuple[str, None] | None:
    """Classes that nobody makes, those of results, have no arguments."""
    return ("", None) if app.env.docname == "api/results" and given[0] == "class" else None


def as_restructured_text(
    app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """A docstring, whose single backticks are code and whose bars are lengths, as Sphinx reads it."""
    parts = re.split(r"(?<!`)`([^`]+)`(?!`)", "\n".join(lines))
    parts[::2] = (part.replace("|", r"\|") for part in parts[::2])
    parts[1::2] = (f"``{part}``\\ " for part in parts[1::2])
    lines[:] = "".join(parts).split("\n")


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.add_lexer("console", Session)
    app.connect("autodoc-process-signature", without_arguments)
    app.connect("autodoc-process-docstring", as_restructured_text, priority=400)  # before napoleon
    app.connect("source-read", with_shown_files)
