"""A table of one to seven seats for PettingZoo, with private cards.

>>> env = table("double-deck", seats=2)
>>> env.reset(seed=1)
>>> env.possible_agents
['seat_1', 'seat_2']

Every episode is one round. A seat observes its own hand, the dealer's open cards, and the cards of
others that it may see: in Double Deck none before they are shown (`observation`), and the open calls
(`action_mask`). Rewards are in units of the wager. An action that the rules refuse raises
`pitboss.Refused`. A round that is settled before any decision waits for the first seat's action
`DEAL`, so that every round is an episode.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from pitboss._pitboss import CALLS, Round, Shoe
from pitboss.numbers import whole_number
from pitboss.walk import seat_numbers

DEAL = len(CALLS)
"""The action that takes the result of a round that was settled before any decision."""

RANKS, SUITS = "23456789TJQKA", "cdhs"
WIDTH = 4 * 13 + 2 * 4 + 3
"""Ranks of the own hand, the own other hands, the dealer and the others; suits of the own hand and
the dealer; the hand being played, the own hands, and whether this seat is asked."""


def table(game: str, **options: Any) -> TableEnv:
    """The environment; options as those of `TableEnv`."""
    return TableEnv(game, **options)


class Hands:
    """The cards on the table as one seat sees them."""

    def __init__(self, round: Round, seat: int) -> None:
        self.boxes: dict[int, list[list[str]]] = {}
        self.dealer: list[str] = []
        shown = {event["seat"] for event in round.events if event["event"] == "shown"}
        for event in round.events:
            kind = event["event"]
            if kind == "dealt" and event["place"] == "dealer":
                self.dealer.append(event["card"])
            elif kind == "turned":
                self.dealer.append(event["card"])
            elif kind == "dealt":
                words = event["place"].split()
                hands = self.boxes.setdefault(int(words[0]), [])
                number = int(words[2]) if len(words) > 1 else 1
                while len(hands) < number:
                    hands.append([])
                only = event.get("only", seat)
                sees = only == seat or only in shown
                hands[number - 1].append(event["card"] if sees else "??")
            elif kind == "split":
                hands = self.boxes[event["seat"]]
                hands.insert(event["hand"], [hands[event["hand"] - 1].pop()])


def _ranks(cards: list[str]) -> list[int]:
    return [sum(card[0] == rank for card in cards) for rank in RANKS]


def _suits(cards: list[str]) -> list[int]:
    return [sum(card[1] == suit for card in cards) for suit in SUITS]


class TableEnv(AECEnv):  # type: ignore[misc]
    """Several seats at one of the games.

    Arguments: `seats`, `terms` (house options), `fresh` (shuffles before every round; by default a
    shoe is dealt to its cut card), `stake` (the wager of every seat, in money).
    """

    metadata = {"render_modes": ["ansi"], "name": "pitboss_table_v0", "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        *,
        seats: int = 3,
        terms: dict[str, Any] | None = None,
        fresh: bool = False,
        stake: Any = 10,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game
        self.render_mode = render_mode
        self._terms, self._fresh, self._stake = terms, fresh, stake
        self._wagers = {seat: stake for seat in seat_numbers(seats)}
        self._round = Round(game, self._wagers, terms=terms)
        self._shoe: Shoe | None = None
        self._hole: str | None = None
        self._settled_at_once = False
        self.possible_agents = [f"seat_{seat}" for seat in self._wagers]
        self._observation = spaces.Dict(
            {
                "observation": spaces.Box(0, 127, (WIDTH,), np.int8),
                "action_mask": spaces.Box(0, 1, (DEAL + 1,), np.int8),
            }
        )
        self.observation_spaces = {name: self._observation for name in self.possible_agents}
        self.action_spaces = {name: spaces.Discrete(DEAL + 1) for name in self.possible_agents}

    def observation_space(self, seat: str) -> spaces.Dict:
        return self.observation_spaces[seat]

    def action_space(self, seat: str) -> Any:
        return self.action_spaces[seat]

    @property
    def round(self) -> Round:
        """The round being played."""
        return self._round

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            seed = whole_number("a seed", seed, 0, 2**64 - 1)
        if seed is not None or self._shoe is None:
            number = int(np.random.default_rng(seed).integers(2**63))
            self._shoe = Shoe(self.game, terms=self._terms, seed=number, fresh=self._fresh)
        self.agents = list(self.possible_agents)
        self.rewards = {name: 0.0 for name in self.agents}
        self._cumulative_rewards = {name: 0.0 for name in self.agents}
        self.terminations = {name: False for name in self.agents}
        self.truncations = {name: False for name in self.agents}
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._shoe.begin_round()
        self._round = Round(self.game, self._wagers, terms=self._terms)
        self._hole = None
        self.agent_selection = self.agents[0]
        self._deal()
        self._settled_at_once = self._round.is_over

    def _deal(self) -> None:
        """Deals until a decision is asked for, or to the end."""
        round, shoe = self._round, self._shoe
        assert shoe is not None
        while round.awaits not in ("act", "nobody"):
            if round.awaits == "card":
                round.deal(shoe.draw())
            elif round.awaits == "face-down":
                card = shoe.draw()
                self._hole = card if round.place == "dealer" else self._hole
                round.deal(None)
            elif self._hole is None:
                raise RuntimeError("a hole card is asked for, and none lies there")
            elif round.awaits == "peek":
                round.peek(round.reader_answer(self._hole))
            else:
                round.turn(self._hole)
        if not round.is_over:
            self.agent_selection = f"seat_{round.asked[0]}"

    def _end(self) -> None:
        """Pays every seat, if the round is over."""
        round = self._round
        if round.is_over:
            for name, seat in zip(self.agents, self._wagers):
                self.rewards[name] = float(round.net(seat)) / float(self._stake)
                self.terminations[name] = True

    def step(self, action: int | None) -> None:
        chosen = self.agent_selection
        if self.terminations[chosen] or self.truncations[chosen]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("a seat that is asked must choose an action")
        number = whole_number("an action", action, 0, DEAL)
        if number == DEAL and not self._settled_at_once:
            raise ValueError("a decision is asked for: DEAL takes the result of a settled round")
        if not self._settled_at_once:
            self._round.act(CALLS[number], bettor=int(chosen.removeprefix("seat_")))
        elif number != DEAL:
            raise ValueError("the round is settled: DEAL takes its result")
        self._cumulative_rewards[chosen] = 0.0
        self._clear_rewards()
        self._deal()
        self._end()
        self._accumulate_rewards()

    def observe(self, seat: str) -> dict[str, npt.NDArray[np.int8]]:
        if seat not in self.possible_agents:
            raise ValueError(f"expected one of {', '.join(self.possible_agents)}, found {seat!r}")
        number = int(seat.removeprefix("seat_"))
        seen = Hands(self._round, number)
        own = seen.boxes.get(number, [])
        current = self._round.current_hand(number) or 0
        hand = own[current - 1] if current else (own[0] if own else [])
        siblings = [card for at, cards in enumerate(own) if at != max(current, 1) - 1
                    for card in cards]
        others = [card for box, hands in seen.boxes.items() if box != number
                  for cards in hands for card in cards]
        settled = self._settled_at_once and not self.terminations.get(seat, True)
        asked = number in self._round.asked
        fields = [
            *_ranks(hand), *_ranks(siblings), *_ranks(seen.dealer), *_ranks(others),
            *_suits(hand), *_suits(seen.dealer), current, len(own), int(asked),
        ]
        offers = self._round.offers(number) if asked else []
        takes = settled and seat == self.agent_selection
        mask = np.array([*(call in offers for call in CALLS), takes], dtype=np.int8)
        return {"observation": np.array(fields, dtype=np.int8), "action_mask": mask}

    def render(self) -> str:
        return repr(self._round)

    def close(self) -> None:
        pass
