"""Simulations, option sweeps and audits on many machines, by an engine that you already run.

The engine is what you pass: a `distributed.Client` (Dask), the module `ray`, or any
`concurrent.futures.Executor`. Ranges of shoes go out, exact sums come back: the result is that of
`pitboss.simulate`, to the last bit, however many workers there are and however many are lost.

    from distributed import Client
    result = pitboss.cluster.simulate(Client("scheduler:8786"), "double-deck", rounds=10**12)
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from concurrent import futures
from functools import lru_cache
from pathlib import Path
from typing import Any

from pitboss._pitboss import Plan, Simulation
from pitboss.analysis import odds
from pitboss.numbers import real_number, whole_number
from pitboss.simulation import MOST, Ramp, first_and_count

Progress = Callable[[int, float, float, float], object]
"""Hears how many rounds this call has played and in how many seconds, and the mean of the main wager with
its standard error over all rounds, those of `before` or the state file too."""

ROUNDS_A_PART = 5_000_000
"""About how many rounds a worker plays at a time."""
SAVED_EVERY = 10.0
"""Seconds after which the state of a run is saved again."""


class WorkLost(RuntimeError):
    """A part failed more often than it is tried again."""


@lru_cache(maxsize=4)
def _plan(state: str) -> Plan:
    """The plan in this process: what it compiles is used again by the next part."""
    return Plan.from_json(state)


def _play(state: str, first: int, end: int) -> str:
    return _plan(state).play(first, end).to_json()


def _value(game: str, terms: dict[str, Any]) -> list[dict[str, Any]]:
    rows = odds(game, terms)._rows("bets")
    return [{**terms, **row} for row in rows]


class _Engine:
    """What is asked of an engine: to begin work, and to say what is done."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def workers(self) -> int:
        """How many parts are worth having under way at a time."""
        return getattr(self._engine, "_max_workers", 4)

    def begin(self, work: Callable[..., Any], *given: Any) -> Any:
        return self._engine.submit(work, *given)

    def wait(self, under_way: list[Any]) -> list[Any]:
        """Some that are done."""
        done, _ = futures.wait(under_way, return_when=futures.FIRST_COMPLETED)
        return list(done)

    def result(self, future: Any) -> Any:
        return future.result()

    def cancel(self, under_way: list[Any]) -> None:
        """Nobody waits for these any more."""
        for future in under_way:
            future.cancel()


class _Dask(_Engine):
    def workers(self) -> int:
        return max(1, sum(self._engine.nthreads().values()))

    def begin(self, work: Callable[..., Any], *given: Any) -> Any:
        return self._engine.submit(work, *given, pure=False)

    def wait(self, under_way: list[Any]) -> list[Any]:
        from distributed import wait

        return list(wait(under_way, return_when="FIRST_COMPLETED").done)


class _Ray(_Engine):
    def workers(self) -> int:
        return max(1, int(self._engine.cluster_resources().get("CPU", 1)))

    def begin(self, work: Callable[..., Any], *given: Any) -> Any:
        # A lost worker's part is begun again here, and counted.
        return self._engine.remote(work).options(max_retries=0).remote(*given)

    def wait(self, under_way: list[Any]) -> list[Any]:
        return list(self._engine.wait(under_way, num_returns=1)[0])

    def result(self, future: Any) -> Any:
        return self._engine.get(future)

    def cancel(self, under_way: list[Any]) -> None:
        for future in under_way:
            self._engine.cancel(future)


def _engine(given: Any) -> _Engine:
    """The engine by what was passed."""
    module = getattr(given, "__name__", "") or type(given).__module__
    if module.split(".")[0] == "distributed":
        return _Dask(given)
    if module.split(".")[0] == "ray":
        return _Ray(given)
    if isinstance(given, futures.Executor):
        return _Engine(given)
    raise TypeError(
        "expected a distributed.Client, the module ray or a concurrent.futures.Executor, found "
        f"{type(given).__name__}"
    )


def _in_order(
    engine: _Engine, work: Callable[..., Any], parts: Iterator[tuple[Any, ...]], retries: int
) -> Generator[Any, None, None]:
    """What the parts come to, in their order; a few are played ahead. A lost part is tried again."""
    numbered = enumerate(parts)
    under_way: dict[Any, tuple[int, tuple[Any, ...], int]] = {}
    early: dict[int, Any] = {}
    awaited = 0

    def begin(number: int, part: tuple[Any, ...], tries: int) -> None:
        under_way[engine.begin(work, *part)] = (number, part, tries)

    try:
        for number, part in itertools.islice(numbered, 2 * engine.workers() + 1):
            begin(number, part, 0)
        while under_way:
            for future in engine.wait(list(under_way)):
                number, part, tries = under_way.pop(future)
                try:
                    early[number] = engine.result(future)
                except Exception as failure:
                    if tries == retries:
                        raise WorkLost(
                            f"part {number} failed {tries + 1} times: {failure}"
                        ) from failure
                    begin(number, part, tries + 1)
            while awaited in early:
                yield early.pop(awaited)
                awaited += 1
                following = next(numbered, None)
                if following is not None:
                    begin(*following, 0)
    finally:
        engine.cancel(list(under_way))


