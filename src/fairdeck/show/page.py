"""A document as one web page, or as a part of one for a notebook."""

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch

from fairdeck import document as doc
from fairdeck.show.charts import svg
from fairdeck.show.html import Html, hero, html_page, joined, tag, text

VERDICTS = {"fail": "Not fair", "pass": "No fault found", "insufficient": "Too few decks to tell"}
# A deck's side after the verdict: the line is left, the line has gone, or it cannot be seen yet.
SIGNS = {
    "fail": "M4 4 20 20",
    "pass": "M5 8h0M9 18h0M13 5h0M12 12h0M18 10h0M19 19h0",
    "insufficient": "M6 12h0M12 12h0M18 12h0",
}
LEAD = doc.Sentence | doc.Note  # before anything else they stand under the headline
KEY = "Filled: too often. Hollow: too seldom."
OPEN = 2  # sections of a page without a verdict that are shown first; the others can be opened
Section = tuple[doc.Heading, Sequence[doc.Element]]


def page(document: doc.Document) -> str:
    """Return the page, which needs nothing else."""
    first, *sections = _sections(document.parts)
    title, glance = document.title or document.headline, document.glance
    again = [*([doc.Code(document.command)] if document.command else []), *document.repeating]
    repeating = [(doc.Heading("How to repeat it"), again)] if again else []
    if glance:
        rest = [(glance.rest, first[1]), *(each for each in sections if each[0] not in glance.parts)]
        top, shown, folded = _at_a_glance(document, glance), joined(), [*rest, *repeating]
    else:
        body = next((at for at, part in enumerate(first[1]) if not isinstance(part, LEAD) or part.label), len(first[1]))
        headline = [tag("p", document.headline)] if document.title else []
        top = joined(hero(title, headline, _parts(first[1][:body])), _seal(document.outcome))
        shown, folded = joined(_parts(first[1][body:])), [*sections, *repeating]
    opened = 0 if glance else len(folded) if document.outcome else OPEN
    parts = (_section(*each, opened=at < opened and not each[0].annex) for at, each in enumerate(folded))
    kind = document.command.split()[1:2]
    return html_page(title, top, joined(shown, parts), *kind)


def fragment(document: doc.Document) -> str:
    """Return what a notebook shows: the headline and the parts, without the frame and the style of a page."""
    verdict = [tag("p", VERDICTS[document.outcome])] if document.outcome else []
    return tag("div", verdict, tag("p", tag("b", document.headline)), _parts(document.parts))


def _sections(parts: Sequence[doc.Element]) -> list[Section]:
    """Return each heading with what stands under it; the first has no words."""
    sections: list[tuple[doc.Heading, list[doc.Element]]] = [(doc.Heading(""), [])]
    for part in parts:
        if isinstance(part, doc.Heading):
            sections.append((part, []))
        else:
            sections[-1][1].append(part)
    return [(heading, under) for heading, under in sections]


def _section(heading: doc.Heading, parts: Sequence[doc.Element], opened: bool) -> Html:
    """Return a section that opens and closes; on paper it is open."""
    aside = tag("span", heading.aside) if heading.aside else None
    summary = tag("summary", tag("h2", heading.text), aside)
    kind = "annex" if heading.annex else ""
    return tag("details", summary, _parts(parts, heading.text), class_=kind, open="open" if opened else "")


def _at_a_glance(document: doc.Document, glance: doc.Glance) -> Html:
    """Return the verdict, the picture, the cause, the repair, and how to test again."""
    verdict = tag("h1", _sign(document.outcome), VERDICTS[document.outcome])
    says = [tag("p", tag("code", glance.subject)), tag("p", glance.says)]
    band = tag("section", verdict, says, class_=f"band {document.outcome}")
    fact = None
    if chart := glance.chart:
        fact = tag("figure", svg(chart), tag("figcaption", chart.caption, tag("small", KEY)), class_="fact")
    again = tag("pre", tag("code", document.command), class_="again") if document.command else None
    return joined(band, tag("div", fact, tag("div", _parts(glance.parts), again), class_="glance"))


