#!/usr/bin/env python3
"""Plays a round at every open table of a house: client.py [ADDRESS [TOKEN]]

It knows no game: it cuts where it may, takes the first call on offer, and wagers the least. It adds bytes of
its own to every shoe (fair-order.md), and says where they were left out. It is a guest, or the bot whose token
is given. Python's own library is all it needs."""
import base64, hashlib, json, os, socket, struct, sys, time, urllib.request
HOUSE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8042"
ADDRESS = HOUSE.split("//")[1]

def http(method, path, by):
    with urllib.request.urlopen(urllib.request.Request(HOUSE + path, None, by, method=method)) as answer:
        return json.load(answer), answer.headers["Set-Cookie"]

class Client:
    def __init__(self, table, by):
        host, port = ADDRESS.split(":")
        self.socket, self.view, self.about = socket.create_connection((host, int(port)), 60), None, None
        self.key, self.said = os.urandom(32).hex(), None
        lines = {"Host": ADDRESS, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                 "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), **by}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self.socket.sendall(f"GET /ws HTTP/1.1\r\n{head}\r\n".encode())
        self.stream = self.socket.makefile("rb")
        while self.stream.readline() != b"\r\n":
            pass  # 101 Switching Protocols
        self.do("watch", "client", table=table)

    def write(self, kind, data):
        mask, size = os.urandom(4), len(data)
        size = struct.pack("!B", 128 + size) if size < 126 else struct.pack("!BH", 254, size)
        self.socket.sendall(bytes([128 + kind]) + size + mask + bytes(b ^ mask[at % 4] for at, b in enumerate(data)))

    def hear(self):
        """The next message. What never changes, and the last view, are kept."""
        head, size = self.stream.read(2)
        size = size if size < 126 else int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
        data, kind = self.stream.read(size), head & 15
        if kind == 8: sys.exit("the house says goodbye: " + data[2:].decode())
        if kind == 9: self.write(10, data)
        message = json.loads(data) if kind == 1 else {"type": "ping"}
        self.view, self.about = message.get("view") or self.view, message.get("about") or self.about
        change = message.get("change") or {}
        for seat in change.pop("seats", []): self.view["seats"][seat["seat"] - 1].update(seat)
        if change: self.view.update(change)
        for line in message.get("events", []): print(f"  {line}")
        return message

    def do(self, what, by="player", **more):
        """Asks for something under a new id, hears the answer, and then what came of it."""
        time.sleep(0.06)  # the house takes 40 messages a second
        id = os.urandom(8).hex()
        self.write(1, json.dumps({"id": id, "do": {by: {"type": what, **more}}}).encode())
        while (answer := self.hear()).get("id") != id: pass
        if not answer["ok"]: return print(f"  {what} is refused: {answer['refusal']['sentence']}")
        while self.hear()["type"] not in ("state", "event", "change"): pass
        return True

    def mix(self):
        """Commits to bytes for the order of the shoe, and opens them once the closed list has them."""
        mix, shoe = self.view["mix"], self.view["shoe"]
        if not mix or not self.view["mine"]: return False
        place = [self.about["house"], self.about["table"], str(shoe["number"]), shoe["seal"]]
        sha256 = lambda *lines: hashlib.sha256("\n".join(lines).encode()).hexdigest()
        bytes = sha256("pitboss bytes", self.key, *place)
        own = sha256("pitboss commitment", *place, self.view["mine"][0], bytes)
        listed = [one["opened"] for one in mix["list"] if one["commitment"] == own]
        if mix["stage"] == "commit" and mix["answered"] is False: return self.do("commit", commitment=own)
        if mix["stage"] == "open" and mix["answered"] is False and listed: return self.do("open", bytes=bytes)
        if mix["stage"] == "mixed" and True not in listed and self.said != shoe["seal"]:
            self.said = shoe["seal"]
            print("  (my bytes are not in the order of this shoe)")
        return False

    def play(self):
        """Takes a seat, and does what the table waits for until the round is paid."""
        free = next(seat["seat"] for seat in self.view["seats"] if not seat["name"])
        self.do("sit", seat=free)
        self.do("buy_in", amount="100")
        while not ((seat := self.view["seats"][free - 1])["results"] and self.view["betting"]):
            if self.mix(): pass
            elif self.view["cut"]: self.do("cut", at=self.view["cut"]["least"])
            elif self.view["awaited"]["what"] == "inspection": self.do("inspect")
            elif self.view["offers"]:
                assert self.do("act", call=self.view["offers"][0]["call"])
            elif self.view["betting"] and not seat["wagers"]:
                must = [on for on in self.about["circles"] if on["opening"] and on["opening"]["required"]]
                least = [{"circle": on["circle"], "amount": on["opening"]["least"]} for on in must]
                if not self.do("wager", amounts=least): break  # such as where nobody enters in mid-shoe
                self.do("ready")
            else:
                self.hear()
        self.do("leave")

by = {"Authorization": f"Bearer {sys.argv[2]}"} if len(sys.argv) > 2 else {}
me, cookie = http("POST", "/api/guest", by)
for table in http("GET", "/api/tables", by)[0]:
    print(f"{me['name']} at {table['table']}: {table['title']}")
    Client(table["table"], by or {"Cookie": cookie.split(";")[0]}).play()
