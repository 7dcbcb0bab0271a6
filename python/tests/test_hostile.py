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
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction

import gymnasium
import numpy as np
import pitboss
import pytest
from pitboss import cluster
from pitboss._pitboss import Copies
from pitboss.bench.players import QTable, random_player
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
            except ValueError as error:
                assert "\n" not in str(error)
                refused += 1
                continue
            for use in (repr, lambda s: s.bets, lambda s: (s.ev, s.sd, s.standard_error, s.nets),
                        lambda s: s + one, lambda s: one + s, lambda s: s + s,
                        lambda s: s + s.plan.play(s.shoes[1], s.shoes[1] + 1),
                        lambda s: pickle.loads(pickle.dumps(s))):
                try:
                    use(other)
                except ValueError:
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


INTERRUPTED = """
import os, pitboss, signal, sys, threading, time

signal.signal(signal.SIGINT, signal.default_int_handler)

def took(limit):
    # Seconds until it is done, or interrupted.
    odds, began = pitboss.odds("double-attack"), time.monotonic()
    ctrl_c = threading.Timer(limit, os.kill, (os.getpid(), signal.SIGINT))
    ctrl_c.start()
    try:
        getattr(odds, sys.argv[1])
    except KeyboardInterrupt:
        pass
    ctrl_c.cancel()
    return time.monotonic() - began

whole = took(1000)
print(min(took(whole / 4) / whole for _ in range(3)))
"""


@pytest.mark.parametrize("name", ["what_if", "removal", "bets"])
def test_ctrl_c_does_not_wait_for_odds(name, tmp_path):
    told = subprocess.run([sys.executable, "-c", INTERRUPTED, name], check=True, capture_output=True,
                          text=True, cwd=tmp_path, timeout=120).stdout
    # A call that hears nothing before it is done takes as long as a whole one.
    assert float(told) < 0.7


@pytest.mark.parametrize("line", [
    "pitboss.simulate('casino-war', shoes=200, threads=4)", "pitboss.odds('casino-war')",
])
def test_a_system_that_allows_no_threads_is_no_panic(line, tmp_path):
    # No thread can have a stack as large as this.
    answer = subprocess.run(
        [sys.executable, "-c", f"import pitboss\nprint({line})"], capture_output=True, text=True,
        cwd=tmp_path, env={**os.environ, "RUST_MIN_STACK": str(2**50)}, timeout=60)
    assert answer.stdout == f"{eval(line)}\n", answer.stderr


WITHOUT_THE_LOCK = [
    lambda: pitboss.simulate("double-deck", strategy="mimic", rounds=20_000_000, threads=1),
    lambda: pitboss.Plan("double-deck", strategy="mimic").play(0, 600_000),
    lambda: pitboss.odds("free-bet").what_if,
    lambda: [STEPPED.step(np.zeros(2**16, dtype=np.int64), True) for _ in range(60)],
]
STEPPED = Copies("double-deck", 2**16)
STEPPED.reset(1)


@pytest.mark.parametrize("work", WITHOUT_THE_LOCK, ids=["simulate", "play", "what_if", "step"])
def test_other_threads_go_on_while_compiled_code_works(work):
    beats, is_over = [], threading.Event()

    def heart():
        while not is_over.wait(0.002):
            beats.append(time.monotonic())

    beating = threading.Thread(target=heart)
    beating.start()
    began = time.monotonic()
    work()
    ended = time.monotonic()
    is_over.set()
    beating.join()
    during = [began, *(beat for beat in beats if began < beat < ended), ended]
    longest = max(later - earlier for earlier, later in zip(during, during[1:]))
    # With the lock held nothing would beat from the beginning of a call to its end.
    assert len(during) > 10 and longest < 0.5 * (ended - began)


def test_arrays_are_those_of_the_compiled_code():
    # What a step writes is seen through the array that was handed out before: nothing is copied.
    env = GameVectorEnv("double-deck", 64, copy=False)
    fields, info = env.reset(seed=1)
    assert np.shares_memory(fields, env.copies.fields)
    before = fields.copy()
    stepped, rewards, _, _, infos = env.step(np.argmax(info["action_mask"], axis=1))
    assert stepped is fields and (fields != before).any()
    for given, own in [(stepped, "fields"), (rewards, "rewards"), (infos["action_mask"], "masks"),
                       (infos["final_obs"], "last_fields")]:
        assert np.shares_memory(given, getattr(env.copies, own))
    copied = GameVectorEnv("double-deck", 64)
    assert not np.shares_memory(copied.reset(seed=1)[0], copied.copies.fields)


