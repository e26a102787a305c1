"""Which pairs belong together: declared by one id a row, or proposed by duplicate rows.

Declared ids decide what "unrelated" means and what intervals leave out. Duplicates only
*propose* groups: that two pairs share a row does not say that their owner means them to be
one thing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import PairingError
from core.formats.ids import GroupIds
from core.formats.row_ids import whole_number
from core.groups import Groups, duplicate_groups, groups_from_ids
from core.prose import counted
from core.same_direction import repeated

__all__ = [
    "GroupIds",
    "GroupRecord",
    "IdsRecord",
    "ProposedGroups",
    "declared_groups",
    "proposed_groups",
    "said_ids",
    "tied_by_duplicates",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdsRecord:
    """Ids that were given, as a report names them.

    Attributes
    ----------
    name, sha256
        Of the ids file; empty where ids came from a program.
    count
        G, different ids of the compared pairs.
    """

    name: str
    sha256: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRecord(IdsRecord):
    """The declared groups of an audit.

    Attributes
    ----------
    smallest, largest
        Pairs in a group.
    n_unrelated
        Pairs of rows of different groups.
    effective_count
        The number of equal groups that would vary as much.
    plain_raw_floor
        Raw floor over all i != j, own group or not.
    raw_inflation
        How far that lies above the floor over different groups.
    centred_kin
        sum_g |A_g|^2 / n, sum_g |B_g|^2 / n, sum_g A_g . B_g / n of the centred rows; without
        groups 1, 1 and matched. They give the part of the centred floor that is forced.
    trimmed
        Ids that lost blanks at an end.
    """

    smallest: int
    largest: int
    n_unrelated: int
    effective_count: float
    plain_raw_floor: float
    raw_inflation: float
    centred_kin: tuple[float, float, float]
    trimmed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedGroups:
    """Groups that duplicate rows propose: pairs that share a row of A or of B, whatever its length, in chains.

    Attributes
    ----------
    count
        Groups over all pairs, those of one pair included.
    n_pairs
        Pairs that share a row with another.
    largest
        Most pairs in one group.
    """

    count: int
    n_pairs: int
    largest: int


def said_ids(groups: GroupIds | ArrayLike) -> GroupIds:
    """Ids as `audit` takes them: from a file, or any sequence of whole numbers or text."""
    return groups if isinstance(groups, GroupIds) else GroupIds.of(groups)


def declared_groups(ids: GroupIds, n_rows: int, dropped: NDArray[np.intp]) -> Groups:
    """Groups of the compared pairs.

    Parameters
    ----------
    ids : GroupIds
        One id for each row of the files, in their order; a text file may start with a heading, and a first line
        that reads like one, such as "group", is one whatever the count.
    n_rows : int
        Rows of the files.
    dropped : (k,) intp
        Rows left out.

    Raises
    ------
    PairingError
        Not one id a row, or fewer than 3 different ids.
    """
    values, below = ids.values, ""
    if ids.heading:
        values, below = values[1:], f" below its heading {ids.heading!r}"
    elif ids.may_have_heading and len(values) == n_rows + 1 and _may_be_heading(values):
        values = values[1:]
    if len(values) != n_rows:
        raise PairingError(
            f"{ids.name} holds {counted(len(values), 'id')}{below} and the files have {counted(n_rows, 'row')}; "
            "each row needs one id",
            remedy="Save one id a row, in the order of the rows.",
        )
    return groups_from_ids(np.delete(values, dropped), n_rows - len(dropped))


def _may_be_heading(values: NDArray[np.generic]) -> bool:
    """True for a first line that is no number and no id of the others: anything else is one id too many."""
    first = str(values[0])
    return whole_number(first) is None and not bool(np.any(values[1:] == values[0]))


def tied_by_duplicates(kinds_a: NDArray[np.intp], kinds_b: NDArray[np.intp]) -> Groups | None:
    """Pairs that share a row of A or of B up to its length, in chains; `None` where none do.

    Parameters
    ----------
    kinds_a, kinds_b : (n,) intp
        From `core.same_direction.direction_kinds`.
    """
    if repeated(kinds_a) + repeated(kinds_b) == 0:
        return None
    return duplicate_groups(kinds_a, kinds_b)


def proposed_groups(groups: Groups) -> ProposedGroups | None:
    """What the duplicates of two sides propose; `None` where no pair shares a row."""
    if groups.are_pairs:
        return None
    shared = groups.sizes[groups.sizes > 1]
    return ProposedGroups(count=groups.count, n_pairs=int(shared.sum()), largest=int(shared.max()))
