"""The charts of packet procedures as SVG: where the parts of packets go in a step, and how the packets spread."""

from collections.abc import Sequence
from html import escape

from fairdeck.document import PacketStep, Spread

WIDTH, GAP, BAR = 340, 12, 26
SHADES = 6  # colours for packets


def packet_step(picture: PacketStep) -> tuple[int, str]:
    """Return the height of a step, and what is in it: the packets before, where each part goes, the packets after."""
    high, bottom = 196, 150
    colours = {name: f"c{at % SHADES}" for at, name in enumerate(picture.before)}
    boxes = dict(zip(picture.before, _boxes(list(picture.before.values())), strict=True))
    made = _boxes([packet.size for packet in picture.after])
    parts = []
    for packet, (left, width) in zip(picture.after, made, strict=True):
        at = left
        for part in packet.parts:
            begin, full = boxes[part.packet]
            x0, x1, wide = begin + full * part.start, begin + full * part.end, width * part.share
            shade = colours[part.packet]
            parts.append(
                f'<path class="flow {shade}" d="M{x0:.1f} 46C{x0:.1f} 98 {at:.1f} 98 {at:.1f} {bottom}H{at + wide:.1f}'
                f'C{at + wide:.1f} 98 {x1:.1f} 98 {x1:.1f} 46Z"/>'
                f'<rect class="{shade}" x="{at:.1f}" y="{bottom}" width="{wide:.1f}" height="{BAR}"/>'
                f'<text class="in" x="{at + wide / 2:.1f}" y="{bottom + 17}">{escape(part.packet)}</text>'
            )
            at += wide
    for name, (left, width) in boxes.items():
        parts.append(f'<text x="{left:.1f}" y="14">{escape(name)}</text>')
        if width > 90:
            right = f'x="{left + width:.1f}" y="14" text-anchor="end"'
            parts.append(f'<text class="tiny" {right}>top to bottom</text>')
        parts.append(f'<rect class="{colours[name]}" x="{left:.1f}" y="20" width="{width:.1f}" height="{BAR}"/>')
    for packet, (left, width) in zip(picture.after, made, strict=True):
        parts.append(f'<rect class="frame" x="{left:.1f}" y="{bottom}" width="{width:.1f}" height="{BAR}"/>')
        label = f"{packet.name}: {packet.done}" if width > 95 else packet.name
        parts.append(f'<text x="{left:.1f}" y="{bottom + 40}">{escape(label)}</text>')
    return high, "".join(parts)


def spread(picture: Spread) -> tuple[int, str]:
    """Return the height of bars step by step, and what is in them: the shares of the old packets in each packet."""
    parts = []
    for row, packets in enumerate(picture.steps):
        y, at = 24 * row + 4, 24.0
        parts.append(f'<text x="0" y="{y + 13}">{row}</text>')
        free = WIDTH - 24 - GAP * (len(packets) - 1)
        for shares in packets:
            for source, share in enumerate(shares):
                if wide := free * share:
                    shade = f"c{source % SHADES}"
                    parts.append(f'<rect class="{shade}" x="{at:.1f}" y="{y}" width="{wide:.1f}" height="18"/>')
                at += wide
            at += GAP
    return 24 * len(picture.steps) + 6, "".join(parts)


def _boxes(shares: Sequence[float]) -> list[tuple[float, float]]:
    """Return the left edge and width of bars side by side."""
    free = WIDTH - GAP * (len(shares) - 1)
    boxes, at = [], 0.0
    for share in shares:
        boxes.append((at, share * free))
        at += share * free + GAP
    return boxes
