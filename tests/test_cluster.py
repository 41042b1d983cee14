"""Runs on a cluster, with real schedulers and workers: whatever is ended in between, the digits stay the same."""

import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Timer
from uuid import uuid4

import pytest

pytest.importorskip("distributed", reason="the extra cluster is not installed")

from fairdeck import lab
from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.judging.trial import Trial, run
from fairdeck.lab.runs import cluster as clusters
from fairdeck.lab.runs.cluster import cluster
from fairdeck.lab.runs.processes import spread
from fairdeck.lab.sources.function import FunctionSource
from fairdeck.lab.sources.parts import CodeParts, Part
from fairdeck.lab.sources.simulated import Simulated

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and process groups of POSIX")

PLACES = {**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), str(Path(__file__).parents[1])])}
PYTHON = [sys.executable, "-P", "-m"]
FEW = frozenset({"positions", "inversions", "repeats"})


def digest(tally):
    found = hashlib.sha256(repr((tally.decks, tally.seen)).encode())
    for counts in tally.counts:
        found.update(repr((counts.shape, counts.dtype)).encode() + counts.tobytes())
    return found.hexdigest()


def counted(map_, decks=20_000, only=FEW, each=lambda _trial: None, seed=7):
    """Return a digest of the tally of a run, and its p-value."""
    trial = Trial(Battery(52, only=only), decks)
    for _ in run(trial, Simulated("fisher-yates", 52, seed), map_):
        each(trial)
    return digest(trial.tally), trial.p_value


def slow_square(number):
    time.sleep(0.02)
    return number * number


def odd(number):
    if number == 30:
        raise FairdeckError("thirty is wrong")
    return number


def own_number(_):
    return os.getpid()


def ends_its_process(number):
    os.kill(os.getpid(), signal.SIGKILL)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Farm:
    """A scheduler and workers, each in a process group of its own."""

    def __init__(self, leaving, folder, environments=(PLACES, PLACES)):
        self.leaving, self.folder, self.port = leaving, folder, free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler = self.begin("scheduler", ["--port", str(self.port), "--no-show"])
        self.workers = list(map(self.begin_worker, environments))

    def begin(self, what, words, environment=PLACES, loop=()):
        words = [*PYTHON, f"distributed.cli.dask_{what}", *words]
        where = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
        with (self.folder / "said").open("ab") as said:
            process = subprocess.Popen(
                [*loop, *words, *where],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,
                cwd=self.folder,
            )
        self.leaving.callback(end, process)
        return process

    def begin_worker(self, environment=PLACES):
        """Begin a worker that begins again whenever it ends, as on a real cluster."""
        words = [self.address, "--nthreads", "1", "--memory-limit", "0", "--local-directory", str(self.folder)]
        return self.begin("worker", words, environment, ["sh", "-c", 'while :; do "$@"; sleep 0.2; done', "worker"])


def end(process, number=signal.SIGKILL):
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
    process.wait()


@pytest.fixture
def farm(tmp_path):
    """Begin a farm; all of it ends with the test."""
    with ExitStack() as leaving:
        yield lambda *args, **options: Farm(leaving, tmp_path, *args, **options)


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """A cluster of two workers that counts everything there."""
    with ExitStack() as leaving:
        made = Farm(leaving, tmp_path_factory.mktemp("farm"))
        yield leaving.enter_context(cluster(made.address))


