"""Choosing one array among the named ones of an archive or a tensor file.

One matrix of numbers is taken without asking; several are offered. So is a matrix that cannot
be read beside one that can: the vectors may be in either, and only the owner knows. Members
nobody asked for cannot spoil the reading of the one that was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import ChoiceNeeded, FormatError
from core.formats.column_kinds import TOKENS
from core.formats.listing import listed, shortened

#: An unreadable member whose shape is unknown may be the vectors from this part of a readable matrix's bytes on:
#: signs of one byte beside float64 are an eighth; an id and a label a row are less beside most embeddings.
_FEW = 8

#: Most members of which it is said why they cannot be read.
_MOST_REASONS = 4


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
    size
        Bytes it unpacks to, as declared.
    why
        Why it cannot be read, as a sentence about "it"; empty for what can be.
    is_objects
        True for Python objects, which are never the vectors: nothing but a pickle could hold them.
    """

    key: str
    shape: tuple[int, ...] | None
    dtype: str
    readable: bool
    size: int = 0
    why: str = ""
    is_objects: bool = False

    @property
    def is_matrix(self) -> bool:
        return self.readable and self.shape is not None and len(self.shape) >= 2

    def __str__(self) -> str:
        shape = "" if self.shape is None else f" {self.shape}"
        return f"{shortened(self.key)}{shape} {self.dtype}"


def is_of_tokens(member: Member) -> bool:
    """True for whole numbers that a tokenizer made, by name and type."""
    return member.is_matrix and member.key in TOKENS and member.dtype.startswith(("int", "uint"))


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
    candidates = matrices + _unreadable(members, beside=matrices)
    if key is not None:
        found = next((member for member in members if member.key in (key, key.removesuffix(".npy"))), None)
        if found is None:
            raise _choice(candidates or members, name, f"{name} has no member {shortened(key)}")
        return found
    rest = [member for member in candidates if not is_of_tokens(member)]
    if len(rest) == 1 and rest[0].dtype.startswith("float"):
        return rest[0]
    if len(candidates) == 1:
        return candidates[0]
    if matrices:
        raise _choice(candidates, name, f"{name} holds {len(candidates)} arrays that could be meant")
    if len(members) == 1:
        return members[0]  # its own reader says what is wrong with it
    raise _no_matrix(members, name)


def _unreadable(members: Sequence[Member], *, beside: Sequence[Member]) -> list[Member]:
    """Members that cannot be read and may be the vectors.

    By shape, where it is known: two axes longer than one. Else by size: fewer bytes than an
    eighth of the largest matrix that can be read are a remark, a table of a few fields or the like.
    """
    least = max((member.size for member in beside), default=0) // _FEW
    found = []
    for member in members:
        if member.readable or member.is_objects:
            continue
        is_wide = member.shape is not None and sum(size > 1 for size in member.shape) > 1
        if is_wide or (member.shape is None and member.size >= max(least, 1)):
            found.append(member)
    return found


def _choice(members: Sequence[Member], name: str, found: str) -> ChoiceNeeded:
    return ChoiceNeeded(
        f"{found}; it holds: {listed(map(str, members))}{_reasons(members)}",
        choice="key",
        options=tuple(member.key for member in members),
        remedy="Say which one.",
    )


def _reasons(members: Sequence[Member]) -> str:
    """Why each of the members that cannot be read cannot, of many the first."""
    odd = [member for member in members if member.why]
    said = "".join(f". {shortened(member.key)} cannot be read: {member.why}" for member in odd[:_MOST_REASONS])
    rest = len(odd) - _MOST_REASONS
    return said if rest < 1 else f"{said}. Nor can {rest:,} more"


def _no_matrix(members: Sequence[Member], name: str) -> FormatError:
    held = listed(map(str, members)) or "nothing"
    if members and all(member.readable and member.shape and len(member.shape) == 1 for member in members):
        return FormatError(
            f"{name} holds {len(members):,} single vectors and no (n, d) array: {held}",
            remedy="Put them together in one order: np.save('new.npy', np.stack([z[k] for k in z.files])).",
        )
    return FormatError(
        f"{name} holds no (n, d) array of numbers; it holds: {held}{_reasons(members)}",
        remedy="Save the embeddings alone: np.save('new.npy', x).",
    )
