"""Where long work says how far it is, and can be stopped: between any two of its blocks.

Work that counts its own steps takes a `Progress`. Work that is one step of something larger
takes a `Tick`, as its last argument: called between blocks, it repeats how far the whole is,
and what it raises stops the work there. A single product or decomposition is never divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

__all__ = ["Progress", "Tick", "each", "no_tick", "step_of"]

Block = TypeVar("Block")

#: Called with (done, total, message) from the thread that asked for the work; may raise
#: `core.errors.Cancelled`, or anything else, to stop it.
Progress = Callable[[int, int, str], None]

#: Called between blocks of work, from the same thread; may raise to stop it.
Tick = Callable[[], None]


def no_tick() -> None:
    """Nobody listens."""


def step_of(progress: Progress | None, done: int, total: int, message: str) -> Tick:
    """What the work between two counts calls: it says the same however often.

    Parameters
    ----------
    progress : callable or None
        Who listens.
    done, total, message
        What is said.
    """
    if progress is None:
        return no_tick
    return lambda: progress(done, total, message)


def each(blocks: Iterable[Block], tick: Tick) -> Iterator[Block]:
    """The same blocks, with a tick before each."""
    for block in blocks:
        tick()
        yield block
