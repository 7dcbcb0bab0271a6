"""Every example is run, scripts and notebooks."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from test_client import address, house  # noqa: F401

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name, *words):
    answer = subprocess.run([sys.executable, str(EXAMPLES / name), *words], capture_output=True,
                            text=True, timeout=300, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
                            encoding="utf-8")
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.mark.slow
def test_a_learner_is_compared_with_the_exact_chart():
    told = run("learn_double_deck.py", "600000")
    agree = int(told.splitlines()[-1].split()[0])
    # Far more than chance would find, though these steps are few.
    cells = int(told.splitlines()[-1].split()[2])
    # Hard, soft and pairs: every cell of the chart but those of totals that always stand or hit.
    assert (agree > 170, cells) == (True, 330), told


@pytest.mark.slow
def test_the_house_edge_as_a_heat_map(tmp_path):
    file = tmp_path / "edge.svg"
    told = run("house_edge.py", "casino-war", "tie", str(file))
    # The tie wager with six decks loses 58/311, with seven 66/363, and with eight 74/415.
    assert "6 18.6495%" in told and "8 17.8313%" in told
    picture = ElementTree.parse(file)
    words = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert words[1:] == ["decks", "6", "18.6495%", "7", "18.1818%", "8", "17.8313%"]
    colours = [one.get("fill") for one in picture.iter("{http://www.w3.org/2000/svg}rect")][1:]
    assert len(set(colours)) == 3


def test_the_risk_of_ruin_falls_with_the_bankroll():
    told = run("risk_of_ruin.py", "1000000")
    assert "800 units" in told


def test_a_bot_plays_and_the_log_is_verified(address):  # noqa: F811
    told = run("bot.py", address, "", "2")
    assert "round 2" in told and told.endswith("the log of the table: clean\n")


def test_a_log_is_verified_from_a_file(address, tmp_path):  # noqa: F811
    import urllib.request

    with urllib.request.urlopen(f"{address}/api/export/war-1") as answer:
        (tmp_path / "war.log").write_bytes(answer.read())
    assert run("verify_log.py", str(tmp_path / "war.log"))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.ipynb")))
def test_a_notebook_runs(name, monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    cells = json.loads((EXAMPLES / name).read_text(encoding="utf-8"))["cells"]
    names = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), name, "exec"), names)
    assert names


def test_no_example_is_left_out():
    tests = Path(__file__).read_text(encoding="utf-8")
    assert all(f'run("{path.name}"' in tests for path in EXAMPLES.glob("*.py"))
