"""The environments: masks, honest observations, seeds, and the checkers of Gymnasium."""

import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pitboss
import pytest
from gymnasium.utils.env_checker import check_env
from pitboss.envs import ACTIONS, BETTING, DEAL, DECIDING, FIELDS, NAMES, SETTLED, GameVectorEnv
from pitboss.envs.masked import random_open

GAMES = list(NAMES.values())
KINDS = [{}, {"bets": (1, 2, 8), "count": True}, {"fresh": True}]


@pytest.mark.parametrize("imports", ["gymnasium, pitboss", "pitboss, gymnasium"])
def test_importing_the_package_registers_the_environments(imports, tmp_path):
    script = f"import {imports}; gymnasium.make('pitboss/FreeBet-v0').reset(seed=1)"
    # In the folder of the source its modules would be found first, without what is compiled.
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60, cwd=tmp_path)


def test_the_package_works_beside_a_gymnasium_that_is_too_old(tmp_path):
    # Gymnasium 1.0 has no AutoresetMode.
    (tmp_path / "gymnasium").mkdir()
    (tmp_path / "gymnasium" / "__init__.py").write_text("class Env: pass\n")
    (tmp_path / "gymnasium" / "spaces.py").write_text("")
    (tmp_path / "gymnasium" / "vector.py").write_text("class VectorEnv: pass\n")
    script = (
        "import pitboss\nprint(pitboss.Round('casino-war'))\n"
        "try:\n    import pitboss.envs\nexcept ImportError as error:\n    print(error)"
    )
    answer = subprocess.run([sys.executable, "-c", script], check=True, timeout=60, cwd=tmp_path,
                            capture_output=True, text=True)
    assert answer.stdout.splitlines() == [
        "<Round casino-war: a card for 1>",
        "Gymnasium 1.1 or newer is needed; type: pip install './python[gym]'",
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", KINDS, ids=str)
def test_gymnasium_accepts_every_environment(name, options):
    env = gymnasium.make(f"pitboss/{name}-v0", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", NAMES)
def test_the_vector_is_made_by_gymnasium(name):
    envs = gymnasium.make_vec(f"pitboss/{name}-v0", num_envs=8, vectorization_mode="vector_entry_point")
    observation, info = envs.reset(seed=3)
    assert observation in envs.observation_space
    for _ in range(50):
        actions = random_open(info["action_mask"], np.random.default_rng(1))
        observation, rewards, ended, cut_off, info = envs.step(actions)
        assert observation in envs.observation_space
        assert not cut_off.any() and not info["refused"].any()
        assert (info["final_obs"][ended, 0] == 3).all()


def every_masked_out_action_is_refused(env, mask):
    """Tries every action, bets too, where it is masked out; elsewhere one that there is not."""
    closed = mask == 0
    before = env.copies.fields.copy()
    for action in range(mask.shape[1]):
        _, rewards, ended, _, info = env.step(np.where(closed[:, action], action, mask.shape[1]))
        assert info["refused"].all() and not rewards.any() and not ended.any()
    assert (env.copies.fields == before).all() and ((info["action_mask"] == 0) == closed).all()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("options", KINDS, ids=str)
def test_what_is_masked_in_is_accepted_and_nothing_else(game, options):
    # Over all games and kinds more than a million steps.
    env = GameVectorEnv(game, 512, copy=False, **options)
    _, info = env.reset(seed=11)
    source = np.random.default_rng(2)
    phases = set()
    for _ in range(140):
        mask = info["action_mask"]
        fields = env.copies.fields
        deciding = fields[:, 0] == DECIDING
        phases |= set(fields[:, 0].tolist())
        assert (env.copies.accepts() == (mask[:, :DEAL] == 1)).all()
        assert (mask[deciding, DEAL:] == 0).all()
        assert (mask[~deciding, :DEAL] == 0).all() and (mask[~deciding, DEAL:] == 1).all()
        assert mask.any(axis=1).all()
        _, _, _, _, info = env.step(random_open(mask, source))
        assert not env.copies.refused.any()
        if source.random() < 0.2:
            every_masked_out_action_is_refused(env, info["action_mask"])
    assert DECIDING in phases
    assert (BETTING in phases) == ("bets" in options)


@pytest.mark.parametrize("game", GAMES)
def test_a_refused_action_changes_nothing(game):
    env = GameVectorEnv(game, 256)
    before, info = env.reset(seed=5)
    closed = np.argmin(info["action_mask"], axis=1)
    after, rewards, ended, _, info = env.step(closed)
    assert info["refused"].all() and (after == before).all()
    assert not rewards.any() and not ended.any()
    wild = np.full(256, 2**62)
    after, _, _, _, info = env.step(wild)
    assert info["refused"].all() and (after == before).all()
    after, _, _, _, info = env.step(-wild)
    assert info["refused"].all() and (after == before).all()


def test_a_refusal_is_told_with_its_clause():
    env = gymnasium.make("pitboss/CasinoWar-v0").unwrapped
    for seed in range(100):
        observation, _ = env.reset(seed=seed)
        if observation[0] == DECIDING:
            break
    _, _, _, _, info = env.step(ACTIONS["hit"])
    assert info["refused"] == "this game has no hit (CW-8-c)"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("options", KINDS, ids=str)
def test_nothing_unseen_is_observed(game, options):
    env = GameVectorEnv(game, 512, **options)
    fields, info = env.reset(seed=8)
    source = np.random.default_rng(3)
    for turn in range(60):
        mask = info["action_mask"]
        env.copies.exchange_unseen(turn)
        assert (env.copies.fields == fields).all()
        assert (env.copies.masks == mask).all()
        fields, _, _, _, info = env.step(random_open(mask, source))
        assert not info["refused"].any()


def test_the_unseen_cards_are_exchanged():
    # Otherwise the test above would show nothing.
    one, other = (GameVectorEnv("double-deck", 512) for _ in range(2))
    _, info = one.reset(seed=8)
    other.reset(seed=8)
    other.copies.exchange_unseen(1)
    hit = np.where(info["action_mask"][:, ACTIONS["hit"]] == 1, ACTIONS["hit"], DEAL)
    assert (one.step(hit)[0] != other.step(hit)[0]).any(axis=1).mean() > 0.5


BLACKJACKS = ["double-deck", "double-attack", "free-bet"]


@pytest.mark.parametrize("game", BLACKJACKS)
def test_the_own_cards_make_the_points(game):
    at = {name: number for number, name in enumerate(FIELDS)}
    env = GameVectorEnv(game, 1024)
    fields, info = env.reset(seed=5)
    source = np.random.default_rng(9)
    split = 0
    for _ in range(120):
        own = fields[:, at["own_A"]:at["own_T"] + 1].astype(int)
        hard = (own * np.arange(1, 11)).sum(axis=1)
        soft = (own[:, 0] > 0) & (hard <= 11)
        assert (own.sum(axis=1) == fields[:, at["cards"]]).all()
        assert (hard + 10 * soft == fields[:, at["total"]]).all()
        assert (soft == fields[:, at["soft"]]).all()
        pair = fields[:, at["pair"]]
        assert (own[np.arange(1024), pair - 1] == 2)[pair > 0].all()
        # A hand that was split still has a card of its pair.
        first = fields[:, at["split"]]
        assert (own[np.arange(1024), first - 1] > 0)[first > 0].all()
        split += int((first > 0).sum())
        mask = info["action_mask"]
        actions = random_open(mask, source)
        splits = (mask[:, ACTIONS["split"]] == 1) & (source.random(1024) < 0.9)
        fields, _, _, _, info = env.step(np.where(splits, ACTIONS["split"], actions))
    assert split > 1000


def test_hands_that_the_best_play_tells_apart_are_told_apart():
    # Twelve against a four in Double Deck: the exact play hits ten and two, and stands on nine and three.
    at = {name: number for number, name in enumerate(FIELDS)}
    best = {hand: pitboss.odds("double-deck").value(f"{hand}; dealer 4c")[0].call
            for hand in ("Ts 2h", "9s 3h")}
    assert best == {"Ts 2h": "hit", "9s 3h": "stand"}
    fields, _ = GameVectorEnv("double-deck", 8192).reset(seed=3)
    twelve = fields[(fields[:, at["total"]] == 12) & (fields[:, at["up"]] == 4)]
    ten_two = twelve[(twelve[:, at["own_T"]] == 1) & (twelve[:, at["own_2"]] == 1)]
    nine_three = twelve[(twelve[:, at["own_9"]] == 1) & (twelve[:, at["own_3"]] == 1)]
    assert len(ten_two) and len(nine_three)
    assert (ten_two[0, :at["own_A"]] == nine_three[0, :at["own_A"]]).all()


def test_the_shoes_of_a_seed_do_not_depend_on_the_player():
    # With a fresh shuffle every round begins alike, whatever was played before.
    def beginnings(action):
        env = GameVectorEnv("free-bet", 16, fresh=True)
        fields, info = env.reset(seed=4)
        seen = [[row.tolist()] for row in fields]
        while min(map(len, seen)) < 40:
            prefers = info["action_mask"][:, action] == 1
            open_now = np.where(prefers, action, np.argmax(info["action_mask"], axis=1))
            fields, _, ended, _, info = env.step(open_now)
            for copy in np.flatnonzero(ended):
                seen[copy].append(fields[copy].tolist())
        return [rounds[:40] for rounds in seen]

    assert beginnings(ACTIONS["stand"]) == beginnings(ACTIONS["hit"])


@pytest.mark.parametrize("game", GAMES)
def test_a_seed_decides_everything(game):
    def played(seed):
        env = GameVectorEnv(game, 32, bets=(1, 4), count=True)
        fields, info = env.reset(seed=seed)
        source = np.random.default_rng(4)
        history = [fields]
        for _ in range(200):
            fields, rewards, _, _, info = env.step(random_open(info["action_mask"], source))
            history += [fields, rewards[:, None]]
        return np.concatenate([part.ravel() for part in history])

    assert (played(1) == played(1)).all()
    assert (played(1) != played(2)).any()


def test_the_count_is_that_of_the_cards_seen():
    env = GameVectorEnv("casino-war", 64, count=True)
    fields, info = env.reset(seed=6)
    full = 6 * 52
    shuffled = 0
    for _ in range(300):
        seen, left = fields[:, -14:-1].sum(axis=1), fields[:, -1]
        # Burned cards are neither left nor seen (CW-5-i: one after a shuffle, three in a war).
        assert (seen + left < full).all()
        before = left
        fields, _, _, _, info = env.step(random_open(info["action_mask"], np.random.default_rng(1)))
        shuffled += int((fields[:, -1] > before).sum())
    assert shuffled


@pytest.mark.parametrize("game, strategy", [("casino-war", "war"), ("double-down-stud", "never")])
def test_rewards_average_to_the_exact_value(game, strategy):
    # A player who always does the same, against the exact value of that strategy.
    always = ACTIONS["war"] if game == "casino-war" else ACTIONS["pass"]
    env = GameVectorEnv(game, 2048, fresh=True, copy=False)
    fields, _ = env.reset(seed=12)
    gained = squares = rounds = 0.0
    for _ in range(400):
        actions = np.where(fields[:, 0] == SETTLED, DEAL, always)
        fields, rewards, ended, _, infos = env.step(actions)
        assert not infos["refused"].any()
        gained += float(rewards.sum())
        squares += float((rewards.astype(float) ** 2).sum())
        rounds += int(ended.sum())
    mean = gained / rounds
    error = (squares / rounds / rounds) ** 0.5
    exact = pitboss.odds(game).bet("main", strategy).ev
    assert abs(mean - exact) < 5 * error
    assert error < 0.01


def test_bets_multiply_the_reward():
    env = GameVectorEnv("casino-war", 512, bets=(1, 5))
    env.reset(seed=1)
    _, small, ended, _, _ = env.step(np.full(512, DEAL))
    env = GameVectorEnv("casino-war", 512, bets=(1, 5))
    env.reset(seed=1)
    _, large, also, _, _ = env.step(np.full(512, DEAL + 1))
    assert (ended == also).all()
    assert (large == 5 * small).all()


def test_bets_may_be_an_array():
    env = GameVectorEnv("casino-war", 2, bets=np.array([1, 5]))
    assert env.single_action_space.n == DEAL + 2


@pytest.mark.parametrize("wrong", [
    {"game": "roulette"},
    {"num_envs": 0},
    {"num_envs": 10**9},
    {"bets": ()},
    {"bets": (0,)},
    {"bets": (1, 5000)},
    {"bets": (1000,)},  # above the table maximum
    {"terms": {"decks": 5}},
    {"stake": 0},
], ids=str)
def test_bad_options_are_refused(wrong):
    with pytest.raises(ValueError):
        GameVectorEnv(**{"game": "casino-war", "num_envs": 2, **wrong})


def test_too_few_actions_are_refused():
    env = GameVectorEnv("casino-war", 4)
    with pytest.raises(ValueError):
        env.step(np.zeros(4, dtype=int))
    env.reset(seed=1)
    with pytest.raises(ValueError):
        env.step(np.zeros(3, dtype=int))
