"""An async client of a live house: sit, bet, act, watch.

    async with pitboss.connect("http://127.0.0.1:8042") as house:
        table = await house.watch("war-1")
        await table.sit(3)
        await table.buy_in(100)

Messages are typed by the protocol (`pitboss.wire`). What the house refuses raises `pitboss.Refused`.
A connection that breaks is opened again, and every command is carried out once.
"""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request
import weakref
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote, urlsplit

from pitboss import wire
from pitboss._pitboss import Refused
from pitboss.numbers import real_number

TIMEOUT = 60.0
"""Seconds that the house has to answer, beside those in which the connection may be broken."""
PATIENCE = 60.0
"""Seconds without a connection after which it is given up."""
FIRST_RETRY, LONGEST_RETRY = 0.25, 8.0
"""Seconds before a broken connection is opened again: at first, and at most."""
LONGEST_WATCH = 10.0
"""Seconds in which a new connection must show the table."""
PAUSE = 0.06
"""Seconds between messages: the house takes 40 a second of one person."""
MOST_LINES = 1000
"""How many lines of the log are kept."""
MOST_BYTES = 4 * 1024 * 1024
"""The longest message that is read."""
TURNED_AWAY = 1008
"""The code with which the house closes the connection of a client that is not to come back."""


def connect(
    url: str = "http://127.0.0.1:8042", token: str | None = None, *, patience: float = PATIENCE
) -> House:
    """A house: as the bot whose token this is, or as a guest.

    A connection that breaks is opened again for `patience` seconds; after that whatever waits for the
    house raises `ConnectionError`.
    """
    return House(url, token, patience)


def refused(refusal: wire.Refusal) -> Refused:
    """A refusal of the house as an exception."""
    source = cast("dict[str, Any]", refusal["source"]).get("id")
    sentence = refusal["sentence"]
    shown = f"{sentence} ({source})" if source and source not in sentence else sentence
    error = Refused(shown)
    error.sentence, error.clause, error.code = sentence, source, refusal["code"]
    return error


def refusal_in(body: bytes, otherwise: str) -> Exception:
    """The refusal in the body of an HTTP answer, or an error where there is none."""
    try:
        return refused(json.loads(body))
    except (ValueError, KeyError, TypeError, AttributeError):
        return ConnectionError(otherwise)


