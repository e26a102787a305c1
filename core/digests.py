"""Fingerprints of rows: which rows occur twice, or in two files.

By their stored bytes, two rows match if they are equal bit for bit. By value, they match
if their numbers are equal, whatever type they are stored as: a row saved as float32
matches its float64 copy, and -0.0 matches 0.0.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from core.formats.loaded import RealArray
from core.rows import row_blocks

__all__ = ["row_beginnings", "row_digests", "rows_shared", "value_digests"]


def row_digests(rows: RealArray) -> NDArray[np.void]:
    """(m,) 16-byte fingerprints of the stored bytes of each row. Time O(m d)."""
    digests = [hashlib.blake2b(row.tobytes(), digest_size=16).digest() for row in rows]
    return np.frombuffer(b"".join(digests), dtype="V16")


def row_beginnings(rows: RealArray) -> NDArray[np.void]:
    """(m,) first bytes of each row, as stored; 16, or all of a shorter row. Equal rows begin alike."""
    columns = max(1, 16 // rows.itemsize)
    kept = np.ascontiguousarray(rows[:, :columns])
    return kept.view(f"V{kept.shape[1] * kept.itemsize}")[:, 0]


def value_digests(rows: RealArray) -> NDArray[np.void]:
    """(n,) 16-byte fingerprints of an (n, d) real array, each row's numbers as float64.

    Time O(n d); one block of rows in float64. Two different rows share a fingerprint with
    probability about n^2 / 2^128.
    """
    n, dim = rows.shape
    found = np.empty(n, dtype="V16")
    for block in row_blocks(n, dim):
        values = np.array(rows[block], dtype=np.float64, order="C")
        values += 0.0  # makes -0.0 a plain zero
        found[block] = row_digests(values)
    return found


def rows_shared(digests: NDArray[np.void], others: NDArray[np.void]) -> int:
    """Rows whose fingerprint occurs among others; each row counted once."""
    known = {bytes(digest) for digest in others}
    return sum(bytes(digest) in known for digest in digests)
