"""Two sides that belong together row by row, checked before anything is measured.

What makes the audit wrong is refused here, naming the file, the count and the first
offender; what is only worth a word becomes a notice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import SIDE_WORDS, AuditError, Notice, PairingError, Side
from core.formats.loaded import MISSING_VALUES, RealArray
from core.inspection import Inspection, RowList
from core.kept_rows import kept_rows
from core.limits import MIN_PAIRS
from core.paired_columns import refuse_other_columns
from core.paired_ids import refuse_other_rows, texts_elsewhere
from core.prose import agreed, counted

__all__ = [
    "NO_ROWS",
    "Pairs",
    "pair_up",
    "refuse_other_counts",
    "refuse_other_shapes",
    "refuse_too_few",
    "refuse_unusable",
    "words_about",
]

#: Numbers of no row.
NO_ROWS: NDArray[np.intp] = np.empty(0, dtype=np.intp)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Rows that can be compared: row i of `a` belongs with row i of `b`.

    Attributes
    ----------
    a, b
        (n, d) real arrays as stored: finite, no zero row, n >= 3.
    fit_a, fit_b
        (m, d) arrays to fit the means on, checked the same way, or `None`.
    dropped
        Numbers of the pairs left out on request, counting from 0 in the files.
    notices
        What is worth a word about the inputs.
    """

    a: RealArray
    b: RealArray
    fit_a: RealArray | None
    fit_b: RealArray | None
    dropped: RowList
    notices: tuple[Notice, ...]

    @property
    def numbers(self) -> NDArray[np.intp]:
        """(n,) the row of the files that each compared pair is, counting from 0."""
        return kept_rows(len(self.a), self.dropped.rows)


def pair_up(
    a: Inspection,
    b: Inspection,
    fit_a: Inspection | None = None,
    fit_b: Inspection | None = None,
    *,
    drop_bad_rows: bool = False,
    left_out: NDArray[np.intp] = NO_ROWS,
) -> Pairs:
    """Check that the files can be compared row by row.

    Parameters
    ----------
    a, b : Inspection
        The two sides.
    fit_a, fit_b : Inspection, optional
        Rows to fit the means on.
    drop_bad_rows : bool
        Leave out pairs in which either row is NaN, infinite or zero, and such fit rows.
    left_out : (k,) intp
        Numbers of pairs that are left out as well, with `drop_bad_rows`.

    Raises
    ------
    PairingError
        Different row counts or widths, rows that the files number or columns that they name
        differently, fewer than 3 pairs, or rows without a cosine.
    """
    refuse_other_shapes(a, b, fit_a, fit_b)
    refuse_other_rows(a.loaded, b.loaded)
    for one, other in ((a, b), (a, fit_a), (b, fit_b)):
        if other is not None:
            refuse_other_columns(one.loaded, other.loaded)
    given: list[tuple[Side, Inspection | None]] = [("a", a), ("b", b), ("fit_a", fit_a), ("fit_b", fit_b)]
    present = [(side, found) for side, found in given if found is not None]
    if not drop_bad_rows:
        for side, found in present:
            refuse_unusable(side, found)
    bad = np.union1d(np.union1d(a.unusable, b.unusable), left_out) if drop_bad_rows else NO_ROWS
    refuse_too_few(a, b, a.loaded.shape[0] - len(bad))
    return Pairs(
        a=_without(a.loaded.array, bad),
        b=_without(b.loaded.array, bad),
        fit_a=_fit_rows(fit_a, drop_bad_rows),
        fit_b=_fit_rows(fit_b, drop_bad_rows),
        dropped=RowList(rows=bad),
        notices=(
            *(notice for side, found in present for notice in words_about(side, found)),
            *texts_elsewhere(a.loaded, b.loaded),
        ),
    )


def refuse_too_few(a: Inspection, b: Inspection, n: int) -> None:
    """Refuse files that leave `n` pairs, where those are too few for a floor."""
    if n < MIN_PAIRS:
        raise PairingError(
            f"{a.loaded.name} and {b.loaded.name} leave {counted(n, 'usable pair')}, and the floor needs at least "
            f"{MIN_PAIRS}: with fewer there are too few unrelated pairs",
            remedy="Use files with more rows.",
        )


def refuse_other_shapes(
    a: Inspection, b: Inspection, fit_a: Inspection | None = None, fit_b: Inspection | None = None
) -> None:
    """Refuse files whose shapes alone say that they cannot be compared. Time O(1).

    Raises
    ------
    PairingError
        Different row counts or widths.
    """
    _same_shape(a, b)
    for name, fit in (("A", fit_a), ("B", fit_b)):
        if fit is not None:
            _same_width(fit, a, name)


def _same_shape(a: Inspection, b: Inspection) -> None:
    refuse_other_counts(a, b)
    dim_a, dim_b = a.loaded.shape[1], b.loaded.shape[1]
    if dim_a != dim_b:
        raise PairingError(
            f"{b.loaded.name} has {counted(dim_b, 'column')} and {a.loaded.name} has {dim_a:,}; "
            "a cosine needs the same width on both sides",
            remedy="Check that both files come from the same model: vectors of different models do not share a space. "
            "Two models that encode the same items are read on the page Two models, or with python -m core two-models.",
        )


