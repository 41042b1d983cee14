"""A flow as a picture, and as a web page that needs nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape

from fairdeck.packets.dispersion import Matrix, dispersions, distance, even, identity, ratios
from fairdeck.packets.instructions import Procedure
from fairdeck.packets.notation import ALONE, JOINT, STACKED, Flow
from fairdeck.show.html import html_page, style, text

WIDTH, GAP, BAR = 340, 12, 26
SHADES = 6
ROWS = 12
DONE = {JOINT: "riffled together", ALONE: "stacked, riffled", STACKED: "stacked"}

Simulated = tuple[float, float, float]  # the lower bound of a distance, the distance as counted, and its standard error

STYLE = style("packet_flow")  # a colour for each packet, and instructions in two columns


def flow_svg(flow: Flow, step: int) -> str:
    """Return one step as an SVG picture: the packets before, where each part goes, the packets after."""
    before, moves = flow.names(step), flow.moves(step)
    sizes = _sizes(flow, step)
    high = 196
    colours = {name: f"c{at % SHADES}" for at, name in enumerate(before)}
    boxes = _boxes([sizes[name] for name in before])
    shares = [sum((sizes[each.packet] * each.share for each in move.slices), Fraction(0)) for move in moves]
    made = _boxes(shares)
    says = f"Step {step + 1} of {flow.name}: " + "; ".join(map(str, moves))
    parts = [f'<svg viewBox="0 0 {WIDTH} {high}" role="img" aria-label="{escape(says)}"><title>{escape(says)}</title>']
    bottom = 150
    for move, (left, width), whole in zip(moves, made, shares, strict=True):
        at = left
        for each in move.slices:
            begin, full = boxes[before.index(each.packet)]
            x0, x1 = begin + full * float(each.start), begin + full * float(each.end)
            wide = width * float(sizes[each.packet] * each.share / whole)
            shade = colours[each.packet]
            parts.append(
                f'<path class="flow {shade}" d="M{x0:.1f} 46C{x0:.1f} 98 {at:.1f} 98 {at:.1f} {bottom}H{at + wide:.1f}'
                f'C{at + wide:.1f} 98 {x1:.1f} 98 {x1:.1f} 46Z"/>'
                f'<rect class="{shade}" x="{at:.1f}" y="{bottom}" width="{wide:.1f}" height="{BAR}"/>'
                f'<text class="in" x="{at + wide / 2:.1f}" y="{bottom + 17}">{escape(each.packet)}</text>'
            )
            at += wide
    for name, (left, width) in zip(before, boxes, strict=True):
        parts.append(
            f'<text x="{left:.1f}" y="14">{escape(name)}</text><text class="small" x="{left + width:.1f}" y="14" '
            f'text-anchor="end">top to bottom</text>'
            if width > 90
            else f'<text x="{left:.1f}" y="14">{escape(name)}</text>'
        )
        parts.append(f'<rect class="{colours[name]}" x="{left:.1f}" y="20" width="{width:.1f}" height="{BAR}"/>')
    for move, (left, width) in zip(moves, made, strict=True):
        parts.append(f'<rect class="frame" x="{left:.1f}" y="{bottom}" width="{width:.1f}" height="{BAR}"/>')
        done = DONE[move.kind] if len(move.slices) > 1 else {ALONE: "riffled"}.get(move.kind, "as it is")
        label = f"{move.packet}: {done}" if width > 95 else move.packet
        parts.append(f'<text x="{left:.1f}" y="{bottom + 40}">{escape(label)}</text>')
    return "".join(parts) + "</svg>"


def _sizes(flow: Flow, step: int) -> dict[str, Fraction]:
    """Return how large each packet is before a step, as a share of the pack."""
    spread: Matrix = dispersions(flow, step)[-1] if step else identity(len(flow.packets))
    return dict(zip(flow.names(step), even(spread), strict=True))


def _boxes(shares: Sequence[Fraction]) -> list[tuple[float, float]]:
    """Return the left edge and width of bars side by side."""
    free = WIDTH - GAP * (len(shares) - 1)
    boxes, at = [], 0.0
    for share in shares:
        boxes.append((at, float(share) * free))
        at += float(share) * free + GAP
    return boxes


def spread_svg(flow: Flow, steps: int) -> str:
    """Return the dispersion step by step as bars: the shares of the old packets in each packet."""
    shown = [identity(len(flow.packets)), *dispersions(flow, steps)][: ROWS + 1]
    high = 24 * len(shown) + 6
    title = f"The shares of the old packets in each packet, after 0 to {len(shown) - 1} steps"
    parts = [f'<svg viewBox="0 0 {WIDTH} {high}" role="img" aria-label="{title}"><title>{title}</title>']
    for row, spread in enumerate(shown):
        y = 24 * row + 4
        parts.append(f'<text x="0" y="{y + 13}">{row}</text>')
        sizes = even(spread)
        free = WIDTH - 24 - GAP * (len(sizes) - 1)
        left = 24.0
        for packet, size in enumerate(sizes):
            at = left
            for source, shares in enumerate(spread):
                wide = free * float(shares[packet]) / len(spread)
                if wide:
                    parts.append(
                        f'<rect class="c{source % SHADES}" x="{at:.1f}" y="{y}" width="{wide:.1f}" height="18"/>'
                    )
                at += wide
            left += free * float(size) + GAP
    return "".join(parts) + "</svg>"


def page(procedure: Procedure, worst: Sequence[float], simulated: Mapping[str, Simulated], notation: str) -> str:
    """Return a web page on a flow: pictures, dispersion, instructions, its notation.

    Args:
        procedure: the flow, and who does it with how many cards.
        worst: how far the place of the worst card is from uniform after each step; may be empty.
        simulated: the results of a simulation, by what was counted; may be empty.
        notation: the flow in the notation.
    """
    flow = procedure.flow
    lead = f"<p>For {text(flow.purpose)}.</p>" if flow.purpose else ""
    return html_page(flow.title or flow.name, lead, "\n".join(_body(procedure, worst, simulated, notation)), STYLE)


def _body(
    procedure: Procedure, worst: Sequence[float], simulated: Mapping[str, Simulated], notation: str
) -> Iterator[str]:
    flow = procedure.flow
    yield f'<p class="soft">{escape(flow.name)}: {procedure.work()}.'
    yield f"Source: {escape(flow.source)}.</p>" if flow.source else "</p>"
    yield "<h2>Where the cards go</h2>"
    for step in range(len(flow.steps)):
        which = "Each step" if len(flow.steps) == 1 else f"Step {step + 1} of {len(flow.steps)}, again and again"
        yield f"<figure>{flow_svg(flow, step)}<figcaption>{which}. Each bar is a packet, its top at the left; above "
        yield "before, below after. The name in a part says which packet it came from.</figcaption></figure>"
    yield "<h2>What to do</h2>"
    if flow.says:
        told = "".join(f"<dt>{escape(name)}</dt><dd>{escape(sentence)}</dd>" for name, sentence in flow.says)
        yield f'<p class="soft">In short:</p><dl class="told soft">{told}</dl>'
    yield f"<p>{escape(procedure.opening())}</p><ol>"
    for steps, sentences in procedure.grouped():
        yield f"<li><b>{steps}</b>"
        if procedure.players == 1:
            yield "".join(f"<p>{escape(each.says)}</p>" for each in sentences)
        else:
            yield (
                '<dl class="told">'
                + "".join(f"<dt>{each.who}</dt><dd>{escape(each.says)}</dd>" for each in sentences)
                + "</dl>"
            )
        yield "</li>"
    yield f"</ol><p>{escape(procedure.ending())}</p>"
    yield "<h2>How far it spreads the packets</h2>"
    yield f"<figure>{spread_svg(flow, procedure.steps)}<figcaption>After each step: shares of the old packets in each "
    yield "packet, if every packet is riffled thoroughly.</figcaption></figure>"
    yield '<div class="scroll" role="region" aria-label="Dispersion" tabindex="0"><table><tr><th>steps</th>'
    yield "".join(f"<th>of {escape(name)}</th>" for name in flow.packets) + "<th>from even</th>"
    yield ("<th>worst card</th>" if worst else "") + "</tr>"
    for at, spread in enumerate(procedure.dispersions()):
        cells = "".join(f"<td>{short_ratios(row)}</td>" for row in spread)
        card = f"<td>{worst[at]:.4f}</td>" if worst else ""
        yield f"<tr><td>{at + 1}</td>{cells}<td>{float(distance(spread)):.4f}</td>{card}</tr>"
    yield "</table></div>"
    yield '<p class="soft">The ratios say how the cards of an old packet are shared among the new packets. '
    yield "From even: the share of them that lies in a wrong packet, if packets are riffled thoroughly. "
    if worst:
        yield "Worst card: how far the place of the worst card is from random, for ideal riffles: the whole order is "
        yield "at least as far.</p>"
    else:
        yield "Single cards were not followed: for this many cards and steps it would take too long.</p>"
    if simulated:
        yield '<h2>Simulated</h2><div class="scroll" role="region" aria-label="Simulated" tabindex="0">'
        yield '<table class="say">'
        yield "<tr><th>seen in</th><th>distance from random, at least</th><th>counted</th></tr>"
        for name, (least, value, error) in simulated.items():
            yield f"<tr><td>{escape(name)}</td><td>{least:.4f}</td><td>{value:.4f} ± {error:.4f}</td></tr>"
        yield "</table></div>"
    yield f"<h2>The flow itself</h2><pre><code>{escape(notation)}</code></pre>"


def short_ratios(row: Sequence[Fraction]) -> str:
    """Return a row in least whole numbers, or in percent where those are long."""
    exact = ratios(tuple(row))
    return exact if len(exact) <= 24 else " : ".join(f"{float(share):.4%}" for share in row)