def is_address(url: object) -> bool:
    """Whether this can be the address of a house."""
    if not isinstance(url, str) or not url.startswith(("http://", "https://")):
        return False
    if not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def hashed(*lines: str) -> str:
    """The SHA-256 of lines with a line feed between them."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def moment(view: wire.View | None) -> str:
    """The moment of a table: a decision belongs to one, and is not repeated in another."""
    if view is None:
        return ""
    asked = view["awaited"]["what"]
    boxes = {int(place[0]) for place in view["mine"]} if asked == "act" else set()
    hands = [(one["hands"], one["playing"]) for one in view["seats"] if one["seat"] in boxes]
    offers = [(offer["at"], offer["call"]) for offer in view["offers"]]
    return json.dumps([view["round"], asked, view["mine"], hands, offers])


class House:
    """A live house. Used with `async with`, or closed by `close`."""

    def __init__(self, url: str, token: str | None, patience: float = PATIENCE) -> None:
        if not is_address(url):
            raise ValueError(f"expected an address such as http://127.0.0.1:8042, found {url!r}")
        patience = real_number(
            "patience in seconds such as 60", patience, lambda seconds: seconds >= 0
        )
        self.url = url.rstrip("/")
        self._patience = patience
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._tables: list[LiveTable] = []
        self.me: dict[str, Any] = {}

    async def __aenter__(self) -> House:
        has_token = "Authorization" in self._headers
        door = ("GET", "/api/me") if has_token else ("POST", "/api/guest")
        self.me, cookie = await asyncio.to_thread(self._http, *door)
        if cookie and not has_token:
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
        return await asyncio.to_thread(self._text, f"/api/export/{quote(table, safe='')}")

    async def watch(self, table: str) -> LiveTable:
        """A table and all that happens at it."""
        live = LiveTable(table, await self._socket(), self._socket, self._patience)
        self._tables.append(live)
        await live.until(lambda view: True)
        return live

    async def _socket(self) -> Any:
        """A new WebSocket; raises what the house says against it."""
        try:
            from websockets.asyncio.client import connect as open_socket
            from websockets.exceptions import InvalidHandshake, InvalidStatus
        except ModuleNotFoundError as missing:
            how = "websockets is not installed; type: pip install './python[client]'"
            raise ModuleNotFoundError(how, name="websockets") from missing

        address = self.url.replace("http", "ws", 1) + "/ws"
        try:
            return await open_socket(
                address, additional_headers=self._headers, max_size=MOST_BYTES
            )
        except InvalidStatus as error:
            answer = error.response
            told = refusal_in(bytes(answer.body or b""), f"the house answered {answer.status_code}")
            # Whoever is known and welcome can come back later.
            is_final = 400 <= answer.status_code < 500 and answer.status_code != 429
            raise told if is_final else ConnectionError(str(told)) from error
        except InvalidHandshake as error:
            raise ConnectionError(str(error)) from error

    def _open(self, method: str, path: str) -> Any:
        asked = urllib.request.Request(self.url + path, None, self._headers, method=method)
        try:
            return urllib.request.urlopen(asked, timeout=TIMEOUT)
        except urllib.error.HTTPError as error:
            raise refusal_in(error.read(), str(error)) from error
        except urllib.error.URLError as error:
            reason = getattr(error.reason, "strerror", None) or error.reason
            raise ConnectionError(f"cannot reach {self.url}: {reason}") from error

    def _http(self, method: str, path: str) -> tuple[Any, str | None]:
        text, cookie = self._answer(method, path)
        try:
            return json.loads(text), cookie
        except ValueError as error:
            raise ConnectionError(f"{self.url} does not answer as a house: {error}") from error

    def _text(self, path: str) -> str:
        return self._answer("GET", path)[0]

    def _answer(self, method: str, path: str) -> tuple[str, str | None]:
        """The body of an answer, and its cookie."""
        try:
            with self._open(method, path) as answer:
                return answer.read().decode(), answer.headers["Set-Cookie"]
        except (http.client.HTTPException, UnicodeDecodeError) as error:
            why = str(error).strip() or type(error).__name__
            raise ConnectionError(f"{self.url} does not answer as a house: {why}") from error

    def __repr__(self) -> str:
        return f"<House {self.url}: {self.me.get('name', 'not entered')}>"


@dataclass(frozen=True)
class Sent:
    """A command that has not been answered."""

    message: dict[str, Any]
    moment: str
    answer: asyncio.Future[Any]


class Steps:
    """The messages of the house, one after the other."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Any] = asyncio.Queue()

    def __aiter__(self) -> AsyncIterator[wire.FromHouse]:
        return self

    async def __anext__(self) -> wire.FromHouse:
        message = await self.queue.get()
        if isinstance(message, Exception):
            self.queue.put_nowait(message)
            raise message
        return cast("wire.FromHouse", message)