def processes_of(mark):
    """Return the processes whose environment names this mark: those of one command, and no others of the machine."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # it has ended, or belongs to somebody else
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def until(true, seconds=30):
    end_ = time.monotonic() + seconds
    while not true() and time.monotonic() < end_:
        time.sleep(0.05)
    return true()


# --- the same digits


def test_results_come_in_order_from_other_processes(local):
    assert list(local(slow_square, range(50))) == [number * number for number in range(50)]
    assert os.getpid() not in set(local(own_number, range(20)))


def test_one_process_two_processes_and_two_workers_count_the_same(local):
    alone = counted(map)
    with spread(2, alone=0) as map_:
        assert counted(map_) == alone
    assert counted(local) == alone


def test_an_error_is_raised_after_the_results_before_it(local):
    seen = []
    with pytest.raises(FairdeckError, match=r"thirty is wrong \(on the worker tcp://"):
        seen.extend(local(odd, range(60)))
    assert seen == list(range(30))


def test_an_error_of_the_items_is_raised_after_the_results_before_it(local):
    def items():
        yield from range(7)
        raise FairdeckError("no more")

    seen = []
    with pytest.raises(FairdeckError, match="no more"):
        seen.extend(local(abs, items()))
    assert seen == list(range(7))


def test_few_items_are_sent_ahead(local):
    taken = []
    results = local(slow_square, (taken.append(each) or each for each in range(10_000)))
    for _ in range(30):
        next(iter(results))
    assert len(taken) < 400
    results.close()


@pytest.mark.long
def test_a_worker_that_dies_again_and_again_is_told_in_one_line(farm):
    made = farm([PLACES])
    with cluster(made.address) as map_, pytest.raises(FairdeckError, match=r"workers of tcp:.* died.*memory"):
        list(map_(ends_its_process, [1]))


# --- a user's code, in parts

SHUFFLES = """
import random, time
def fair(deck, rng):
    rng.shuffle(deck)
def globally(deck):
    random.shuffle(deck)
def breaks(deck, rng):
    breaks.calls += 1
    rng.shuffle(deck)
    return deck if breaks.calls < 300 else deck[:-1]
breaks.calls = 0
def worse(deck, rng):
    for at in range(len(deck)):
        other = rng.randrange(len(deck))
        deck[at], deck[other] = deck[other], deck[at]
"""
PROGRAM = """
import os, random
rng, deck = random.Random(os.environ["FAIRDECK_SEED"]), list(range(20))
while True:
    rng.shuffle(deck)
    print(*deck)
