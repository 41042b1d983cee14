"""How far a flow spreads the packets over each other, exactly.

The **dispersion** after some steps is a matrix: row i, column o is the share of the cards of packet
i, as it was at the start, that now lies in packet o. It is the product of the matrices of the steps,
in fractions. It assumes that minoring is thorough, and it is an average over positions and over shuffles: single cards
can be further from even (see `fairdeck.packets.positions`).

The idea: D. Barber, Procedures for shuffling large packs of cards (2019), by an account of it. Irreducible and periodic
matrices: Seneta, Non-negative Matrices and Markov Chains (1981), chapter 1.
"""

from fractions import Fraction
from math import gcd, lcm

from fairdeck.errors import FairdeckError
from fairdeck.packets.notation import Flow

Row = tuple[Fraction, ...]
Matrix = tuple[Row, ...]


def product(x: Matrix, y: Matrix) -> Matrix:
    """Return the matrix that spreads by `x` and afterwards by `y`."""
    columns = tuple(zip(*y, strict=True))
    return tuple(tuple(_dot(row, column) for column in columns) for row in x)


def _dot(x: Row, y: Row) -> Fraction:
    return sum((a * b for a, b in zip(x, y, strict=True) if a and b), Fraction(0))


def identity(size: int) -> Matrix:
    """Return the matrix that spreads nothing."""
    return tuple(tuple(Fraction(i == o) for o in range(size)) for i in range(size))


def step_matrix(flow: Flow, step: int) -> Matrix:
    """Return the matrix of the step after `step` others: rows are the packets before it, columns those after it.

    >>> from fairdeck.packets import find
    >>> [[str(share) for share in row] for row in step_matrix(find("three-way"), 0)]
    [['1/2', '1/2', '0'], ['0', '1/2', '1/2'], ['1/2', '0', '1/2']]
    """
    moves = flow.moves(step)
    return tuple(
        tuple(sum((part.share for part in move.slices if part.packet == name), Fraction(0)) for move in moves)
        for name in flow.names(step)
    )


def dispersions(flow: Flow, steps: int) -> list[Matrix]:
    """Return the dispersion after 1, 2, ... `steps` steps."""
    found: list[Matrix] = []
    now = identity(len(flow.packets))
    for step in range(steps):
        now = product(now, step_matrix(flow, step))
        found.append(now)
    return found


def dispersion(flow: Flow, steps: int) -> Matrix:
    """Return the dispersion after `steps` steps."""
    return dispersions(flow, steps)[-1] if steps else identity(len(flow.packets))


def cycle_matrix(flow: Flow) -> Matrix:
    """Return the dispersion after one round of all steps."""
    return dispersion(flow, len(flow.steps))


def even(spread: Matrix) -> Row:
    """Return the share of all cards in each packet, after an even start: the ideal of each row."""
    return tuple(sum(column, Fraction(0)) / len(spread) for column in zip(*spread, strict=True))


def distance(spread: Matrix) -> Fraction:
    """Return how far the worst packet is from even: the total variation between its row and `even`.

    >>> from fairdeck.packets import find
    >>> [str(distance(each)) for each in dispersions(find("three-way"), 3)]
    ['1/3', '1/6', '1/12']
    """
    aim = even(spread)
    return max(sum((abs(a - b) for a, b in zip(row, aim, strict=True)), Fraction(0)) / 2 for row in spread)


def ratios(row: Row) -> str:
    """Return a row in least whole numbers.

    >>> ratios((Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)))
    '1:2:1'
    """
    whole = lcm(*(share.denominator for share in row))
    numbers = [int(share * whole) for share in row]
    return ":".join(str(number // gcd(*numbers)) for number in numbers)


# --- whether it ever spreads


def classes(matrix: Matrix) -> tuple[list[set[int]], int]:
    """Return which packets always stay apart, and after how many rounds their cards return.

    Returns:
        Sets of rows, and a period. One set and period 1: all cards meet. More sets and period 1: the
        cards of one set never reach another set. A period of 2 or more: the sets only change places.
    """
    size = len(matrix)
    reach = [{o for o in range(size) if matrix[i][o]} for i in range(size)]
    linked = [set(each) | {i} for i, each in enumerate(reach)]
    for middle in range(size):
        for each in linked:
            if middle in each:
                each |= linked[middle]
    together = [frozenset(o for o in linked[i] if i in linked[o]) for i in range(size)]
    apart = list(dict.fromkeys(together))
    if len(apart) > 1:
        return [set(each) for each in apart], 1
    level, waiting, period = {0: 0}, [0], 0
    for i in waiting:
        for o in reach[i]:
            if o not in level:
                level[o] = level[i] + 1
                waiting.append(o)
            period = gcd(period, level[i] + 1 - level[o])
    return [{i for i in level if level[i] % period == side} for side in range(period)], period


def drained(flow: Flow) -> list[str]:
    """Return the packets that lose cards to others and never get any of theirs, so that they run empty.

    >>> from fairdeck.packets.notation import read_flow
    >>> drained(read_flow("scheme x; pack 40 packets 2; step { 1 = 1[0:1/2]; 2 = !(1[1/2:1] + 2) }"))
    ['1']
    """
    matrix = cycle_matrix(flow)
    apart, period = classes(matrix)
    if period > 1:  # the sides change places: each gets what another had
        return []
    leaving = {
        i for side in apart if any(matrix[i][o] for i in side for o in set(range(len(matrix))) - side) for i in side
    }
    return [name for place, name in enumerate(flow.packets) if place in leaving]


def fault(flow: Flow) -> str:
    """Say why a flow never spreads its packets evenly; empty if it does spread them.

    >>> from fairdeck.packets import find
    >>> fault(find("four-halves"))
    'the cards of players A, C and of B, D only swap sides, and never meet'
    """
    apart, period = classes(cycle_matrix(flow))
    if len(apart) == 1:
        return ""
    word = "packets" if all(name.isdigit() for name in flow.packets) else "players"
    named = [", ".join(flow.packets[i] for i in sorted(side)) for side in apart]
    sides = f"{word} {' and of '.join(named)}"
    if period == 1:
        if draining := drained(flow):
            kept = ", ".join(name for name in flow.packets if name not in draining)
            return f"cards go from {word if draining[1:] else word[:-1]} {', '.join(draining)} to {kept}, and none back"
        return f"the cards of {sides} are never spread over all packets"
    how = "only swap sides" if period == 2 else "only change places in a circle"
    return f"the cards of {sides} {how}, and never meet"


def refuse_without_limit(flow: Flow) -> None:
    """Refuse a flow that never disperses."""
    if why := fault(flow):
        remedy = "cut its packets in another way, so that parts of all of them meet, or use another scheme"
        raise FairdeckError(f"{flow.name} never disperses: {why}; {remedy}")


def limit(flow: Flow) -> Row:
    """Return the limit of every row after many rounds: the only row that a round does not change."""
    refuse_without_limit(flow)
    matrix = cycle_matrix(flow)
    size = len(matrix)
    # x M = x and sum(x) = 1: the last equation of x M = x follows from the others, so the sum replaces it.
    rows = [[matrix[i][o] - (i == o) for i in range(size)] + [Fraction(0)] for o in range(size - 1)]
    rows.append([Fraction(1)] * (size + 1))
    for column in range(size):
        pivot = next(row for row in range(column, size) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(size):
            if row != column and (factor := rows[row][column]):
                rows[row] = [x - factor * y for x, y in zip(rows[row], rows[column], strict=True)]
    return tuple(row[-1] for row in rows)
