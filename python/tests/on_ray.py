"""The cluster runs on Ray; run by `cargo xtask python ray`."""

import os
import signal

import pitboss
import pytest
from pitboss import cluster

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory):
    # Workers look into the folder that Ray was started in, and this one has the sources.
    here = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("ray"))
    ray.init(num_cpus=2, include_dashboard=False)
    yield
    ray.shutdown()
    os.chdir(here)


def test_a_killed_worker_changes_no_bit(monkeypatch, tmp_path):
    play, killed = cluster._play, tmp_path / "killed"

    def killed_once(state, first, end):
        if first > 0 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return play(state, first, end)

    monkeypatch.setattr(cluster, "_play", killed_once)
    heard = []
    run = {"strategy": "mimic", "seed": 3}
    result = cluster.simulate(
        ray, "double-deck", rounds=1_500_000, rounds_a_part=50_000,
        progress=lambda *numbers: heard.append(numbers), **run)
    assert killed.exists() and heard[-1][0] == result.rounds
    assert result == pitboss.simulate("double-deck", rounds=1_500_000, **run)


def test_a_run_stops_at_the_wanted_error():
    result = cluster.simulate(ray, "casino-war", error=0.004, rounds_a_part=20_000)
    assert result.standard_error <= 0.004
    assert result == pitboss.simulate("casino-war", shoes=result.shoes[1])


def test_a_sweep_has_a_row_for_each_combination():
    rows = cluster.sweep(ray, "casino-war", {"decks": [6, 8]})
    assert {row["decks"] for row in rows} == {6, 8}
