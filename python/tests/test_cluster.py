"""Runs over several processes, some of which are killed."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pitboss
import pytest
from pitboss import cluster

RUN = {"strategy": "mimic", "seed": 3}


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as local, distributed.Client(local) as client:
        yield client


def killed_once(client):
    """A progress that kills a worker when it hears for the first time."""
    pids = list(client.run(os.getpid).values())
    killed = []

    def progress(rounds, seconds, mean, error):
        assert rounds and error > 0
        if not killed:
            os.kill(pids[0], signal.SIGKILL)
            killed.append(pids[0])

    return progress, killed


def test_a_killed_worker_changes_no_bit(client):
    progress, killed = killed_once(client)
    result = cluster.simulate(
        client, "double-deck", rounds=1_500_000, rounds_a_part=50_000, progress=progress, **RUN)
    assert killed
    assert result == pitboss.simulate("double-deck", rounds=1_500_000, **RUN)


def test_shoes_on_dask_are_those_played_here(client):
    result = cluster.simulate(client, "casino-war", shoes=997, rounds_a_part=10_000, side=True)
    assert result.shoes == (0, 997)
    assert result == pitboss.simulate("casino-war", shoes=997, side=True)
    more = cluster.simulate(client, "casino-war", shoes=1200, before=result, side=True)
    assert more == pitboss.simulate("casino-war", shoes=1200, side=True)


def test_a_run_stops_at_the_wanted_error(client):
    runs = [cluster.simulate(client, "casino-war", error=0.004, rounds_a_part=20_000)
            for _ in range(2)]
    assert runs[0] == runs[1] and runs[0].standard_error <= 0.004


def test_a_sweep_has_a_row_for_each_combination(client):
    rows = cluster.sweep(client, "casino-war", {"decks": [6, 8]})
    ties = {row["decks"]: row["ev"] for row in rows if row["bet"] == "tie"}
    assert ties == {6: pytest.approx(-58 / 311), 8: pytest.approx(-74 / 415)}


def test_an_audit_agrees_with_the_exact_values(client):
    rows = cluster.audit(client, "casino-war", rounds=400_000, rounds_a_part=100_000)
    assert rows and all(abs(row["errors_apart"]) < 5 for row in rows)


def test_any_executor_will_do():
    with ThreadPoolExecutor(2) as threads:
        result = cluster.simulate(threads, "casino-war", rounds=200_000, rounds_a_part=30_000)
    assert result == pitboss.simulate("casino-war", rounds=200_000)


def _lost(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_work_that_is_always_lost_ends_the_run(monkeypatch):
    monkeypatch.setattr(cluster, "_play", _lost)
    with ProcessPoolExecutor(1) as processes, pytest.raises((cluster.WorkLost, RuntimeError)):
        cluster.simulate(processes, "casino-war", shoes=3, retries=1)


@pytest.mark.parametrize("wrong", [
    {}, {"rounds": 1, "shoes": 1}, {"rounds": 0}, {"shoes": -1}, {"error": 0.0},
    {"error": float("nan")}, {"rounds": 1, "rounds_a_part": 0}, {"rounds": 1, "retries": -1},
    {"rounds": 1, "strategy": "lucky"}, {"rounds": 1, "terms": {"decks": 5}},
], ids=str)
def test_bad_options_are_refused(wrong):
    with ThreadPoolExecutor(1) as threads, pytest.raises(ValueError):
        cluster.simulate(threads, "casino-war", **wrong)


def test_an_unknown_engine_is_refused():
    with pytest.raises(TypeError, match="expected a distributed.Client"):
        cluster.simulate("spark", "casino-war", rounds=10)


def test_a_sweep_refuses_what_the_book_forbids_before_it_begins():
    class Idle(ThreadPoolExecutor):
        def submit(self, *_):
            raise AssertionError("nothing is to be computed")

    with Idle(1) as threads, pytest.raises(pitboss.Refused) as refused:
        cluster.sweep(threads, "casino-war", {"decks": [6, 5]})
    assert refused.value.clause == "CW-2-a"


def test_a_run_that_is_precise_already_plays_no_more():
    before = pitboss.simulate("casino-war", rounds=200_000)
    with ThreadPoolExecutor(1) as threads:
        assert cluster.simulate(threads, "casino-war", error=0.01, before=before) == before
