"""The run: pytest collects the tests once; then each changed function is tried in a forked process of its own.

Before that, every test runs once while the lines it executes are noted. A change is tried with the quick tests that
execute its statement, the quickest first, until one fails. A process that takes far longer than the tests did, or far
more memory, counts as a failure too.
"""

import ast
import importlib
import inspect
import os
import pickle
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from types import FrameType, FunctionType, ModuleType
from typing import Any

import pytest

from bench.mutants.changes import Change, changes

QUICK = 6.0  # seconds of processor time, with the lines noted
MORE_TIME, MORE_MEMORY = (4, 0.5), 2**31  # times what a test takes, and seconds of processor time more; bytes
LONGEST_WAIT = 120  # seconds for all tests of a change
STOPPED = 124


@dataclass
class Tried:
    """What became of the changes of one file.

    Attributes:
        tried: how many there were.
        stopped: how many were found because the tests took too long.
        survivors: those that no test found.
        conditions: for each condition, how many of the changes to true and to false were found.
    """

    tried: int = 0
    stopped: int = 0
    survivors: list[Change] = field(default_factory=list)
    conditions: dict[tuple[int, int], list[bool]] = field(default_factory=dict)


class Mutation:
    """A plugin of pytest that runs the tests in this way."""

    def __init__(self, files: dict[str, tuple[str, ...]], only: str = "") -> None:
        """Prepare a run.

        Args:
            files: source files with the files of their tests, as paths from the folder of the project.
            only: a part of the names of functions and constants to change; all if empty.
        """
        self.files, self.only = files, only
        self.found: dict[str, Tried] = {}
        self._failed = False

    def pytest_sessionstart(self) -> None:
        """Let hypothesis stop at the first example that fails: to find a smaller one takes long."""
        import hypothesis  # after pytest, which prepares its plugins when they are imported

        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile("mutants", derandomize=True, deadline=None, database=None, phases=phases)
        hypothesis.settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a failure."""
        self._failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Note what each test executes, then try every change."""
        known = {str(Path(file).resolve()) for file in self.files}
        tests = []
        for item in session.items:
            code, noted = _forked(lambda item=item: self._noted(item, known))  # type: ignore[misc]
            if code or noted is None:
                raise pytest.UsageError(f"{item.nodeid} fails without any change")
            if noted[0] <= QUICK:
                tests.append((*noted, item))
        for file, test_files in self.files.items():
            path, tried = Path(file).resolve(), self.found.setdefault(file, Tried())
            near = [each for each in tests if each[2].nodeid.partition("::")[0] in (file, *test_files)]
            module = importlib.import_module(_module_name(file))
            for change in changes(path.read_text(encoding="utf-8")):
                if self.only in change.owner:
                    self._try(change, module, _covering(near, str(path), change), tried)
            print(file, tried.tried, len(tried.survivors), file=sys.stderr, flush=True)
        return True

    def _noted(self, item: pytest.Item, known: set[str]) -> tuple[float, set[tuple[str, int]]]:
        seen: set[tuple[str, int]] = set()

        def trace(frame: FrameType, _event: str, _value: object) -> Callable[..., Any] | None:
            if frame.f_code.co_filename not in known:
                return None
            seen.add((frame.f_code.co_filename, frame.f_lineno))
            return trace

        threading.settrace(trace)
        sys.settrace(trace)
        self._run(item)
        sys.settrace(None)
        used = resource.getrusage(resource.RUSAGE_SELF)
        return used.ru_utime + used.ru_stime, seen

    def _run(self, item: pytest.Item) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if self._failed:
            os._exit(1)

    def _try(self, change: Change, module: ModuleType, tests: list[tuple[float, pytest.Item]], tried: Tried) -> None:
        def judged() -> None:
            times, more = MORE_TIME
            signal.alarm(LONGEST_WAIT)
            _limit_memory()
            put(change, module)
            for used, item in tests:
                seconds = times * used + more
                signal.setitimer(signal.ITIMER_PROF, seconds)  # its signal ends the process
                most = int(process_time() + seconds) + 1  # which also holds for processes that the test starts
                resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
                self._run(item)

        code, _ = _forked(judged)
        tried.tried += 1
        tried.stopped += code not in (0, 1)
        if not code:
            tried.survivors.append(change)
            print(change.owner, change.lines[0], change.shown, sep="\t", file=sys.stderr, flush=True)
        if change.condition:
            tried.conditions.setdefault(change.condition, []).append(bool(code))


def _covering(
    tests: Iterable[tuple[float, set[tuple[str, int]], pytest.Item]], file: str, change: Change
) -> list[tuple[float, pytest.Item]]:
    """Return the tests that execute the statement, the quickest first; all tests if it is not seen that one does.

    A constant is not seen to be used, nor what a test does in other processes.
    """
    first, last = change.lines
    lines = {(file, line) for line in range(first, last + 1)}
    fitting = [each for each in tests if lines & each[1]] if change.code.startswith(("def ", "async ")) else []
    return sorted([(used, item) for used, _, item in fitting or tests], key=lambda pair: pair[0])


def put(change: Change, module: ModuleType) -> None:
    """Put a change into a module, for all who have imported from it already."""
    names = dict(vars(module))
    exec(change.code, names)
    definition = ast.parse(change.code).body[0]
    if isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef):
        old, new = _function(module, change.owner), names[definition.name]
        old.__code__, old.__defaults__, old.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__
        return
    for name in (each.id for each in ast.walk(definition) if isinstance(each, ast.Name) and hasattr(module, each.id)):
        was = getattr(module, name)
        kind = (int, float) if isinstance(was, float) else type(was)  # 5 * 6 in place of 5 / 6 is an int
        if isinstance(names[name], kind) and names[name] != was:
            setattr(module, name, names[name])
            for other in list(sys.modules.values()):
                if getattr(other, name, None) is was and other.__name__.startswith(("fairdeck.", "tests.", "bench.")):
                    setattr(other, name, names[name])


def _function(module: ModuleType, name: str) -> FunctionType:
    """Return the function of this name, from beneath its decorators."""
    found: Any = module
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
    for inside in ("fget", "func", "__func__"):
        found = getattr(found, inside, found)
    plain = inspect.unwrap(found)
    assert isinstance(plain, FunctionType)
    return plain


def _module_name(file: str) -> str:
    return ".".join(Path(file).with_suffix("").parts).removeprefix("src.")


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + MORE_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _forked(task: Callable[[], Any]) -> tuple[int, Any]:
    """Run a task in a forked process; return its exit code, or STOPPED if a signal ended it, and what it returned."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        try:
            os.close(reader)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            with os.fdopen(writer, "wb") as answer:
                pickle.dump(task(), answer)
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        written = answer.read()
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return (STOPPED if code < 0 else code), pickle.loads(written) if code == 0 else None
