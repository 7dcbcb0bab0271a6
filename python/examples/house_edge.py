"""The house edge against every option of the house, as a heat map.

    python house_edge.py [GAME [BET [FILE]]]

There is a row for each option and a cell for each of its values, the one in force first with a frame.
Every number is exact. The picture is written to FILE, by default house_edge.svg.
"""

import sys
from html import escape
from pathlib import Path

import pitboss

Rows = dict[str, list[tuple[str, float]]]

HEIGHT, LABEL = 34, 250
LOW, HIGH = (247, 244, 231), (178, 52, 38)
"""The colours of the smallest and of the largest house edge."""


class Picture(str):
    """An SVG picture, which notebooks show."""

    def _repr_svg_(self) -> str:
        return str(self)


def edges(game: str, bet: str) -> Rows:
    """The house edge under every value of every option that changes it, the value in force first."""
    odds = pitboss.odds(game)
    odds.bet(bet)  # a ValueError where the game has no such wager
    best = max((one for one in odds.bets if one.bet == bet), key=lambda one: one.ev)
    rows: Rows = {}
    for change in odds.what_if:
        if (change["bet"], change["policy"]) == (best.bet, best.policy) and change["ev"] is not None:
            row = rows.setdefault(change["term"], [(change["from"], -best.ev)])
            row.append((change["to"], -change["ev"]))
    return rows


def heat_map(rows: Rows, title: str) -> Picture:
    """The rows as coloured cells: the redder, the worse for the player."""
    values = [edge for row in rows.values() for _, edge in row]
    least, most = min(values, default=0.0), max(values, default=0.0)
    longest = max((len(value) for row in rows.values() for value, _ in row), default=0)
    wide = max(80, 7 * longest)
    width = LABEL + wide * max(map(len, rows.values()), default=1) + 10
    height = HEIGHT * (len(rows) + 1) + 10

    def text(x: float, y: float, words: str, **more: object) -> str:
        style = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
        return f'<text x="{x:g}" y="{y:g}"{style}>{escape(words)}</text>'

    def cell(at: int, number: int, value: str, edge: float) -> list[str]:
        part = (edge - least) / ((most - least) or 1)
        red, green, blue = (round(low + part * (high - low)) for low, high in zip(LOW, HIGH))
        x, y = LABEL + wide * number, HEIGHT * (at + 1)
        frame = "#222" if number == 0 else "#fff"
        ink = "#fff" if part > 0.6 else "#222"
        return [
            f'<rect x="{x + 1}" y="{y + 1}" width="{wide - 2}" height="{HEIGHT - 2}" stroke="{frame}" '
            f'fill="rgb({red},{green},{blue})"/>',
            text(x + wide / 2, y + 14, value, text_anchor="middle", fill=ink),
            text(x + wide / 2, y + 27, f"{100 * edge:.4f}%", text_anchor="middle", fill=ink),
        ]

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        text(8, 21, title, font_size=14),
    ]
    for at, (term, row) in enumerate(rows.items()):
        parts.append(text(LABEL - 8, HEIGHT * (at + 1) + 20, term, text_anchor="end"))
        for number, (value, edge) in enumerate(row):
            parts += cell(at, number, value, edge)
    return Picture("\n".join([*parts, "</svg>"]) + "\n")


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "casino-war"
    bet = sys.argv[2] if len(sys.argv) > 2 else "main"
    file = Path(sys.argv[3] if len(sys.argv) > 3 else "house_edge.svg")
    rows = edges(game, bet)
    title = f"{game}, {bet}: the house edge"
    file.write_text(heat_map(rows, title), encoding="utf-8")
    print(f"{title} (the picture is in {file})")
    for term, row in rows.items():
        print(f"{term:>32}  " + "  ".join(f"{value} {100 * edge:.4f}%" for value, edge in row))


if __name__ == "__main__":
    main()
