"""A page with links to other pages in its folder."""

from collections.abc import Mapping
from urllib.parse import quote

from fairdeck.show.html import html_page, text


def page_of_links(headline: str, lead: str, links: Mapping[str, str]) -> str:
    """Return a page with a headline, a sentence under it, and links: what each says, by the name of its file."""
    items = "".join(f'<li><a href="{quote(file)}">{text(told)}</a></li>' for file, told in links.items())
    return html_page(headline, f"<p>{text(lead)}</p>", f"<ol>{items}</ol>")
