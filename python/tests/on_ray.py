"""The cluster runs on Ray; run by `cargo xtask python ray`."""

import os
import signal

import pitboss
import pytest
from pitboss import cluster

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module", autouse=True)
def engine():
    ray.init(num_cpus=2, include_dashboard=False)
    yield
    ray.shutdown()


def test_a_killed_worker_changes_no_bit():
    worker = ray.remote(os.getpid)
    killed = []

    def progress(*_):
        if not killed:
            pid = ray.get(worker.remote())
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    run = {"strategy": "mimic", "seed": 3}
    result = cluster.simulate(
        ray, "double-deck", rounds=1_500_000, rounds_a_part=50_000, progress=progress, **run)
    assert killed
    assert result == pitboss.simulate("double-deck", rounds=1_500_000, **run)


def test_a_sweep_has_a_row_for_each_combination():
    rows = cluster.sweep(ray, "casino-war", {"decks": [6, 8]})
    assert {row["decks"] for row in rows} == {6, 8}
