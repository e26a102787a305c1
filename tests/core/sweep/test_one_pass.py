"""The sweep counts what a plain float64 computation of the whole score matrix counts.

The oracle below shares no code with the product: it forms both n by n matrices and
compares them entry by entry.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from core.sweep import Sweep, make_ready, sweep

TIE = 1e-12
BINS = 400


@dataclass
class Oracle:
    """`rounding` is what rounding of the unit rows leaves of a cosine, enlarged by centring."""

    rounding: float
    scores: np.ndarray
    own: np.ndarray
    better: np.ndarray
    tied: np.ndarray
    better_back: np.ndarray
    tied_back: np.ndarray


def unit(rows):
    rows = np.asarray(rows, dtype=np.float64)
    rows = rows / 2.0 ** np.floor(np.log2(np.abs(rows).max(axis=1)))[:, None]
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def oracle(a, b, mean_a=None, mean_b=None):
    u, v = unit(a), unit(b)
    rounding = 5e-15
    if mean_a is not None:
        u, v = u - mean_a, v - mean_b
        rounding /= min(np.linalg.norm(u, axis=1).min(), np.linalg.norm(v, axis=1).min())
        u, v = unit(u), unit(v)
    scores = u @ v.T
    own = (u * v).sum(axis=1)
    others = ~np.eye(len(u), dtype=bool)
    ahead_a = scores - own[:, None]
    ahead_b = scores - own[None, :]
    return Oracle(
        rounding=rounding,
        scores=scores,
        own=own,
        better=((ahead_a > TIE) & others).sum(axis=1),
        tied=((np.abs(ahead_a) <= TIE) & others).sum(axis=1),
        better_back=((ahead_b > TIE) & others).sum(axis=0),
        tied_back=((np.abs(ahead_b) <= TIE) & others).sum(axis=0),
    )


def own_means(a, b):
    return unit(a).mean(axis=0), unit(b).mean(axis=0)


def run(a, b, means=None, *, fast=True, n_workers=2, tile=(32, 600), **options) -> Sweep:
    mean_a, mean_b = means or own_means(a, b)
    sides = make_ready(a, b, mean_a, mean_b, in_float32=fast, n_workers=n_workers)
    return sweep(sides, n_workers=n_workers, tile=tile, **options)


def related(rng, n, dim, drift=1.0, noise=0.7):
    a = rng.standard_normal((n, dim)) + drift
    return a, a + noise * rng.standard_normal((n, dim))


def plain(rng):
    return related(rng, 700, 24)


def unrelated(rng):
    return rng.standard_normal((650, 16)) + 0.3, rng.standard_normal((650, 16)) + 0.3


def duplicated(rng):
    a, b = related(rng, 150, 12)
    return np.repeat(a, 4, axis=0), np.repeat(b, 4, axis=0)


def half_the_same(rng):
    a, b = related(rng, 500, 12)
    a[::2], b[::2] = a[0], b[0]
    return a, b


def lattice(rng):
    """Few distinct cosines, so nearly everything is a tie."""
    return rng.integers(-1, 2, (600, 6)) + np.array([3, 0, 0, 0, 0, 0]), rng.integers(-1, 2, (600, 6)) + np.array(
        [3, 0, 0, 0, 0, 0]
    )


def nearly_equal_cosines(rng):
    """Unrelated cosines within 1e-7 of each other and of the own ones."""
    a, b = related(rng, 520, 30)
    return 1 + 3e-4 * a, 1 + 3e-4 * b


def needle(rng):
    """Anisotropy 0.9999."""
    a, b = related(rng, 600, 40, drift=0)
    return a + 100 / np.sqrt(40) * 6.3, b + 100 / np.sqrt(40) * 6.3


def collapsed(rng):
    """Spread 1e-7: raw cosines differ by about 1e-14 and are all ties."""
    a, b = related(rng, 520, 8)
    return 1 + 1e-7 * a, 1 + 1e-7 * b


def half_collapsed(rng):
    """Spread 1e-6: raw differences of the order of the tie bound."""
    a, b = related(rng, 520, 8)
    return 1 + 1e-6 * a, 1 + 1e-6 * b


def half_precision(rng):
    a, b = related(rng, 640, 20)
    return a.astype(np.float16), b.astype(np.float16)


def big_endian_fortran(rng):
    a, b = related(rng, 640, 20)
    return np.asfortranarray(a.astype(">f4")), np.asfortranarray(b.astype(">f2"))


def whole_numbers(rng):
    return rng.integers(-100, 100, (620, 9), dtype=np.int8), rng.integers(-100, 100, (620, 9), dtype=np.int8)


def wide_norms(rng):
    a, b = related(rng, 700, 24)
    scale = 10.0 ** rng.uniform(-3, 3, (2, 700, 1))
    return (a * scale[0]).astype(np.float32), (b * scale[1]).astype(np.float32)


def huge_norms(rng):
    a, b = related(rng, 530, 10)
    return a * 1e200, b * 1e-200


def antipodal(rng):
    a = np.tile([[1.0, 0, 0], [-1.0, 0, 0]], (260, 1)) + 1e-3 * rng.standard_normal((520, 3))
    return a, a.copy()


def two_columns(rng):
    return rng.standard_normal((900, 2)), rng.standard_normal((900, 2))


CASES = [
    plain,
    unrelated,
    duplicated,
    half_the_same,
    lattice,
    nearly_equal_cosines,
    needle,
    collapsed,
    half_collapsed,
    half_precision,
    big_endian_fortran,
    whole_numbers,
    wide_norms,
    huge_norms,
    antipodal,
    two_columns,
]


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@pytest.mark.parametrize("fast", [True, False], ids=["float32", "float64"])
@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_counts_are_those_of_the_whole_float64_matrix(rng, make, fast):
    a, b = make(rng)
    mean_a, mean_b = own_means(a, b)
    found = run(a, b, fast=fast)
    for reading, expected in ((found.raw, oracle(a, b)), (found.centred, oracle(a, b, mean_a, mean_b))):
        np.testing.assert_allclose(reading.own, expected.own, rtol=0, atol=expected.rounding)
        np.testing.assert_array_equal(reading.better_a_to_b, expected.better)
        np.testing.assert_array_equal(reading.tied_a_to_b, expected.tied)
        np.testing.assert_array_equal(reading.better_b_to_a, expected.better_back)
        np.testing.assert_array_equal(reading.tied_b_to_a, expected.tied_back)
        scores = expected.scores.copy()
        np.fill_diagonal(scores, -9)
        best = scores.max(axis=1)
        np.testing.assert_allclose(reading.rival_margin_a_to_b, expected.own - best, rtol=0, atol=expected.rounding)
        np.testing.assert_array_equal(reading.rival_a_to_b, (scores >= best[:, None] - TIE).argmax(axis=1))
