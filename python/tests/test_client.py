"""A live house: a guest plays, the log is verified."""

import asyncio
import importlib.util
import os
import re
import subprocess
from pathlib import Path

import pitboss
import pytest
from pitboss.client import connect

PROGRAM = os.environ.get("PITBOSS_PROGRAM")
FOLDER = Path(__file__).parents[1]


@pytest.fixture
def address(tmp_path):
    if not PROGRAM:
        pytest.skip("PITBOSS_PROGRAM names no program")
    house = subprocess.Popen(
        [PROGRAM, "serve", "--port", "0", "--data", str(tmp_path / "house")],
        stdout=subprocess.PIPE, text=True)
    try:
        for line in house.stdout:
            found = re.search(r"https?://[\d.:a-z]+", line)
            if found:
                yield found.group().rstrip("/")
                break
    finally:
        house.terminate()
        house.wait(20)


async def play(table):
    """Plays a round with the least wager and the first call on offer."""
    seat = await table.sit()
    await table.buy_in(100)
    while True:
        view = table.view
        mine = view["seats"][seat - 1]
        if mine["results"] and view["betting"]:
            break
        if view["cut"]:
            await table.cut(view["cut"]["least"])
        elif view["awaited"]["what"] == "inspection":
            await table.inspect()
        elif view["offers"]:
            await table.act(view["offers"][0]["call"])
        elif view["betting"] and not mine["wagers"]:
            circles = table.about["circles"]
            opening = next(on["opening"] for on in circles if on["circle"] == "main")
            await table.wager(opening["least"])
            await table.ready()
        else:
            await table.change()
    results = list(mine["results"])
    await table.leave()
    return results


def test_a_guest_plays_a_round_and_the_log_is_clean(address):
    async def visit():
        async with connect(address) as house:
            tables = await house.tables()
            name = next(table["table"] for table in tables if table["table"].startswith("war"))
            table = await house.watch(name)
            with pytest.raises(pitboss.Refused) as refused:
                await table.wager(10)
            assert refused.value.sentence and refused.value.code
            results = await asyncio.wait_for(play(table), 60)
            return results, await house.log(name)

    results, log = asyncio.run(visit())
    assert results
    verdict = pitboss.verify(log)
    assert verdict.is_clean and verdict.entries > 5
    forged = log.replace("buy-in", "buy-out", 1)
    assert not pitboss.verify(forged).is_clean


def test_no_house_is_an_error_and_not_a_hang():
    async def visit():
        async with connect("http://127.0.0.1:1"):
            pass

    with pytest.raises(OSError):
        asyncio.run(visit())
    with pytest.raises(ValueError):
        connect("ftp://house")


def test_the_types_are_those_of_the_protocol():
    found = importlib.util.spec_from_file_location("wire_types", FOLDER / "wire_types.py")
    wire_types = importlib.util.module_from_spec(found)
    found.loader.exec_module(wire_types)
    assert wire_types.written() == wire_types.TARGET.read_text(encoding="utf-8"), (
        "run `python wire_types.py` in the folder python")