def refuse_other_counts(a: Inspection, b: Inspection) -> None:
    """Refuse files of different numbers of rows. Time O(1)."""
    rows_a, rows_b = a.loaded.shape[0], b.loaded.shape[0]
    if rows_a != rows_b:
        raise PairingError(
            f"{b.loaded.name} has {counted(rows_b, 'row')} and {a.loaded.name} has {rows_a:,}; "
            "row i of one belongs with row i of the other, so the counts must match",
            remedy=_row_count_advice(a, b),
        )


def _row_count_advice(a: Inspection, b: Inspection) -> str:
    """The likely reason for different row counts, where the counts give it away."""
    if a.loaded.shape == b.loaded.shape[::-1]:
        return "One of them looks transposed: save the .T of the file whose rows are not the items."
    for many, few in ((b, a), (a, b)):
        ratio, rest = divmod(many.loaded.shape[0], few.loaded.shape[0])
        if rest == 0:
            return (
                f"{many.loaded.name} has exactly {ratio:,} rows for each row of {few.loaded.name}: "
                f"repeat the rows of {few.loaded.name} {ratio:,} times, or keep one of each {ratio:,}."
            )
    return _first_line_advice(a, b) or "Export both files again from the same list of items."


def _first_line_advice(a: Inspection, b: Inspection) -> str:
    """What was made of the first line of a table, where one row is missing or too many on its side."""
    few, many = sorted((a, b), key=lambda found: found.loaded.shape[0])
    if many.loaded.shape[0] - few.loaded.shape[0] != 1:
        return ""
    for found, code, advice in (
        (few, "header_row", " If it is a vector, put a line of names above it."),
        (many, "maybe_header", ""),
    ):
        for word in found.loaded.words:
            if word.code == code:
                return f"{found.loaded.name}: {word.text}{advice}"
    return ""


def _same_width(fit: Inspection, a: Inspection, side: str) -> None:
    width, needed = fit.loaded.shape[1], a.loaded.shape[1]
    if width != needed:
        raise PairingError(
            f"{fit.loaded.name}, the fit array of {side}, has {counted(width, 'column')} and the compared rows "
            f"have {needed:,}; a mean can only be subtracted from rows of its own width",
            remedy="Fit the mean on rows of the same model.",
        )


def refuse_unusable(side: Side, found: Inspection) -> None:
    """Refuse rows that have no cosine."""
    kinds = (
        (found.nan, "holds NaN", "hold NaN"),
        (found.infinite, "holds infinity", "hold infinity"),
        (found.zero, "is all zeros, so it has no direction", "are all zeros, so they have no direction"),
    )
    bad = [_bad_rows(rows, found, one if rows.count == 1 else many) for rows, one, many in kinds if rows]
    if not bad:
        return
    # Why there is NaN where the file has a word or nothing.
    bad += [word.text.rstrip(".") for word in found.loaded.words if word.code == MISSING_VALUES]
    raise PairingError(
        f"{found.loaded.name} ({SIDE_WORDS[side]}): {'; '.join(bad)}",
        remedy="Repair or remove those rows on both sides, or leave the pairs out "
        "(--drop-bad-rows, or the box on the page).",
    )


def _bad_rows(rows: RowList, found: Inspection, what: str) -> str:
    """ "2 of 40 rows hold NaN: row 3, 7 (counting from 0)"."""
    listed = ", ".join(f"{row:,}" for row in rows.first)
    more = ", …" if rows.count > len(rows.first) else ""
    return f"{rows.count:,} of {found.loaded.shape[0]:,} rows {what}: row {listed}{more} (counting from 0)"


def _without(rows: RealArray, bad: NDArray[np.intp]) -> RealArray:
    return np.delete(rows, bad, axis=0) if len(bad) else rows


def _fit_rows(fit: Inspection | None, drop_bad_rows: bool) -> RealArray | None:
    if fit is None:
        return None
    kept = _without(fit.loaded.array, fit.unusable if drop_bad_rows else np.empty(0, dtype=np.intp))
    if len(kept) == 0:
        raise AuditError(
            f"{fit.loaded.name} has no usable row to fit a mean on",
            remedy="Use a fit array with finite, non-zero rows.",
        )
    return kept


def words_about(side: Side, found: Inspection) -> list[Notice]:
    """What the audit can live with but a reader should know, about one file."""
    name, n = found.loaded.name, found.loaded.shape[0]
    notices = [Notice(code=word.code, side=side, text=word.text) for word in found.loaded.words]
    if found.repeats:
        count = found.repeats.count
        what = agreed(count, "is an exact duplicate", "are exact duplicates")
        notices.append(
            Notice(
                code="duplicate_rows",
                side=side,
                text=f"{name}: {count:,} of {n:,} rows {what} of an earlier row (first at row "
                f"{found.repeats.first[0]:,}, counting from 0); "
                f"{agreed(count, 'its partner ties', 'their partners tie')}.",
            )
        )
    if found.imprecise:
        count = found.imprecise.count
        what = agreed(count, "is so small (subnormal numbers) that its", "are so small (subnormal numbers) that their")
        notices.append(
            Notice(
                code="subnormal_rows",
                side=side,
                text=f"{name}: {count:,} of {n:,} rows {what} direction is imprecise.",
            )
        )
    return notices
