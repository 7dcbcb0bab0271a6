"""The house edge of Casino War and of Free Bet Blackjack against their options, as heat maps.

    python house_edge.py

Every number is exact. Darker is worse for the player.
"""

import pitboss

SHADES = " ░▒▓█"


def heat_map(game: str, bet: str, across: str, over: list, down: str, values: list) -> None:
    """One option across, another one down."""
    def edge(first: object, second: object) -> float:
        terms = {across: first, down: second}
        return -max(b.ev for b in pitboss.odds(game, terms).bets if b.bet == bet)

    rows = {value: [edge(choice, value) for choice in over] for value in values}
    least = min(min(row) for row in rows.values())
    most = max(max(row) for row in rows.values())
    print(f"\n{game}, {bet}: {across} across, {down} down")
    print(" " * 12 + "".join(f"{choice!s:>14}" for choice in over))
    for value, row in rows.items():
        cells = ""
        for number in row:
            shade = SHADES[int(4 * (number - least) / (most - least or 1))]
            cells += f"{shade * 4}{100 * number:>9.4f}%"
        print(f"{value!s:>12}{cells}")


heat_map("casino-war", "main", "decks", [6, 7, 8], "breakage", ["exact", "player_favour"])
heat_map("casino-war", "tie", "decks", [6, 7, 8], "seats", [6, 7])
worth = pitboss.odds("casino-war").what_if
print("\nEvery option of Casino War that bears on a wager:")
for change in worth:
    if change["change"] is not None:
        print(f"  {change['term']}={change['to']}: {change['bet']} ({change['policy']}) "
              f"{100 * change['change']:+.4f}%")
