"""The keeper of a run: it commits what is counted to a store, and resumes or reports a run from there."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import Self

from fairdeck.errors import FairdeckError
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.judging.report import Record, Report
from fairdeck.lab.judging.trial import Trial
from fairdeck.lab.judging.verdict import Verdict
from fairdeck.lab.runs.account import is_ours
from fairdeck.lab.runs.registration import Registration, hashes
from fairdeck.lab.runs.store import Run, Store

AGAIN = {"function": "FILE.py:FUNCTION", "program": "--exec COMMAND", "file": "--file FILE"}
EVERY, COST = 10.0, 30  # seconds between commits, at least; and so many times what a commit takes


class Keeper:
    """Commits what a trial counts, every ten seconds or so, and at the end."""

    def __init__(self, store: Store, run: Run) -> None:
        """Go on with `run`, if it has not ended; a program that did so before is refused from now on."""
        if run.ended:
            raise FairdeckError(
                f"run {run.number} of {store.path} has ended: {run.ended}; see: fairdeck runs {quote(str(store.path))}"
            )
        self.store = store
        self.session = run.sessions  # 0 for the first
        self.run = store.commit(replace(run, sessions=run.sessions + 1))
        self._decks = run.decks
        self._next = monotonic() + EVERY

    @classmethod
    def begin(cls, path: Path, inquiry: Inquiry) -> Self:
        """Register a new run in the store at `path`, which is made if it does not exist.

        Raises FairdeckError if the store holds an unfinished run of the same kind, with which somebody may want to go
        on, or if what is tested cannot be found again.
        """
        registered = Registration.of(inquiry)
        with ExitStack() as opened:
            store = opened.enter_context(Store(path, create=True))
            for number in store.numbers():
                run = store.run(number)
                if not run.ended and run.registration.asks_the_same(registered):
                    raise FairdeckError(
                        f"{path} holds an unfinished run of the same test ({run.decks:,} decks): continue with "
                        f"fairdeck test --resume {quote(str(path))}, or name another file"
                    )
            keeper = cls(store, store.begin(registered))
            opened.pop_all()  # from here on the keeper closes the store
            return keeper

    @classmethod
    def resume(cls, path: Path, number: int | None = None, named: Inquiry | None = None) -> Self:
        """Go on with a run of the store at `path`: the one of this number, or the only one that has not ended.

        Args:
            path: of the store.
            number: of the run.
            named: what is tested, as the caller names it; None: as the store names it, which is only allowed to the
                account that began the run.
        """
        with ExitStack() as opened:
            store = opened.enter_context(Store(path))
            run = store.only(number, unfinished=True)
            _check(store, run, named)
            keeper = cls(store, run)
            opened.pop_all()
            return keeper

    def keep(self, trial: Trial) -> None:
        """Note that a trial has added up another portion, and commit if it is time."""
        self._decks = trial.decks
        if monotonic() >= self._next:
            self.commit(trial)

    def commit(self, trial: Trial, ended: str = "") -> None:
        """Write everything counted so far; after a last commit with the reason why the run has `ended` nothing more.

        Raises FairdeckError if it cannot be written; the message says how much is safe, and how to go on.
        """
        if self._decks != trial.decks:
            return  # stopped in the middle of adding up: what was committed before stays
        began = monotonic()
        run = replace(self.run, standing=trial.standing, ended=ended)
        try:
            self.run = self.store.commit(run)
        except FairdeckError as error:
            on = f"fairdeck test --resume {quote(str(self.store.path))}"
            raise FairdeckError(f"{error}; {self.run.decks:,} decks are safe: continue with {on}") from None
        self._next = monotonic() + max(EVERY, COST * (monotonic() - began))

    def record(self, trial: Trial) -> Record:
        """Return what a report says of the store."""
        return record(self.store, self.run, trial)

    def close(self) -> None:
        """Close the store."""
        self.store.close()


def record(store: Store, run: Run, trial: Trial) -> Record:
    """Return what a report says of a store."""
    return Record(
        store=str(store.path),
        number=run.number,
        digest=run.registration.digest,
        begun=run.begun,
        sessions=run.sessions,
        spent=trial.spent,
        repeatable=run.inquiry.kind in ("known", "file"),
        sealed=store.seal(run.number),
    )


def report_of(store: Store, run: Run) -> Report:
    """Return the report of a stored run as it is now. If it is a failure, the run has ended with it."""
    trial = run.trial()
    verdict = trial.verdict()
    demand_shown(store.path, verdict)
    if verdict.outcome == "fail" and not run.ended:
        trial.settle()
        run = store.commit(replace(run, ended=f"fail, after {verdict.decks:,} decks"))
    left = run.inquiry.decks - run.decks
    return Report(
        inquiry=run.inquiry,
        verdict=verdict,
        tally=trial.tally,
        notes=(f"the run has not ended: {left:,} decks are left",) if run.inquiry.announced and not run.ended else (),
        record=record(store, run, trial),
        registration=run.registration.text,
    )


def demand_shown(path: Path, verdict: Verdict) -> None:
    """Raise a FairdeckError if a failure does not show in what a store holds: no run ends so."""
    if verdict.outcome == "fail" and not verdict.findings:
        raise FairdeckError(
            f"{path} says that a run failed, and nothing that was counted shows it: the store is damaged or was "
            "changed; restore it from a copy"
        )


def _check(store: Store, run: Run, named: Inquiry | None) -> None:
    """Check that a run can go on here, before anybody else who counts it is refused."""
    path, kind, what = store.path, run.inquiry.kind, run.inquiry.what
    name = quote(str(path))
    if kind == "monitor":
        raise FairdeckError(f"{path} holds the watch of a log: continue with fairdeck monitor LOG --store {name}")
    if named is not None and (named.kind, named.what) != (kind, what):
        raise FairdeckError(
            f"run {run.number} of {path} is a run of the {kind} {what!r}, and you named the {named.kind} "
            f"{named.what!r}: name the right one, or another store"
        )
    if named is None and kind != "known" and not is_ours(run.registration, run.tag):
        raise FairdeckError(
            f"run {run.number} of {path} is a run of the {kind} {what!r}, and this account did not begin "
            f"it; a store from somebody else {'reads' if kind == 'file' else 'runs'} nothing here by itself: if you "
            f"trust this {kind}, type its name again, as in fairdeck test {AGAIN[kind]} --resume {name}"
        )
    run.registration.check_code()
    if hashes(kind, what) != run.registration.files:
        raise FairdeckError(
            f"{what} has changed since the run began: restore it, or begin a new run; for a file that "
            "grows there is fairdeck monitor"
        )
