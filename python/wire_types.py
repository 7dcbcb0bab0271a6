"""Writes pitboss/wire.py, the types of the protocol, from those of the browser client.

    python wire_types.py

`web/src/wire.ts` is made from the crate `wire`; a test fails where this file is older.
"""

from __future__ import annotations

import re
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "web" / "src" / "wire.ts"
TARGET = Path(__file__).parent / "pitboss" / "wire.py"

HEAD = '''"""The types of the house's protocol. Made by wire_types.py from web/src/wire.ts: not to be changed here."""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:

    class NotRequired:
        def __class_getitem__(cls, item: Any) -> Any:
            return item

'''

PLAIN = {"string": "str", "number": "int", "boolean": "bool", "null": "None", "bigint": "int"}
TOKEN = re.compile(r'"[^"]*"|[A-Za-z_][A-Za-z_0-9]*|[{}<>|&,:?;\[\]()]')


def pascal(name: str) -> str:
    """The name of a field or a tag as part of a type's name."""
    return re.sub("[_-]", "", name.title())


class Reader:
    """Reads one type after the other."""

    def __init__(self, text: str) -> None:
        self.words = TOKEN.findall(text)
        self.at = 0
        self.bodies: dict[str, list[tuple[str, str, bool]]] = {}
        self.lines: list[str] = []

    def skip(self, word: str) -> bool:
        found = self.at < len(self.words) and self.words[self.at] == word
        self.at += found
        return found

    def next(self) -> str:
        self.at += 1
        return self.words[self.at - 1]

    def kind(self, name: str) -> str:
        """A type, whose own objects are named after `name`."""
        kinds = []
        while True:
            self.skip("|")
            kinds.append(self.both(name, len(kinds)))
            if self.at >= len(self.words) or self.words[self.at] != "|":
                break
        kinds = list(dict.fromkeys(kinds))
        return kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"

    def both(self, name: str, number: int) -> str:
        first = self.one(name, number)
        while self.skip("&"):
            other = self.one(name, number)
            if first in self.bodies and isinstance(first, str):
                self.bodies[first] += [("&", other, False)]
        return first

    def one(self, name: str, number: int) -> str:
        word = self.next()
        if word == "{":
            return self.object(name, number)
        if word.startswith('"'):
            return f"Literal[{word}]"
        if word == "Array":
            self.skip("<")
            inner = self.kind(f"{name}Item")
            self.skip(">")
            return f"list[{inner}]"
        if word == "(":
            inner = self.kind(name)
            self.skip(")")
            return inner
        return PLAIN.get(word, f'"{word}"')

    def object(self, name: str, number: int) -> str:
        if self.skip("["):
            while not self.skip("]"):
                self.next()
            self.skip("?")
            self.skip(":")
            inner = self.kind(f"{name}Value")
            self.skip(",")
            self.skip("}")
            return f"dict[str, {inner}]"
        fields = []
        while not self.skip("}"):
            key = self.next().strip('"')
            optional = self.skip("?")
            self.skip(":")
            fields.append((key, self.kind(name + pascal(key)), optional))
            self.skip(",")
        tags = [kind for key, kind, _ in fields if key == "type" and kind.startswith("Literal")]
        tag = re.findall(r'"([^"]*)"', tags[0])[0] if tags else ""
        own = name + (pascal(tag) if tag else (str(number) if number else ""))
        self.bodies[f'"{own}"'] = fields
        return f'"{own}"'


def written() -> str:
    """The text of the module."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", SOURCE.read_text(encoding="utf-8"), flags=re.S)
    protocol = re.findall(r"PROTOCOL = (\d+)", text)[0]
    bodies: dict[str, list[tuple[str, str, bool]]] = {}
    others = []
    for name, body in re.findall(r"export type (\w+) = (.*?);\s*(?=export|$)", text, flags=re.S):
        reader = Reader(body)
        kind = reader.kind(name)
        own = f'"{name}"'
        if kind != own and own in reader.bodies:
            reader.bodies[f'"{name}0"'] = reader.bodies.pop(own)
            kind = kind.replace(own, f'"{name}0"')
        bodies.update(reader.bodies)
        if kind != f'"{name}"':
            others.append(f"{name} = {kind}")
    lines = [HEAD + f"PROTOCOL = {protocol}"]
    for quoted, fields in sorted(bodies.items()):
        flat = [field for field in fields if field[0] != "&"]
        for _, other, _ in (field for field in fields if field[0] == "&"):
            flat += [field for field in bodies.get(other, []) if field[0] != "&"]
        lines.append(f"{quoted.strip(chr(34))} = TypedDict(\n    {quoted},\n    {{")
        for key, kind, optional in flat:
            shown = f"NotRequired[{kind}]" if optional else kind
            lines.append(f'        "{key}": {shown},')
        lines.append("    },\n)")
    return "\n".join([*lines, *sorted(others)]) + "\n"


if __name__ == "__main__":
    TARGET.write_text(written(), encoding="utf-8")
