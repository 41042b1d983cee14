"""Workers that are ended from outside."""

import os
import signal
from concurrent.futures import Future
from time import sleep

import pytest

from fairdeck.errors import FairdeckError
from fairdeck.lab.runs import processes


def ended(_):
    os.kill(os.getpid(), signal.SIGKILL)


def own_number(_):
    return os.getpid()


def test_a_worker_that_is_killed_is_told_in_one_line(monkeypatch):
    monkeypatch.setattr(processes, "ALONE", 0)
    with (
        pytest.raises(FairdeckError, match=r"a worker process was ended from outside.*--workers"),
        processes.spread(2) as mapped,
    ):
        list(mapped(ended, range(3)))


class Interrupted:
    """A pool that is interrupted while it is given work, as one that is just starting a worker may be."""

    def submit(self, function, item):
        signal.raise_signal(signal.SIGINT)
        done = Future()
        done.set_result(function(item))
        return done


@pytest.mark.skipif(os.name != "posix", reason="only there a signal can be held back")
def test_ctrl_c_while_work_is_handed_out_is_not_lost():
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        next(processes.in_order(Interrupted(), 2, abs, iter([-1, -2, -3])))
    assert signal.getsignal(signal.SIGINT) is handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_no_process_begins_for_what_is_not_worth_it():
    with processes.spread(2, 0, lambda: False) as mapped:
        assert set(mapped(own_number, range(3))) == {os.getpid()}


@pytest.mark.long
def test_what_is_soon_done_starts_no_process_however_long_was_spent_on_loading(monkeypatch):
    monkeypatch.setattr(processes, "ALONE", 0.2)
    with processes.spread(2) as mapped:
        sleep(0.3)
        assert set(mapped(own_number, range(3))) == {os.getpid()}
        sleep(0.3)
        assert os.getpid() not in set(mapped(own_number, range(3)))