@pytest.mark.parametrize("thing", [pitboss.Shoe("double-deck"), Copies("double-deck", 2)],
                         ids=["Shoe", "Copies"])
def test_what_cannot_be_pickled_says_so(thing):
    with pytest.raises(TypeError, match=f"cannot pickle .*{type(thing).__name__}"):
        pickle.dumps(thing)


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
    with pytest.raises((TypeError, ValueError)):
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
            except (ValueError, TypeError, AttributeError) as error:
                assert str(error)
    for word in WORDS:
        try:
            make(word)
        except (ValueError, TypeError) as error:
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


NUMBERS = [-1, 0, 1.5, -0.5, 2**31, 2**63, 2**64, -(2**64), 10**40, 10**400, -(10**400), float("nan"),
           float("inf"), float("-inf"), "", "1", "x", None, True, [], [-1], [2**64], [10**400], (1,), {},
           b"1", 1j, Decimal("NaN"), Decimal("1e400"), Fraction(1, 3), np.float64("nan"), np.int64(-1),
           np.uint64(2**64 - 1), np.array([1]), np.array(["x"]), object()]

PLAN = pitboss.Plan("casino-war")
PLAYED = pitboss.simulate("casino-war", shoes=1)
SPLIT = pitboss.Round("double-deck", 10).deal("8d", "9c", "8h", None).act("split")


def copies():
    made = GameVectorEnv("casino-war", 2)
    made.reset(seed=1)
    return made


def walked(game="casino-war"):
    return Walk(game).new_initial_state()


def zoo():
    env = TableEnv("casino-war", seats=2)
    env.reset(seed=1)
    return env


class Now(futures.Executor):
    """Does the work at once."""

    def submit(self, work, *given):
        future = futures.Future()
        try:
            future.set_result(work(*given))
        except Exception as error:
            future.set_exception(error)
        return future


def on_cluster(**more):
    return cluster.simulate(Now(), "casino-war", **{"rounds": 10, "rounds_a_part": 100, **more})


