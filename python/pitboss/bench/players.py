"""Players to compare with: random, by the exact chart, and tabular Q-learning."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss._pitboss import CALLS, FIELDS, GAMES, Round
from pitboss.analysis import odds, value
from pitboss.bench.tasks import Player, Task, is_deciding
from pitboss.envs import ACTIONS, DEAL, MOST_COPIES
from pitboss.envs.masked import random_open
from pitboss.numbers import real_number, whole_number
from pitboss.simulation import MOST

AT = {name: number for number, name in enumerate(FIELDS)}
LETTERS = {"H": "hit", "S": "stand", "D": "double", "P": "split", "R": "surrender"}
RANKS = "  23456789TJQKA"


def random_player(seed: int = 1) -> Player:
    """Chooses among the open actions, each with the same chance."""
    source = np.random.default_rng(seed)
    return lambda fields, masks: random_open(masks, source)


def exact_player(game: str) -> Player:
    """Plays by the exact analysis: the printable chart of a blackjack, the best play elsewhere."""
    if game == "casino-war":
        return lambda fields, masks: np.where(is_deciding(fields), ACTIONS["war"], DEAL)
    if game == "double-down-stud":
        return _stud_player()
    return chart_player(game, odds(game).chart or "")


def exact_value(task: Task) -> float:
    """What `exact_player` gains on average: the best play outside of the blackjacks, else the chart."""
    is_best = task.game in ("casino-war", "double-down-stud")
    return task.optimum if is_best else task.basic


def _stud_player() -> Player:
    """Doubles where that is worth more, looked up once for every four cards."""
    known: dict[tuple[int, ...], int] = {}
    places = [AT[name] for name in ("first", "second", "third", "fourth", "suited")]

    def best(cards: tuple[int, ...]) -> int:
        suits = "ssss" if cards[4] else "shdc"
        hand = [RANKS[rank] + suit for rank, suit in zip(cards, suits)]
        round = Round("double-down-stud", 10).deal(hand[0], None, *hand[1:])
        return ACTIONS[value(round)[0].call]

    def player(
        fields: npt.NDArray[np.int16], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        actions = np.full(len(fields), DEAL, dtype=np.int64)
        for row in np.flatnonzero(is_deciding(fields)):
            cards = tuple(fields[row, places].tolist())
            if cards not in known:
                known[cards] = best(cards)
            actions[row] = known[cards]
        return actions

    return player


def chart_player(game: str, chart: str) -> Player:
    """Plays a blackjack by a chart: the first choice that is open."""
    from pitboss._pitboss import chart_cells

    pages = {"": 0, "free": 1, "split": 2, "doubled": 3}
    ups = {letter: pips for pips, letter in enumerate("_A23456789T")}
    # By page, kind of row, row and up card: calls in order of preference, standing last.
    choices = np.full((4, 3, 22, 11, 6), ACTIONS["stand"], dtype=np.int64)
    for page, table, hand, up, letters in chart_cells(chart):
        kind = ("hard", "soft", "pairs").index(table)
        row = ups[hand] if table == "pairs" else int(hand)
        calls = [ACTIONS[LETTERS[letter]] for letter in letters]
        choices[pages[page], kind, row, ups[up], : len(calls)] = calls
    lines = dict(line.split(maxsplit=1) for line in chart.splitlines()[:4] if " " in line)
    attacks = np.zeros(11, dtype=bool)
    attacks[[ups[letter] for letter in lines.get("attack", "").split()]] = True
    takes_even_money = lines.get("even-money", "no") == "yes"

    def player(
        fields: npt.NDArray[np.int16], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        def field(name: str) -> Any:
            return fields[:, AT[name]]

        pair, up = field("pair"), field("up")
        kind = np.where(pair > 0, 2, field("soft"))
        row = np.where(pair > 0, pair, np.minimum(field("total"), 21))
        page = np.zeros(len(fields), dtype=np.int64)
        if game == "free-bet":
            page = np.where(field("lammer") > 0, 1, 0)
        if game == "double-attack":
            page = np.where((field("hand") > 1) & (pair > 0), 2, 0)
            page = np.where(field("doubled") > 0, 3, page)
            kind = np.where((page == 3) & (kind == 2), field("soft"), kind)
            row = np.where(page == 3, np.minimum(field("total"), 21), row)
        wanted = choices[page, kind, row, up]
        rows = np.arange(len(fields))
        is_open = masks[rows[:, None], wanted] == 1
        actions = wanted[rows, np.argmax(is_open, axis=1)]
        beside = np.where(
            attacks[up] & (masks[:, ACTIONS["attack"]] == 1), ACTIONS["attack"], ACTIONS["pass"]
        )
        if takes_even_money:
            even = masks[:, ACTIONS["even-money"]] == 1
            beside = np.where(even, ACTIONS["even-money"], beside)
        actions = np.where(field("hand") == 0, beside, actions)
        return np.where(is_deciding(fields), actions, DEAL)

    return player


class QTable:
    """Tabular Q-learning over what a player sees."""

    def __init__(self, game: str, *, seed: int = 1) -> None:
        if game not in GAMES:
            raise ValueError(f"expected a game ({', '.join(GAMES)}), found {game!r}")
        self.game = game
        self._source = np.random.default_rng(seed)
        self._rows: dict[bytes, int] = {}
        actions = DEAL + 1
        self.values = np.zeros((1024, actions))
        self.visits = np.zeros((1024, actions))

    def row(self, fields: npt.NDArray[np.int16]) -> int:
        """The row of a state; a new one where it has not been seen."""
        return self._number(self._key(fields[None])[0].tobytes())

    @staticmethod
    def _key(fields: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        """What matters of a state: not the number of hands, nor the single cards, nor how many beyond two.

        With single cards the optimum could be reached, in a table too large to be filled soon.
        """
        key = fields.copy()
        key[:, AT["split"] : len(FIELDS)] = 0
        key[:, AT["cards"]] = np.minimum(key[:, AT["cards"]], 3)
        key[:, AT["hands"]] = 0
        key[:, AT["hand"]] = np.minimum(key[:, AT["hand"]], 2)
        return np.ascontiguousarray(key)

    def _number(self, key: bytes) -> int:
        number = self._rows.setdefault(key, len(self._rows))
        if number == len(self.values):
            self.values = np.concatenate([self.values, np.zeros_like(self.values)])
            self.visits = np.concatenate([self.visits, np.zeros_like(self.visits)])
        return number

    def _numbers(self, fields: npt.NDArray[np.int16]) -> npt.NDArray[np.int64]:
        key = self._key(fields)
        width = key.shape[1] * key.itemsize
        text = key.tobytes()
        rows = [self._number(text[at : at + width]) for at in range(0, len(text), width)]
        return np.array(rows, dtype=np.int64)

    def learn(
        self, task: Task, *, steps: int = 3_000_000, copies: int = 1024, explore: float = 0.2
    ) -> QTable:
        """Plays and learns from every step."""
        if task.game != self.game:
            raise ValueError(f"this is a player of {self.game}, and not of {task.game}")
        steps = whole_number("steps", steps, 1, MOST)
        copies = whole_number("copies", copies, 1, MOST_COPIES)
        explore = real_number("to explore from 0 to 1", explore, lambda part: 0 <= part <= 1)
        env = task.vector(copies)
        fields, info = env.reset(seed=int(self._source.integers(2**63)))
        here, masks = self._numbers(fields), info["action_mask"]
        for _ in range(max(1, steps // copies)):
            actions = self._best(here, masks)
            tries = self._source.random(copies) < explore
            actions = np.where(tries, random_open(masks, self._source), actions)
            fields, rewards, ended, _, infos = env.step(actions)
            there, masks = self._numbers(fields), infos["action_mask"]
            ahead = np.where(masks == 1, self.values[there], -np.inf).max(axis=1)
            wanted = rewards + np.where(ended, 0.0, ahead)
            np.add.at(self.visits, (here, actions), 1.0)
            speed = 1.0 / self.visits[here, actions] ** 0.85
            np.add.at(self.values, (here, actions), speed * (wanted - self.values[here, actions]))
            here = there
        return self

    def _best(
        self, rows: npt.NDArray[np.int64], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        best: npt.NDArray[np.int64] = np.where(masks == 1, self.values[rows], -np.inf).argmax(axis=1)
        return best

    def __call__(
        self, fields: npt.NDArray[np.int16], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        return self._best(self._numbers(fields), masks)

    def call(self, fields: npt.NDArray[np.int16], mask: npt.NDArray[np.int8]) -> str:
        """The call that it prefers in one state."""
        action = int(self(fields[None], mask[None])[0])
        return CALLS[action] if action < DEAL else "deal"
