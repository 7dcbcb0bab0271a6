"""The benchmark's tasks: optimum, evaluation, and players whose value is known."""

import numpy as np
import pitboss
import pytest
from pitboss.bench.players import QTable, exact_player, exact_value, random_player
from pitboss.bench.tasks import TASKS, evaluate, is_deciding
from pitboss.envs import ACTIONS, DEAL, FIELDS

GAMES = list(TASKS)


@pytest.mark.parametrize("game", GAMES)
def test_the_exact_player_gets_what_the_analysis_says(game):
    # The environment, played by the chart, against the exact value of that chart.
    rounds = 60_000 if game == "double-down-stud" else 400_000
    result = evaluate(exact_player(game), game, rounds=rounds)
    expected = exact_value(TASKS[game])
    assert result.refused == 0
    assert abs(result.mean - expected) < 4.5 * result.standard_error
    assert result.standard_error < 0.01


@pytest.mark.parametrize("game", GAMES)
def test_nobody_beats_the_optimum(game):
    task = TASKS[game]
    result = evaluate(random_player(), task, rounds=50_000)
    assert result.regret > -4 * result.standard_error
    assert task.optimum >= task.basic - 1e-12
    assert task.optimum == max(bet.ev for bet in pitboss.odds(game).bets if bet.bet == "main")


def test_a_table_learns_casino_war():
    # War is worth more than surrender with every card.
    table = QTable("casino-war").learn(TASKS["casino-war"], steps=400_000)
    result = evaluate(table, "casino-war", rounds=100_000)
    assert result.regret < 0.01


def test_the_optimum_of_a_blackjack_needs_more_than_a_chart():
    for game in ("double-deck", "double-attack", "free-bet"):
        task = TASKS[game]
        assert task.version == 2 and task.optimum > task.basic
        assert {"split", "own_A", "own_T"} <= set(FIELDS)


def test_a_regret_beside_a_known_player_has_a_smaller_error():
    # Always surrendering, against always going to war: both are known exactly, and play the same shoes.
    def always(call):
        return lambda fields, masks: np.where(is_deciding(fields), ACTIONS[call], DEAL)

    task = TASKS["casino-war"]
    war, surrender = (evaluate(always(call), task, rounds=200_000) for call in ("war", "surrender"))
    exact = {call: pitboss.odds("casino-war").bet("main", call).ev for call in ("war", "surrender")}
    regret, error = surrender.regret_beside(war, exact["war"])
    assert abs(regret - (task.optimum - exact["surrender"])) < 4.5 * error
    # Only every thirteenth round or so is another one.
    assert error < 0.5 * surrender.standard_error
    assert war.regret_beside(war, exact["war"]) == (0.0, 0.0)
    with pytest.raises(ValueError, match="did not play the same shoes"):
        surrender.regret_beside(evaluate(always("war"), task, rounds=200_000, seed=2), exact["war"])


def test_evaluations_of_one_seed_are_the_same():
    one, other = (evaluate(exact_player("double-deck"), "double-deck", rounds=5000, seed=4)
                  for _ in range(2))
    assert one == other


def test_bad_players_and_numbers_are_refused():
    with pytest.raises(ValueError, match="expected a task"):
        evaluate(random_player(), "roulette")
    with pytest.raises(ValueError):
        evaluate(random_player(), "casino-war", rounds=0)
    with pytest.raises(ValueError, match="keeps choosing"):
        evaluate(lambda fields, masks: masks.argmin(axis=1), "casino-war", rounds=10, copies=4)
