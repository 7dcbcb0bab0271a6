"""A live house: a guest plays, the log is verified, connections break."""

import asyncio
import importlib.util
import json
import os
import re
import subprocess
from pathlib import Path

import pitboss
import pytest
from pitboss import client
from pitboss.client import connect

PROGRAM = os.environ.get("PITBOSS_PROGRAM")
FOLDER = Path(__file__).parents[1]


class RunningHouse:
    """A house in a process of its own, which can be killed and opened again at the same address."""

    def __init__(self, folder, port=0):
        self.folder, self.port = folder, port
        self.open()

    def open(self):
        words = ["serve", "--port", str(self.port), "--data", str(self.folder)]
        self.process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            found = re.search(r"https?://[\d.:a-z]+", line)
            if found:
                self.address = found.group().rstrip("/")
                self.port = int(self.address.rsplit(":", 1)[1])
                return
        pytest.fail("the house did not open")

    def kill(self):
        self.process.kill()
        self.process.wait(20)

    def close(self):
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture
def house(tmp_path):
    if not PROGRAM:
        pytest.skip("PITBOSS_PROGRAM names no program")
    house = RunningHouse(tmp_path / "house")
    yield house
    house.close()


@pytest.fixture
def address(house):
    return house.address


class Wire:
    """A proxy before a house, whose connections can be deaf, dumb or cut."""

    def __init__(self, port):
        self.to_port = port
        self.hears_client = self.hears_house = True
        self.swallowed = asyncio.Event()
        self.writers = []

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self.server.close()
        self.cut()

    def cut(self):
        """Ends every connection without a word, and hears everybody again."""
        for writer in self.writers:
            writer.transport.abort()
        self.writers.clear()
        self.hears_client = self.hears_house = True
        self.swallowed.clear()

    async def _join(self, reader, writer):
        try:
            theirs, ours = await asyncio.open_connection("127.0.0.1", self.to_port)
        except OSError:
            writer.transport.abort()
            return
        self.writers += [writer, ours]
        await asyncio.gather(
            self._pass(reader, ours, "hears_client"), self._pass(theirs, writer, "hears_house"))

    async def _pass(self, reader, writer, hears):
        try:
            while data := await reader.read(65536):
                if getattr(self, hears):
                    writer.write(data)
                else:
                    self.swallowed.set()
        except OSError:
            pass
        writer.transport.abort()


async def play(table):
    """Plays a round with the least wager and the first call on offer."""
    seat = await table.sit()
    await table.buy_in(100)
    return await play_on(table, seat)


async def play_on(table, seat):
    while True:
        view = table.view
        mine = view["seats"][seat - 1]
        if mine["results"] and view["betting"]:
            break
        before = json.dumps(view)
        try:
            await next_step(table, view, mine)
        except pitboss.Refused:
            # A command is answered before the table is shown as it is after it, and time runs out at a
            # table: what was refused belongs to a moment that has passed, or the view stays as it is.
            await table.until(lambda now: json.dumps(now) != before, 10)
    results = list(mine["results"])
    await table.leave()
    return results


async def next_step(table, view, mine):
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


async def casino_war(house):
    tables = await house.tables()
    return next(table["table"] for table in tables if table["game"] == "casino-war")


def test_what_was_not_answered_is_done_once(house):
    async def visit():
        async with Wire(house.port) as wire, connect(wire.address) as guest, \
                connect(house.address) as other:
            name = await casino_war(guest)
            table, elsewhere = await guest.watch(name), await other.watch(name)
            seat = await table.sit()
            for lost in ("hears_house", "hears_client"):
                # The answer is lost, and after that the question.
                setattr(wire, lost, False)
                asked = asyncio.create_task(table.buy_in(100))
                await asyncio.wait_for(wire.swallowed.wait(), 20)
                wire.cut()
                await asyncio.wait_for(asked, 20)
            await table.until(lambda view: view["seats"][seat - 1]["rack"] == "200")
            log = await guest.log(name)
            assert log.count("buy-in") == 2
            assert await asyncio.wait_for(play_on(table, seat), 60)
            # Every line came, and none twice.
            await elsewhere.until(lambda view: not view["seats"][seat - 1]["name"])
            assert table.events and table.events == elsewhere.events
            return await guest.log(name)

    assert pitboss.verify(asyncio.run(visit())).is_clean


def test_a_house_that_is_killed_is_found_again(house):
    async def visit():
        async with connect(house.address) as guest:
            name = await casino_war(guest)
            table = await guest.watch(name)
            seat = await table.sit()
            await table.buy_in(100)
            steps = table.steps()
            await asyncio.to_thread(house.kill)
            asked = asyncio.create_task(table.buy_in(50))
            await asyncio.to_thread(house.open)
            await asyncio.wait_for(asked, 20)
            await table.until(lambda view: view["seats"][seat - 1]["rack"] == "150")
            assert await asyncio.wait_for(play_on(table, seat), 60)
            assert (await asyncio.wait_for(steps.__anext__(), 5))["type"]
            return await guest.log(name)

    log = asyncio.run(visit())
    assert log.count("buy-in") == 2 and pitboss.verify(log).is_clean


