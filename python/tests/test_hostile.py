"""Damaged states, changed arrays, threads, forks and Ctrl-C: exceptions, never worse."""

import asyncio
import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import gymnasium
import numpy as np
import pitboss
import pytest
from pitboss.bench.players import QTable
from pitboss.bench.tasks import TASKS, evaluate
from pitboss.envs import GameVectorEnv
from pitboss.walk import Walk
from pitboss.zoo import TableEnv

EXTREMES = [-1, 0, 2**53, 2**63, 2**64 - 1, 2**127, 10**40, 1e308, 0.5, "x", "", "9" * 50, None,
            True, [], {}, str(2**127 - 1), str(2**128 - 1)]


def places(value, before=()):
    """Every place in a JSON value."""
    yield before
    inner = value.items() if isinstance(value, dict) else (
        enumerate(value) if isinstance(value, list) else ())
    for key, one in inner:
        yield from places(one, (*before, key))


def changed(state, place, to):
    """A state with another value at a place."""
    state = json.loads(json.dumps(state))
    inner = state
    for key in place[:-1]:
        inner = inner[key]
    if place:
        inner[place[-1]] = to
    return state if place else to


RUNS = [
    ("casino-war", {"side": True, "seats": 2}),
    ("double-deck", {"strategy": "mimic", "ramp": (1.0, 2.0, 8)}),
]


@pytest.mark.parametrize("game, run", RUNS, ids=str)
def test_a_damaged_state_is_refused_or_harmless(game, run):
    # A panic would be a BaseException.
    one = pitboss.simulate(game, shoes=range(3, 5), **run)
    state = json.loads(one.to_json())
    refused = 0
    for place in places(state):
        for extreme in EXTREMES:
            try:
                other = pitboss.Simulation.from_json(json.dumps(changed(state, place, extreme)))
            except (ValueError, OverflowError) as error:
                assert "\n" not in str(error)
                refused += 1
                continue
            for use in (repr, lambda s: s.bets(), lambda s: (s.ev, s.sd, s.standard_error, s.nets),
                        lambda s: s + one, lambda s: one + s, lambda s: s + s,
                        lambda s: s + s.plan.play(s.shoes[1], s.shoes[1] + 1),
                        lambda s: pickle.loads(pickle.dumps(s))):
                try:
                    use(other)
                except (ValueError, OverflowError):
                    pass
    assert refused > 100


@pytest.mark.parametrize("thing", [
    pitboss.Round("casino-war", 10).deal("9d", "9s"),
    pitboss.simulate("casino-war", shoes=2),
    pitboss.simulate("casino-war", shoes=2).plan,
], ids=lambda thing: type(thing).__name__)
def test_damaged_pickles_are_exceptions(thing):
    whole = pickle.dumps(thing)
    assert type(pickle.loads(whole)) is type(thing)
    source = np.random.default_rng(1)
    # Only the text inside is damaged: pickle itself can be told to run anything.
    start = whole.index(b"game")
    for _ in range(400):
        damaged = bytearray(whole)
        for at in source.integers(start, len(whole) - 10, size=3):
            damaged[at] = int(source.integers(32, 127))
        try:
            repr(pickle.loads(bytes(damaged)))
        except Exception as error:
            assert str(error)


def test_a_round_in_several_threads_is_never_worse_than_an_exception():
    round = pitboss.Round("double-deck", 10).deal("8d", "9c", "8h", None)
    worse = []

    def use():
        try:
            for _ in range(30):
                try:
                    pitboss.value(round)
                    round.copy().act("stand")
                    round.take("act 1 fly")
                except (ValueError, RuntimeError):
                    pass
        except BaseException as error:
            worse.append(error)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not worse


def test_simulations_in_several_threads_are_the_same():
    run = {"strategy": "mimic", "shoes": 300, "threads": 2}
    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(lambda _: pitboss.simulate("double-deck", **run), range(8)))
    assert all(result == results[0] for result in results)


def _simulated(_):
    return pitboss.simulate("double-deck", strategy="mimic", shoes=200)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_simulates_the_same():
    here = _simulated(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_simulated, range(4)) == [here] * 4


LONG = [
    "pitboss.simulate('double-deck', strategy='mimic', rounds=10**15)",
    "pitboss.simulate('casino-war', rounds=10**15, threads=1)",
    "pitboss.Plan('double-deck', strategy='mimic').play(0, 10**15)",
]