TAKERS = {
    "Round wagers": lambda n: pitboss.Round("casino-war", n),
    "Round wagers by seat": lambda n: pitboss.Round("casino-war", {1: n}),
    "Round bankroll": lambda n: pitboss.Round("casino-war", 10, bankrolls={1: n}),
    "Round people": lambda n: pitboss.Round("casino-war", {1: 10, 2: 10}, people={"max": n}),
    "Round people's seat": lambda n: pitboss.Round("casino-war", {1: 10, 2: 10}, people={"max": [1, n]}),
    "Round meter": lambda n: pitboss.Round("casino-war", 10, meter=n),
    "Round terms": lambda n: pitboss.Round("casino-war", 10, terms={"decks": n}),
    "Round.offers": lambda n: SPLIT.offers(n),
    "Round.amounts": lambda n: SPLIT.amounts("double", n),
    "Round.act amount": lambda n: SPLIT.copy().act("double", n),
    "Round.act bettor": lambda n: SPLIT.copy().act("double", bettor=n),
    "Round.deal": lambda n: SPLIT.copy().deal(n),
    "Round.net": lambda n: SPLIT.net(n),
    "Round.hands": lambda n: SPLIT.hands(n),
    "Round.current_hand": lambda n: SPLIT.current_hand(n),
    "Round.points seat": lambda n: SPLIT.points(n),
    "Round.points hand": lambda n: SPLIT.points(1, n),
    "Round.value": lambda n: pitboss.Round("casino-war", 10).deal("9d", "9s").value(n),
    "Table.offers": lambda n: pitboss.Table("casino-war").offers(n),
    "Table.rack": lambda n: pitboss.Table("casino-war").rack(n),
    "Shoe seed": lambda n: pitboss.Shoe("casino-war", seed=n),
    "odds stake": lambda n: pitboss.odds("casino-war", stake=n),
    "odds meter": lambda n: pitboss.odds("casino-war", meter=n),
    "odds others": lambda n: pitboss.odds("casino-war", others=n),
    "Plan seed": lambda n: pitboss.Plan("casino-war", seed=n),
    "Plan seats": lambda n: pitboss.Plan("casino-war", seats=n),
    "Plan stake": lambda n: pitboss.Plan("casino-war", stake=n),
    "Plan ramp": lambda n: pitboss.Plan("double-deck", strategy="mimic", ramp=n),
    "Plan ramp base": lambda n: pitboss.Plan("double-deck", strategy="mimic", ramp=(n, 1, 8, None)),
    "Plan ramp slope": lambda n: pitboss.Plan("double-deck", strategy="mimic", ramp=(1, n, 8, None)),
    "Plan ramp most": lambda n: pitboss.Plan("double-deck", strategy="mimic", ramp=(1, 1, n, None)),
    "Plan ramp weights": lambda n: pitboss.Plan("double-deck", strategy="mimic", ramp=(1, 1, 8, n)),
    "Plan ramp weight": lambda n: pitboss.Plan("double-deck", strategy="mimic", ramp=(1, 1, 8, [n] * 13)),
    "Plan.play from": lambda n: PLAN.play(n, 1),
    "Plan.play to": lambda n: PLAN.play(2**64 - 1, n),
    "Plan.run from": lambda n: PLAN.run(from_shoe=n, rounds=10),
    "Plan.run threads": lambda n: PLAN.run(rounds=10, threads=n),
    "Plan.run seconds": lambda n: PLAN.run(rounds=10, seconds=n),
    "Plan.run error": lambda n: PLAN.run(rounds=10, error=n),
    "Plan.transcripts": lambda n: PLAN.transcripts(n),
    "Simulation added": lambda n: PLAYED + n,
    "added to Simulation": lambda n: n + PLAYED,
    "simulate seed": lambda n: pitboss.simulate("casino-war", rounds=10, seed=n),
    "simulate seats": lambda n: pitboss.simulate("casino-war", rounds=10, seats=n),
    "simulate seconds": lambda n: pitboss.simulate("casino-war", rounds=10, seconds=n),
    "simulate error": lambda n: pitboss.simulate("casino-war", rounds=10, error=n),
    "simulate threads": lambda n: pitboss.simulate("casino-war", rounds=10, threads=n),
    "simulate ramp": lambda n: pitboss.simulate("double-deck", strategy="mimic", rounds=10, ramp=(1, n, 8)),
    "cluster error": lambda n: on_cluster(rounds=None, error=n) if n != 1 and n != Fraction(1, 3) else None,
    "cluster part": lambda n: on_cluster(rounds_a_part=n) if not isinstance(n, int) or n < 1 else None,
    "cluster retries": lambda n: on_cluster(retries=n),
    "cluster seed": lambda n: on_cluster(seed=n),
    "env seed": lambda n: gymnasium.make("pitboss/CasinoWar-v0").unwrapped.reset(seed=n),
    "env step": lambda n: copies().step([n, 0]),
    "env bets": lambda n: GameVectorEnv("casino-war", 2, bets=(n,)),
    "env stake": lambda n: GameVectorEnv("casino-war", 2, stake=n),
    "vector copies": lambda n: GameVectorEnv("casino-war", n) if not n == 2**31 else None,
    "vector seed": lambda n: GameVectorEnv("casino-war", 2).reset(seed=n),
    "vector seeds": lambda n: GameVectorEnv("casino-war", 2).reset(seed=[1, n]),
    "Copies count": lambda n: Copies("casino-war", n) if not n == 2**31 else None,
    "Copies bets": lambda n: Copies("casino-war", 1, bets=n),
    "Copies bet": lambda n: Copies("casino-war", 1, bets=[n]),
    "Copies seed": lambda n: Copies("casino-war", 2).reset(n),
    "Copies seeds": lambda n: Copies("casino-war", 2).reset([1, n]),
    "Copies.exchange_unseen": lambda n: copies().copies.exchange_unseen(n),
    "Copies.why_not copy": lambda n: copies().copies.why_not(n, 0),
    "Copies.why_not action": lambda n: copies().copies.why_not(0, n),
    "zoo seats": lambda n: TableEnv("casino-war", seats=n),
    "zoo stake": lambda n: TableEnv("casino-war", stake=n),
    "zoo seed": lambda n: zoo().reset(seed=n),
    "zoo step": lambda n: zoo().step(n),
    "Walk seats": lambda n: Walk("casino-war", seats=n),
    "Walk stake": lambda n: Walk("casino-war", stake=n),
    "State.apply_action": lambda n: walked().apply_action(n),
    "State.child": lambda n: walked("double-deck").child(n),
    "State.action_to_string": lambda n: walked().action_to_string(0, n),
    "State.legal_actions": lambda n: walked().legal_actions(n),
    "random_player": lambda n: random_player(n),
    "QTable seed": lambda n: QTable("casino-war", seed=n),
    "QTable.learn steps": lambda n: QTable("casino-war").learn(TASKS["casino-war"], steps=n, copies=1)
    if not isinstance(n, int) or n < 2**31 else None,
    "QTable.learn copies": lambda n: QTable("casino-war").learn(TASKS["casino-war"], steps=1, copies=n)
    if n != 2**31 else None,
    "QTable.learn explore": lambda n: QTable("casino-war").learn(TASKS["casino-war"], steps=1, copies=1, explore=n),
    "evaluate seed": lambda n: evaluate(random_player(), "casino-war", rounds=2, copies=2, seed=n),
    "connect patience": lambda n: pitboss.connect(patience=n),
}


