"""Players that obey the mask."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def random_open(
    masks: npt.NDArray[np.int8], source: np.random.Generator
) -> npt.NDArray[np.int64]:
    """An open action in every row, each with the same chance."""
    chances = source.random(masks.shape, dtype=np.float32)
    chosen: npt.NDArray[np.int64] = np.argmax(chances * masks, axis=1)
    return chosen