"""


@pytest.fixture
def shuffles(tmp_path):
    """The name of a file of functions."""
    (tmp_path / "mine.py").write_text(SHUFFLES)
    return str(tmp_path / "mine.py")


def of(what, map_, decks=5_000, **options):
    return lab.test(what, cards=20, decks=decks, seed=5, in_parts=True, only=sorted(FEW), map=map_, **options)


@pytest.mark.long
@pytest.mark.parametrize("name", ["fair", "globally"])
def test_the_parts_of_a_function_are_the_same_everywhere(name, local, shuffles):
    what = f"{shuffles}:{name}"
    alone = of(what, map)
    assert alone.verdict.outcome == "pass"
    with spread(2, alone=0) as two:
        assert digest(of(what, two).tally) == digest(alone.tally)
    assert digest(of(what, local).tally) == digest(alone.tally)


def test_the_parts_of_a_program_are_the_same_everywhere(local, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    what = lab.Program(f"{sys.executable} {tmp_path / 'program.py'}")
    assert digest(of(what, local).tally) == digest(of(what, map).tally)


def test_what_code_gives_of_each_deck_is_completed_the_same_everywhere(local, tmp_path):
    (tmp_path / "mine.py").write_text("def draw(n, rng):\n    return rng.sample(range(1, n + 1), 6)\n")
    what, asked = f"{tmp_path / 'mine.py'}:draw", {"seen": "6/20", "cards": 20, "decks": 2_000, "seed": 5}
    tallies = [lab.test(what, in_parts=True, map=map_, **asked).tally for map_ in (map, local)]
    with spread(2, alone=0) as two:
        assert {*map(digest, tallies)} == {digest(lab.test(what, in_parts=True, map=two, **asked).tally)}


def test_no_two_parts_make_the_same_decks(shuffles):
    made = CodeParts.of(FunctionSource, f"{shuffles}:fair", 20, 1)
    one, other = (next(iter(Part(made, number, [50], 0))).decks for number in (0, 1))
    assert not (one == other).all(axis=1).any()
    assert (one == next(iter(Part(made, 0, [50], 0))).decks).all()


def test_a_function_that_breaks_off_keeps_the_decks_before(local, shuffles):
    for map_ in (map, local):
        report = of(f"{shuffles}:breaks", map_)
        assert report.verdict.outcome == "fail"
        assert report.verdict.decks == 64 + 64 + 128 + 256 + 299
        assert "part 5: deck 300 has 19 cards instead of 20" in report.verdict.findings[0].complaint
        assert report.tally.decks == report.verdict.decks


@pytest.mark.long
def test_a_fault_shows_in_the_first_part(local, shuffles):
    report = of(f"{shuffles}:worse", local, go_on=0)
    assert report.verdict.outcome == "fail"
    assert report.verdict.decks <= 1024
    assert report.sample is not None


def test_a_machine_with_another_file_makes_no_decks(shuffles):
    made = CodeParts.of(FunctionSource, f"{shuffles}:fair", 20, 1)
    Path(shuffles).write_text(SHUFFLES + "# edited")
    with pytest.raises(FairdeckError, match=r"mine\.py is not the file that the run began with"):
        made.source(0)
    Path(shuffles).unlink()
    with pytest.raises(FairdeckError, match=r"cannot read .*mine\.py"):
        made.source(0)


def test_what_a_worker_lacks_is_named_with_the_worker(local, tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text(SHUFFLES)
    (tmp_path / "command").write_text("#!/bin/sh\n")
    (tmp_path / "command").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FairdeckError, match=r"no module is called 'only_here'.*\(on the worker tcp://127"):
        of("only_here:fair", local)
    with pytest.raises(FairdeckError, match=r"cannot start ./command: No such file.*\(on the worker tcp://127"):
        of(lab.Program("./command"), local)


@pytest.mark.parametrize(
    ("what", "options", "told"),
    [
        ("fisher-yates", {}, "in parts: only a program, or a function with a name"),
        ("mine.py:fair", {"start": "carried"}, "start carried: each deck needs the one before it"),
        ("nowhere.py:fair", {}, r"cannot read nowhere.py: No such file"),
    ],
)
def test_what_has_no_parts_is_refused(what, options, told, shuffles, monkeypatch):
    monkeypatch.chdir(Path(shuffles).parent)
    with pytest.raises(FairdeckError, match=told):
        of(what, map, **options)


# --- what is ended in between


def middle(act, at=3):
    """Return a function to call with a trial after each portion; it acts once, in the middle."""
    portions = []

    def each(_trial):
        portions.append(0)
        if len(portions) == at:
            act()

    return each


@pytest.mark.long
def test_a_worker_that_is_killed_changes_nothing(farm):
    alone, made = counted(map), farm()
    with cluster(made.address) as map_:

        def kill():
            victim = next(pid for pid in map_(own_number, range(1)))
            os.kill(victim, signal.SIGKILL)

        assert counted(map_, each=middle(kill)) == alone


@pytest.mark.long
def test_a_scheduler_that_is_killed_is_told_in_one_line_and_the_store_goes_on(farm, tmp_path):
    made, asked = farm(), {"decks": 1_000_000, "cards": 9, "only": "descents,repeats", "seed": 5}
    whole = lab.test("fisher-yates", workers=2, **asked)
    words = [word for name, value in asked.items() for word in (f"--{name}", str(value))]
    running = subprocess.Popen(
        [*PYTHON, "fairdeck", "test", "fisher-yates", *words, "--store", "run.db", "--cluster", made.address],
        env=PLACES,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert until(lambda: tasks_of(made.address) > 0)
    time.sleep(1)
    end(made.scheduler)
    _, said = running.communicate(timeout=60)
    (line,) = [each for each in re.split("[\\r\\n]+", said) if "connection" in each or "Traceback" in each]
    assert re.search(r"^fairdeck: the connection to tcp:.* was lost; .*--resume", line), said
    resumed = lab.resume(tmp_path / "run.db", workers=2)
    assert resumed.record.sessions == 2
    assert (digest(resumed.tally), resumed.verdict.p_value) == (digest(whole.tally), whole.verdict.p_value)


@pytest.mark.long
def test_a_run_without_workers_waits_for_one(farm):
    alone, made = counted(map), farm([PLACES])

    def leave():
        end(made.workers[0])
        Timer(1, made.begin_worker).start()

    with cluster(made.address) as map_:
        assert counted(map_, each=middle(leave)) == alone


@pytest.mark.long
def test_the_error_of_a_caller_is_not_called_a_lost_connection(local):
    with pytest.raises(OSError, match="the disk is full"):
        for _ in local(abs, range(9)):
            raise OSError("the disk is full")


# --- what stays behind


def tasks_of(address):
    """Return how many tasks a scheduler holds, all clients and workers together."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))


