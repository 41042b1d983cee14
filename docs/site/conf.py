"""How Sphinx builds the documents of fairdeck; `build` prepares what it reads."""

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from staging import PAGE  # the folder of this file, not a package

import fairdeck
from fairdeck.show import look

project = "fairdeck"
author = "The fairdeck authors"
release = version = fairdeck.__version__
copyright = author  # noqa: A001 - Sphinx calls it so; no year, so that the same documents make the same site

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
# Everything that is named must exist. Types of the standard library and of NumPy have no page here to link to, and a
# name in single backticks is a link where it is one of the public names, else code.
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]
default_role = "py:obj"

myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "mailto": None, PAGE: None}

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
python_maximum_signature_line_length = 88
add_module_names = False
toc_object_entries_show_parents = "hide"

man_pages = [("reference/cli", "fairdeck", "fully random decks, dealt by hand, checked by machine", [author], 1)]

html_theme = "furo"
html_title = "fairdeck"
html_static_path = ["static", "../../src/fairdeck/show/styles/index.woff2"]
html_css_files = ["site.css"]
html_favicon = html_logo = "../../src/fairdeck/show/styles/mark.svg"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_last_updated_fmt = None
# A search from disk can read the index, but no page: browsers let no file fetch another.
html_show_search_summary = False
templates_path: list[str] = []
pygments_style, pygments_dark_style = "a11y-high-contrast-light", "a11y-high-contrast-dark"
# The colours are those of the pages, by the names that furo has for them.
COLOURS = {
    "color-background-primary": "var(--ground)",
    "color-background-secondary": "var(--sheet)",
    "color-background-border": "var(--hair)",
    "color-foreground-primary": "var(--ink)",
    "color-foreground-secondary": "var(--soft)",
    "color-foreground-muted": "var(--soft)",
    "color-brand-primary": "var(--link)",
    "color-brand-content": "var(--link)",
    "color-brand-visited": "var(--link)",
    "color-header-background": "var(--table)",
    "color-header-border": "var(--table)",
    "color-header-text": "var(--on-table)",
    "color-sidebar-background": "var(--table)",
    "color-sidebar-background-border": "var(--table)",
    "color-sidebar-brand-text": "var(--on-table)",
    "color-sidebar-caption-text": "var(--on-table-soft)",
    "color-sidebar-link-text": "var(--on-table-soft)",
    "color-sidebar-link-text--top-level": "var(--on-table)",
    "color-sidebar-item-background--hover": "var(--table-low)",
    "color-sidebar-item-background--current": "var(--table-low)",
    "color-sidebar-item-expander-background--hover": "var(--table-low)",
    "color-sidebar-search-background": "var(--table-low)",
    "color-sidebar-search-background--focus": "var(--table-low)",
    "color-sidebar-search-border": "var(--table-line)",
    "color-sidebar-search-icon": "var(--on-table-soft)",
    "color-sidebar-search-text": "var(--on-table)",
}
html_theme_options = {
    f"{theme}_css_variables": dict(re.findall(r"--([\w-]+): ([^;]+);", look.style(tokens))) | COLOURS
    for theme, tokens in {"light": "tokens", "dark": "dark"}.items()
}


def _to_pages(app: Any, doctree: Any, docname: str) -> None:
    """Lead links to a page that explains, or to the dealing page, to its file in the site."""
    from docutils.nodes import reference

    up = "../" * docname.count("/")
    for node in doctree.findall(reference):
        scheme, _, name = node.get("refuri", "").partition(":")
        if scheme == PAGE:
            node["refuri"] = f"{up}pages/{name}"
            node["classes"].append("explains")


def _code_in_docstrings(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Show what a docstring indents after a paragraph as code: it means code, and reStructuredText a quotation."""
    for at in range(len(lines) - 1, 0, -1):
        indented = re.match(r" {4}(?! *[*-] )\S", lines[at])
        before = lines[at - 2] if at > 1 else ""
        if indented and not lines[at - 1].strip() and before and not before.startswith((" ", ".. ", ":", "*", "-")):
            lines[at:at] = [".. code-block:: python", ""]


def _skip_fields(app: Any, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leave out the fields of a named tuple, which its docstring lists."""
    return True if (getattr(obj, "__doc__", None) or "").startswith("Alias for field number") else None


def _for_keyboards_and_readers(
    app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Let the keyboard scroll code that is wider than a phone, and take away headers of tables that say nothing."""
    body = context.get("body", "").replace("<pre>", '<pre tabindex="0">')
    body = body.replace('<th class="head"><p></p></th>', "<td></td>")
    context["body"] = re.sub(r"<thead>\s*<tr[^>]*>(\s*<td></td>)+\s*</tr>\s*</thead>", "", body)


def setup(app: Any) -> None:
    """Connect the changes above."""
    app.connect("autodoc-skip-member", _skip_fields)
    app.connect("doctree-resolved", _to_pages)
    app.connect("html-page-context", _for_keyboards_and_readers)
    app.connect("autodoc-process-docstring", _code_in_docstrings)
