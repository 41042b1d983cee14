"""Workers that are ended from outside."""

import os
import signal

import pytest

from fairdeck.errors import FairdeckError
from fairdeck.lab.runs import processes


def ended(_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_is_told_in_one_line(monkeypatch):
    monkeypatch.setattr(processes, "ALONE", 0)
    with (
        pytest.raises(FairdeckError, match=r"a worker process was ended from outside.*--workers"),
        processes.spread(2) as mapped,
    ):
        list(mapped(ended, range(3)))