def simulate(
    engine: Any,
    game: str,
    *,
    rounds: int | None = None,
    shoes: int | range | None = None,
    error: float | None = None,
    rounds_a_part: int = ROUNDS_A_PART,
    retries: int = 5,
    progress: Progress | None = None,
    before: Simulation | None = None,
    state: str | os.PathLike[str] | None = None,
    ramp: Ramp | None = None,
    **options: Any,
) -> Simulation:
    """Plays until `rounds` or `shoes` are reached, or until the standard error is `error`.

    The result for `rounds` and `shoes` is that of `pitboss.simulate` with the same options. With
    `error` a run ends with the first part that is precise enough. `before` is continued. A part whose
    worker is lost is played again, at most `retries` times.

    `state` is a file in which the run is saved while it lasts, as `pitboss sim --state` does: the same
    call goes on with it, after this process was killed too.
    """
    wanted = [limit is not None for limit in (rounds, shoes, error)]
    if sum(wanted) != 1:
        raise ValueError("expected one of rounds, shoes and error")
    for name, limit in (("rounds", rounds), ("rounds_a_part", rounds_a_part)):
        if limit is not None:
            whole_number(name, limit, 1, MOST)
    if error is not None:
        real_number("an error such as 0.0001", error, lambda found: found > 0)
    whole_number("retries", retries, 0, MOST)
    begin, count = first_and_count(shoes)
    plan = Plan(game, ramp=ramp, **options)
    file = None if state is None else Path(state)
    whole = _continued(plan, begin if isinstance(shoes, range) else None, before, file)
    nothing = plan.play(0, 0).to_json()
    block = max(1, rounds_a_part // max(1, plan.play(0, 1).rounds))
    first, known = whole.shoes[1], whole.rounds
    end = None if count is None else whole.shoes[0] + count

    def parts() -> Iterator[tuple[str, int, int]]:
        for start in itertools.count(first, block):
            stop = start + block if end is None else min(start + block, end)
            if start >= stop:
                return
            yield nothing, start, stop

    began = time.monotonic()
    is_precise = error is not None and whole.rounds > 0 and whole.standard_error <= error
    is_long = (rounds is not None and whole.rounds >= rounds) or (end is not None and first >= end)
    if is_precise or is_long:
        return whole
    played = _in_order(_engine(engine), _play, parts(), retries)
    with closing(played), _saved(file, whole) as save:
        for text in played:
            part = Simulation.from_json(text)
            is_last = rounds is not None and whole.rounds + part.rounds >= rounds
            if rounds is not None and is_last:
                # The last part again, up to the shoe that the run ends with.
                part = plan.run(from_shoe=whole.shoes[1], rounds=rounds - whole.rounds)
            whole = whole + part
            save(whole)
            if progress is not None:
                seconds = time.monotonic() - began
                progress(whole.rounds - known, seconds, whole.ev, whole.standard_error)
            if is_last or (error is not None and whole.standard_error <= error):
                break
    return whole


@contextmanager
def _saved(file: Path | None, whole: Simulation) -> Iterator[Callable[[Simulation], None]]:
    """Saves a run at its beginning, now and then, and at its end, however it ends."""
    latest, saved_at = whole, time.monotonic()

    def write() -> None:
        if file is not None:
            # The file is whole before and after.
            beside = file.with_name(file.name + ".new")
            beside.write_text(latest.to_json(), encoding="utf-8")
            os.replace(beside, file)

    def save(whole: Simulation) -> None:
        nonlocal latest, saved_at
        latest = whole
        if time.monotonic() - saved_at >= SAVED_EVERY:
            write()
            saved_at = time.monotonic()

    write()
    try:
        yield save
    finally:
        write()


def _continued(
    plan: Plan, begin: int | None, before: Simulation | None, file: Path | None
) -> Simulation:
    """What a run continues with: an earlier result, the state in a file, or nothing."""
    if before is not None and file is not None:
        raise ValueError("expected before or state, found both")
    saved = before
    if file is not None and file.exists():
        saved = Simulation.from_json(file.read_text(encoding="utf-8"))
    if saved is None:
        first = begin or 0
        return plan.play(first, first)
    if begin not in (None, saved.shoes[0]):
        raise ValueError(f"expected a result from shoe {begin} on, found one from {saved.shoes[0]} on")
    return saved + plan.play(saved.shoes[1], saved.shoes[1])


def sweep(
    engine: Any,
    game: str,
    options: dict[str, list[Any]],
    *,
    retries: int = 5,
    progress: Callable[[int, int, float], object] | None = None,
) -> list[dict[str, Any]]:
    """The exact value of every wager under every combination of these house options.

    One row for each wager, with the options beside it; `pitboss.analysis.as_frame` makes a frame of
    them. A combination that the book forbids is refused before anything is computed. `progress` hears
    how many combinations of how many are done, and the seconds.
    """
    combinations = [dict(zip(options, values)) for values in itertools.product(*options.values())]
    for terms in combinations:
        odds(game, terms)
    parts = ((game, terms) for terms in combinations)
    began, rows = time.monotonic(), []
    with closing(_in_order(_engine(engine), _value, parts, retries)) as valued:
        for done, part in enumerate(valued, start=1):
            rows += part
            if progress is not None:
                progress(done, len(combinations), time.monotonic() - began)
    return rows


def audit(
    engine: Any, game: str, *, rounds: int, terms: dict[str, Any] | None = None, **more: Any
) -> list[dict[str, Any]]:
    """Compares a simulation with the exact values: the difference in standard errors."""
    result = simulate(engine, game, rounds=rounds, terms=terms, fresh=True, **more)
    exact = {(bet.bet, bet.policy): bet.ev for bet in odds(game, terms).bets}
    rows = []
    for bet in result.bets:
        known = exact.get((bet.bet, bet.policy))
        if known is not None and bet.standard_error:
            rows.append(
                {
                    "bet": bet.bet,
                    "policy": bet.policy,
                    "exact": known,
                    "simulated": bet.ev,
                    "standard_error": bet.standard_error,
                    "errors_apart": (bet.ev - known) / bet.standard_error,
                }
            )
    return rows
