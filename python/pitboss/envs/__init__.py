"""The games as environments for Gymnasium: one for each game, and a vector of many copies.

>>> import gymnasium, pitboss
>>> env = gymnasium.make("pitboss/DoubleDeck-v0")
>>> observation, info = env.reset(seed=7)
>>> info["action_mask"].shape
(11,)

Every episode is one round. Actions are the calls, with the same number in every game, then the
sizes of the bet: see `ACTIONS`. An observation is a vector of small numbers named by `FIELDS`:
what the player may see, and nothing else. Rewards are in units: a bet of 8 units wins or loses 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
except ImportError as missing:
    how = "Gymnasium 1.1 or newer is needed; type: pip install './python[gym]'"
    raise ImportError(how, name="gymnasium") from missing

from pitboss._pitboss import CALLS, Copies
from pitboss._pitboss import FIELDS as FIELDS
from pitboss.numbers import whole_number

NAMES = {
    "CasinoWar": "casino-war",
    "DoubleDownStud": "double-down-stud",
    "DoubleDeck": "double-deck",
    "DoubleAttack": "double-attack",
    "FreeBet": "free-bet",
}
"""The names of the environments, `pitboss/NAME-v0`, and their games."""

ACTIONS = {name: number for number, name in enumerate(CALLS)}
"""The number of each call."""

DEAL = len(CALLS)
"""The first action after the calls: bets the first size, or takes the result of a round that was
settled before any decision."""

BETTING, DECIDING, SETTLED, OVER = range(4)
"""The values of the field `phase`."""

COUNT_FIELDS = [f"seen_{rank}" for rank in "23456789TJQKA"] + ["left"]
"""The fields that `count=True` adds: cards seen since the shuffle, and cards left in the shoe."""

MOST_COPIES = 2**20
"""The most copies of a vector environment."""

MOST_SEED = 2**64 - 1
"""The largest seed."""

Observation = npt.NDArray[np.int16]
Options = dict[str, Any]


def whole(actions: Any) -> npt.NDArray[np.int64]:
    """Actions as whole numbers in one row; a `TypeError` where they are something else."""
    given = np.asarray(actions)
    if given.dtype.kind not in "iu" or given.ndim != 1:
        found = " ".join(repr(actions).split())
        raise TypeError(f"expected one whole number for each action, found {found}")
    return np.ascontiguousarray(given, dtype=np.int64)


def _checked_bets(bets: Sequence[int] | npt.NDArray[np.int64] | None) -> list[int] | None:
    """The bets as whole numbers of units, where there are any."""
    return None if bets is None else [whole_number("a bet in units", bet, 1, 1000) for bet in bets]


def _checked_seed(seed: int | None) -> int | None:
    """The seed, where there is one."""
    return None if seed is None else whole_number("a seed", seed, 0, MOST_SEED)


def _spaces(copies: Copies) -> tuple[Any, Any]:
    width = copies.fields.shape[1]
    box = spaces.Box(0, 1000, shape=(width,), dtype=np.int16)
    return box, spaces.Discrete(copies.actions)


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """One seat at one of the games. An episode is a round.

    An action that the rules refuse changes nothing: the reward is 0, and `info["refused"]` has the
    sentence with its clause. `info["action_mask"]` has a 1 for each open action.

    Arguments: `terms` (house options), `bets` (sizes of the bet in units: then the first action of a
    round chooses one), `fresh` (shuffles before every round; by default a shoe is dealt to its cut
    card), `count` (adds the cards seen since the shuffle to the observation), `stake` (a unit, in
    money).
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str,
        *,
        terms: Options | None = None,
        bets: Sequence[int] | None = None,
        fresh: bool = False,
        count: bool = False,
        stake: Any = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = game
        self.render_mode = render_mode
        units = _checked_bets(bets)
        self._copies = Copies(
            game, 1, terms=terms, stake=stake, bets=units, fresh=fresh, shows_count=count
        )
        box, discrete = _spaces(self._copies)
        self.observation_space, self.action_space = box, discrete
        self._is_seeded = False

    def reset(
        self, *, seed: int | None = None, options: Options | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        seed = _checked_seed(seed)
        super().reset(seed=seed)
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(2**63))
        # Without a seed later episodes go on with the same shoe.
        self._copies.reset(seed)
        self._is_seeded = True
        return self._copies.fields[0].copy(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        copies = self._copies
        copies.step(whole([action]), False)
        info = self._info()
        if copies.refused[0]:
            is_action = 0 <= int(action) < copies.actions
            info["refused"] = (
                str(copies.why_not(0, int(action)))
                if is_action
                else f"there is no action {action}: expected 0 to {copies.actions - 1}"
            )
        ended = bool(copies.ended[0])
        return copies.fields[0].copy(), float(copies.rewards[0]), ended, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The open actions, as MaskablePPO asks for them."""
        return self._copies.masks[0].astype(np.bool_)

    def render(self) -> str:  # type: ignore[override]
        """The fields that are not 0, by name."""
        names = [*FIELDS, *COUNT_FIELDS]
        fields = self._copies.fields[0]
        return ", ".join(f"{name} {value}" for name, value in zip(names, fields) if value)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._copies.masks[0].copy()}


class GameVectorEnv(VectorEnv[Observation, npt.NDArray[np.int64], Any]):
    """Many copies of a game, stepped together by compiled code without the interpreter's lock.

    A copy that ends begins its next round in the same step, and `info["final_obs"]` has what it
    ended with. With `copy=False` the arrays returned are those that the next step writes to. With a
    list of seeds, each copy plays what `GameEnv` plays by that seed.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        terms: Options | None = None,
        bets: Sequence[int] | None = None,
        fresh: bool = False,
        count: bool = False,
        stake: Any = None,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self.game = game
        self.render_mode = render_mode
        self.num_envs = num_envs = whole_number("copies", num_envs, 1, MOST_COPIES)
        units = _checked_bets(bets)
        self._copies = Copies(
            game, num_envs, terms=terms, stake=stake, bets=units, fresh=fresh, shows_count=count
        )
        self._copy = copy
        copies = self._copies
        self.single_observation_space, self.single_action_space = _spaces(copies)
        width = copies.fields.shape[1]
        self.observation_space = spaces.Box(0, 1000, shape=(num_envs, width), dtype=np.int16)
        self.action_space = spaces.MultiDiscrete(np.full(num_envs, copies.actions))
        self._is_seeded = False
        self._never = np.zeros(num_envs, dtype=np.bool_)
        self._arrays = (copies.fields, copies.rewards, copies.ended)
        self._infos = {
            "action_mask": copies.masks,
            "refused": copies.refused,
            "final_obs": copies.last_fields,
            "_final_obs": copies.ended,
        }

    def reset(
        self, *, seed: int | list[int] | None = None, options: Options | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        if isinstance(seed, (list, tuple, np.ndarray)):
            seed = [whole_number("a seed", one, 0, MOST_SEED) for one in seed]
        else:
            seed = _checked_seed(seed)
        if seed is None and not self._is_seeded:
            seed = int(np.random.default_rng().integers(2**63))
        self._copies.reset(seed)
        self._is_seeded = True
        fields = self._copies.fields
        mask = self._copies.masks
        if self._copy:
            fields, mask = fields.copy(), mask.copy()
        return fields, {"action_mask": mask}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        Observation,
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        self._copies.step(whole(actions), True)
        fields, rewards, ended = self._arrays
        if not self._copy:
            return fields, rewards, ended, self._never, self._infos
        infos = {name: array.copy() for name, array in self._infos.items()}
        return fields.copy(), rewards.copy(), ended.copy(), self._never.copy(), infos

    @property
    def copies(self) -> Copies:
        """The compiled copies themselves."""
        return self._copies


for _name, _game in NAMES.items():
    gymnasium.register(
        f"pitboss/{_name}-v0",
        entry_point="pitboss.envs:GameEnv",
        vector_entry_point="pitboss.envs:GameVectorEnv",
        kwargs={"game": _game},
    )
