"""Exact odds and simulations, which equal those of the command line."""

import json
import os
import pickle
import subprocess
from fractions import Fraction

import pitboss
import pytest

PROGRAM = os.environ.get("PITBOSS_PROGRAM")
needs_program = pytest.mark.skipif(not PROGRAM, reason="PITBOSS_PROGRAM names no program")


def by_program(*words):
    answer = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def test_a_tie_wager_by_hand():
    # Six decks: 23 of 311 cards tie, at 10 to 1.
    assert pitboss.odds("casino-war").bet("tie").ev_exact == Fraction(23 * 10 - 288, 311)


@needs_program
@pytest.mark.parametrize("game", pitboss.GAMES)
def test_odds_equal_those_of_the_command_line(game):
    told = by_program("odds", game, "--json")["bets"]
    ours = pitboss.odds(game).bets
    assert len(ours) == len(told)
    for one, other in zip(ours, told):
        assert (one.bet, one.policy, one.ev, one.sd) == (
            other["bet"], other["policy"], other["ev"], other["sd"])
        if other["ev_exact"]:
            assert one.ev_exact == Fraction(other["ev_exact"])
        assert [o.probability for o in one.outcomes] == [
            o["probability"] for o in other["outcomes"]]


RUNS = [
    ("casino-war", {"shoes": 300, "side": True, "seats": 3}, ["--side", "--seats", "3"]),
    ("double-down-stud", {"shoes": 200}, []),
    ("double-deck", {"shoes": 300, "seed": 5, "ramp": (1, 2, 8)}, ["--seed", "5", "--ramp", "1,2,8"]),
    ("double-attack", {"shoes": 200, "strategy": "mimic"}, ["--strategy", "mimic"]),
    ("free-bet", {"shoes": 200, "fresh": True, "terms": {"decks": 8}}, ["--fresh", "--set", "decks=8"]),
]


@needs_program
@pytest.mark.parametrize("game, ours, theirs", RUNS)
def test_simulations_equal_those_of_the_command_line(game, ours, theirs, tmp_path):
    state = tmp_path / "state.json"
    shoes = str(ours["shoes"])
    told = by_program("sim", game, "--shoes", shoes, *theirs, "--state", str(state), "--json")
    result = pitboss.simulate(game, **ours)
    assert result.rounds == told["rounds"]
    bets = result.bets
    assert [(b.bet, b.ev, b.standard_error) for b in bets] == [
        (b["bet"], b["ev"], b["standard_error"]) for b in told["bets"]]
    # One format: the file is read here, and what is written here is that file.
    assert pitboss.Simulation.from_json(state.read_text()) == result
    assert result.to_json() == state.read_text()


@needs_program
def test_the_command_line_goes_on_where_we_stopped(tmp_path):
    state = tmp_path / "state.json"
    state.write_text(pitboss.simulate("casino-war", shoes=50).to_json())
    told = by_program("sim", "casino-war", "--shoes", "120", "--state", str(state), "--json")
    assert told["shoes"] == [0, 120]
    assert pitboss.Simulation.from_json(state.read_text()) == pitboss.simulate("casino-war", shoes=120)


def test_parts_add_up_to_exactly_the_whole():
    whole = pitboss.simulate("double-deck", shoes=120)
    parts = [pitboss.simulate("double-deck", shoes=range(n, n + 40)) for n in (0, 40, 80)]
    assert sum(parts) == whole
    assert parts[1] + parts[0] + parts[2] == whole
    assert sum(pickle.loads(pickle.dumps(parts))) == whole
    again = [pitboss.Simulation.from_json(part.to_json()) for part in parts]
    assert sum(again) == whole
    assert whole.plan.play(0, 120) == whole


def test_what_does_not_belong_together_is_not_added():
    one = pitboss.simulate("casino-war", shoes=range(0, 5))
    with pytest.raises(ValueError, match="adjoin"):
        one + pitboss.simulate("casino-war", shoes=range(6, 9))
    with pytest.raises(ValueError, match="adjoin"):
        one + one
    with pytest.raises(ValueError, match="different runs"):
        one + pitboss.simulate("casino-war", shoes=range(5, 9), seed=2)
    with pytest.raises(TypeError):
        one + 3
    damaged = json.loads(one.to_json())
    damaged["main"]["staked"] = "many"
    with pytest.raises(ValueError, match="damaged"):
        pitboss.Simulation.from_json(json.dumps(damaged))


BAD = [
    {"shoes": 0},
    {"shoes": range(5, 5)},
    {"shoes": range(0, 9, 2)},
    {"rounds": 10**30},
    {"rounds": -1},
    {"seconds": float("nan")},
    {"seconds": -1.0},
    {"error": 0.0},
    {"error": float("nan")},
    {"threads": 0},
    {"threads": 10**6},
    {"seats": 9},
    {"seats": 300},
    {"strategy": "lucky"},
    {"chart": "hit"},
    {"stake": 1},
    {"seed": -1},
    {"ramp": (float("nan"), 1.0, 4)},
    {"ramp": (1.0, 1.0, 0)},
    {"terms": {"decks": 5}},
    {"terms": {"decks": [6]}},
    {"terms": {6: 6}},
]