def _seal(outcome: str) -> Html | None:
    return tag("p", _sign(outcome), VERDICTS[outcome], class_=f"seal {outcome}") if outcome else None


def _sign(outcome: str) -> Html:
    return Html(f'<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="{SIGNS[outcome]}"/></svg>')


def _parts(parts: Iterable[doc.Element], heading: str = "Table") -> Iterator[Html]:
    """Yield the elements; a table is named after the heading above it, for a screen reader."""
    for part in parts:
        if isinstance(part, doc.Heading):
            heading = part.text
        yield _table(part, heading) if isinstance(part, doc.Table) else _html(part)


@singledispatch
def _html(part: doc.Element) -> Html:
    raise AssertionError(f"no page shows {part!r}")


@_html.register
def _heading(part: doc.Heading) -> Html:
    return tag("h2", part.text)


@_html.register
def _sentence(part: doc.Sentence) -> Html:
    return tag("p", _label(part.label), part.text)


@_html.register
def _note(part: doc.Note) -> Html:
    return tag("p", _label(part.label), part.text, class_="soft" if part.small else "")


@_html.register
def _facts(part: doc.Facts) -> Html:
    tiles = (tag("div", tag("dt", large(fact.label)), tag("dd", fact.text, _rest(fact.rest))) for fact in part.facts)
    return tag("dl", tiles, class_="facts")


@_html.register
def _details(part: doc.Details) -> Html:
    values = ([tag("dt", name), tag("dd", tag("code", value))] for name, value in part.values.items())
    return tag("dl", values, class_="made")


@_html.register
def _items(part: doc.Items) -> Html:
    items = map(_item, part.items)
    return tag("ol" if len(part.items) > 1 else "ul", items, class_="findings") if part.ranked else tag("ul", items)


def _item(item: doc.Item) -> Html:
    lines = [*([item.small] if item.small else []), *item.more]
    says: str | Html = tag("b", item.text, class_="code" if item.code else "") if lines else item.text
    repair = tag("p", tag("b", "Repair: "), item.repair, class_="repair") if item.repair else None
    return tag("li", says, repair, (tag("small", line) for line in lines))


@_html.register
def _steps(part: doc.Steps) -> Html:
    steps = (tag("li", (tag("p", line) for line in step.split("\n"))) for step in part.steps)
    return tag("ol", steps, class_="steps titled" if part.titled else "steps")


@_html.register
def _code(part: doc.Code) -> Html:
    return tag("pre", tag("code", Html("\n".join(map(text, part.text.splitlines())))))


@_html.register
def _sheet(part: doc.Sheet) -> Html:
    return tag("details", tag("summary", tag("h3", part.who)), _parts(part.parts), class_="sheet")


@_html.register
def _blanks(part: doc.Blanks) -> Html:
    return tag("div", (tag("div", label) for label in part.labels), class_="blanks")


@_html.register
def _chart(part: doc.Chart) -> Html:
    return tag("figure", svg(part), _caption(part.caption))


@_html.register
def _charts(part: doc.Charts) -> Html:
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


def _table(table: doc.Table, name: str) -> Html:
    """Return a table that scrolls by itself where the window is narrow; the rows beyond those open are folded."""
    shown = _rows(table, name, range(len(table.rows))[: table.open])
    rest = range(len(table.rows))[len(table.rows) if table.open is None else table.open :]
    caption = tag("p", table.caption, class_="soft") if table.caption else None
    if not rest:
        return joined(shown, caption)
    more = f"{len(rest):,} more"
    return joined(shown, tag("details", tag("summary", more), _rows(table, f"{name}: {more}", rest)), caption)


def _rows(table: doc.Table, name: str, which: Sequence[int]) -> Html:
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
