"""A second verifier of transcripts, written from docs/reference/transcript.md alone, with nothing but SHA-256 and JSON.

It does not check the signature of a beacon: that takes a library for elliptic curves.
"""

import json
from hashlib import sha256

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def field(content):
    return len(content).to_bytes(4, "big") + content


def unhex(text):
    assert text == bytes.fromhex(text).hex()
    return bytes.fromhex(text)


def number(value):
    return value.to_bytes(8, "big")


def listed(texts):
    return b"".join(field(text.encode()) for text in texts)


def hashed(what, *parts):
    return sha256(b"".join(map(field, (b"fairdeck-together/1 " + what, *parts)))).digest()


def agreement_bytes(a):
    drawn = a["beacon"] and field(unhex(a["beacon"]["chain"])) + field(number(a["beacon"]["round"]))
    fields = [b"fairdeck-together/1", number(a["cards"]), listed(a["names"]), a["mat"].encode(), listed(a["labels"])]
    fields += [a["goal"].encode(), a["planning"].encode(), number(a["dealers"]), number(a["decks"])]
    fields += [unhex(a["session"]), number(a["attempt"]), unhex(a["before"]), listed(a["people"])]
    fields += [a["deadline"].encode(), drawn or b"", a["note"].encode()]
    return b"".join(map(field, fields))


def checked(attempt, secrets):
    """Return the agreement's bytes and the commitments of an attempt; `secrets` of people who showed none are empty."""
    agreement = agreement_bytes(attempt["agreement"])
    assert attempt["digest"] == hashed(b"agreement", agreement).hex()
    commitments = [unhex(each) for each in attempt["commitments"]]
    assert len(commitments) == len(secrets) == len(attempt["agreement"]["people"]) == len(set(commitments))
    assert attempt["list"] == hashed(b"list", agreement, *commitments).hex()
    for person, secret in enumerate(secrets):
        assert not secret or commitments[person] == hashed(b"commitment", agreement, number(person), secret)
    return agreement, commitments


def follows(agreed, following, missing):
    """Return whether an agreement may come after a void one: only times, session and people who were missing differ."""
    stay = [name for name in agreed["people"] if name in following["people"] or name not in missing]
    same = [name for name in agreed if name not in ("session", "attempt", "before", "deadline", "beacon", "people")]
    chains = [a["beacon"] and a["beacon"]["chain"] for a in (agreed, following)]
    kept = all(agreed[name] == following[name] for name in same) and chains[0] in (None, chains[1])
    return kept and following["people"] == stay


def order(seed, deck, cards):
    """Return the order of a deck, bottom first, as the places where the cards lay."""
    start, block, words, value, size = hashed(b"deck", seed, number(deck)), 0, [], 0, 1
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


def verify(text):
    """Return a transcript's seed, after checking everything but the beacon's signature."""
    told = json.loads(text)
    assert text == json.dumps(told, ensure_ascii=False, indent=2) + "\n"
    assert told["format"] == "fairdeck-ceremony/1"
    before, named = None, ""
    for place, attempt in enumerate([*told["voids"], told], 1):
        agreed = attempt["agreement"]
        assert (agreed["attempt"], agreed["before"]) == (place, named)
        assert before is None or follows(before["agreement"], agreed, before["missing"])
        if attempt is not told:
            secrets = [unhex(each) for each in attempt["secrets"]]
            agreement, commitments = checked(attempt, secrets)
            missing = [name for name, secret in zip(agreed["people"], secrets, strict=True) if not secret]
            assert attempt["missing"] == missing != []
            before, named = attempt, attempt["digest"] + hashed(b"void", agreement, *commitments, *secrets).hex()
    secrets = [unhex(each) for each in told["secrets"]]
    agreement, commitments = checked(told, secrets)
    assert all(secrets) and bool(told["agreement"]["beacon"]) == bool(told["beacon"])
    value = sha256(unhex(told["beacon"])).digest() if told["beacon"] else b""
    seed = hashed(b"seed", agreement, *commitments, *secrets, value)
    bits = int.from_bytes(hashed(b"result", seed), "big") >> 196
    letters = "".join(LETTERS[bits >> 5 * place & 31] for place in range(11, -1, -1))
    assert (told["seed"], told["result"]) == (seed.hex(), f"{letters[:4]} {letters[4:8]} {letters[8:]}")
    return seed