def test_a_command_is_not_sent_again_once_the_table_has_moved_on(house):
    async def visit():
        async with Wire(house.port) as wire, connect(wire.address) as guest, \
                connect(house.address) as other:
            name = await casino_war(other)
            table, elsewhere = await guest.watch(name), await other.watch(name)
            wire.hears_client = False
            asked = asyncio.create_task(table.do("sit", seat=5))
            await asyncio.wait_for(wire.swallowed.wait(), 20)
            await asyncio.wait_for(play(elsewhere), 60)
            wire.cut()
            with pytest.raises(ConnectionError, match="moved on"):
                await asyncio.wait_for(asked, 20)
            assert table.view["seats"][4]["name"] in (None, "")
            # The connection itself is whole, and what happened meanwhile was told.
            assert table.view["round"] == elsewhere.view["round"]
            assert list(table.events)[-3:] == list(elsewhere.events)[-3:]
            await table.sit(5)

    asyncio.run(visit())


def test_a_missing_step_is_asked_for(house):
    async def visit():
        async with connect(house.address) as guest, connect(house.address) as other:
            name = await casino_war(other)
            table, elsewhere = await guest.watch(name), await other.watch(name)
            take, lost = table._take, []

            async def take_all_but_one(message):
                if message["type"] == "event" and not lost:
                    lost.append(message)
                    return
                await take(message)

            table._take = take_all_but_one
            await asyncio.wait_for(play(elsewhere), 60)
            await table.until(lambda view: view["round"] == elsewhere.view["round"])
            await asyncio.sleep(0.5)
            assert lost and list(table.events) == list(elsewhere.events)
            seats = [[seat["name"] for seat in one.view["seats"]] for one in (table, elsewhere)]
            assert seats[0] == seats[1]

    asyncio.run(visit())


def test_a_house_that_stays_away_is_given_up(house):
    async def visit():
        async with connect(house.address, patience=1.0) as guest:
            table = await guest.watch(await casino_war(guest))
            steps = table.steps()
            await asyncio.to_thread(house.kill)
            with pytest.raises(ConnectionError, match="is lost"):
                await asyncio.wait_for(table.sit(), 20)
            for waits in (table.change, table.leave, steps.__anext__, table.steps().__anext__):
                with pytest.raises(ConnectionError):
                    await asyncio.wait_for(waits(), 5)

    asyncio.run(visit())


def test_patience_may_be_longer_than_the_house_has_to_answer(house, monkeypatch):
    monkeypatch.setattr(client, "TIMEOUT", 1.0)

    async def visit():
        async with connect(house.address, patience=2.0) as guest:
            table = await guest.watch(await casino_war(guest))
            await asyncio.to_thread(house.kill)
            for waits in (lambda: table.sit(), lambda: table.until(lambda view: False), table.change):
                with pytest.raises(ConnectionError, match="is lost"):
                    await asyncio.wait_for(waits(), 20)

    asyncio.run(visit())


def test_an_answer_that_does_not_come_is_a_connection_error(house, monkeypatch):
    monkeypatch.setattr(client, "TIMEOUT", 0.3)

    async def visit():
        async with Wire(house.port) as wire, connect(wire.address, patience=0.5) as guest:
            table = await guest.watch(await casino_war(guest))
            wire.hears_house = False
            with pytest.raises(ConnectionError, match="did not answer 'sit' in time"):
                await asyncio.wait_for(table.sit(), 20)
            with pytest.raises(asyncio.TimeoutError):
                await table.until(lambda view: False, 0.1)

    asyncio.run(visit())


def test_refusals_come_at_once(house):
    async def visit():
        async with connect(house.address) as guest:
            with pytest.raises(pitboss.Refused):
                await guest.watch("no-such-table")
            with pytest.raises(pitboss.Refused):
                await guest.log("../../etc/passwd")
            table = await guest.watch(await casino_war(guest))
            for wrong in (lambda: table.sit(99), lambda: table.buy_in("NaN"),
                          lambda: table.buy_in(-5), lambda: table.act("fly"),
                          lambda: table.wager({"moon": 5}), lambda: table.do("dance")):
                with pytest.raises(pitboss.Refused) as refused:
                    await wrong()
                assert refused.value.sentence and refused.value.code
            with pytest.raises(TypeError):
                await table.do("sit", seat=object())
            await table.sit(1)
        with pytest.raises(ConnectionError, match="no longer watched"):
            await table.leave()
        with pytest.raises(pitboss.Refused):
            async with connect(house.address, "not-a-token"):
                pass

    asyncio.run(visit())


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


class Stranger:
    """Something that is no house, and answers everything with the same bytes."""

    def __init__(self, answer):
        self.answer = answer

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._say, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_):
        self.server.close()

    async def _say(self, reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(self.answer)
        writer.close()


@pytest.mark.parametrize("answer", [
    b"SSH-2.0-open\r\n",
    b"",
    b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\xff\xff",
    b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{}",
], ids=range(5))
def test_what_is_no_house_is_named(answer):
    async def enter():
        async with Stranger(answer) as address:
            with pytest.raises(ConnectionError, match=f"{address} does not answer as a house: .") as raised:
                async with pitboss.connect(address):
                    pass
            assert "\n" not in str(raised.value)

    asyncio.run(enter())


@pytest.mark.parametrize("url", [
    "ftp://house", "http://", "http://:80", "http://house:port", "http://house:99999",
    "http://a house", "http://house\r\nX: y", "http://[::1",
])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(ValueError, match="expected an address such as http://127.0.0.1:8042"):
        pitboss.connect(url)


def test_a_house_and_its_tables_say_what_they_are(address):
    async def enter():
        house = pitboss.connect(address)
        assert repr(house) == f"<House {address}: not entered>"
        async with house:
            assert repr(house) == f"<House {address}: {house.me['name']}>"
            table = await house.watch("war-1")
            assert repr(table).startswith("<LiveTable war-1: awaits ")

    asyncio.run(enter())
