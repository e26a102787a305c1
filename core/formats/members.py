"""Choosing one array among the named ones of an archive or a tensor file.

One matrix of numbers is taken without asking; several are offered; members nobody asked
for cannot spoil the reading of the one that was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import ChoiceNeeded, FormatError
from core.formats.listing import listed, shortened


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A named array as its header describes it.

    Attributes
    ----------
    key
        Name to choose it by: hostile text.
    shape
        As declared; `None` when the header cannot be read.
    dtype
        Type in the reader's words, or what is wrong with it.
    readable
        True when the type is one the audit reads.
    """

    key: str
    shape: tuple[int, ...] | None
    dtype: str
    readable: bool

    @property
    def is_matrix(self) -> bool:
        return self.readable and self.shape is not None and len(self.shape) >= 2

    def __str__(self) -> str:
        shape = "" if self.shape is None else f" {self.shape}"
        return f"{shortened(self.key)}{shape} {self.dtype}"


def chosen_member(members: Sequence[Member], name: str, key: str | None) -> Member:
    """Return the member to read.

    Raises
    ------
    ChoiceNeeded
        Several matrices and no key, or a key that is not there.
    FormatError
        Nothing that could be a matrix.
    """
    matrices = [member for member in members if member.is_matrix]
    if key is not None:
        found = next((member for member in members if member.key in (key, key.removesuffix(".npy"))), None)
        if found is None:
            raise _choice(matrices or members, name, f"{name} has no member {shortened(key)}")
        return found
    if len(matrices) == 1:
        return matrices[0]
    if matrices:
        raise _choice(matrices, name, f"{name} holds {len(matrices)} arrays that could be meant")
    if len(members) == 1:
        return members[0]  # its own reader says what is wrong with it
    raise _no_matrix(members, name)


def _choice(members: Sequence[Member], name: str, found: str) -> ChoiceNeeded:
    return ChoiceNeeded(
        f"{found}; it holds: {listed(map(str, members))}",
        choice="key",
        options=tuple(member.key for member in members),
        remedy="Say which one.",
    )


def _no_matrix(members: Sequence[Member], name: str) -> FormatError:
    held = listed(map(str, members)) or "nothing"
    if members and all(member.readable and member.shape and len(member.shape) == 1 for member in members):
        return FormatError(
            f"{name} holds {len(members):,} single vectors and no (n, d) array: {held}",
            remedy="Put them together in one order: np.save('new.npy', np.stack([z[k] for k in z.files])).",
        )
    return FormatError(
        f"{name} holds no (n, d) array of numbers; it holds: {held}",
        remedy="Save the embeddings alone: np.save('new.npy', x).",
    )
