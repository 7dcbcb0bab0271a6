"""The examples in the documentation are run."""

import doctest
import importlib
import re
import textwrap
from pathlib import Path

import pytest

PYTHON = Path(__file__).parents[1]
DOCS = PYTHON.parent / "docs" / "python.md"

MODULES = [
    "pitboss",
    "pitboss.analysis",
    "pitboss.bench.tasks",
    "pitboss.envs",
    "pitboss.numbers",
    "pitboss.papers",
    "pitboss.simulation",
    "pitboss.walk",
    "pitboss.zoo",
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_modules(name):
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert tried and not failed


def test_the_training_in_the_guide_runs(capsys):
    # With fewer steps and rounds, which are the only numbers in it.
    guide = DOCS.read_text(encoding="utf-8")
    chapter = guide.split("## From nothing to a player that has learned")[1].split("\n## ")[0]
    lines = [line for line in chapter.splitlines() if line.startswith("    ")]
    script = textwrap.dedent("\n".join(lines))
    for large, small in [("3_000_000", "200_000"), ("500_000", "50_000")]:
        assert large in script
        script = script.replace(large, small)
    exec(compile(script, str(DOCS), "exec"), {})
    told, regret = capsys.readouterr().out.splitlines()
    assert told.startswith("Evaluation(task='double-deck'") and "regret=" in told
    found, error = eval(regret)
    assert 0 < error < found < 0.1


def test_the_oldest_libraries_allowed_are_those_that_tests_allow():
    # What `pip install` accepts must not be older than what requirements.txt, by which is tested, accepts.
    def floors(text):
        return dict(re.findall(r"^\W*([a-z0-9-]+)>=([\d.]+)", text, flags=re.M))

    tested = floors((PYTHON / "requirements.txt").read_text(encoding="utf-8"))
    package = (PYTHON / "pyproject.toml").read_text(encoding="utf-8")
    extras = package.split("[project.optional-dependencies]")[1].split("[tool")[0]
    allowed = dict(re.findall(r'"([a-z0-9-]+)>=([\d.]+)"', extras))
    beside = {"ray", "sb3-contrib"}  # in commands of their own
    assert {"gymnasium", "pettingzoo", "distributed"} <= set(allowed)
    assert {name: tested.get(name) for name in set(allowed) - beside} == {
        name: floor for name, floor in allowed.items() if name not in beside}


def test_examples_in_the_guide():
    failed, tried = doctest.testfile(str(DOCS), module_relative=False, encoding="utf-8")
    assert tried and not failed
