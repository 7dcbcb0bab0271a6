"""Runs over several processes, some of which are killed."""

import os
import signal
import subprocess
import sys
import time
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


def test_a_range_of_shoes_is_played_as_simulate_does():
    with ThreadPoolExecutor(2) as threads:
        later = cluster.simulate(threads, "casino-war", shoes=range(200, 500), rounds_a_part=5_000)
        first = cluster.simulate(threads, "casino-war", shoes=200, rounds_a_part=5_000)
        more = cluster.simulate(threads, "casino-war", shoes=range(200, 700), before=later)
        with pytest.raises(ValueError, match="from shoe 100 on"):
            cluster.simulate(threads, "casino-war", shoes=range(100, 700), before=later)
    assert first + later == pitboss.simulate("casino-war", shoes=500)
    assert more == pitboss.simulate("casino-war", shoes=range(200, 700))


def test_progress_tells_what_this_call_has_played():
    before = pitboss.simulate("casino-war", shoes=300)
    heard = []
    with ThreadPoolExecutor(2) as threads:
        result = cluster.simulate(threads, "casino-war", shoes=500, before=before, rounds_a_part=5_000,
                                  progress=lambda *numbers: heard.append(numbers))
    rounds, seconds, mean, error = heard[-1]
    assert rounds == result.rounds - before.rounds and seconds > 0
    assert (mean, error) == (result.ev, result.standard_error)


def test_a_sweep_tells_its_progress():
    heard = []
    with ThreadPoolExecutor(2) as threads:
        cluster.sweep(threads, "casino-war", {"decks": [6, 7, 8]},
                      progress=lambda *numbers: heard.append(numbers[:2]))
    assert heard == [(1, 3), (2, 3), (3, 3)]


DYING = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pitboss import cluster

cluster.SAVED_EVERY = 0.0
with ThreadPoolExecutor(1) as threads:
    cluster.simulate(threads, "double-deck", rounds=10**12, rounds_a_part=100_000, state=sys.argv[1],
                     strategy="mimic", seed=3)
"""


def test_a_run_goes_on_after_its_client_was_killed(tmp_path):
    file = tmp_path / "run.json"
    with subprocess.Popen([sys.executable, "-c", DYING, str(file)], cwd=tmp_path) as client:
        until = time.monotonic() + 60
        while not file.exists() or pitboss.Simulation.from_json(file.read_text()).rounds < 300_000:
            assert client.poll() is None and time.monotonic() < until
            time.sleep(0.02)
        client.kill()
    saved = pitboss.Simulation.from_json(file.read_text())
    rounds = saved.rounds + 400_000
    with ThreadPoolExecutor(2) as threads:
        run = {"rounds": rounds, "rounds_a_part": 100_000, "state": file, **RUN}
        result = cluster.simulate(threads, "double-deck", **run)
        # The file has the whole run, and with nothing left to play nothing is.
        assert cluster.simulate(threads, "double-deck", **run) == result
    assert result == pitboss.simulate("double-deck", rounds=rounds, **RUN)
    assert pitboss.Simulation.from_json(file.read_text()) == result
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_the_file_of_another_run_is_refused_and_kept(tmp_path):
    file = tmp_path / "run.json"
    file.write_text(pitboss.simulate("casino-war", shoes=3).to_json())
    before = file.read_text()
    with ThreadPoolExecutor(1) as threads:
        for wrong in ({"seed": 2}, {"before": pitboss.simulate("casino-war", shoes=3)}):
            with pytest.raises(ValueError):
                cluster.simulate(threads, "casino-war", shoes=9, state=file, **wrong)
        with pytest.raises(OSError):
            cluster.simulate(threads, "casino-war", shoes=9, state=tmp_path / "none" / "run.json")
    assert file.read_text() == before


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
