"""A document as one web page, or as a part of one for a notebook."""

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch

from fairdeck.document import (
    Blanks,
    Chart,
    Charts,
    Code,
    Details,
    Document,
    Element,
    Facts,
    Heading,
    Item,
    Items,
    Note,
    Sentence,
    Sheet,
    Steps,
    Table,
)
from fairdeck.show.charts import svg
from fairdeck.show.html import Html, html_page, joined, tag, text

BADGES = {"fail": "Not fair", "pass": "No fault seen", "insufficient": "Too few decks to tell"}
LEAD = Sentence | Note  # before anything else they stand under the headline


def page(document: Document) -> str:
    """Return the page, which needs nothing else."""
    parts = list(document.parts)
    body = next((at for at, part in enumerate(parts) if not isinstance(part, LEAD)), len(parts))
    headline = [tag("p", document.headline)] if document.title else []
    lead = joined(_badge(document), headline, _parts(parts[:body]))
    return html_page(document.title or document.headline, lead, joined(_parts(parts[body:]), _again(document)))


def fragment(document: Document) -> str:
    """Return what a notebook shows: the headline and the parts, without the frame and the style of a page."""
    return tag("div", _badge(document), tag("p", tag("b", document.headline)), _parts(document.parts))


def _badge(document: Document) -> Html | None:
    if not document.outcome:
        return None
    return tag("p", tag("span", BADGES[document.outcome], class_=f"badge {document.outcome}"))


def _again(document: Document) -> Iterator[Html]:
    if document.command or document.repeating:
        yield tag("h2", "How to repeat it")
        yield from [tag("pre", tag("code", document.command))] if document.command else []
        yield from _parts(document.repeating)


def _parts(parts: Iterable[Element]) -> Iterator[Html]:
    """Yield the elements; a table is named after the heading above it, for a screen reader."""
    heading = "Table"
    for part in parts:
        if isinstance(part, Heading):
            heading = part.text
        yield _table(part, heading) if isinstance(part, Table) else _html(part)


@singledispatch
def _html(part: Element) -> Html:
    raise AssertionError(f"no page shows {part!r}")


@_html.register
def _heading(part: Heading) -> Html:
    return tag("h2", part.text)


@_html.register
def _sentence(part: Sentence) -> Html:
    return tag("p", _label(part.label), part.text)


@_html.register
def _note(part: Note) -> Html:
    return tag("p", _label(part.label), part.text, class_="soft" if part.small else "")


@_html.register
def _facts(part: Facts) -> Html:
    tiles = (tag("div", tag("dt", large(fact.label)), tag("dd", fact.text, _rest(fact.rest))) for fact in part.facts)
    return tag("dl", tiles, class_="facts")


@_html.register
def _details(part: Details) -> Html:
    values = ([tag("dt", name), tag("dd", tag("code", value))] for name, value in part.values.items())
    return tag("dl", values, class_="made")


@_html.register
def _items(part: Items) -> Html:
    items = map(_item, part.items)
    return tag("ol", items, class_="findings") if part.ranked else tag("ul", items)


def _item(item: Item) -> Html:
    lines = [*([item.small] if item.small else []), *item.more]
    says: str | Html = tag("b", item.text) if lines else item.text
    return tag("li", says, (tag("small", line) for line in lines))


@_html.register
def _steps(part: Steps) -> Html:
    steps = (tag("li", (tag("p", line) for line in step.split("\n"))) for step in part.steps)
    return tag("ol", steps, class_="steps titled" if part.titled else "steps")


@_html.register
def _code(part: Code) -> Html:
    return tag("pre", tag("code", Html("\n".join(map(text, part.text.splitlines())))))


@_html.register
def _sheet(part: Sheet) -> Html:
    return tag("section", tag("h2", part.who), _parts(part.parts), class_="sheet")


@_html.register
def _blanks(part: Blanks) -> Html:
    return tag("div", (tag("div", label) for label in part.labels), class_="blanks")


@_html.register
def _chart(part: Chart) -> Html:
    return tag("figure", svg(part), _caption(part.caption))


@_html.register
def _charts(part: Charts) -> Html:
    if part.small:
        small = (
            tag("li", tag("h4", chart.title), svg(chart), tag("p", chart.caption, class_="soft"))
            for chart in part.charts
        )
        return tag("figure", tag("h3", part.title), _caption(part.caption), tag("ul", small, class_="small"))
    figures = (tag("figure", tag("h3", chart.title), svg(chart), _caption(chart.caption)) for chart in part.charts)
    caption = tag("p", part.caption, class_="soft") if part.caption else None
    return joined(tag("div", figures, class_="pictures"), caption)


def _label(label: str) -> Html | None:
    return joined(tag("b", f"{large(label)}:"), " ") if label else None


def _rest(rest: str) -> Html | None:
    return tag("small", rest.lstrip(", ")) if rest else None


def _caption(caption: str) -> Html | None:
    return tag("figcaption", caption) if caption else None


def _table(table: Table, name: str) -> Html:
    """Return a table that scrolls by itself where the window is narrow; the rows beyond those open are folded."""
    shown = _rows(table, name, range(len(table.rows))[: table.open])
    rest = range(len(table.rows))[len(table.rows) if table.open is None else table.open :]
    caption = tag("p", table.caption, class_="soft") if table.caption else None
    if not rest:
        return joined(shown, caption)
    more = f"{len(rest):,} more"
    return joined(shown, tag("details", tag("summary", more), _rows(table, f"{name}: {more}", rest)), caption)


def _rows(table: Table, name: str, which: Sequence[int]) -> Html:
    numbers = ["number" if number else "" for number in table.columns.values()]
    heads = (
        tag("th", large(head), scope="col", class_=kind) for head, kind in zip(table.columns, numbers, strict=True)
    )
    rows = []
    for at in which:
        first, *cells = table.rows[at]
        mark = tag("small", table.marked[at]) if table.marked.get(at) else None
        row = tag("th", first, mark, scope="row", class_=numbers[0])
        others = (tag("td", cell, class_=kind) for cell, kind in zip(cells, numbers[1:], strict=True))
        rows.append(tag("tr", row, others, class_="marked" if at in table.marked else ""))
        if notes := table.notes.get(at):
            under = tag("td", (tag("p", note) for note in notes), colspan=str(len(numbers)))
            rows.append(tag("tr", under, class_="says"))
    filled = tag("table", tag("thead", tag("tr", heads)), tag("tbody", rows))
    return tag("div", filled, class_="scroll", role="region", aria_label=name, tabindex="0")


def large(label: str) -> str:
    """Return a label with a large first letter, unless that is a symbol.

    >>> large("total variation"), large("p"), large("p-value")
    ('Total variation', 'p', 'p-value')
    """
    return label if label[1:2] in ("", "-") else label[0].upper() + label[1:]