@pytest.mark.parametrize("taker", TAKERS)
def test_any_number_is_taken_or_a_wrong_value_or_type(taker):
    # OverflowError is neither, and a panic is not even an Exception.
    for number in NUMBERS:
        try:
            repr(TAKERS[taker](number))
        except (ValueError, TypeError) as error:
            assert str(error) and "\n" not in str(error), f"{number!r}: {error}"


@pytest.mark.parametrize("seed", [-1, 2**64, 10**400, [1, -1], [1, 2**64], (1, 10**400)], ids=lambda seed: str(seed)[:9])
def test_a_seed_of_the_vector_environment_that_does_not_fit_is_a_wrong_value(seed):
    with pytest.raises(ValueError, match=f"expected a seed from 0 to {2**64 - 1}, found -?1"):
        GameVectorEnv("casino-war", 2).reset(seed=seed)
    with pytest.raises(ValueError, match=f"expected a whole number from 0 to {2**64 - 1}, found -?1"):
        GameVectorEnv("casino-war", 2).copies.reset(seed)


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


class Changing:
    """Something to be read that puts more into the dictionary that it is in."""

    def __init__(self, dictionary, text):
        self.dictionary, self.text = dictionary, text

    def __str__(self):
        self.dictionary.update({f"x{number}": 1 for number in range(50)})
        return self.text


def changing(key, text, **more):
    """A dictionary that changes while it is read."""
    dictionary = dict(more)
    dictionary[key] = Changing(dictionary, text)
    return dictionary


@pytest.mark.parametrize("read", [
    lambda: pitboss.Round("casino-war", 10, terms=changing("decks", "8")).terms == {"decks": "8"},
    lambda: pitboss.Table("casino-war", terms=changing("decks", "8")).awaits == "player",
    lambda: pitboss.Round("casino-war", changing(1, "10")).bettors == [1],
    lambda: pitboss.Round("casino-war", {1: changing("main", "10", tie=5)}).net() == 0,
    lambda: pitboss.Round("casino-war", 10, bankrolls=changing(1, "100")).bettors == [1],
], ids=range(5))
def test_a_dictionary_may_change_while_it_is_read(read):
    # What it held at first counts.
    assert read()


@pytest.mark.parametrize("take", [
    lambda number: pitboss.Shoe("casino-war", seed=number),
    lambda number: pitboss.Round("casino-war").points(number),
])
def test_a_number_too_large_to_print_is_refused_in_one_sentence(take, monkeypatch):
    unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    with pytest.raises(ValueError, match="found one too large to print"):
        take(10**5000)
    assert not unraisable


def test_a_step_before_the_first_reset_is_refused():
    with pytest.raises(ValueError, match="a reset comes before the first step"):
        GameVectorEnv("casino-war", 2).step([0, 0])