@pytest.mark.parametrize("line", LONG)
def test_ctrl_c_ends_a_long_run(line, tmp_path):
    # A run in the background of a shell starts with Ctrl-C ignored.
    script = (
        "import pitboss, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"print('begins', flush=True)\n{line}"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            _, told = process.communicate(timeout=60)
        finally:
            process.kill()
    assert "KeyboardInterrupt" in told


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_arrays_of_an_environment_cannot_be_spoiled():
    def spoiled(spoil):
        env = GameVectorEnv("casino-war", 8, copy=False)
        env.reset(seed=1)
        spoil(env.copies)
        return env

    def other_type(copies):
        copies.rewards.dtype = np.int8

    spoils = [
        lambda copies: copies.rewards.resize(2, refcheck=False),
        lambda copies: copies.fields.resize((1, 1), refcheck=False),
        lambda copies: copies.masks.setflags(write=False),
        other_type,
    ]
    for spoil in spoils:
        try:
            env = spoiled(spoil)
        except (ValueError, AttributeError):
            continue  # This NumPy does not let it happen.
        with pytest.raises((ValueError, TypeError, RuntimeError)):
            env.step(np.zeros(8, dtype=np.int64))


@pytest.mark.parametrize("actions", [
    [0.5] * 4, [float("nan")] * 4, ["hit"] * 4, [None] * 4, [10**30] * 4, [[0]] * 4, 0, None,
    [True] * 4,
], ids=str)
def test_actions_that_are_no_whole_numbers_are_refused(actions):
    env = GameVectorEnv("casino-war", 4)
    env.reset(seed=1)
    with pytest.raises((TypeError, ValueError)):
        env.step(actions)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", [1, 2], [1, 2, 3, -4], []], ids=str)
def test_seeds_that_are_none_are_refused(seed):
    env = GameVectorEnv("casino-war", 4)
    with pytest.raises((TypeError, ValueError, OverflowError)):
        env.reset(seed=seed)


def test_a_list_of_seeds_is_one_for_each_copy():
    seeds = [11, 5, 2**64 - 1]
    many, _ = GameVectorEnv("double-deck", 3).reset(seed=seeds)
    for row, seed in zip(many, seeds):
        env = gymnasium.make("pitboss/DoubleDeck-v0").unwrapped
        if seed < 2**63:
            assert (env.reset(seed=seed)[0] == row).all()


@pytest.mark.parametrize("action", [-1, 11, 10**30, 0.5, "hit", True and 99], ids=str)
def test_a_seat_takes_only_actions_that_there_are(action):
    env = TableEnv("double-deck", seats=2)
    env.reset(seed=3)
    before = repr(env.round)
    with pytest.raises((TypeError, ValueError)):
        env.step(action)
    assert repr(env.round) == before


@pytest.mark.parametrize("seats", [0, -1, 8, 10**12, 2.5], ids=str)
def test_a_table_has_one_to_seven_seats(seats):
    for made in (lambda: TableEnv("casino-war", seats=seats), lambda: Walk("casino-war", seats=seats)):
        with pytest.raises((TypeError, ValueError)):
            made()


@pytest.mark.parametrize("wrong", [None, 5, b"game casino-war\n", ["x"], "no-such-file.round", "\ud800 x"])
def test_texts_that_are_none_are_refused(wrong):
    for read in (pitboss.check, pitboss.verify):
        with pytest.raises((TypeError, ValueError, OSError)):
            read(wrong)


WORDS = [None, True, -1, 0, 1, 2**63, 2**64, 10**40, 0.1, float("nan"), float("inf"), -0.0, "", "x",
         "\ud800", "\0", "main", b"9d", [], ["9d"], {}, {"main": 5}, {"decks": 8}, (), object(), range(3)]


@pytest.mark.parametrize("name", ["odds", "simulate", "Round", "Table", "Shoe", "Plan", "rules"])
def test_any_argument_is_taken_or_refused(name):
    # Every keyword with every odd value: no panic, and no hang.
    make = getattr(pitboss, name)
    keywords = {
        "odds": ["terms", "stake", "meter", "others", "seen"],
        "simulate": ["terms", "stake", "meter", "seed", "seats", "fresh", "side", "strategy", "chart",
                     "ramp", "threads", "seconds", "error", "progress", "shoes"],
        "Round": ["wagers", "terms", "bankrolls", "people", "meter"],
        "Table": ["terms"],
        "Shoe": ["terms", "seed", "fresh"],
        "Plan": ["terms", "stake", "meter", "seed", "seats", "fresh", "side", "strategy", "chart", "ramp"],
        "rules": ["game"],
    }[name]
    limit = {"rounds": 100} if name == "simulate" else {}
    for keyword in keywords:
        for word in WORDS:
            given = {"game": "casino-war", **limit, keyword: word}
            try:
                repr(make(**given))
            except (ValueError, TypeError, OverflowError, AttributeError) as error:
                assert str(error)
    for word in WORDS:
        try:
            make(word)
        except (ValueError, TypeError, OverflowError) as error:
            assert str(error)


@pytest.mark.parametrize("game", pitboss.GAMES)
def test_any_words_are_a_position_or_a_refusal(game):
    odds = pitboss.odds(game)
    for word in WORDS:
        with pytest.raises((ValueError, TypeError)) as raised:
            odds.value(word)
        assert str(raised.value) and "\n" not in str(raised.value)
    words = ["main", "10", ";", "8s", "8h", "Ks", "dealer", "As", "split", "hit", "stand", "pass", "double",
             "seen", "left", "Kd*3", "war", "attack", "insure", "meter", "bankroll", "-5", "nan", "9" * 30]
    source = np.random.default_rng(7)
    for _ in range(300):
        text = " ".join(source.choice(words, size=source.integers(1, 12)))
        try:
            repr(odds.value(text))
        except ValueError as error:
            assert str(error) and "\n" not in str(error)


SENTENCES = [
    (lambda: pitboss.simulate("casino-war", rounds=10, seed=-1), "expected a seed from 0 to"),
    (lambda: pitboss.simulate("casino-war", rounds=10, seed=2**64), "expected a seed from 0 to"),
    (lambda: pitboss.simulate("casino-war", shoes=-1), "expected shoes from 1 to"),
    (lambda: pitboss.simulate("casino-war", shoes=range(-5, 5)), "expected a first shoe from 0 to"),
    (lambda: pitboss.simulate("casino-war", shoes=[]), "expected shoes as a whole number"),
    (lambda: pitboss.simulate("casino-war", rounds=10**40), "expected rounds from 1 to"),
    (lambda: pitboss.simulate("casino-war", rounds=10, threads=-1), "expected threads from 1 to"),
    (lambda: pitboss.simulate("double-deck", rounds=10, ramp=()), "expected a ramp of three numbers"),
    (lambda: pitboss.simulate("double-deck", rounds=10, ramp=5), "expected a ramp of three numbers"),
    (lambda: GameVectorEnv("casino-war", -1), "expected copies from 1 to"),
    (lambda: GameVectorEnv("casino-war", float("nan")), "expected copies as a whole number"),
    (lambda: GameVectorEnv("casino-war", 4, bets=(-1,)), "expected a bet in units from 1 to 1000"),
    (lambda: GameVectorEnv("casino-war", 4, bets=(10**30,)), "expected a bet in units from 1 to 1000"),
    (lambda: QTable("poker"), "expected a game (casino-war, "),
    (lambda: QTable("double-deck").learn(TASKS["casino-war"]), "a player of double-deck, and not"),
    (lambda: QTable("double-deck").learn(TASKS["double-deck"], steps=-1), "expected steps from 1 to"),
    (lambda: evaluate(QTable("casino-war"), "double-deck"), "a player of casino-war, and not"),
    (lambda: evaluate(QTable("casino-war"), "poker"), "expected a task (casino-war, "),
    (lambda: evaluate(QTable("casino-war"), "casino-war", rounds=float("nan")), "expected rounds as"),
    (lambda: pitboss.connect(None), "expected an address such as"),
    (lambda: pitboss.odds("casino-war", {"decks": None}), "expected 6, 7 or 8 (CW-2-a"),
    (lambda: pitboss.odds("casino-war", {"decks": float("nan")}), "expected 6, 7 or 8 (CW-2-a"),
    (lambda: pitboss.odds("casino-war", {"decks": [6]}), "expected 6, 7 or 8 (CW-2-a"),
    (lambda: pitboss.value(pitboss.Round("casino-war").deal("9d", "9s"), seen="2c " * 7), "(CW-2-a)"),
]


@pytest.mark.parametrize("use, sentence", SENTENCES, ids=[sentence for _, sentence in SENTENCES])
def test_a_refusal_says_what_is_expected(use, sentence):
    with pytest.raises((ValueError, TypeError)) as raised:
        use()
    assert sentence in str(raised.value) and "\n" not in str(raised.value)


def test_an_action_that_there_is_not_is_named():
    env = gymnasium.make("pitboss/DoubleDeck-v0", bets=(1, 2)).unwrapped
    env.reset(seed=1)
    for action in (-1, 99):
        assert env.step(action)[4]["refused"].startswith(f"there is no action {action}: expected 0 to")
    with pytest.raises(TypeError) as raised:
        GameVectorEnv("casino-war", 2).step(np.zeros((2, 1), dtype=np.int64))
    assert "\n" not in str(raised.value)


def test_a_house_that_is_closed_is_named():
    async def enter():
        async with pitboss.connect("http://127.0.0.1:1", patience=0):
            pass

    with pytest.raises(ConnectionError, match="cannot reach http://127.0.0.1:1: "):
        asyncio.run(enter())


def test_a_library_that_is_missing_is_named_with_how_to_install_it(monkeypatch):
    war = pitboss.odds("casino-war")
    for library in ("polars", "pandas"):
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(ModuleNotFoundError, match=rf"{library} is not installed; type: pip install"):
            war.frame("bets", library)


@pytest.mark.parametrize(
    "call",
    [
        lambda: pitboss.Shoe("double-deck", seed=-1),
        lambda: pitboss.Shoe("double-deck", seed=2**64),
        lambda: pitboss.Plan("casino-war", seed=-1),
        lambda: pitboss.Plan("casino-war", seats=256),
        lambda: pitboss.Plan("casino-war").play(-1, 3),
        lambda: pitboss.Plan("casino-war").run(rounds=2**70),
        lambda: pitboss.Plan("casino-war").run(rounds=10, threads=-1),
        lambda: pitboss.Plan("casino-war").transcripts(-1),
    ],
)
def test_a_number_that_does_not_fit_is_a_wrong_value(call):
    with pytest.raises(ValueError, match="expected a whole number from 0 to"):
        call()


def test_a_number_that_is_none_is_a_wrong_type():
    with pytest.raises(TypeError):
        pitboss.Shoe("double-deck", seed="one")