@pytest.mark.parametrize("options", BAD, ids=str)
def test_bad_options_are_refused(options):
    with pytest.raises((ValueError, TypeError)) as raised:
        pitboss.simulate("casino-war", **{"shoes": 1, **options})
    assert str(raised.value)


def test_progress_is_told_and_can_stop_a_run():
    heard = []
    pitboss.simulate("casino-war", rounds=1_000_000, threads=1,
                     progress=lambda *numbers: heard.append(numbers))
    assert heard and heard[-1][0] >= 1_000_000

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pitboss.simulate("casino-war", rounds=10**15, progress=stop)


def test_a_run_ends_at_the_wanted_error():
    result = pitboss.simulate("casino-war", error=0.002)
    assert result.standard_error <= 0.002 < 2 * result.standard_error


def test_the_value_of_acts_and_what_a_seen_card_changes():
    tie = pitboss.Round("casino-war", 10).deal("9d", "9s")
    acts = {(act.call, act.amount): act for act in pitboss.value(tie)}
    assert acts["surrender", None].gain == -5.0  # CW-8-c-1: half is lost
    assert acts["war", None].gain > -5.0
    seen = pitboss.value(tie, seen="2c 2d 2h 2s")
    assert seen[0].gain != pitboss.value(tie)[0].gain
    with pytest.raises(ValueError):
        pitboss.value(tie, seen="2c " * 7)
    assert pitboss.value(pitboss.Round("casino-war").deal("9d", "4s")) == []
    # Half of ten is lost exactly, and a round says the same of itself.
    assert acts["surrender", None].gain_exact == Fraction(-5)
    assert tie.value() == pitboss.value(tie)


def test_prospects_by_hand():
    # Six decks without two nines: 310 cards, 22 of them nines. Of 310 * 309 pairs of cards, 22 * 21 and
    # 12 * 24 * 23 are of one rank, which wins the war (CW-8-g-3); of the others every second one does.
    pairs = 310 * 309
    equal = 22 * 21 + 12 * 24 * 23
    acts = {(act.call, act.amount): act for act in pitboss.odds("casino-war").value("9d; dealer 9s")}
    war = acts["war", None].prospects
    assert war.win == pytest.approx((equal + (pairs - equal) / 2) / pairs, abs=1e-12)
    assert (war.push, war.win + war.lose) == (0, pytest.approx(1, abs=1e-12))
    assert acts["surrender", None].prospects == pitboss.Prospects(win=0, push=0, lose=1)


POSITIONS = [
    ("casino-war", "main 10 tie 5; 9d; dealer 9s", None),
    ("double-down-stud", "Qc; dealer Qd 2h 3s", None),
    ("double-deck", "8s 8h; dealer Ts", "2c 2d"),
    ("double-deck", "9s 7h; dealer Ah", None),
    ("double-attack", "main 10; attack 5 9s 2h; dealer Kd", None),
    ("free-bet", "main 10; 8s 8h split 3d; dealer 6c; seen 2c 9d*4", None),
    ("free-bet", "main 10; Ts 6h; dealer 7c; bankroll 10", "Kd"),
]


@needs_program
@pytest.mark.parametrize("game, position, seen", POSITIONS)
def test_positions_equal_those_of_the_command_line(game, position, seen):
    more = ["--seen", seen] if seen else []
    told = by_program("odds", game, "--at", position, *more, "--json")["acts"]
    ours = pitboss.odds(game, seen=seen).value(position)
    assert len(told) > 1
    for one, other in zip(ours, told, strict=True):
        chances = one.prospects or pitboss.Prospects(None, None, None)
        assert (
            one.call, one.amount and f"{one.amount:.2f}", one.gain, one.gain_exact, one.at_most,
            one.method, chances.win, chances.push, chances.lose,
        ) == (
            other["act"], other["amount"] and f"{float(other['amount']):.2f}", other["gain"],
            other["gain_exact_cents"] and Fraction(other["gain_exact_cents"]) / 100,
            other["at_most"], other["method"], other["win"],
            other["push"], other["lose"],
        )


def test_a_round_and_the_same_position_in_words_are_worth_the_same():
    round = pitboss.Round("double-deck", 10).deal("6s", "9c", "5h", None)
    ours = pitboss.value(round)
    assert ours == pitboss.odds("double-deck").value("main 10; 6s 5h; dealer 9c")
    assert all(act.prospects for act in ours)
    double = next(act for act in ours if act.call == "double")
    assert double.amount == 10
    # The wager and the meter of the odds are those of a position that names none.
    fifty = pitboss.odds("double-deck", stake=50).value("6s 5h; dealer 9c")
    assert [act.gain for act in fifty] == pytest.approx([5 * act.gain for act in ours])