class LiveTable:
    """A table that is watched, and played at once a seat is taken.

    When its connection breaks, the next one asks for what was missed. A command that was not answered
    is sent again under the same id, so that the house carries it out once; unless the table has moved
    on, since then it would mean something else, and it raises `ConnectionError`.
    """

    def __init__(
        self, name: str, socket: Any, reopen: Callable[[], Awaitable[Any]], patience: float
    ) -> None:
        self.name = name
        self.view: wire.View | None = None
        """What this client may see of the table now."""
        self.about: wire.AboutTable | None = None
        """What never changes at the table."""
        self.events: deque[str] = deque(maxlen=MOST_LINES)
        """What happened since the table is watched, in lines of the log; the latest of them are kept."""
        self._socket = socket
        self._reopen = reopen
        self._patience = patience
        self._unanswered: dict[str, Sent] = {}
        self._version: int | None = None
        """The version that was seen last."""
        self._number = 0
        """The number of the view on this connection."""
        self._watching = ""
        """The id of the last request to watch the table."""
        self._is_shown = False
        """Whether the table was shown since the connection was opened."""
        self._is_behind = False
        """Whether a step is missing, and was asked for."""
        self._tries = 0
        self._pace = asyncio.Lock()
        self._changed = asyncio.Condition()
        self._steps: weakref.WeakSet[Steps] = weakref.WeakSet()
        self._end: Exception | None = None
        self._key = os.urandom(32).hex()
        self._mixed: tuple[str, str] | None = None
        self._keeper = asyncio.create_task(self._keep())

    def __repr__(self) -> str:
        awaited = self.view["awaited"]["what"] if self.view else "nothing yet"
        return f"<LiveTable {self.name}: awaits {awaited}>"

    async def close(self) -> None:
        """Ends the connection."""
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)
        await self._socket.close()
        await self._give_up(ConnectionError("this table is no longer watched"))

    async def do(self, what: str, by: str = "player", **more: Any) -> None:
        """Asks for any command of the protocol; raises `pitboss.Refused` where the house refuses."""
        if self._end is not None:
            raise self._end
        name = os.urandom(8).hex()
        message = {"id": name, "do": {by: {"type": what, **more}}}
        json.dumps(message)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._unanswered[name] = Sent(message, moment(self.view), answer)
        try:
            if self._is_shown:
                await self._say(message)
            told = await asyncio.wait_for(answer, self._longest_wait())
        except asyncio.TimeoutError as late:
            raise ConnectionError(
                f"the house did not answer '{what}' in time; look at the view of the table, and decide again"
            ) from late
        finally:
            self._unanswered.pop(name, None)
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
        steps = Steps()
        self._steps.add(steps)
        if self._end is not None:
            steps.queue.put_nowait(self._end)
        return steps

    def _longest_wait(self) -> float:
        """Seconds after which nothing more is to be expected, on this connection or a later one."""
        return TIMEOUT + self._patience

    async def until(
        self, holds: Callable[[wire.View], bool], timeout: float | None = None
    ) -> wire.View:
        """Waits until something holds of the view, and answers with it.

        Raises `TimeoutError` after `timeout` seconds, by default 60 beside the patience of the connection,
        and `ConnectionError` once that is given up.
        """

        def now() -> bool:
            return self._end is not None or (self.view is not None and holds(self.view))

        within = self._longest_wait() if timeout is None else timeout
        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(now), within)
        if self._end is not None:
            raise self._end
        assert self.view is not None
        return self.view

    async def change(self, timeout: float | None = None) -> wire.View | None:
        """Waits for the next message about the table, as long as `until` does."""
        if self._end is None:
            within = self._longest_wait() if timeout is None else timeout
            async with self._changed:
                await asyncio.wait_for(self._changed.wait(), within)
        if self._end is not None:
            raise self._end
        return self.view

    async def _keep(self) -> None:
        """Hears the house, and opens the connection again when it breaks."""
        from websockets.exceptions import ConnectionClosed

        lost = time.monotonic()
        try:
            while True:
                try:
                    await self._listen()
                except ConnectionClosed as closed:
                    if closed.rcvd is not None and closed.rcvd.code == TURNED_AWAY:
                        raise ConnectionError(closed.rcvd.reason) from closed
                    why: Exception = closed
                except asyncio.TimeoutError:
                    why = TimeoutError("the house does not show the table")
                if self._is_shown:
                    self._is_shown, self._tries, lost = False, 0, time.monotonic()
                await self._socket.close()
                self._socket = await self._opened_again(lost, why)
        except asyncio.CancelledError:
            raise
        except Exception as failure:
            await self._give_up(failure)

    async def _opened_again(self, lost: float, why: Exception) -> Any:
        """A new socket, while there is patience."""
        while time.monotonic() - lost < self._patience:
            pause = min(FIRST_RETRY * 2 ** min(self._tries, 10), LONGEST_RETRY)
            self._tries += 1
            left = max(0.0, lost + self._patience - time.monotonic())
            await asyncio.sleep(min(pause * random.uniform(0.5, 1.0), left))
            try:
                return await self._reopen()
            except (OSError, asyncio.TimeoutError) as failure:
                why = failure
        raise ConnectionError(f"the connection to the house is lost: {why}")

    async def _give_up(self, why: Exception) -> None:
        """Tells everybody who waits for the house that nothing will come."""
        self._end = self._end or why
        for sent in self._unanswered.values():
            if not sent.answer.done():
                sent.answer.set_exception(self._end)
        for steps in self._steps:
            steps.queue.put_nowait(self._end)
        async with self._changed:
            self._changed.notify_all()

    async def _listen(self) -> None:
        """Hears the house until the connection breaks."""
        self._mixed, self._is_behind = None, False
        await self._watch()
        while True:
            within = None if self._is_shown else LONGEST_WATCH
            data = await asyncio.wait_for(self._socket.recv(), within)
            try:
                await self._take(json.loads(data))
            except Refused:
                raise
            except (ValueError, LookupError, TypeError) as failure:
                raise ConnectionError(
                    f"the house sent something that is not of the protocol: {failure!r}"
                ) from failure

    async def _watch(self) -> None:
        """Asks for the table, or for what was missed of it."""
        self._watching = os.urandom(8).hex()
        watch = {"type": "watch", "table": self.name, "from": self._version}
        await self._say({"id": self._watching, "do": {"client": watch}})

    async def _say(self, message: dict[str, Any]) -> None:
        """Sends a message. One that a broken connection swallows is sent again by the next."""
        from websockets.exceptions import ConnectionClosed

        async with self._pace:
            await asyncio.sleep(PAUSE)
            try:
                await self._socket.send(json.dumps(message))
            except ConnectionClosed:
                pass

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
        await self._say({"id": os.urandom(8).hex(), "do": {"player": what}})

    async def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "answer":
            self._answered(message)
        elif kind == "hello" and message["protocol"] != wire.PROTOCOL:
            raise ConnectionError(
                f"the house speaks version {message['protocol']} of the protocol, and this client "
                f"version {wire.PROTOCOL}"
            )
        elif kind == "away":
            raise refused(message["refusal"])
        elif kind == "table":
            self.about = message["about"]
        elif kind in ("state", "event", "change") and not await self._step(message):
            return
        await self._mix()
        for steps in self._steps:
            steps.queue.put_nowait(message)
        async with self._changed:
            self._changed.notify_all()

    def _answered(self, message: dict[str, Any]) -> None:
        if message["id"] == self._watching and not message["ok"]:
            raise refused(message["refusal"])
        sent = self._unanswered.get(message["id"])
        if sent is not None and not sent.answer.done():
            sent.answer.set_result(message)

    async def _step(self, message: dict[str, Any]) -> bool:
        """Takes a step of the table, unless it is known or one before it is missing."""
        if message["type"] == "state":
            self._version, self._number = message["version"], message["number"]
            self.view, self._is_behind = message["view"], False
            await self._resume()
            return True
        if self._version is None or self.view is None:
            return False
        following = self._version + (message["type"] == "event")
        change = message["change"]
        if message["version"] < following:
            return False
        if message["version"] > following or (
            change is not None and message["number"] != self._number + 1
        ):
            if not self._is_behind:
                self._is_behind = True
                await self._watch()
            return False
        self._version = message["version"]
        self.events += message.get("events", [])
        if change is not None:
            self._number = message["number"]
            view, change = cast("dict[str, Any]", self.view), dict(change)
            for seat in change.pop("seats", []):
                view["seats"][seat["seat"] - 1].update(seat)
            view.update(change)
        return True

    async def _resume(self) -> None:
        """The table is shown again: what was not answered is sent once more, or is moot."""
        if self._is_shown:
            return
        self._is_shown = True
        for sent in list(self._unanswered.values()):
            if sent.moment == moment(self.view):
                await self._say(sent.message)
            elif not sent.answer.done():
                sent.answer.set_exception(
                    ConnectionError(
                        "the connection broke before the house answered, and the table has moved "
                        "on: look at its view"
                    )
                )
