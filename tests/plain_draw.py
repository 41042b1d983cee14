"""A second verifier of transcripts, written from docs/reference/draw.md alone, with nothing but SHA-256 and JSON.

It does not check the signature of a beacon: that takes a library for elliptic curves.
"""

import json
from functools import reduce
from hashlib import sha256
from math import factorial

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
AGREED = (
    *("way", "cards", "names", "start", "deals", "decks", "called", "people", "session", "attempt", "before"),
    *("deadline", "beacon", "note"),
)
DEAL = ("mat", "labels", "goal", "planning", "dealers")
ATTEMPT = ("agreement", "digest", "commitments", "list", "secrets", "orders", "shown")
MAY_CHANGE = ("session", "attempt", "before", "deadline", "beacon", "people")


def coded(value):
    if isinstance(value, list):
        return b"".join(len(each).to_bytes(4, "big") + each for each in map(coded, value))
    return value.encode() if isinstance(value, str) else value.to_bytes(8, "big") if isinstance(value, int) else value


def hashed(what, *parts):
    return sha256(coded([f"fairdeck-trust/1 {what}", *parts])).digest()


def unhex(text):
    assert text == bytes.fromhex(text).hex()
    return bytes.fromhex(text)


def agreement_bytes(agreed):
    assert list(agreed) == list(AGREED)
    assert all(list(deal) == list(DEAL) for deal in agreed["deals"])
    beacon = agreed["beacon"] and [unhex(agreed["beacon"]["chain"]), agreed["beacon"]["round"]]
    bytes_of = {"session": unhex(agreed["session"]), "before": unhex(agreed["before"]), "beacon": beacon or ""}
    deals = [[deal[name] for name in DEAL] for deal in agreed["deals"]]
    return coded(["fairdeck-trust/1", *({**agreed, **bytes_of, "deals": deals}[name] for name in AGREED)])


def order_numbered(value, cards):
    found = list(range(cards))
    for bound in range(cards, 1, -1):
        value, drawn = divmod(value, bound)
        found[bound - 1], found[drawn] = found[drawn], found[bound - 1]
    assert value == 0, "the number is not below n!"
    return found


def orders_in(agreed, written):
    """Return a person's orders, from their bytes."""
    size = -(-(factorial(agreed["cards"]) - 1).bit_length() // 8)
    assert len(written) == size * agreed["decks"]
    pieces = [written[size * deck : size * (deck + 1)] for deck in range(agreed["decks"])]
    return [order_numbered(int.from_bytes(piece, "big"), agreed["cards"]) for piece in pieces]


def checked(attempt, *, void):
    """Return the own bytes of an attempt, after computing all its hashes; somebody showed nothing if it is void."""
    agreed, written = attempt["agreement"], agreement_bytes(attempt["agreement"])
    commitments, secrets, orders = (list(map(unhex, attempt[name])) for name in ("commitments", "secrets", "orders"))
    people = len(agreed["people"])
    assert len(commitments) == len(secrets) == len(orders) == people
    sent = [each for each in commitments if each]
    assert len(sent) == len(set(sent)) and (void or len(sent) == people) and all(len(each) == 32 for each in sent)
    for person, (secret, order) in enumerate(zip(secrets, orders, strict=True)):
        assert len(secret) == 32 or (void and secret == order == b"")
        assert not secret or commitments[person] == hashed("commitment", written, person, secret + order)
        assert agreed["way"] == "product" or order == b""
    owns = [secret + order for secret, order in zip(secrets, orders, strict=True)]
    assert all(owns) is not void
    listed = hashed("list", written, *commitments)
    told = (hashed("agreement", written), listed, hashed("shown", listed, *owns))
    assert [attempt[name] for name in ("digest", "list", "shown")] == [each.hex() for each in told]
    return owns, listed


def follows(agreed, following, missing):
    """Return whether an agreement may come after a void one: only times, session and people who were missing differ."""
    stay = [name for name in agreed["people"] if name in following["people"] or name not in missing]
    chains = [a["beacon"] and a["beacon"]["chain"] for a in (agreed, following)]
    same = all(agreed[name] == following[name] for name in AGREED if name not in MAY_CHANGE)
    return same and chains[0] in (None, chains[1]) and following["people"] == stay


def seed_order(seed, deck, cards):
    """Return the order of a deck, bottom first, as the places where the cards lay."""
    start, block, words, value, size = hashed("deck", seed, deck), 0, [], 0, 1
    found = list(range(cards))
    for bound in range(cards, 1, -1):
        while True:
            if size < 2**21:
                if not words:
                    made = sha256(start + block.to_bytes(4, "big")).digest()
                    words, block = [made[at : at + 4] for at in range(0, 32, 4)], block + 1
                value, size = value * 2**32 + int.from_bytes(words.pop(0), "big"), size * 2**32
            part = size // bound
            drawn, value = value // part, value % part if value // part < bound else value - bound * part
            size = part if drawn < bound else size - bound * part
            if drawn < bound:
                break
        found[bound - 1], found[drawn] = found[drawn], found[bound - 1]
    return found


def product_orders(agreed, owns):
    """Return the order of each deck after all deals, bottom first."""
    every = zip(*(orders_in(agreed, own[32:]) for own in owns), strict=True)
    return [reduce(lambda first, second: [first[place] for place in second], orders) for orders in every]


def verify(text):
    """Return the orders of a transcript, deck by deck, after checking everything but the beacon's signature."""
    told = json.loads(text)
    assert text == json.dumps(told, ensure_ascii=False, indent=2) + "\n"
    assert list(told) == ["format", "kind", "voids", *ATTEMPT, "beacon", "seed", "result"]
    assert (told["format"], told["kind"]) == ("fairdeck-trust/1", "transcript")
    before = None
    for place, attempt in enumerate([*told["voids"], told], 1):
        agreed = attempt["agreement"]
        named = before["digest"] + before["shown"] if before else ""
        assert (agreed["attempt"], agreed["before"]) == (place, named)
        if before:
            missing = [
                name
                for name, secret in zip(before["agreement"]["people"], before["secrets"], strict=True)
                if not secret
            ]
            assert follows(before["agreement"], agreed, missing)
        assert attempt is told or list(attempt) == list(ATTEMPT)
        owns, listed = checked(attempt, void=attempt is not told)
        before = attempt
    assert bool(agreed["beacon"]) == bool(told["beacon"])
    value = sha256(unhex(told["beacon"])).digest() if told["beacon"] else b""
    seed = hashed("seed", listed, *owns, value) if agreed["way"] == "seed" else b""
    bits = int.from_bytes(hashed("result", seed or unhex(told["shown"])), "big") >> 196
    letters = "".join(LETTERS[bits >> 5 * place & 31] for place in range(11, -1, -1))
    assert (told["seed"], told["result"]) == (seed.hex(), f"{letters[:4]} {letters[4:8]} {letters[8:]}")
    if not seed:
        return product_orders(agreed, owns)
    return [seed_order(seed, deck, agreed["cards"]) for deck in range(agreed["decks"])]
