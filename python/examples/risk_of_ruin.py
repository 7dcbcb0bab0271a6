"""The risk of ruin of somebody who counts cards in Double Deck Blackjack.

    python risk_of_ruin.py [ROUNDS]

The bet is 1 unit at a true count of 0 and rises by 2 for each point, up to 12. With the mean and the
variance of a round, the risk that a bankroll of B units is ever lost is exp(-2 mean B / variance).
"""

import math
import sys

import pitboss

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000_000
result = pitboss.simulate("double-deck", rounds=rounds, ramp=(1.0, 2.0, 12))
gain, squares, wagered = result.bettor
unit = result.unit
mean = gain / result.rounds / unit
variance = squares / result.rounds / unit**2 - mean**2
error = math.sqrt(variance / result.rounds)
print(result)
print(f"the counter wins {mean:+.4f} ± {error:.4f} units a round, with a spread of "
      f"{math.sqrt(variance):.2f}, and bets {wagered / result.rounds / unit:.2f} on average")
for bankroll in (100, 200, 400, 800):
    risk = 1.0 if mean <= 0 else math.exp(-2 * mean * bankroll / variance)
    print(f"  {bankroll:>4} units: ruined {100 * min(risk, 1.0):.2f}% of the time")
