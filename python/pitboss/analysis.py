"""What every wager and every act is worth, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from typing import Any

from pitboss._pitboss import Round, Simulation, Valuation, chart_cells


@dataclass(frozen=True)
class Outcome:
    """One way in which a wager can end."""

    name: str
    net: float
    """What the bettor gained, per unit of the wager."""
    probability: float
    combinations: int | None = None


@dataclass(frozen=True)
class Bet:
    """The value of one wager, played in one way. Numbers are per unit of the wager."""

    bet: str
    policy: str
    method: str
    """`exact` or `simulated`."""
    ev: float
    ev_exact: Fraction | None
    sd: float
    element_of_risk: float
    hit_frequency: float
    rounds: int | None
    standard_error: float | None
    simulated_figures: dict[str, float | None] = field(default_factory=dict)
    """Figures that are simulated although `ev` is exact, with their standard errors."""
    outcomes: tuple[Outcome, ...] = field(default=(), repr=False)
    figures: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = field(default=(), repr=False)


def _bet(row: dict[str, Any]) -> Bet:
    exact = row["ev_exact"]
    outcomes = tuple(
        Outcome(name, net, probability, None if ways is None else int(ways))
        for name, net, probability, ways in row["outcomes"]
    )
    return Bet(
        **{
            **row,
            "ev_exact": None if exact is None else Fraction(exact),
            "outcomes": outcomes,
            "notes": tuple(row["notes"]),
        }
    )


def bets_of_rows(rows: list[dict[str, Any]]) -> tuple[Bet, ...]:
    """The wagers of compiled code as objects."""
    return tuple(map(_bet, rows))


@dataclass(frozen=True)
class Prospects:
    """How likely a hand wins, is pushed and loses: 1 in all."""

    win: float
    push: float
    lose: float


@dataclass(frozen=True)
class ActValue:
    """What an open act is worth from here to the end of the round, in money."""

    call: str
    amount: Decimal | None
    """The chips that go with the act; as many as are allowed where it needs some."""
    gain: float
    gain_exact: Fraction | None
    at_most: float | None
    """The most that play which does not look at sibling hands could gain with chips for everything, where
    `gain` is less."""
    method: str
    """`exact`, or `bound` where other play may gain more than `gain`: sibling hands are to come, or the
    rack may not suffice for what comes later."""
    prospects: Prospects | None = None
    """How the hand that decides ends by the play that `gain` assumes, and insurance by itself; as sure
    as `gain`. `None` where more hands come of the act, or it comes before the cards."""


def values_of_rows(rows: list[dict[str, Any]]) -> list[ActValue]:
    """The values of compiled code as objects, the best one first."""

    def act_value(row: dict[str, Any]) -> ActValue:
        chances, cents = row.pop("prospects"), row.pop("gain_exact_cents")
        return ActValue(
            **row,
            gain_exact=None if cents is None else Fraction(cents) / 100,
            prospects=None if chances is None else Prospects(*chances),
        )

    return sorted(map(act_value, rows), key=lambda act: -act.gain)


def value(
    round: Round, bettor: int | str | None = None, seen: str | Sequence[str] | None = None
) -> list[ActValue]:
    """The value of every act open to a bettor, best first, by the cards that this bettor can see.

    `seen` are cards that left the shoe before this round: a list, or words with blanks between them.

    >>> tie = Round("casino-war", 10).deal("9d", "9s")
    >>> [(act.call, act.amount) for act in value(tie)]
    [('war', None), ('surrender', None), ('war', Decimal('500'))]
    """
    return round.value(bettor, seen)


class Odds:
    """The exact odds of a table: wagers, chart, what options cost, and how countable it is."""

    def __init__(self, game: str, valuation: Valuation) -> None:
        self.game = game
        self._table = valuation

    @cached_property
    def bets(self) -> tuple[Bet, ...]:
        """Every wager, by each way of playing it."""
        return bets_of_rows(self._table.bets())

    def bet(self, bet: str = "main", policy: str | None = None) -> Bet:
        """One wager; by default the first way of playing it."""
        for found in self.bets:
            if found.bet == bet and policy in (None, found.policy):
                return found
        known = ", ".join(f"{b.bet} ({b.policy})" for b in self.bets)
        raise ValueError(f"expected one of {known}, found {bet} ({policy})")

    def value(self, position: str) -> list[ActValue]:
        """The value of every act open in a position, best first.

        The position is in the words of `pitboss odds --at` (`docs/coach.md`); nobody else plays.

        >>> best = odds("double-deck").value("8s 8h; dealer Ts")[0]
        >>> best.call, best.method
        ('split', 'bound')
        """
        return values_of_rows(self._table.value(position))

    @property
    def terms(self) -> dict[str, str]:
        """The house options that differ from the defaults."""
        return self._table.terms

    @cached_property
    def chart(self) -> str | None:
        """The best chart that can be printed, as text that `simulate(chart=...)` plays."""
        return self._table.chart()

    def chart_cells(self) -> list[dict[str, Any]]:
        """The chart field by field: page, table, hand, up card and letters."""
        names = ("page", "table", "hand", "up", "choice")
        cells = chart_cells(self.chart) if self.chart is not None else []
        return [dict(zip(names, cell)) for cell in cells]

    @cached_property
    def what_if(self) -> list[dict[str, Any]]:
        """What each other value of each option does to the wagers."""
        rows = self._table.what_if()
        return [{("from" if key == "from_" else key): v for key, v in row.items()} for row in rows]

    @cached_property
    def removal(self) -> list[dict[str, Any]]:
        """What each wager gains when one card of a rank is gone."""
        return [
            {"bet": one["bet"], "policy": one["policy"], "rank": rank, "effect": effect}
            for one in self._table.countable()
            for rank, effect in one["removal"].items()
        ]

    def frame(self, of: str = "bets", library: str = "polars") -> Any:
        """`bets`, `outcomes`, `chart`, `what_if` or `removal` as a Polars or pandas frame."""
        return as_frame(self._rows(of), library)

    def _rows(self, of: str) -> list[dict[str, Any]]:
        if of == "bets":
            return _rows_of_bets(self.bets)
        if of == "outcomes":
            return _rows_of_outcomes(self.bets)
        if of == "chart":
            return self.chart_cells()
        if of == "what_if":
            return self.what_if
        if of == "removal":
            return self.removal
        raise ValueError(f"expected bets, outcomes, chart, what_if or removal, found {of}")

    def __repr__(self) -> str:
        bets = ", ".join(f"{b.bet} {b.policy} {100 * b.ev:+.4f}%" for b in self.bets)
        return f"<Odds {self.game}: {bets}>"


def odds(
    game: str,
    terms: dict[str, Any] | None = None,
    *,
    stake: Any = None,
    meter: Any = None,
    others: int | None = None,
    seen: str | Sequence[str] | None = None,
) -> Odds:
    """The exact odds of a table; cards that were `seen` are gone from the shoe.

    >>> odds("casino-war").bet("tie").ev_exact
    Fraction(-58, 311)
    """
    table = Valuation(game, terms=terms, stake=stake, meter=meter, others=others, seen=seen)
    return Odds(game, table)


def _rows_of_bets(bets: tuple[Bet, ...]) -> list[dict[str, Any]]:
    """A row for each wager; exact values as text, since frames have no fractions."""
    names = ("bet", "policy", "method", "ev", "ev_exact", "sd", "element_of_risk", "hit_frequency",
             "rounds", "standard_error")
    rows = [{name: getattr(bet, name) for name in names} for bet in bets]
    exact = ({"ev_exact": None if bet.ev_exact is None else str(bet.ev_exact)} for bet in bets)
    return [{**row, **text} for row, text in zip(rows, exact)]


def _rows_of_outcomes(bets: tuple[Bet, ...]) -> list[dict[str, Any]]:
    """A row for each way in which a wager can end."""
    return [
        {
            "bet": bet.bet,
            "policy": bet.policy,
            "name": outcome.name,
            "net": outcome.net,
            "probability": outcome.probability,
        }
        for bet in bets
        for outcome in bet.outcomes
    ]


def simulation_frame(simulation: Simulation, of: str = "bets", library: str = "polars") -> Any:
    """`bets`, `outcomes` or `nets` of a simulation as a Polars or pandas frame."""
    if of == "bets":
        rows = _rows_of_bets(simulation.bets)
    elif of == "outcomes":
        rows = _rows_of_outcomes(simulation.bets)
    elif of == "nets":
        unit = simulation.unit
        rows = [{"net": net / unit, "rounds": rounds} for net, rounds in simulation.nets]
    else:
        raise ValueError(f"expected bets, outcomes or nets, found {of}")
    return as_frame(rows, library)


def as_frame(rows: list[dict[str, Any]], library: str = "polars") -> Any:
    """Rows as a frame of Polars or pandas."""
    if library not in ("polars", "pandas"):
        raise ValueError(f"expected polars or pandas, found {library}")
    try:
        frames = import_module(library)
    except ModuleNotFoundError as missing:
        how = f"{library} is not installed; type: pip install './python[frames]'"
        raise ModuleNotFoundError(how, name=library) from missing
    if library == "polars":
        return frames.DataFrame(rows, infer_schema_length=None)
    return frames.DataFrame(rows)
