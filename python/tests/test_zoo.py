"""Several seats, and the walk that solvers use."""

import copy
import warnings

import numpy as np
import pitboss
import pytest
from pettingzoo.test import api_test, seed_test
from pitboss.walk import CARDS, CHANCE, NO_NATURAL, TERMINAL, Walk, visible_words
from pitboss.zoo import WIDTH, TableEnv, table


@pytest.mark.parametrize("game", pitboss.GAMES)
@pytest.mark.parametrize("seats", [1, 3, 5, 7])
def test_pettingzoo_accepts_every_game(game, seats):
    most = next(term for term in pitboss.rules(game)["terms"] if term["key"] == "seats")
    terms = {"seats": 7} if seats == 7 and "7" in most["values"] else None

    def made():
        return TableEnv(game, seats=seats, terms=terms)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(made(), num_cycles=60)
        seed_test(made, num_cycles=20)


def test_seven_seats_play():
    env = TableEnv("double-attack", seats=7, terms={"seats": 7})
    for seed in range(5):
        env.reset(seed=seed)
        for name in env.agent_iter():
            observation, _, ended, _, _ = env.last()
            open_calls = np.flatnonzero(observation["action_mask"])
            env.step(None if ended else int(open_calls[0]))
        assert env.round.is_over and not env.agents


def test_others_do_not_see_private_cards():
    # DDB: both cards of a hand are dealt face down to its player.
    env = table("double-deck", seats=3)
    private = 0
    for seed in range(40):
        env.reset(seed=seed)
        if env.round.is_over:
            continue
        for name in env.agents:
            number = int(name.removeprefix("seat_"))
            others = env.observe(name)["observation"][39:52]
            visible = visible_words(env.round, number)
            hidden = [event for event in env.round.events
                      if event["event"] == "dealt" and event.get("only") not in (None, number)]
            private += len(hidden)
            shown = {event["seat"] for event in env.round.events if event["event"] == "shown"}
            hidden = [event for event in hidden if event["only"] not in shown]
            words = " ".join(visible)
            assert words.count("??") >= len(hidden)
            open_cards = [event for event in env.round.events
                          if event["event"] == "dealt" and event["place"] != "dealer"
                          and not event["place"].startswith(str(number))
                          and event not in hidden]
            assert others.sum() == len(open_cards)
    assert private


def test_a_refused_act_raises_and_changes_nothing():
    env = table("double-deck", seats=2)
    for seed in range(20):
        env.reset(seed=seed)
        if not env.round.is_over:
            break
    before = env.round.transcript()
    with pytest.raises(pitboss.Refused):
        env.step(pitboss.CALLS.index("war"))
    assert env.round.transcript() == before
    assert env.observe("seat_1")["observation"].shape == (WIDTH,)


def test_a_copy_goes_on_by_itself():
    env = table("double-deck", seats=2)
    env.reset(seed=3)
    other = copy.deepcopy(env)
    for one in (env, other):
        for name in one.agent_iter():
            observation, _, ended, _, _ = one.last()
            one.step(None if ended else int(np.flatnonzero(observation["action_mask"])[0]))
    assert env.round == other.round and env.round.is_over


def test_a_seat_that_there_is_not_observes_nothing():
    env = table("double-deck", seats=2)
    env.reset(seed=3)
    for name in ("dealer", "seat_3", 1, None):
        with pytest.raises(ValueError, match="expected one of seat_1, seat_2, found"):
            env.observe(name)


def expectation(state, choose):
    """What the first seat expects if `choose` decides between what acts are worth."""
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert abs(sum(chance for _, chance in outcomes) - 1) < 1e-12
        return sum(chance * expectation(state.child(o), choose) for o, chance in outcomes)
    return choose(expectation(state.child(act), choose) for act in state.legal_actions())


def test_the_best_way_through_casino_war_has_the_exact_value():
    walk = Walk("casino-war", by_rank=True)
    exact = max(bet.ev for bet in pitboss.odds("casino-war").bets if bet.bet == "main")
    assert expectation(walk.new_initial_state(), max) == pytest.approx(exact, abs=1e-12)
    worst = min(bet.ev for bet in pitboss.odds("casino-war").bets if bet.bet == "main")
    assert expectation(walk.new_initial_state(), min) == pytest.approx(worst, abs=1e-12)


def test_the_walk_of_a_blackjack_agrees_with_the_value_of_acts():
    # Sixteen against a ten, the reader has said no: stand, by chance's own weights.
    state = Walk("double-attack", by_rank=True, terms={"decks": 6}).new_initial_state()
    script = iter(["Ks", "9s", "7s"])
    while True:
        player = state.current_player()
        if player == CHANCE and state.round.awaits == "peek":
            state.apply_action(NO_NATURAL)
        elif player == CHANCE:
            state.apply_action(CARDS.index(next(script)))
        elif "stand" in state.round.offers():
            break
        else:
            state.apply_action(pitboss.CALLS.index("pass"))
    assert state.round.points() == (16, False)

    stood = state.child(pitboss.CALLS.index("stand"))
    values = {act.call: act for act in pitboss.value(state.round)}
    assert expectation(stood, max) == pytest.approx(values["stand"].gain / 10, abs=1e-9)


def test_random_walks_end_and_are_told_apart():
    source = np.random.default_rng(1)
    for game in pitboss.GAMES:
        for _ in range(30):
            state = Walk(game, seats=2).new_initial_state()
            while state.current_player() != TERMINAL:
                actions = state.legal_actions()
                assert actions
                state.apply_action(int(source.choice(actions)))
            assert len(state.returns()) == 2
            assert state.information_state_string(0)


def test_an_impossible_outcome_is_refused():
    state = Walk("casino-war", cards=["9d", "9s"]).new_initial_state()
    with pytest.raises(ValueError):
        state.apply_action(0)
    with pytest.raises(ValueError):
        Walk("casino-war", cards=["Xx"])


def test_a_game_that_pays_by_suits_has_no_walk_by_rank():
    with pytest.raises(ValueError, match="a flush depends on suits"):
        Walk("double-down-stud", by_rank=True)
    assert repr(Walk("casino-war", by_rank=True)) == "<Walk casino-war: seats 1, cards 312, by rank>"
