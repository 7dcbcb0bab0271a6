"""Learns Double Deck Blackjack from nothing, and compares with the exact chart cell by cell.

    python learn_double_deck.py [STEPS]
"""

import sys

import numpy as np
import pitboss
from pitboss.bench.players import AT, LETTERS, QTable
from pitboss.bench.tasks import TASKS, evaluate
from pitboss.envs import ACTIONS, DECIDING

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
task = TASKS["double-deck"]
table = QTable("double-deck").learn(task, steps=steps)
result = evaluate(table, task, rounds=max(20_000, steps // 5))
print(f"{result.mean:+.4f} ± {result.standard_error:.4f} units a round; "
      f"the best play gets {task.optimum:+.4f}, so the regret is {result.regret:.4f}")

exact = {(cell["table"], cell["hand"], cell["up"]): LETTERS[cell["choice"][0]]
         for cell in pitboss.odds("double-deck").chart_cells()}
letters = {call: letter for letter, call in LETTERS.items()}
UPS = "23456789TA"


def learned(kind: str, total: int, up: int) -> str:
    """What the table does with the first two cards of this total, as a letter."""
    fields = np.zeros(17, dtype=np.int16)
    for name, number in [("phase", DECIDING), ("total", total), ("soft", kind == "soft"),
                         ("up", up), ("cards", 2), ("hand", 1), ("hands", 1), ("bet", 1)]:
        fields[AT[name]] = number
    # What it has never tried was not open to it.
    mask = (table.visits[table.row(fields)] > 0).astype(np.int8)
    mask[ACTIONS["stand"]] = 1
    return letters[table.call(fields, mask)]


agree = cells = 0
for kind, totals in [("hard", range(19, 4, -1)), ("soft", range(20, 12, -1))]:
    print(f"\n{kind}   " + "  ".join(UPS))
    for total in totals:
        row = []
        for up in UPS:
            mine = learned(kind, total, 1 if up == "A" else 10 if up == "T" else int(up))
            best = letters[exact[kind, str(total), up]]
            cells += 1
            agree += mine == best
            row.append(mine + (" " if mine == best else "*"))
        print(f"{total:>4}   " + " ".join(row))
print(f"\n{agree} of {cells} cells are those of the exact chart (* the others)")
