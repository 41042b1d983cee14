"""Draw the pictures of how-it-works.md, mixing.md and the findings: python docs/figures.py.

A picture has a ground of its own and follows the reader's light or dark system, on a code host as in the site.
"""

import re
from itertools import pairwise
from pathlib import Path

from fairdeck.dealing.eulerian import descent_law
from fairdeck.lab.causes import even_ciphers
from fairdeck.shuffles.riffle import gsr_riffles

IMAGES = Path(__file__).parent / "images"
SHUFFLES = Path(__file__).parent / "reference" / "shuffles.md"
FINDINGS = Path(__file__).parent / "findings"
STYLE = """
  :root { --ground: #f6f8f7; --ink: #1c2b2a; --soft: #5d6f6c; --line: #c9d3d0; --one: #0b6b5c; --two: #b3520b;
    --three: #5b4a8a; --four: #8c1d40; --five: #2a5ca8; }
  @media (prefers-color-scheme: dark) { :root { --ground: #16201f; --ink: #e8efed; --soft: #a3b4b0; --line: #3b4a47;
    --one: #5fd3bc; --two: #ffb25e; --three: #b9a8ff; --four: #ff8fae; --five: #8fbcff; } }
  .ground { fill: var(--ground) } .line { stroke: var(--line); stroke-width: 1 } .ink { fill: var(--ink) }
  text { font: 15px system-ui, sans-serif; fill: var(--ink) } .soft { fill: var(--soft); font-size: 13px }
  .middle { text-anchor: middle } .end { text-anchor: end } .on { fill: var(--ground); font-weight: 600 }
"""
COLOURS = ("one", "two", "three", "four", "five")
DRAWN = (3, 0, 5, 8, 1, 6, 4, 9, 2, 7)  # where the card now at place 0, 1, 2, ... must end