@pytest.mark.long
def test_a_run_that_stops_early_leaves_no_task_on_the_scheduler(farm):
    made = farm()
    with cluster(made.address) as map_:
        results = map_(slow_square, range(1000))
        next(results)
        results.close()
        assert until(lambda: tasks_of(made.address) == 0)
        map_(slow_square, range(1000)).__next__()
    assert until(lambda: tasks_of(made.address) == 0)


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM], ids=lambda each: each.name)
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="finds processes as Linux shows them")
def test_a_command_that_is_ended_leaves_no_worker_and_no_task(number, farm, tmp_path):
    made = farm()
    mark = f"FAIRDECK_TEST={uuid4().hex}"
    environment = PLACES | dict([mark.split("=")])
    for where in (made.address, "local:2"):
        words = ["test", "riffle*40", "--cards", "300", "--decks", "100000000", "--seed", "1", "--cluster", where]
        running = subprocess.Popen(
            [*PYTHON, "fairdeck", *words], env=environment, start_new_session=True, stderr=subprocess.PIPE, text=True
        )
        if where == made.address:
            assert until(lambda: tasks_of(made.address) > 0)
        else:
            assert until(lambda: len(processes_of(mark)) >= 3)
            time.sleep(3)
        os.killpg(running.pid, number)  # a terminal sends Ctrl-C to the whole group
        _, said = running.communicate(timeout=30)
        assert "Traceback" not in said
        assert until(lambda: tasks_of(made.address) == 0)
        assert until(lambda: not processes_of(mark)), "workers outlive the command"


# --- who can reach it


def listening(processes):
    """Return the addresses that any of these processes listens on, TCP and sockets of Unix, as Linux shows them."""
    inodes = set()
    for process in processes:
        for file in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                inodes |= set(re.findall(r"socket:\[(\d+)\]", str(file.readlink())))
    found = []
    for kind in ("tcp", "tcp6"):
        rows = [line.split() for line in Path(f"/proc/net/{kind}").read_text().splitlines()[1:]]
        found += [int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and row[9] in inodes]
    rows = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    return found + [row[-1] for row in rows if row[3] == "00010000" and row[6] in inodes]


STRANGER = """
import os, sys
from distributed import Client
def user(port):
    with Client(f"tcp://127.0.0.1:{port}", timeout=5) as client:
        return client.run_on_scheduler(lambda: __import__("os").geteuid())
user(sys.argv[1])  # loads what another account perhaps cannot read
os.setgroups([]), os.setgid(65534), os.setuid(65534)
print(os.geteuid(), user(sys.argv[1]))
"""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="finds processes as Linux shows them")
def test_no_other_account_reaches_the_workers_of_this_machine(farm):
    """A scheduler on 127.0.0.1 is open to every account, so `local:N` has none, and nothing of it listens."""
    mark = f"FAIRDECK_TEST={uuid4().hex}"
    words = ["test", "riffle*40", "--cards", "300", "--decks", "100000000", "--seed", "1", "--cluster", "local:2"]
    marked = PLACES | dict([mark.split("=")])
    running = subprocess.Popen([*PYTHON, "fairdeck", *words], env=marked, start_new_session=True)
    try:
        assert until(lambda: len(processes_of(mark)) >= 3)
        time.sleep(1)
        assert len(processes_of(mark)) >= 3
        assert listening(processes_of(mark)) == []
        made = farm()
        assert until(lambda: made.port in listening([made.scheduler.pid]))  # so sockets are found where there are some
        if not os.geteuid():
            words = [sys.executable, "-c", STRANGER, str(made.port)]  # nobody comes in there, as the docs warn
            assert subprocess.run(words, env=PLACES, capture_output=True, text=True).stdout == "65534 0\n"
    finally:
        end(running)


