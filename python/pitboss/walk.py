"""A walk through everything that can happen in a round: chance, decisions and returns.

The interface is that of OpenSpiel's states, so that solvers can be written against it: chance is a
player, a state is cloned and taken on by an action, and at its end it has returns.

>>> state = Walk("casino-war", by_rank=True).new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 13)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pitboss._pitboss import CALLS, MOST_SEATS, Round, Shoe
from pitboss.numbers import whole_number

CHANCE, TERMINAL = -1, -4
"""The players of a chance node and of the end, as in OpenSpiel."""

RANKS, SUITS = "23456789TJQKA", "cdhs"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
NO_NATURAL, NATURAL = len(CARDS), len(CARDS) + 1
"""The chance outcomes of the card reader, after those of the cards."""


def seat_numbers(seats: int) -> range:
    """The seats from 1 to their number, which is at most 7."""
    return range(1, whole_number("seats", seats, 1, MOST_SEATS) + 1)


class Walk:
    """A game for one to seven seats, from a full shoe or from given cards.

    With `by_rank` cards of one rank are one outcome of chance: right wherever no wager depends on
    suits, and far fewer states.
    """

    def __init__(
        self,
        game: str,
        *,
        seats: int = 1,
        terms: dict[str, Any] | None = None,
        stake: Any = 10,
        cards: Sequence[str] | None = None,
        by_rank: bool = False,
    ) -> None:
        if by_rank and game == "double-down-stud":
            raise ValueError("a flush depends on suits: double-down-stud has no walk by rank")
        self.game = game
        self.seats = seats
        self.by_rank = by_rank
        self._first = Round(game, {seat: stake for seat in seat_numbers(seats)}, terms=terms)
        self.stake = float(stake)
        all_cards = Shoe(game, terms=terms).all_cards if cards is None else list(cards)
        unknown = [card for card in all_cards if card not in CARDS]
        if unknown:
            raise ValueError(f"expected cards such as Td, found {unknown[0]!r}")
        self._cards = Counter(self._name(card) for card in all_cards)

    def _name(self, card: str) -> str:
        return card[0] + "s" if self.by_rank else card

    def num_players(self) -> int:
        """How many seats play."""
        return self.seats

    def num_distinct_actions(self) -> int:
        """How many calls there are; those of chance are not among them."""
        return len(CALLS)

    def max_chance_outcomes(self) -> int:
        """How many outcomes chance has."""
        return NATURAL + 1

    def new_initial_state(self) -> State:
        """The state before the first card."""
        return State(self, self._first.copy(), self._cards.copy(), None, ())

    def __repr__(self) -> str:
        how = ", by rank" if self.by_rank else ""
        cards = sum(self._cards.values())
        return f"<Walk {self.game}: seats {self.seats}, cards {cards}{how}>"


class State:
    """A state of a walk. Seats are players from 0."""

    def __init__(
        self,
        walk: Walk,
        round: Round,
        unseen: Counter[str],
        natural: bool | None,
        history: tuple[int, ...],
    ) -> None:
        self.walk = walk
        self.round = round
        self._unseen = unseen
        """Cards that nobody at the table has seen: in the shoe, burned, or face down."""
        self._natural = natural
        """What the card reader said of the hole card that lies there."""
        self._history = history
        self._take_face_down()

    def _take_face_down(self) -> None:
        """A card that leaves the shoe unseen tells nobody anything: chance is asked when it turns."""
        while self.round.awaits == "face-down":
            self.round.deal(None)

    def is_terminal(self) -> bool:
        """Whether the round is settled."""
        return self.round.is_over

    def is_chance_node(self) -> bool:
        """Whether a card or the card reader is awaited."""
        return self.round.awaits in ("card", "turn", "peek")

    def current_player(self) -> int:
        """The seat to decide, `CHANCE` or `TERMINAL`. Of several the first is asked."""
        if self.is_terminal():
            return TERMINAL
        if self.is_chance_node():
            return CHANCE
        return int(self.round.asked[0]) - 1

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The actions open to the player to decide, or the outcomes of chance."""
        if self.is_chance_node():
            return [outcome for outcome, _ in self.chance_outcomes()]
        here = self.current_player()
        if here == TERMINAL or player not in (None, here):
            return []
        return [CALLS.index(call) for call in self.round.offers(here + 1)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome of chance, and its probability."""
        weights = self._weights()
        all_weights = sum(weights.values())
        return [(outcome, weight / all_weights) for outcome, weight in weights.items()]

    def _weights(self) -> dict[int, int]:
        cards = {card: count for card, count in self._unseen.items() if count}
        if self.round.awaits == "peek":
            makes = sum(n for card, n in cards.items() if self.round.reader_answer(card))
            weights = {NO_NATURAL: sum(cards.values()) - makes, NATURAL: makes}
            return {outcome: weight for outcome, weight in weights.items() if weight}
        if self._natural is None:
            return {CARDS.index(card): count for card, count in cards.items()}
        fits = {card: self.round.reader_answer(card) == self._natural for card in cards}
        if self.round.awaits == "turn":
            return {CARDS.index(card): n for card, n in cards.items() if fits[card]}
        # The hole card fits what the reader said: a card that fits too is drawn less often.
        holes = sum(n for card, n in cards.items() if fits[card])
        drawn = {CARDS.index(card): n * (holes - fits[card]) for card, n in cards.items()}
        return {card: weight for card, weight in drawn.items() if weight}

    def apply_action(self, action: int) -> None:
        """Takes an action or an outcome of chance; `pitboss.Refused` where the rules do."""
        action = whole_number("an action", action, 0, NATURAL)
        if self.is_chance_node():
            self._chance(action)
        elif self.is_terminal() or action >= len(CALLS):
            raise ValueError(f"expected one of {self.legal_actions()}, found {action}")
        else:
            self.round.act(CALLS[action], bettor=self.current_player() + 1)
        self._history = (*self._history, action)
        self._take_face_down()

    def _chance(self, outcome: int) -> None:
        if outcome not in self._weights():
            raise ValueError(f"expected one of {self.legal_actions()}, found {outcome}")
        if self.round.awaits == "peek":
            self._natural = outcome == NATURAL
            self.round.peek(self._natural)
            return
        card = CARDS[outcome]
        if self.round.awaits == "turn":
            self.round.turn(card)
            self._natural = None
        else:
            self.round.deal(card)
        self._unseen[card] -= 1

    def child(self, action: int) -> State:
        """The state after an action; this one stays as it is."""
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self) -> State:
        """The same state again."""
        return State(
            self.walk, self.round.copy(), self._unseen.copy(), self._natural, self._history
        )

    def returns(self) -> list[float]:
        """What every seat won or lost so far, in units of the wager."""
        seats = seat_numbers(self.walk.seats)
        return [float(self.round.net(seat)) / self.walk.stake for seat in seats]

    def history(self) -> list[int]:
        """All actions so far, those of chance too."""
        return list(self._history)

    def action_to_string(self, player: int, action: int) -> str:
        """An action in a word."""
        most = NATURAL if player == CHANCE else len(CALLS) - 1
        action = whole_number("an action", action, 0, most)
        if player != CHANCE:
            return CALLS[action]
        return {NO_NATURAL: "no natural", NATURAL: "natural"}.get(action) or CARDS[action]

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player has seen and all that was decided, in order."""
        seat = (self.current_player() if player is None else player) + 1
        return " ".join(visible_words(self.round, seat))

    def __repr__(self) -> str:
        return f"<State {self.round!r}>"


def visible_words(round: Round, seat: int) -> list[str]:
    """What a seat has seen of a round, in order: cards that others keep to themselves are `??`."""
    shown = {event["seat"] for event in round.events if event["event"] == "shown"}
    words = []
    for event in round.events:
        kind = event["event"]
        if kind == "dealt":
            only = event.get("only")
            hidden = only is not None and only != seat and only not in shown
            words.append(f"{event['place'].replace(' ', '.')}:{'??' if hidden else event['card']}")
        elif kind == "face-down":
            words.append(f"{event['place']}:??")
        elif kind == "turned":
            words.append(f"dealer:{event['card']}")
        elif kind == "peeked":
            words.append("natural" if event["natural"] else "no-natural")
        elif kind == "acted":
            words.append(f"{event['bettor']}:{event['call']}")
    return words
