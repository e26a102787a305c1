"""Pairs of files whose *values* or sizes are the trouble, each built from code.

A table: name -> what is given for each side, what must become of it, and words that must be
said. Single files whose bytes are the trouble are in `tests.hostile`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

N, D = 64, 16
_rng = np.random.default_rng(11)
_things = _rng.standard_normal((N, D)) + 1.5 * np.eye(D)[0]
A = (_things + 0.5 * _rng.standard_normal((N, D))).astype("f4")
B = (_things + 0.5 * _rng.standard_normal((N, D))).astype("f4")
FIT = (_rng.standard_normal((300, D)) + 1.5 * np.eye(D)[0]).astype("f4")
APART = (_rng.standard_normal((300, D)) - 4 * np.eye(D)[1]).astype("f4")
NULL_A, NULL_B = (_rng.standard_normal((N, D)).astype("f4") for _ in "ab")

Given = dict[str, np.ndarray]


@dataclass(frozen=True, kw_only=True)
class PairCase:
    """What each side is given, the decision ("take" or "refuse"), and the words that must be said.

    Attributes
    ----------
    centred
        False where the centred reading must be said to be undefined.
    """

    build: Callable[[], Given]
    decision: str
    say: tuple[tuple[str, ...], ...] = ()
    centred: bool = True


def take(a: np.ndarray, b: np.ndarray, *say: tuple[str, ...], centred: bool = True, **fits: np.ndarray) -> PairCase:
    return PairCase(build=lambda: {"a": a, "b": b, **fits}, decision="take", say=say, centred=centred)


def refuse(a: np.ndarray, b: np.ndarray, *say: tuple[str, ...], **fits: np.ndarray) -> PairCase:
    return PairCase(build=lambda: {"a": a, "b": b, **fits}, decision="refuse", say=say)


def changed(rows: np.ndarray, *places: tuple[object, float]) -> np.ndarray:
    """A copy with some rows or entries overwritten."""
    copy = rows.copy()
    for place, value in places:
        copy[place] = value
    return copy


def scaled(rows: np.ndarray, exponents: object) -> np.ndarray:
    return np.ldexp(rows.astype("f8"), exponents)


_ROW = np.tile(A[:1], (N, 1))
_TWICE = np.repeat(B[::2], 2, axis=0)
_ROGUE = 40 * np.eye(D, dtype="f4")[3]
_OFFSET = 3 * np.eye(D, dtype="f4")[5]
_SIGNS = np.sign(A[:, :1])
_WIDE = _rng.standard_normal((40, 768)).astype("f4")

VALUES = {
    "ordinary": take(A, B),
    "unrelated": take(NULL_A, NULL_B, ("chance",)),
    "one_nan": refuse(changed(A, ((17, 3), np.nan)), B, ("nan",), ("1 of 64 rows",), ("row 17",), ("side a",)),
    "nan_row_of_b": refuse(A, changed(B, (40, np.nan)), ("nan",), ("row 40",), ("side b",)),
    "all_nan": refuse(A * np.nan, B, ("nan",), ("64 of 64",)),
    "infinite": refuse(changed(A, ((5, 1), np.inf), ((9, 0), -np.inf)), B, ("infinity",), ("2 of 64",), ("row 5, 9",)),
    "zero_rows": refuse(changed(A, ([3, 30, 60], 0)), B, ("zeros",), ("3 of 64",), ("row 3, 30, 60",)),
    "negative_zeros": refuse(changed(A, (3, -0.0)), B, ("zeros",), ("row 3",)),
    "norm_1e200": take(scaled(A, 664), B),
    "norm_1e-200": take(scaled(A, -664), B),
    "one_row_1e200": take(scaled(A, np.where(np.arange(N) == 20, 664, 0)[:, None]), B),
    "six_decades": take(scaled(A, _rng.integers(-10, 10, (N, 1))), B),
    "largest_float64": take(A / np.abs(A).max(1, keepdims=True).astype("f8") * np.finfo("f8").max, B),
    "largest_float16": take((A / np.abs(A).max() * 65_504).astype("f2"), B),
    "subnormal": take(np.round(A * 999).astype("f8") * 5e-324, B, ("subnormal",)),
    "identical_rows": take(_ROW, _ROW + 0, ("no spread",), ("undefined",), centred=False),
    "identical_rows_of_one_side": take(_ROW, B, ("undefined",), ("duplicate",), centred=False),
    "b_is_a": take(A, A + 0, ("same file",)),
    "b_is_a_in_another_type": take(A, A.astype("f8"), ("same direction", "equal")),
    "b_is_minus_a": take(A, -A, ("negative",)),
    "duplicates": take(A, _TWICE, ("duplicate",), ("tie",)),
    "shuffled": take(A, B[np.random.default_rng(0).permutation(N)], ("chance",), ("order",)),
    "rogue_dimension": take(A + _ROGUE, B + _ROGUE, ("anisotropy",)),
    "modality_gap": take(A + _OFFSET, B - _OFFSET, ("apart",), ("separate means",)),
    "rounds_above_one": take(_WIDE, _WIDE + 0, ("same file",)),
}

SIZES = {
    "no_rows": refuse(A[:0], B[:0], ("no rows",)),
    "no_columns": refuse(A[:, :0], B[:, :0], ("no columns",)),
    "one_row": refuse(A[:1], B[:1], ("at least 3",)),
    "two_rows": refuse(A[:2], B[:2], ("at least 3",)),
    "three_rows": take(A[:3], B[:3], ("n = 3",), ("few",)),
    "one_column": take(_SIGNS, np.sign(B[:, :1]), ("1 dimension",)),
    "transposed": refuse(A.T, B, ("a.npy has 16",), ("64",), ("transposed",)),
    "one_row_less": refuse(A[:-1], B, ("63",), ("64",)),
    "five_for_each": refuse(A, np.repeat(B, 5, axis=0), ("320",), ("64",), ("exactly 5 rows for each",)),
    "five_for_each_the_other_way": refuse(np.repeat(A, 5, axis=0), B, ("exactly 5 rows for each",)),
    "other_model": refuse(np.tile(A, 2), B, ("a.npy has 32",), ("16",), ("model",)),
}

FITS = {
    "fit_both": take(A, B, fit_a=FIT, fit_b=FIT[:200]),
    "fit_one": take(A, B, fit_a=FIT),
    "fit_isotropic": take(A, B, fit_a=NULL_A, fit_b=NULL_B),
    "fit_of_other_width": refuse(A, B, ("fit array of a",), ("32 columns",), ("16",), fit_a=np.tile(FIT, 2)),
    "fit_b_of_other_width": refuse(A, B, ("fit array of b",), ("8 columns",), fit_b=FIT[:, :8]),
    "fit_empty": refuse(A, B, ("fit",), ("no rows",), fit_a=FIT[:0]),
    "fit_with_nan": refuse(A, B, ("fit",), ("nan",), ("row 2",), fit_b=changed(FIT, (2, np.nan))),
    "fit_is_one_row_of_a": take(A, B, ("undefined",), ("row 0",), centred=False, fit_a=A[:1]),
    "fit_off_domain": take(A, B, ("after centring",), ("remains", "share"), fit_a=APART, fit_b=APART),
}

PAIRS = VALUES | SIZES | FITS
