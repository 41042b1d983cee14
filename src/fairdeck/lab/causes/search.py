"""The search for the causes of a sample: which families are asked in turn, and when it ends."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import islice
from pkgutil import iter_modules
from time import thread_time
from typing import Any

from fairdeck.lab.blocks import FEWEST
from fairdeck.lab.causes import COMPARED, DRAWN, MIXED, RESEMBLES, SECONDS, Cause, Deadline, Sample
from fairdeck.lab.causes.contest import Contest
from fairdeck.lab.causes.ways import from_start_order, ways

PACKAGE = "fairdeck.lab.causes"


def causes_of(sample: Sample, seconds: float = SECONDS) -> tuple[Cause, ...]:
    """Return the causes that explain a sample, the plainest first; empty if none does.

    A file that says that it is for `FEW` decks is asked about fewer than `FEWEST`, too. The search ends after some
    seconds of processor time; see `Search`.
    """
    return Search(sample, seconds).causes


class Search:
    """A search for the causes of a sample that ends in time.

    Attributes:
        causes: those that explain it, the plainest first.
        cut_short: whether a family was not asked, or a cause not compared, as the time was over.
    """

    def __init__(self, sample: Sample, seconds: float = SECONDS) -> None:
        self.cut_short = False
        self.causes: tuple[Cause, ...] = ()
        # One deck tells no cause from another. Decks that were not made yet are made here, before the time counts.
        if len(sample.decks) < 2:
            return
        self._sample = plain = replace(sample, deadline=Deadline(thread_time() + seconds))
        other, start = from_start_order(plain)
        if start and not any(cause.certain for cause in self._found(stages=1)):
            self._sample = other
            self.causes = tuple(replace(each, words=f"{start}, {each.words}") for each in self._found())
            self._sample = plain
        self.causes = self.causes or self._found()
        self.cut_short = plain.deadline.missed

    def _found(self, stages: int | None = None) -> tuple[Cause, ...]:
        shown: list[Cause] = []  # by the decks themselves
        won: list[Cause] = []
        contest: Contest | None = None
        for left, stage in islice(self._stages(), stages):
            made: list[Cause] = []
            for cause in stage:
                (shown if cause.make is None else made).append(cause)
                if cause.certain and cause.make is None:
                    return tuple(replace(each, certain=each is cause and len(shown) == 1) for each in shown)
            if any(cause.settles for cause in shown):
                break
            if made:
                contest = contest or Contest(self._sample)
                won = contest.enter(made)
            # Few decks do not tell what resembles them from what was found, so all take part.
            plain = left if len(self._sample.later) >= COMPARED else MIXED
            if any(cause.certain and cause.rank < min(left, plain) for cause in won):
                break
        causes = tuple(cause for cause in won if cause.certain) or (*shown, *won)  # a sure one explains what was shown
        return tuple(replace(cause, certain=cause.certain and len(causes) == 1) for cause in causes)

    def _stages(self) -> Iterator[tuple[int, Iterator[Cause]]]:
        """Yield what is asked in turn: what is seen at once, what is fitted, all else; and the least rank that is left.

        A certain cause ends the search, unless one of a plainer rank may still be found.
        """
        modules = _modules()
        if self._sample.block.size < FEWEST:
            yield RESEMBLES, self._shown([each for each in modules if getattr(each, "FEW", False)])
            return
        yield DRAWN, self._shown([each for each in modules if each.RANK < DRAWN])
        yield DRAWN, self._fitted(modules)
        yield RESEMBLES, self._shown([each for each in modules if DRAWN <= each.RANK < RESEMBLES])
        yield RESEMBLES, self._shown(modules, "last")
        yield RESEMBLES, self._shown([each for each in modules if each.RANK == RESEMBLES])

    def _fitted(self, modules: Sequence[Any]) -> Iterator[Cause]:
        for way in ways(self._sample):
            for module in modules:
                same = getattr(module, "SYMMETRIC", ())
                if hasattr(module, "fit") and not (way.turned and (same is True or way.words in same)):
                    if self._sample.deadline.over():
                        return
                    yield from map(way.told, _of(module, module.fit(way.first)))

    def _shown(self, modules: Sequence[Any], looks: str = "looks") -> Iterator[Cause]:
        for module in modules:
            if hasattr(module, looks) and not self._sample.deadline.over():
                yield from _of(module, getattr(module, looks)(self._sample))


def _of(module: Any, causes: Iterator[Cause]) -> Iterator[Cause]:
    family = module.__name__.rpartition(".")[2]
    return (replace(cause, rank=module.RANK, family=cause.family or family) for cause in causes)


@cache
def _modules() -> Sequence[Any]:
    modules = [import_module(f"{PACKAGE}.{module.name}") for module in iter_modules(import_module(PACKAGE).__path__)]
    return sorted((module for module in modules if hasattr(module, "RANK")), key=lambda module: int(module.RANK))