# --- addresses and builds


@pytest.mark.parametrize("where", ["nonsense", "tcp://host", "tcp://:8786", "tcp://h:x", "tcp://h:123456", "udp://h:1"])
def test_a_wrong_address_is_told_before_anything_else(where):
    with pytest.raises(FairdeckError, match=r"is not an address; write tcp://HOST:PORT"), cluster(where):
        pass


@pytest.mark.parametrize("number", ["", "0", "257", "x"])
def test_a_wrong_number_of_processes_is_told(number, capsys):
    assert main(["test", "naive", "--cluster", f"local:{number}"]) == 2
    assert "cluster: local: " in capsys.readouterr().err


@pytest.mark.long
def test_an_address_where_nothing_answers_is_told(monkeypatch):
    monkeypatch.setattr(clusters, "WAIT", 3)
    said, where = [], f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(FairdeckError, match="no scheduler answers at tcp"), cluster(where, said.append):
        pass
    assert said == [f"connecting to {where}, for 3 seconds at most"]


@pytest.mark.long
def test_a_scheduler_without_workers_is_told(farm, monkeypatch):
    monkeypatch.setattr(clusters, "WAIT", 3)
    with pytest.raises(FairdeckError, match=r"has no workers; start some with: dask worker tcp:"):  # noqa: SIM117
        with cluster(farm([]).address):
            pass


@pytest.mark.long
def test_something_else_that_answers_is_told(monkeypatch):
    monkeypatch.setattr(clusters, "WAIT", 3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        where = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(FairdeckError, match="no scheduler answers"), cluster(where):
            pass


def other_build(folder, change):
    """Return the environment of a worker with a copy of fairdeck that is changed."""
    copy = folder / "other"
    shutil.copytree(Path(clusters.__file__).parents[2], copy / "fairdeck", ignore=shutil.ignore_patterns("__pycache__"))
    change(copy / "fairdeck")
    return {**PLACES, "PYTHONPATH": f"{copy}{os.pathsep}{PLACES['PYTHONPATH']}"}


def newer(package):
    text = (package / "__init__.py").read_text()
    version = next(line for line in text.splitlines() if line.startswith("__version__"))
    (package / "__init__.py").write_text(text.replace(version, '__version__ = "99.0"'))


def edited(package):
    with (package / "permutation.py").open("a") as file:
        file.write("# edited\n")


def without_numba(package):
    (package.parent / "numba.py").write_text("raise ModuleNotFoundError(\"No module named 'numba'\", name='numba')")


def gone(package):
    (package / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'fairdeck'\", name='fairdeck')")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (newer, "has another fairdeck (fairdeck 99.0, here"),
        (edited, "has another fairdeck (source files"),
        (without_numba, "cannot count: No module named 'numba'; install there what is installed here"),
        (gone, "cannot count: No module named 'fairdeck'; install there what is installed here"),
    ],
    ids=["newer", "edited", "no numba", "no fairdeck"],
)
@pytest.mark.cases(2)
def test_a_worker_of_another_build_is_refused_by_name(change, told, farm, tmp_path):
    made = farm([other_build(tmp_path, change)])
    with pytest.raises(FairdeckError) as error, cluster(made.address):
        pass
    assert str(error.value).startswith("the worker tcp://127.0.0.1:")
    assert told in str(error.value)


@pytest.mark.long
def test_a_worker_of_another_build_that_comes_later_is_refused_by_name(farm, tmp_path):
    made = farm([PLACES])
    other = other_build(tmp_path, edited)
    with cluster(made.address) as map_, pytest.raises(FairdeckError, match="other source files"):
        counted(map_, decks=10**7, each=middle(lambda: made.begin_worker(other)))
