"""The table of baselines: every task, played by players of every kind.

    python -m pitboss.bench.baselines [--rounds N] [--steps N] [--ppo-steps N] [--no-ppo] [--tasks A,B]

The regret of the exact player is exact. That of the others is measured by the difference to it over the
same shoes, with the standard error of that difference. PPO is MaskablePPO of sb3-contrib, where that is
installed. The usual numbers of steps are small, so that the whole table takes minutes; more steps learn
more.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from typing import Any

import numpy as np

from pitboss.bench.players import QTable, exact_player, exact_value, random_player
from pitboss.bench.tasks import TASKS, Evaluation, Player, Task, evaluate


def ppo_player(task: Task, steps: int) -> Player:
    """MaskablePPO of sb3-contrib with its usual settings, on 16 copies."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    from pitboss.envs import GameEnv

    envs = make_vec_env(lambda: GameEnv(task.game, fresh=True), n_envs=16, seed=1)
    model = MaskablePPO("MlpPolicy", envs, seed=1, n_steps=512, batch_size=1024, gamma=1.0)
    model.learn(steps)

    def player(fields: Any, masks: Any) -> Any:
        actions, _ = model.predict(
            fields.astype(np.float32), action_masks=masks.astype(bool), deterministic=True
        )
        return np.asarray(actions, dtype=np.int64)

    return player


def main() -> int:
    """Prints the table."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--rounds", type=int, default=4_000_000, help="rounds of each evaluation")
    reader.add_argument("--steps", type=int, default=3_000_000, help="steps of Q-learning")
    reader.add_argument("--ppo-steps", type=int, default=60_000, help="steps of PPO")
    reader.add_argument("--no-ppo", action="store_true", help="leaves PPO out")
    reader.add_argument("--tasks", default=",".join(TASKS), help="names with commas between")
    given = reader.parse_args()
    unknown = [name for name in given.tasks.split(",") if name not in TASKS]
    if unknown:
        reader.error(f"expected tasks among {', '.join(TASKS)}, found {unknown[0]}")
    has_ppo = not given.no_ppo and importlib.util.find_spec("sb3_contrib") is not None
    print("| task | optimum | player | units a round | regret | learned in (processor) |")
    print("| --- | ---: | --- | ---: | ---: | ---: |")
    for name in given.tasks.split(","):
        task = TASKS[name]
        reference = evaluate(exact_player(name), task, rounds=given.rounds)
        value = exact_value(task)

        def show(kind: str, result: Evaluation, regret: str, learned: str, task: Task = task) -> None:
            mean = f"{result.mean:+.5f} ± {result.standard_error:.5f}"
            print(
                f"| {task.game} | {task.optimum:+.5f} | {kind} | {mean} | {regret} | {learned} |",
                flush=True,
            )

        def measure(
            kind: str, player: Player, seconds: float | None, task: Task = task,
            reference: Evaluation = reference, value: float = value,
        ) -> None:
            result = evaluate(player, task, rounds=given.rounds)
            regret, error = result.regret_beside(reference, value)
            learned = "" if seconds is None else f"{seconds:.0f} s"
            show(kind, result, f"{regret:+.5f} ± {error:.5f}", learned)

        show("exact chart", reference, f"{task.optimum - value:+.5f} exactly", "")
        measure("random", random_player(), None)
        start = time.process_time()
        table = QTable(name).learn(task, steps=given.steps)
        measure(f"Q-learning, {given.steps:,} steps", table, time.process_time() - start)
        if has_ppo:
            start = time.process_time()
            player = ppo_player(task, given.ppo_steps)
            measure(f"PPO, {given.ppo_steps:,} steps", player, time.process_time() - start)
    if not has_ppo and not given.no_ppo:
        print("\nPPO is left out: sb3-contrib is not installed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
