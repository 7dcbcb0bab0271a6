"""An async client of a live house: sit, bet, act, watch.

    async with pitboss.connect("http://127.0.0.1:8042") as house:
        table = await house.watch("war-1")
        await table.sit(3)
        await table.buy_in(100)

Messages are typed by the protocol (`pitboss.wire`). What the house refuses raises `pitboss.Refused`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, cast

from pitboss._pitboss import Refused

if TYPE_CHECKING:
    from pitboss import wire

TIMEOUT = 60.0
"""Seconds that the house has to answer."""
PAUSE = 0.06
"""Seconds between messages: the house takes at most 20 a second."""
MOST_BYTES = 4 * 1024 * 1024
"""The longest message that is read."""


def connect(url: str = "http://127.0.0.1:8042", token: str | None = None) -> House:
    """A house: as the bot whose token this is, or as a guest."""
    return House(url, token)


def refused(refusal: wire.Refusal) -> Refused:
    """A refusal of the house as an exception."""
    source = cast("dict[str, Any]", refusal["source"]).get("id")
    sentence = refusal["sentence"]
    shown = f"{sentence} ({source})" if source and source not in sentence else sentence
    error = Refused(shown)
    error.sentence, error.clause, error.code = sentence, source, refusal["code"]
    return error


def hashed(*lines: str) -> str:
    """The SHA-256 of lines with a line feed between them."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


