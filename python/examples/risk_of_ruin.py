"""The risk of ruin of somebody who counts cards in Double Deck Blackjack.

    python risk_of_ruin.py [ROUNDS]

The bet is 1 unit at a true count of 0 and rises by 2 for each point, up to 12. With the mean and the
variance of a round, the risk that a bankroll of B units is ever lost is exp(-2 mean B / variance).
"""

import math
import sys
from dataclasses import dataclass

import pitboss

RAMP = (1.0, 2.0, 12)


@dataclass(frozen=True)
class Counter:
    """What a counter wins in a round, in units."""

    mean: float
    error: float
    """The standard error of the mean."""
    variance: float
    bet: float
    """The average bet."""

    def risk(self, bankroll: float) -> float:
        """How likely this bankroll, in units, is ever lost."""
        return 1.0 if self.mean <= 0 else math.exp(-2 * self.mean * bankroll / self.variance)


def counter(rounds: int, ramp: tuple[float, float, int] = RAMP) -> Counter:
    """A counter with this ramp, by simulation."""
    result = pitboss.simulate("double-deck", rounds=rounds, ramp=ramp)
    assert result.bettor is not None
    gain, squares, wagered = result.bettor
    mean = gain / result.rounds / result.unit
    variance = squares / result.rounds / result.unit**2 - mean**2
    error = math.sqrt(variance / result.rounds)
    return Counter(mean, error, variance, wagered / result.rounds / result.unit)


def main() -> None:
    one = counter(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000_000)
    print(f"the counter wins {one.mean:+.4f} ± {one.error:.4f} units a round, with a spread of "
          f"{math.sqrt(one.variance):.2f}, and bets {one.bet:.2f} on average")
    for bankroll in (100, 200, 400, 800):
        print(f"  {bankroll:>4} units: ruined {100 * one.risk(bankroll):.2f}% of the time")


if __name__ == "__main__":
    main()
