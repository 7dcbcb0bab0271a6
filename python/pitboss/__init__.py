"""The rules, odds and simulator of five casino table games.

Casino War, Double Down Stud, Double Deck, Double Attack and Free Bet Blackjack, exactly as their
rule books say, for research:

>>> import pitboss
>>> round = pitboss.Round("casino-war", 10)
>>> round.deal("9d", "9s")
<Round casino-war: seat 1 to surrender, war>
>>> round.act("hit")
Traceback (most recent call last):
    ...
pitboss.Refused: this game has no hit (CW-8-c)
>>> round.act("surrender")
<Round casino-war: settled, seat 1 -5>

`simulate` plays rounds by the million, `odds` values every wager exactly, `pitboss.envs` has the
games as environments for reinforcement learning, `pitboss.cluster` spreads runs over machines, and
`connect` plays at a live house. `docs/python.md` begins at the beginning.
"""

from pitboss import cluster as cluster
from pitboss import walk as walk
from pitboss._pitboss import (
    CALLS,
    CIRCLES,
    GAMES,
    Plan,
    Refused,
    Round,
    Shoe,
    Simulation,
    Table,
    __rules_version__,
    __version__,
)
from pitboss.analysis import ActValue, Bet, Odds, Outcome, Prospects, odds, value
from pitboss.client import connect
from pitboss.papers import CheckedRound, Verdict, check, rules, verify
from pitboss.simulation import simulate

try:
    from gymnasium.vector import AutoresetMode as _AutoresetMode  # noqa: F401
except ImportError:
    pass  # Gymnasium is missing, or older than 1.1: `import pitboss.envs` says so.
else:
    # The environments are registered by whoever imports the package, as is usual.
    from pitboss import envs as envs

__all__ = [
    "CALLS",
    "CIRCLES",
    "GAMES",
    "ActValue",
    "Bet",
    "CheckedRound",
    "Odds",
    "Outcome",
    "Plan",
    "Prospects",
    "Refused",
    "Round",
    "Shoe",
    "Simulation",
    "Table",
    "Verdict",
    "__rules_version__",
    "__version__",
    "check",
    "connect",
    "odds",
    "rules",
    "simulate",
    "value",
    "verify",
]
