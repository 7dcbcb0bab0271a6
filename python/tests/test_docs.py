"""The examples in the documentation are run."""

import doctest
import importlib
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "python.md"

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


def test_examples_in_the_guide():
    failed, tried = doctest.testfile(str(DOCS), module_relative=False, encoding="utf-8")
    assert tried and not failed
