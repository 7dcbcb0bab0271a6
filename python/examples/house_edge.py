"""The house edge against every option of the house, as a heat map.

    python house_edge.py [GAME [BET]]

There is a row for each option and a cell for each of its values, the one in force first. Every
number is exact; darker is worse for the player.
"""

import sys

import pitboss

SHADES = " ░▒▓█"

game = sys.argv[1] if len(sys.argv) > 1 else "casino-war"
bet = sys.argv[2] if len(sys.argv) > 2 else "main"
odds = pitboss.odds(game)
odds.bet(bet)  # a ValueError where the game has no such wager
usual = max((one for one in odds.bets if one.bet == bet), key=lambda one: one.ev)

rows: dict[str, list[tuple[str, float]]] = {}
for change in odds.what_if:
    if (change["bet"], change["policy"]) == (usual.bet, usual.policy) and change["ev"] is not None:
        row = rows.setdefault(change["term"], [(change["from"], -usual.ev)])
        row.append((change["to"], -change["ev"]))

edges = [edge for row in rows.values() for _, edge in row]
least, most = min(edges, default=0.0), max(edges, default=0.0)
print(f"{game}, {usual.bet} ({usual.policy}): the house edge in percent")
for term, row in rows.items():
    cells = []
    for value, edge in row:
        shade = SHADES[int(4 * (edge - least) / ((most - least) or 1))]
        cells.append(f"{shade * 3} {value} {100 * edge:.4f}%")
    print(f"{term:>24}  " + "  ".join(cells))
