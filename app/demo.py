"""What the demo's controls do, and the shipped encoders it shows.

Runs in widget callbacks, before the page is drawn. A control changes one field of what the
state holds, and is noted there, so that the page can say what just happened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app import state

__all__ = ["ENCODERS", "ENCODER_KEY", "SIZE_KEY", "Encoder", "choose", "put_back", "shuffle", "slide"]

#: Real embeddings of the same texts that ship with the project; see sample_data/README.md.
_SAMPLES = Path(__file__).resolve().parents[1] / "sample_data"

ENCODER_KEY = "demo_encoder"
SIZE_KEY = "demo_size"


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoder:
    """A model whose embeddings are shipped.

    Attributes
    ----------
    folder
        Where its arrays are, and its key everywhere else.
    short
        What a room can read.
    full
        The model's own name.
    """

    folder: str
    short: str
    full: str

    @property
    def files(self) -> tuple[Path, Path]:
        """Its two sides, A and B."""
        return _SAMPLES / self.folder / "a.npy", _SAMPLES / self.folder / "b.npy"


#: From nearly isotropic to strongly anisotropic.
ENCODERS = {
    encoder.folder: encoder
    for encoder in (
        Encoder(folder="minilm", short="MiniLM", full="all-MiniLM-L6-v2"),
        Encoder(folder="e5_small", short="E5 small", full="multilingual-e5-small"),
        Encoder(folder="glove_50d", short="GloVe", full="the mean of GloVe word vectors"),
    )
}


def shuffle() -> None:
    """Pair every row with a stranger, other ones at each press."""
    _move("shuffle", shuffle=state.demo().shuffle + 1)


def put_back() -> None:
    """Put every row beside its own partner again."""
    _move("put_back", shuffle=0)


def choose() -> None:
    """Show another encoder's rows."""
    _move("choose", encoder=state.answer(ENCODER_KEY))


def slide() -> None:
    """Give every row the same extra coordinate."""
    _move("slide", size=state.answer(SIZE_KEY))


def _move(action: state.DemoAction, **changes: Any) -> None:
    state.set_demo(replace(state.demo(), **changes, last=action))
