"""Steps a second of the vector environments on one core, beside Gymnasium's own blackjack.

    python -m pitboss.bench.speed

Everything is measured in one run, on one core, in processor time: random open actions from a table made before the
clock starts, 1,024 copies, arrays that are not copied.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import gymnasium
import numpy as np

from pitboss.envs import NAMES, GameVectorEnv

COPIES = 1024
LEAST = 3_000_000
"""Steps a second that must be reached."""
LEAST_RATIO = 100.0
"""How many times Gymnasium's own blackjack must be reached."""


def open_actions(masks: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """An open action in every row, by numbers drawn before."""
    return np.argmax(masks * numbers, axis=1)


def steps_a_second(work: Callable[[], int], seconds: float = 2.0) -> float:
    """The best of three runs."""
    best = 0.0
    for _ in range(3):
        steps, start = 0, time.process_time()
        while time.process_time() - start < seconds / 3:
            steps += work()
        best = max(best, steps / (time.process_time() - start))
    return best


def ours(game: str, copies: int = COPIES) -> float:
    """Steps of a game. The actions are chosen between the timed steps."""
    env = GameVectorEnv(game, copies, copy=False)
    _, info = env.reset(seed=1)
    source = np.random.default_rng(1)
    numbers = [source.random((copies, env.copies.actions), dtype=np.float32) for _ in range(16)]
    masks, best = info["action_mask"], 0.0
    for _ in range(3):
        spent, steps = 0.0, 0
        for turn in range(400):
            actions = open_actions(masks, numbers[turn % 16])
            start = time.process_time()
            _, _, _, _, infos = env.step(actions)
            spent += time.process_time() - start
            masks = infos["action_mask"]
            steps += copies
        best = max(best, steps / spent)
    return best


def gymnasium_blackjack() -> float:
    """Steps of Gymnasium's own blackjack with its own random actions."""
    env = gymnasium.make("Blackjack-v1").unwrapped
    env.reset(seed=1)
    source = np.random.default_rng(1)
    actions = source.integers(2, size=4096).tolist()

    def work() -> int:
        for action in actions:
            _, _, ended, _, _ = env.step(action)
            if ended:
                env.reset()
        return len(actions)

    return steps_a_second(work)


def main() -> int:
    """Prints the table, and fails where a limit is missed."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    theirs = gymnasium_blackjack()
    print(f"Gymnasium's Blackjack-v1: {theirs:>14,.0f} steps a second")
    missed = False
    for game in NAMES.values():
        speed = ours(game)
        missed |= speed < LEAST or speed < LEAST_RATIO * theirs
        print(f"{game:<24}: {speed:>14,.0f} steps a second, {speed / theirs:,.0f} times as many")
    if missed:
        print(f"a game misses {LEAST:,} steps a second or {LEAST_RATIO:.0f} times Gymnasium's")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