def svg(width: int, height: int, title: str, parts: list[str]) -> str:
    """Return a picture; `title` says what it shows."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    inside = "\n".join(parts)
    return (
        f'{head} role="img">\n<title>{title}</title>\n<style>{STYLE}</style>\n'
        f'<rect class="ground" width="{width}" height="{height}" rx="14"/>\n{inside}\n</svg>\n'
    )


def text(x: float, y: float, words: str, kind: str = "") -> str:
    """Return some words at a place."""
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{words}</text>'


def pile(x: int, foot: int, cards: tuple[int, ...], below: str, colour: dict[int, str]) -> list[str]:
    """Return a pile of cards, bottom first, that stands on `foot`, and the words below it."""
    parts = []
    for at, card in enumerate(cards):
        y = foot - 30 * (at + 1)
        parts.append(f'<rect x="{x}" y="{y}" width="76" height="25" rx="5" style="fill: var(--{colour[card]})"/>')
        parts.append(text(x + 38, y + 18, str(card), "on middle"))
    return [*parts, text(x + 38, foot + 22, below, "soft middle")]


def arrow(x: int, y: int, words: str) -> list[str]:
    """Return an arrow to the right with words above it."""
    return [
        f'<path d="M{x} {y}h52m-9 -7l9 7l-9 7" style="fill: none; stroke: var(--soft); stroke-width: 2"/>',
        text(x + 26, y - 14, words, "soft middle"),
    ]


def a_pass() -> str:
    """Draw five cards that are dealt onto two piles and gathered."""
    deck, deal = (0, 1, 2, 3, 4), ("one", "two", "two", "one", "one")
    colour = dict(zip(reversed(deck), deal, strict=True))
    piles = {kind: tuple(card for card in reversed(deck) if colour[card] == kind) for kind in ("one", "two")}
    parts = [
        *pile(30, 190, deck, "the deck", colour),
        *arrow(132, 115, "deal"),
        *pile(210, 190, piles["one"], "A1", colour),
        *pile(300, 190, piles["two"], "A2", colour),
        *arrow(402, 115, "gather"),
        *pile(480, 190, piles["two"] + piles["one"], "A1 on A2", colour),
    ]
    return svg(590, 240, "A pass turns the deck over and groups the cards by pile", parts)


def keys() -> str:
    """Draw where ten cards lie and must end, and join those that share a key."""
    left, foot, step = 96, 352, 33
    parts = [
        text(left + 4.5 * step, foot + 54, "place now, from the bottom", "soft middle"),
        f'<text class="soft middle" transform="translate(34 {foot - 4.5 * step:g}) rotate(-90)">'
        "place at the end</text>",
    ]
    for at in range(10):
        x, y = left + at * step, foot - at * step
        parts.append(f'<path class="line" d="M{x} {foot + 12}V{foot - 9 * step - 12}"/>')
        parts.append(f'<path class="line" d="M{left - 12} {y}H{left + 9 * step + 12}"/>')
        parts += [text(x, foot + 32, str(at), "soft middle"), text(left - 24, y + 5, str(at), "soft end")]
    walk = sorted(range(10), key=DRAWN.__getitem__)
    chains = [[walk[0]]]
    for last, here in pairwise(walk):
        if here > last:
            chains[-1].append(here)
        else:
            chains.append([here])
    for key, chain in enumerate(chains):
        colour = f"var(--{COLOURS[key]})"
        points = [(left + place * step, foot - DRAWN[place] * step) for place in chain]
        line = " ".join(f"{x},{y}" for x, y in points)
        parts.append(f'<polyline points="{line}" style="fill: none; stroke: {colour}; stroke-width: 3"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="8" style="fill: {colour}"/>' for x, y in points]
        middle = sum(y for _, y in points) / len(points)
        parts.append(f'<text x="{left + 9 * step + 34}" y="{middle + 5:g}" style="fill: {colour}">key {key}</text>')
    return svg(500, 430, f"Ten cards need {len(chains)} keys in an even number of passes", parts)


def law() -> str:
    """Draw how many keys 52 cards need."""
    left, foot, step, high = 40, 240, 14.5, 970
    first, chances = descent_law(52)
    chance = {first + at + 1: each for at, each in enumerate(chances)}

    def x(keys: int) -> float:
        return left + (keys - 15) * step

    parts = [f'<path class="line" d="M{left} {foot}H{x(54):g}"/>']
    for keys in range(15, 53):
        height = high * chance.get(keys, 0)
        parts.append(
            f'<rect x="{x(keys) - 5.5:g}" y="{foot - height:.2f}" width="11" height="{height:.2f}" '
            'style="fill: var(--one)"/>'
        )
    parts += [text(x(keys), foot + 20, str(keys), "soft middle") for keys in (15, 20, 25, 30, 36, 40, 45, 52)]
    for keys, words in ((25, "5 × 5"), (30, "5 × 6"), (36, "6 × 6"), (52, "one key a card")):
        middle = x(keys) + step / 2
        parts.append(
            f'<path d="M{middle:g} {foot}V44" style="stroke: var(--two); stroke-width: 2; stroke-dasharray: 5 4"/>'
        )
        parts.append(text(min(middle, x(50) + 8), 32, words, "middle"))
    parts.append(text(x(34), foot + 44, "keys that 52 cards need in two passes", "soft middle"))
    return svg(640, 300, "The number of keys of 52 cards: 26.5 on average, hardly ever more than 36", parts)


def lower_bounds(first: str, cards: int) -> list[tuple[int, float]]:
    """Return the row of some cards in the table of shuffles.md whose second column is headed so."""
    _, _, after = SHUFFLES.read_text(encoding="utf-8").partition(f"| cards | {first} |")
    shuffles = [int(re.findall(r"\d+", first)[0]), *map(int, re.findall(r"\d+", after.partition("\n")[0]))]
    row = next(line for line in after.splitlines() if line.startswith(f"| {cards} |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")][1:]
    return [(times, float(cell)) for times, cell in zip(shuffles, cells, strict=True) if cell]


def mixing() -> str:
    """Draw the total variation after more and more shuffles: laws of riffles, bounds of mashes and overhand."""
    left, foot, wide, high, most = 60, 290, 560, 240, 60

    def point(times: float, distance: float) -> str:
        return f"{left + wide * times / most:.1f},{foot - high * distance:.1f}"

    parts = [f'<path class="line" d="M{left} {foot}H{left + wide}M{left} {foot}V{foot - high}"/>']
    parts += [
        text(left + wide * times / most, foot + 20, str(times), "soft middle") for times in range(0, most + 1, 10)
    ]
    parts += [text(left - 8, foot - high * distance + 5, f"{distance:g}", "soft end") for distance in (0, 0.5, 1)]
    near = foot - high * 0.05
    parts.append(f'<path d="M{left} {near}H{left + wide}" style="stroke: var(--soft); stroke-dasharray: 5 4"/>')
    parts.append(text(left + wide, near - 6, "near random: .05", "soft end"))
    curves = {
        "52 cards, ideal riffles": [(times, float(gsr_riffles(52, times).total_variation)) for times in range(1, 15)],
        "104 cards, ideal riffles": [(times, float(gsr_riffles(104, times).total_variation)) for times in range(1, 15)],
        "60 cards, mashes: at least": lower_bounds("10 mashes", 60),
        "52 cards, overhand: at least": lower_bounds("10 shuffles", 52),
    }
    for at, (name, points) in enumerate(curves.items()):
        line = " ".join(point(times, distance) for times, distance in [(0, 1), *points] if times <= most)
        dash = "stroke-dasharray: 8 5" if at > 1 else ""
        colour = f"var(--{COLOURS[at]})"
        parts.append(f'<polyline points="{line}" style="fill: none; stroke: {colour}; stroke-width: 3; {dash}"/>')
        parts.append(f'<text x="{left + 330}" y="{60 + 22 * at}" style="fill: {colour}">{name}</text>')
    parts.append(text(left + wide / 2, foot + 42, "shuffles", "soft middle"))
    return svg(left + wide + 30, foot + 60, "The distance from random after more and more shuffles", parts)


def odd_orders() -> str:
    """Draw a dot for each of the first 45 orders of each size that the finding shows first: full if it is odd."""
    shown = (FINDINGS / "cccl.md").read_text(encoding="utf-8").split("$ ./a.out")[1]
    rows = re.findall(r"^ +(\d+) cards: ([.#]+)", shown, re.M)
    parts = []
    for row, (cards, marks) in enumerate(rows):
        y = 34 + 24 * row
        colour = f"var(--{'one' if '#' in marks else 'two'})"
        parts.append(text(98, y + 5, f"{int(cards):,} cards", "end"))
        parts += [
            f'<circle cx="{114 + 8.2 * at:g}" cy="{y}" r="2.9" '
            f'style="stroke: {colour}; stroke-width: 1.2; fill: {colour if mark == "#" else "none"}"/>'
            for at, mark in enumerate(marks)
        ]
    parts.append(text(294, 40 + 24 * len(rows), "each dot one order: full if odd, empty if even", "soft middle"))
    return svg(496, 60 + 24 * len(rows), "At 16, 64, 128, 256 and 1,024 cards every order is even", parts)


def odd_walks() -> str:
    """Draw the share of odd orders that a walked cipher yields: predicted as lines, counted as dots."""
    left, foot, wide, high = 50, 280, 520, 250

    def place(cards: int, share: float) -> tuple[float, float]:
        return left + wide * cards / 1_100, foot - high * share

    parts = [f'<path class="line" d="M{left} {foot}H{left + wide}M{left} {foot}V{foot - high}"/>']
    for first, last in ((2, 256), (257, 512), (513, 1_024), (1_025, 1_100)):
        for start in (first, first + 1):
            line = (
                (n, float(even_ciphers.odd_when_walked(n, even_ciphers.points(n, 256))))
                for n in range(start, last + 1, 2)
            )
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*each) for each in line))
            colour = f"var(--{COLOURS[start % 2]})"
            parts.append(f'<polyline points="{line}" style="fill: none; stroke: {colour}; stroke-width: 1.5"/>')
    counted = re.findall(r"(\d+) cards: +(\d+) odd", (FINDINGS / "odd_walks.txt").read_text(encoding="utf-8"))
    for n, odd in ((int(n), int(odd)) for n, odd in counted):
        x, y = place(n, odd / 1_000)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" style="fill: var(--{COLOURS[n % 2]})"/>')
    parts += [text(place(n, 0)[0], foot + 20, f"{n:,}", "soft middle") for n in (52, 256, 512, 1_024)]
    parts += [text(left - 8, place(0, share)[1] + 5, f"{share:.0%}", "soft end") for share in (0, 0.5, 1)]
    for at, words in enumerate(("even number of cards", "odd number of cards")):
        y = place(0, at)[1] + (-12 if at == 0 else 10)
        parts.append(f'<text x="{left + 258}" y="{y:g}" style="fill: var(--{COLOURS[at]})">{words}</text>')
    parts.append(text(left + wide / 2, foot + 42, "cards", "soft middle"))
    return svg(
        left + wide + 30, foot + 60, "The share of odd orders: predicted, and counted in 1,000 orders a size", parts
    )


def main() -> None:
    """Write the pictures."""
    proofs = {f"proof-{name}": picture for name, picture in {"pass": a_pass(), "keys": keys(), "law": law()}.items()}
    findings = {"odd-orders": odd_orders(), "odd-walks": odd_walks()}
    for name, picture in {**proofs, "mixing": mixing(), **findings}.items():
        (IMAGES / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
