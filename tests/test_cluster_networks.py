"""Workers on machines of their own: network namespaces with addresses of their own, one cut off in mid-run."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from uuid import uuid4

import pytest

pytest.importorskip("distributed", reason="the extra cluster is not installed")

from fairdeck.lab.runs.cluster import cluster
from tests.test_cluster import Farm, counted, middle, until

NET = "10.213.77"  # of this test alone


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, text=True)


def refused():
    """Return why network namespaces cannot be made here; empty if they can."""
    if shutil.which("ip") is None:
        return "the program ip is not installed"
    if os.geteuid():
        return "only root can make network namespaces"
    name = f"fd-{uuid4().hex[:6]}"
    made = ip("netns", "add", name)
    ip("netns", "del", name)
    return f"network namespaces are not permitted here: {made.stderr.strip()}" if made.returncode else ""


class Machine:
    """A network namespace with one cable to the bridge of this machine."""

    def __init__(self, leaving, bridge, number):
        self.name, self.address = f"{bridge}-{number}", f"{NET}.{number}"
        self.cable = f"{bridge}v{number}"
        for words in (
            ["netns", "add", self.name],
            ["link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", self.name],
            ["link", "set", self.cable, "master", bridge, "up"],
            ["-n", self.name, "addr", "add", f"{self.address}/24", "dev", "eth0"],
            ["-n", self.name, "link", "set", "eth0", "up"],
            ["-n", self.name, "link", "set", "lo", "up"],
        ):
            done = ip(*words)
            assert done.returncode == 0, done.stderr
        leaving.callback(ip, "netns", "del", self.name)

    def plug(self, how):
        assert ip("link", "set", self.cable, how).returncode == 0

    @property
    def inside(self):
        return ["ip", "netns", "exec", self.name]


@pytest.fixture
def machines():
    if why := refused():
        pytest.skip(why)
    with ExitStack() as leaving:
        bridge = f"fd{uuid4().hex[:5]}"
        assert ip("link", "add", bridge, "type", "bridge").returncode == 0
        leaving.callback(ip, "link", "del", bridge)
        assert ip("addr", "add", f"{NET}.1/24", "dev", bridge).returncode == 0
        ip("link", "set", bridge, "up")
        yield [Machine(leaving, bridge, number) for number in (2, 3)]


@pytest.mark.long
@pytest.mark.parametrize("away", [2, 40], ids=["for two seconds", "until it was given up"])
def test_a_worker_that_is_cut_off_and_comes_back_changes_nothing(away, machines, tmp_path):
    """Dask gives up a connection that is silent for 30 seconds: the worker ends, begins again, and is used again."""
    alone = counted(map, decks=60_000)
    with ExitStack() as leaving:
        made = Farm(leaving, tmp_path, host=f"{NET}.1", prefixes=[(each.inside, each.address) for each in machines])
        # This process would prove nothing if it found both workers on one machine.
        with cluster(made.address) as map_:
            seen = set(map_(where_i_am, range(40)))
            assert until(lambda: len(seen.update(map_(where_i_am, range(40))) or seen) == 2)
            assert {each.rpartition(":")[0] for each in seen} == {f"tcp://{each.address}" for each in machines}
            cut, events = machines[1], []

            def pull():
                cut.plug("down")
                events.append("down")
                timer = ThreadPoolExecutor(1)
                timer.submit(lambda: (subprocess.run(["sleep", str(away)]), cut.plug("up"), events.append("up")))
                timer.shutdown(wait=False)

            assert counted(map_, decks=60_000, each=middle(pull)) == alone
            assert until(lambda: events == ["down", "up"], 60)
            assert until(lambda: f"tcp://{cut.address}" in {back(each) for each in map_(where_i_am, range(40))}, 90)


def back(address):
    return address.rpartition(":")[0]


def where_i_am(_):
    from time import sleep

    from distributed import get_worker

    sleep(0.05)
    return get_worker().address
