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
from core.ticks import Tick, each, no_tick

#: Large odd numbers, so that words that differ in a few bits rarely give one product.
_ODD = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))

__all__ = ["row_beginnings", "row_digests", "value_digests"]


def row_digests(rows: RealArray) -> NDArray[np.void]:
    """(m,) 16-byte fingerprints of the stored bytes of each row. Time O(m d)."""
    digests = [hashlib.blake2b(row.tobytes(), digest_size=16).digest() for row in rows]
    return np.frombuffer(b"".join(digests), dtype="V16")


def row_beginnings(rows: RealArray) -> NDArray[np.uint64]:
    """(m,) one number for the first 16 bytes of each row, as stored. Equal rows begin alike."""
    columns = max(1, 16 // rows.itemsize)
    begun = np.ascontiguousarray(rows[:, :columns]).view(np.uint8).reshape(len(rows), -1)
    words = np.zeros((len(rows), 16), dtype=np.uint8)
    words[:, : begun.shape[1]] = begun[:, :16]
    first, second = words.view(np.uint64).T
    return np.asarray(first * _ODD[0] + second * _ODD[1])


def value_digests(rows: RealArray, tick: Tick = no_tick) -> NDArray[np.void]:
    """(n,) 16-byte fingerprints of an (n, d) real array, each row's numbers as float64.

    Time O(n d); one block of rows in float64. Two different rows share a fingerprint with
    probability about n^2 / 2^128.
    """
    n, dim = rows.shape
    found = np.empty(n, dtype="V16")
    for block in each(row_blocks(n, dim), tick):
        values = np.array(rows[block], dtype=np.float64, order="C")
        values += 0.0  # makes -0.0 a plain zero
        found[block] = row_digests(values)
    return found
