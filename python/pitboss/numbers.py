"""Whole numbers that are passed in."""

from __future__ import annotations

import operator
from typing import Any


def whole_number(name: str, number: Any, least: int, most: int) -> int:
    """The number; a `TypeError` or `ValueError` with a sentence where it is none, or out of range.

    >>> whole_number("seats", 9, 1, 7)
    Traceback (most recent call last):
        ...
    ValueError: expected seats from 1 to 7, found 9
    """
    try:
        found = operator.index(number)
    except TypeError:
        raise TypeError(f"expected {name} as a whole number, found {number!r}") from None
    if not least <= found <= most:
        raise ValueError(f"expected {name} from {least} to {most}, found {found}")
    return found
