"""Transcripts, logs and the index of the rule books."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitboss import _pitboss


@dataclass(frozen=True)
class CheckedRound:
    """A round of a transcript that was played through the rules."""

    line: int
    """Its first line in the text."""
    is_readable: bool
    """Whether it could be read and played to its end."""
    findings: tuple[tuple[int, str], ...]
    """What differs from the transcript: the line, and a sentence."""

    @property
    def passed(self) -> bool:
        """Whether everything came as the transcript expects."""
        return self.is_readable and not self.findings


def check(transcript: str | os.PathLike[str]) -> list[CheckedRound]:
    """Plays every round of a transcript, given as text or as the path of a file.

    A text without a line break is a path.

    >>> check("game casino-war\\nwager 1 main 10\\ncards 9d 4s\\nnet 1 +10\\ndone\\n")[0].passed
    True
    >>> check("game casino-war\\nwager 1 main 10\\ncards 9d 4s\\nnet 1 -10\\n")[0].findings
    ((4, 'expected net 1 -10, found +10'),)
    """
    return [
        CheckedRound(line, is_readable, tuple(findings))
        for line, is_readable, findings in _pitboss.check(_text(transcript))
    ]


@dataclass(frozen=True)
class Verdict:
    """What verifying a log showed."""

    table: str
    entries: int
    head: str | None
    is_clean: bool
    """Whether nothing is wrong with the log."""
    findings: tuple[tuple[int, str], ...]
    """What is wrong: the entry, and a sentence."""
    text: str
    """All of it in sentences, as `pitboss verify` prints it."""

    def __str__(self) -> str:
        return self.text


def verify(log: str | os.PathLike[str], heads: list[str] | None = None) -> Verdict:
    """Verifies the exported log of a table: its chain, cards, rules and money.

    `log` is the text or the path of the file; `heads` are chain heads that somebody kept, as
    `SEQ:HASH`.
    """
    if isinstance(heads, str):
        raise TypeError(f"expected a list of heads, found {heads!r}")
    told = _pitboss.verify(_text(log), heads)
    return Verdict(**{**told, "findings": tuple(told["findings"])})


def rules(game: str | None = None) -> dict[str, list[dict[str, Any]]]:
    """The clauses, house options and rulings, of one game or of all.

    >>> clauses = {clause["id"]: clause["title"] for clause in rules("casino-war")["clauses"]}
    >>> "CW-2-a" in clauses
    True
    """
    read: dict[str, list[dict[str, Any]]] = json.loads(_pitboss.rules_json(game))
    return read


def _text(source: str | os.PathLike[str]) -> str:
    """A text itself, or that of a file. A text without a line break is a path."""
    if isinstance(source, os.PathLike):
        return Path(source).read_text(encoding="utf-8")
    if not isinstance(source, str):
        raise TypeError(f"expected a text or a path, found {type(source).__name__}")
    is_path = source.splitlines() == [source]
    return Path(source).read_text(encoding="utf-8") if is_path else source
