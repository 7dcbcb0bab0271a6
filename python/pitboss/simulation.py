"""Rounds by the million, by the same rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pitboss._pitboss import Plan, Simulation
from pitboss.numbers import whole_number

DEFAULT_ROUNDS = 10_000_000
Ramp = tuple[float, float, int] | tuple[float, float, int, Sequence[int]]
"""Units at a true count of 0, units for each point, most units; perhaps the weights of a count, from the
two to the ace, in place of High-Low."""

MOST = 10**18
"""The most rounds or shoes of a run."""


def first_and_count(shoes: int | range | None) -> tuple[int, int | None]:
    """The first shoe of a run, and how many there are at most."""
    if not isinstance(shoes, range):
        return 0, None if shoes is None else whole_number("shoes", shoes, 1, MOST)
    if shoes.step != 1 or not shoes:
        raise ValueError(f"expected a range of consecutive shoes, found {shoes}")
    first = whole_number("a first shoe", shoes.start, 0, MOST)
    return first, whole_number("shoes", shoes.stop - shoes.start, 1, MOST)


def simulate(
    game: str,
    *,
    rounds: int | None = None,
    shoes: int | range | None = None,
    seconds: float | None = None,
    error: float | None = None,
    strategy: str | None = None,
    chart: str | None = None,
    seed: int = 1,
    seats: int = 1,
    fresh: bool = False,
    side: bool = False,
    stake: Any = None,
    meter: Any = None,
    ramp: Ramp | None = None,
    threads: int | None = None,
    gpu: bool = False,
    progress: Callable[[int, float, float, float], object] | None = None,
    terms: dict[str, Any] | None = None,
) -> Simulation:
    """Plays until the first of `rounds`, `shoes`, `seconds` or `error` is reached.

    The same run gives the same result on any number of threads, and equals that of
    `pitboss sim GAME` with the same options. Only whole shoes are played. `shoes` may be a range:
    results of adjoining ranges add up to exactly the whole.

    `strategy` is a name (see `pitboss sim --help`), `chart` the text of a chart; `ramp` bets by the
    true count: units at 0, units per point, most units, and perhaps 13 weights of a count. `gpu` plays Casino War or a chart with one seat
    and no side wagers on an NVIDIA GPU, checked against the processor. `progress` hears rounds, seconds, mean
    and standard error.

    >>> whole = simulate("casino-war", shoes=200)
    >>> parts = [simulate("casino-war", shoes=range(100)),
    ...          simulate("casino-war", shoes=range(100, 200))]
    >>> sum(parts) == whole
    True
    """
    seed = whole_number("a seed", seed, 0, 2**64 - 1)
    seats = whole_number("seats", seats, 1, 7)
    if threads is not None:
        threads = whole_number("threads", threads, 1, 1024)
    if rounds is not None:
        rounds = whole_number("rounds", rounds, 1, MOST)
    plan = Plan(
        game,
        terms=terms,
        strategy=strategy,
        chart=chart,
        seed=seed,
        seats=seats,
        fresh=fresh,
        side=side,
        stake=stake,
        meter=meter,
        ramp=ramp,
    )
    first, count = first_and_count(shoes)
    if rounds is None and count is None and seconds is None and error is None:
        rounds = DEFAULT_ROUNDS
    return plan.run(
        from_shoe=first,
        rounds=rounds,
        shoes=count,
        seconds=seconds,
        error=error,
        threads=threads,
        gpu=gpu,
        tell=progress,
    )