class House:
    """A live house. Used with `async with`, or closed by `close`."""

    def __init__(self, url: str, token: str | None) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"expected an address such as http://127.0.0.1:8042, found {url!r}")
        self.url = url.rstrip("/")
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._tables: list[LiveTable] = []
        self.me: dict[str, Any] = {}

    async def __aenter__(self) -> House:
        self.me, cookie = await asyncio.to_thread(self._http, "POST", "/api/guest")
        if cookie and "Authorization" not in self._headers:
            self._headers["Cookie"] = cookie.split(";")[0]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Leaves every table that is watched."""
        for table in self._tables:
            await table.close()
        self._tables.clear()

    async def tables(self) -> list[wire.LobbyTable]:
        """The open tables."""
        return cast("list[wire.LobbyTable]", await self.get("/api/tables"))

    async def get(self, path: str) -> Any:
        """The answer to any `GET` of the API, as JSON."""
        return (await asyncio.to_thread(self._http, "GET", path))[0]

    async def log(self, table: str) -> str:
        """The log of a table as text, which `pitboss.verify` verifies."""
        return await asyncio.to_thread(self._text, f"/api/export/{table}")

    async def watch(self, table: str) -> LiveTable:
        """A table and all that happens at it."""
        from websockets.asyncio.client import connect as open_socket

        address = self.url.replace("http", "ws", 1) + "/ws"
        socket = await open_socket(address, additional_headers=self._headers, max_size=MOST_BYTES)
        live = LiveTable(table, socket)
        self._tables.append(live)
        await live.do("watch", "client", table=table)
        await live.until(lambda view: True)
        return live

    def _open(self, method: str, path: str) -> Any:
        asked = urllib.request.Request(self.url + path, None, self._headers, method=method)
        try:
            return urllib.request.urlopen(asked, timeout=TIMEOUT)
        except urllib.error.HTTPError as error:
            told = json.loads(error.read() or b"{}")
            raise refused(told) if "sentence" in told else ConnectionError(str(error)) from error

    def _http(self, method: str, path: str) -> tuple[Any, str | None]:
        with self._open(method, path) as answer:
            return json.load(answer), answer.headers["Set-Cookie"]

    def _text(self, path: str) -> str:
        with self._open("GET", path) as answer:
            return cast("str", answer.read().decode())


class LiveTable:
    """A table that is watched, and played at once a seat is taken."""

    def __init__(self, name: str, socket: Any) -> None:
        self.name = name
        self.view: wire.View | None = None
        """What this client may see of the table now."""
        self.about: wire.AboutTable | None = None
        """What never changes at the table."""
        self.sentences: list[str] = []
        """What happened since the table is watched, in sentences."""
        self._socket = socket
        self._answers: dict[str, asyncio.Future[Any]] = {}
        self._changed = asyncio.Condition()
        self._steps: list[asyncio.Queue[Any]] = []
        self._end: Exception | None = None
        self._key = os.urandom(32).hex()
        self._mixed: tuple[str, str] | None = None
        self._listener = asyncio.create_task(self._listen())

    async def close(self) -> None:
        """Ends the connection."""
        self._listener.cancel()
        await self._socket.close()

    async def do(self, what: str, by: str = "player", **more: Any) -> None:
        """Asks for any command of the protocol; raises `pitboss.Refused` where the house refuses."""
        await asyncio.sleep(PAUSE)
        if self._end is not None:
            raise self._end
        name = os.urandom(8).hex()
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._answers[name] = answer
        await self._socket.send(json.dumps({"id": name, "do": {by: {"type": what, **more}}}))
        told = await asyncio.wait_for(answer, TIMEOUT)
        if not told["ok"]:
            raise refused(told["refusal"])

    async def sit(self, seat: int | None = None) -> int:
        """Takes a seat, by default the first free one, and answers with its number."""
        if seat is None:
            seats = self.view["seats"] if self.view else []
            free = [taken["seat"] for taken in seats if not taken["name"]]
            if not free:
                raise ValueError("no seat is free")
            seat = free[0]
        await self.do("sit", seat=seat)
        await self.until(lambda view: view["me"] is not None)
        return seat

    async def buy_in(self, amount: Any) -> None:
        """Buys chips."""
        await self.do("buy_in", amount=str(amount))

    async def wager(self, amounts: Any) -> None:
        """Places chips: an amount on the main circle, or amounts by circle."""
        by_circle = amounts if isinstance(amounts, dict) else {"main": amounts}
        placed = [{"circle": on, "amount": str(chips)} for on, chips in by_circle.items()]
        await self.do("wager", amounts=placed)

    async def ready(self) -> None:
        """No further wager will come."""
        await self.do("ready")

    async def act(self, call: str, amount: Any = None) -> None:
        """Decides."""
        await self.do("act", call=call, amount=None if amount is None else str(amount))

    async def cut(self, at: int | None) -> None:
        """Cuts the cards, or declines to."""
        await self.do("cut", at=at)

    async def inspect(self) -> None:
        """Has looked at the spread cards."""
        await self.do("inspect")

    async def leave(self) -> None:
        """Gives the seat up; chips go back to the account."""
        await self.do("leave")

    def steps(self) -> AsyncIterator[wire.FromHouse]:
        """Every message of the house from now on."""
        queue: asyncio.Queue[Any] = asyncio.Queue()
        self._steps.append(queue)

        async def each() -> AsyncIterator[wire.FromHouse]:
            while True:
                message = await queue.get()
                if isinstance(message, Exception):
                    raise message
                yield message

        return each()

    async def until(
        self, holds: Callable[[wire.View], bool], timeout: float = TIMEOUT
    ) -> wire.View:
        """Waits until something holds of the view, and answers with it."""

        def now() -> bool:
            return self._end is not None or (self.view is not None and holds(self.view))

        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(now), timeout)
        if self._end is not None:
            raise self._end
        assert self.view is not None
        return self.view

    async def change(self, timeout: float = TIMEOUT) -> wire.View | None:
        """Waits for the next message about the table."""
        async with self._changed:
            await asyncio.wait_for(self._changed.wait(), timeout)
        if self._end is not None:
            raise self._end
        return self.view

    async def _listen(self) -> None:
        try:
            async for data in self._socket:
                await self._take(json.loads(data))
            self._end = ConnectionError("the house closed the connection")
        except asyncio.CancelledError:
            raise
        except Exception as failure:
            self._end = ConnectionError(f"the connection to the house is lost: {failure}")
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(self._end)
        for queue in self._steps:
            queue.put_nowait(self._end)
        async with self._changed:
            self._changed.notify_all()

    async def _mix(self) -> None:
        """Commits to bytes for the order of a shoe, and opens them (docs/fair-order.md)."""
        view, about = self.view, self.about
        if view is None or about is None or not view["shoe"] or not view["mine"]:
            return
        mix, shoe = view["mix"], view["shoe"]
        if mix is None or mix["answered"] is not False or self._mixed == (shoe["seal"], mix["stage"]):
            return
        place = [about["house"], about["table"], str(shoe["number"]), shoe["seal"]]
        own = hashed("pitboss bytes", self._key, *place)
        commitment = hashed("pitboss commitment", *place, view["mine"][0], own)
        if mix["stage"] == "commit":
            what = {"type": "commit", "commitment": commitment}
        elif commitment in [one["commitment"] for one in mix["list"]]:
            what = {"type": "open", "bytes": own}
        else:
            return
        self._mixed = (shoe["seal"], mix["stage"])
        await self._socket.send(json.dumps({"id": os.urandom(8).hex(), "do": {"player": what}}))

    async def _take(self, message: dict[str, Any]) -> None:
        answer = self._answers.pop(message["id"], None) if message["type"] == "answer" else None
        self.about = message.get("about") or self.about
        self.view = message.get("view") or self.view
        change = dict(message.get("change") or {})
        if change and self.view is not None:
            view = cast("dict[str, Any]", self.view)
            for seat in change.pop("seats", []):
                view["seats"][seat["seat"] - 1].update(seat)
            view.update(change)
        await self._mix()
        self.sentences += message.get("sentences", [])
        if answer is not None and not answer.done():
            answer.set_result(message)
        for queue in self._steps:
            queue.put_nowait(message)
        async with self._changed:
            self._changed.notify_all()
