"""Learns Double Deck Blackjack from nothing, and compares with the exact chart cell by cell.

    python learn_double_deck.py [STEPS]
"""

import sys

import numpy as np
import pitboss
from pitboss.bench.players import AT, LETTERS, QTable
from pitboss.bench.tasks import TASKS, evaluate
from pitboss.envs import ACTIONS, DECIDING, FIELDS

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
task = TASKS["double-deck"]
table = QTable("double-deck").learn(task, steps=steps)
result = evaluate(table, task, rounds=max(20_000, steps // 5))
print(f"{result.mean:+.4f} ± {result.standard_error:.4f} units a round; the best play gets "
      f"{task.optimum:+.4f}, so the regret is {result.regret:.4f}")

exact = {(cell["table"], cell["hand"], cell["up"]): LETTERS[cell["choice"][0]]
         for cell in pitboss.odds("double-deck").chart_cells()}
letters = {call: letter for letter, call in LETTERS.items()}
UPS = "23456789TA"


def pips(card: str) -> int:
    """What a card counts, the ace as one."""
    return {"A": 1, "T": 10}.get(card) or int(card)


def learned(kind: str, row: str, up: str) -> str:
    """What the table does with two first cards of this row of the chart, as a letter."""
    pair = pips(row) if kind == "pairs" else 0
    soft = kind == "soft" or pair == 1
    total = (12 if pair == 1 else 2 * pair) if pair else int(row)
    fields = np.zeros(len(FIELDS), dtype=np.int16)
    for name, number in [("phase", DECIDING), ("total", total), ("soft", soft), ("pair", pair),
                         ("up", pips(up)), ("cards", 2), ("hand", 1), ("hands", 1), ("bet", 1)]:
        fields[AT[name]] = number
    # What it has never tried was not open to it.
    mask = (table.visits[table.row(fields)] > 0).astype(np.int8)
    mask[ACTIONS["stand"]] = 1
    return letters[table.call(fields, mask)]


rows = {
    "hard": [str(total) for total in range(19, 4, -1)],
    "soft": [str(total) for total in range(20, 12, -1)],
    "pairs": list("AT98765432"),
}
agree = cells = 0
for kind, hands in rows.items():
    print(f"\n{kind:<7}" + "  ".join(UPS))
    for hand in hands:
        row = []
        for up in UPS:
            mine, best = learned(kind, hand, up), letters[exact[kind, hand, up]]
            cells += 1
            agree += mine == best
            row.append(mine + (" " if mine == best else "*"))
        print(f"{hand:>4}   " + " ".join(row))
print(f"\n{agree} of {cells} cells are those of the exact chart (* the others)")
