"""Fixed tasks, each with its exact optimum, so that a result is a regret in units of a bet.

>>> task = TASKS["casino-war"]
>>> round(task.optimum, 6)
-0.023301

A task is a game with the default house options, one seat, and a fresh shuffle before every round:
there the best play and its value are known exactly. The observation has all that the best play goes by:
in a blackjack each card of the own hand (`own_A` to `own_T`) and the pair that it was split from
(`split`). `basic` is the value of the best chart by totals, which needs less. `evaluate` plays a player
for many rounds and says how much less than the optimum it got.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.analysis import odds
from pitboss.envs import DECIDING, MOST_COPIES, GameVectorEnv
from pitboss.numbers import whole_number
from pitboss.simulation import MOST

Player = Callable[[npt.NDArray[np.int16], npt.NDArray[np.int8]], npt.NDArray[np.int64]]
"""Chooses an action in every row, by the observations and the masks."""


@dataclass(frozen=True)
class Task:
    """A game to be learned."""

    game: str
    version: int = 2
    """Raised whenever results before and after are not comparable."""

    @cached_property
    def optimum(self) -> float:
        """What the best play is worth, in units for each round."""
        return max(bet.ev for bet in odds(self.game).bets if bet.bet == "main")

    @cached_property
    def basic(self) -> float:
        """What the best chart by totals is worth, for players that do not look at single cards."""
        main = [bet for bet in odds(self.game).bets if bet.bet == "main"]
        return next((bet.ev for bet in main if bet.policy == "basic"), self.optimum)

    def vector(self, copies: int, **options: Any) -> GameVectorEnv:
        """Copies of the task."""
        return GameVectorEnv(self.game, copies, fresh=True, **options)


TASKS = {
    game: Task(game)
    for game in ("casino-war", "double-down-stud", "double-deck", "double-attack", "free-bet")
}
"""The tasks by their names, which are those of the games."""


@dataclass(frozen=True)
class Evaluation:
    """What a player got."""

    task: str
    rounds: int
    mean: float
    """Units for each round."""
    standard_error: float
    regret: float
    """How much less than the optimum, in units for each round."""
    refused: int
    """How many actions the rules refused."""
    seed: int = 1
    gains: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    """What each copy gained in all its rounds, in units."""

    def regret_beside(self, other: Evaluation, value: float) -> tuple[float, float]:
        """The regret, and its standard error, by the difference to a player whose exact value is known.

        Both played the same shoes, so that luck which they share does not count: the error is smaller,
        the more alike they play.
        """
        mine = (self.task, self.seed, self.rounds, len(self.gains))
        if mine != (other.task, other.seed, other.rounds, len(other.gains)):
            raise ValueError("these players did not play the same shoes: task, seed, rounds or copies differ")
        if len(self.gains) < 2:
            raise ValueError("a standard error needs several copies")
        differences = (other.gains - self.gains) * len(self.gains) / self.rounds
        error = float(differences.std(ddof=1)) / len(differences) ** 0.5
        return TASKS[self.task].optimum - value + float(differences.mean()), error


def evaluate(
    player: Player, task: Task | str, *, rounds: int = 1_000_000, copies: int = 2048, seed: int = 1
) -> Evaluation:
    """Plays at least this many rounds, the same shoes for every player of one seed.

    Every copy plays the same number of rounds, so that short rounds do not count more often.
    """
    if isinstance(task, str) and task not in TASKS:
        raise ValueError(f"expected a task ({', '.join(TASKS)}), found {task!r}")
    task = TASKS[task] if isinstance(task, str) else task
    game = getattr(player, "game", task.game)
    if game != task.game:
        raise ValueError(f"this is a player of {game}, and not of {task.game}")
    rounds = whole_number("rounds", rounds, 1, MOST)
    copies = whole_number("copies", copies, 1, MOST_COPIES)
    wanted = -(-rounds // copies)
    env = task.vector(copies, copy=False)
    fields, info = env.reset(seed=seed)
    played = np.zeros(copies, dtype=np.int64)
    gained, gains = np.zeros(copies), np.zeros(copies)
    total = squares = 0.0
    refused = 0
    masks = info["action_mask"]
    while True:
        fields, rewards, ended, _, infos = env.step(player(fields, masks))
        masks = infos["action_mask"]
        refused += int(infos["refused"].sum())
        counts = played < wanted
        gained += np.where(counts, rewards, 0.0)
        over = ended & counts
        total += float(gained[over].sum())
        squares += float((gained[over] ** 2).sum())
        gains[over] += gained[over]
        gained[over] = 0.0
        played += over
        if not (played < wanted).any():
            break
        if refused > 100 * rounds + 1000:
            raise ValueError("the player keeps choosing actions that the rules refuse")
    count = int(played.sum())
    mean = total / count
    error = max(squares / count - mean * mean, 0.0) ** 0.5 / count**0.5
    return Evaluation(task.game, count, mean, error, task.optimum - mean, refused, seed, gains)


def is_deciding(fields: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
    """In which rows a decision is asked for; elsewhere only `DEAL` is open."""
    return fields[:, 0] == DECIDING
