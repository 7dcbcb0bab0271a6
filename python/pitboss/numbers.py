"""Numbers that are passed in."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
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


def real_number(expected: str, number: Any, fits: Callable[[float], bool]) -> float:
    """The number as a float; a `TypeError` or `ValueError` with a sentence where it does not fit.

    >>> real_number("patience in seconds such as 60", -1, lambda seconds: seconds >= 0)
    Traceback (most recent call last):
        ...
    ValueError: expected patience in seconds such as 60, found -1
    """
    if isinstance(number, str) or not hasattr(number, "__float__"):
        raise TypeError(f"expected {expected}, found {number!r}")
    try:
        found = float(number)
    except OverflowError:
        found = math.inf if number > 0 else -math.inf
    if not fits(found):
        raise ValueError(f"expected {expected}, found {number}")
    return found
