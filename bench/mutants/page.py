"""The page about the mutation tests: ``docs/reference/measured/mutants.md``, from the results and the reasons."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from bench.about import said

KINDS = {
    "same": "the changed program does the same",
    "speed": "it does the same, more slowly",
    "words": "only the wording of a message changes",
    "choice": "the number is a choice, and its neighbour is as good",
    "long": "a test of `make long`, or a slow one, finds it",
}
NO_REASON = {"kind": "", "why": "**No reason is given yet.**"}


def page(results: dict[str, Any], reasons: dict[str, Any]) -> str:
    """Return the page."""
    files = results["files"]
    total = {key: sum(each[key] for each in files.values()) for key in ("tried", "stopped", "ways", "shown_ways")}
    left = sum(len(each["survivors"]) for each in files.values())
    branches = sum(each["branches"] for each in files.values())
    missed = sum(len(each["missed"]) for each in files.values())
    rows = [
        f"| `{file}` | {each['tried']} | {_score(each['tried'], len(each['survivors']))} | {len(each['survivors'])} "
        f"| {each['shown_ways']} of {each['ways']} | {each['branches'] - len(each['missed'])} of {each['branches']} |"
        for file, each in files.items()
    ]
    score, shown, ways = _score(total["tried"], left), total["shown_ways"], total["ways"]
    lines = [
        "# Do the tests notice a slip?",
        "",
        f"`make mutants` wrote this page from `bench/mutants.json`: {said(results['about'])}.",
        "",
        "The program `bench/mutants` puts one small fault at a time into the files that decide whether a deck is fair",
        "and whether a shuffle is called fair: `<` becomes `<=`, `+` becomes `-`, `and` becomes `or`, a number becomes",
        "the next one, a condition is set to true or to false, a returned value becomes None, a statement is removed.",
        "Then the quick tests of the file run. A fault that no test notices *survives*. The texts of messages,",
        "annotations, decorators, `assert` and the fields of classes stay as they are.",
        "",
        f"**{score} of {total['tried']:,} faults are found** ({total['stopped']} of them because a test did not end);",
        f"{left} survive. A condition decides both ways if a test fails when it is always true, and a test when it is",
        "always false. Each part of an `and` or an `or` counts by itself, as in modified condition/decision coverage:",
        f"{shown} of {ways} such changes are found. Branches are counted by coverage.py: the same tests take",
        f"{branches - missed} of {branches}.",
        "",
        "| file | faults | found | survive | conditions that decide | branches taken |",
        "|---|---:|---:|---:|---:|---:|",
        *rows,
        "",
        "`bench/mutants/reasons.toml` says of each fault that survives why it may, and so of each branch:",
        "",
        *_kinds(files, reasons),
    ]
    return "\n".join(lines) + "\n"


def reason_of(survivor: dict[str, Any], known: dict[str, Any]) -> dict[str, str]:
    """Return the reason why a fault of a file may survive: its kind, and why."""
    for each in known.get("survivors", []):
        if each["in"] == survivor["owner"] and survivor["after"] in each["after"]:
            return {"kind": each["kind"], "why": each["why"]}
    return NO_REASON


def without_reason(results: dict[str, Any], reasons: dict[str, Any]) -> list[str]:
    """Return the faults and branches that nobody has given a reason for, and the reasons that nothing needs."""
    odd = []
    for file, each in results["files"].items():
        known = reasons.get(file, {})
        left = {(survivor["owner"], survivor["after"]) for survivor in each["survivors"]}
        odd += [
            f"{file}:{survivor['line']}: no reason for {survivor['after']}"
            for survivor in each["survivors"]
            if reason_of(survivor, known) is NO_REASON
        ]
        odd += [f"{file}: no reason for the branch {text}" for text in each["missed"] if text not in _known(known)]
        odd += [
            f"{file}: a reason that nothing needs: {after}"
            for reason in known.get("survivors", [])
            for after in reason["after"]
            if (reason["in"], after) not in left
        ]
        odd += [f"{file}: a reason that nothing needs: {text}" for text in _known(known) if text not in each["missed"]]
    return odd


def _known(known: dict[str, Any]) -> dict[str, str]:
    return {each["branch"]: each["why"] for each in known.get("branches", [])}


def _score(tried: int, left: int) -> str:
    return f"{1 - left / tried:.1%}" if tried else "-"


def _kinds(files: dict[str, Any], reasons: dict[str, Any]) -> Iterator[str]:
    """Yield how many of the faults that survive have each kind of reason."""
    kinds = Counter(
        reason_of(survivor, reasons.get(file, {}))["kind"]
        for file, each in files.items()
        for survivor in each["survivors"]
    )
    for kind, told in KINDS.items():
        if kinds[kind]:
            yield f"- {kinds[kind]}: {told}."
    if kinds[""]:
        yield f"- {kinds['']}: {NO_REASON['why']}"