NO_POSITION = [
    ("double-deck", "8s 8s 8s; dealer Ts", "no 8s is left", None),
    ("double-deck", "main 10; 8s 8h surrender; dealer Ts", "this game has no surrender", "DDB-R20"),
    ("double-deck", "main 1; 8s 8h; dealer Ts", None, "main_min"),
    ("double-deck", "8s 8h", "a card of the dealer's is missing", None),
    ("double-deck", "8s 8h; dealer Tx", "cannot read", None),
    ("casino-war", "9d; dealer 8s", "nothing to decide at this point: only a tie", None),
    ("double-deck", "Ts 6h 7c; dealer 9c", "the hand is bust (DDB-P2)", None),
    ("double-deck", "main 10 main 20; 8s 8h; dealer Ts", "'main' is named twice", None),
    ("double-attack", "Td 2h; dealer 6s", "no such card", "DAB-2-a"),
]


@pytest.mark.parametrize("game, position, sentence, clause", NO_POSITION)
def test_a_position_that_cannot_be_is_refused_in_one_sentence(game, position, sentence, clause):
    with pytest.raises(ValueError) as raised:
        pitboss.odds(game).value(position)
    text = str(raised.value)
    assert text and "\n" not in text
    assert sentence is None or sentence in text
    if clause:
        assert isinstance(raised.value, pitboss.Refused)
        assert raised.value.clause.startswith(clause)


def test_frames_have_a_row_for_each_fact():
    war = pitboss.odds("casino-war")
    assert len(war.frame("bets")) == len(war.bets)
    tie = war.frame("bets").filter(war.frame("bets")["bet"] == "tie")
    assert Fraction(tie["ev_exact"][0]) == Fraction(-58, 311)
    assert len(war.frame("outcomes", "pandas")) == sum(len(bet.outcomes) for bet in war.bets)
    changes = war.frame("what_if")
    decks = changes.filter((changes["term"] == "decks") & (changes["bet"] == "tie"))
    # Seven and eight decks: 27 of 363 and 31 of 415 cards tie.
    assert sorted(decks["ev"]) == pytest.approx(
        [(27 * 11 - 363) / 363, (31 * 11 - 415) / 415])
    removal = war.frame("removal")
    assert set(removal["rank"]) == set("23456789TJQKA")
    with pytest.raises(ValueError):
        war.frame("bets", "excel")


def test_a_simulation_has_frames():
    result = pitboss.simulate("casino-war", shoes=50, side=True)
    bets = result.frame("bets")
    assert list(bets["bet"]) == [bet.bet for bet in result.bets]
    assert bets["ev"][0] == result.ev == result.bets[0].ev
    nets = result.frame("nets", "pandas")
    assert nets["rounds"].sum() == result.rounds
    assert (nets["net"] * nets["rounds"]).sum() / result.rounds == pytest.approx(result.ev)
    assert len(result.frame("outcomes")) == sum(len(bet.outcomes) for bet in result.bets)
    with pytest.raises(ValueError, match="expected bets, outcomes or nets, found chart"):
        result.frame("chart")


def test_a_ramp_has_three_numbers_and_perhaps_weights():
    # From the two to the ace: High-Low, spelled out.
    weights = [1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1]
    plan = pitboss.Plan("double-deck", strategy="mimic", ramp=(1, 2, 8))
    whole = plan.play(first=0, end=20)
    assert whole == pitboss.simulate("double-deck", strategy="mimic", shoes=20, ramp=(1, 2, 8, weights))
    other = pitboss.simulate("double-deck", strategy="mimic", shoes=20, ramp=(1, 2, 8, [0] * 13))
    assert other.bettor != whole.bettor


def test_a_chart_is_played_and_valued():
    deck = pitboss.odds("double-deck")
    plan = pitboss.Plan("double-deck", chart=deck.chart, fresh=True)
    assert plan.exact_by_chart() == pytest.approx(deck.bet("main", "basic").ev, abs=1e-12)
    hard_16 = [cell["choice"] for cell in deck.chart_cells()
               if (cell["page"], cell["table"], cell["hand"]) == ("", "hard", "16")]
    assert len(hard_16) == 10
    rounds = plan.transcripts(0)
    assert rounds and all(found.passed for text in rounds for found in pitboss.check(text))


def test_a_gpu_plays_the_same_or_says_why_not():
    run = {"rounds": 3_000_000, "strategy": "mimic"}
    try:
        result = pitboss.simulate("double-deck", gpu=True, **run)
    except ValueError as refused:
        assert "driver" in str(refused)
        pytest.skip(str(refused))
    assert result == pitboss.simulate("double-deck", **run)
