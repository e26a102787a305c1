"""Pairs of arrays that are hard on a float32 sweep, each a function of a generator."""

import numpy as np


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


def a_few_the_same(rng):
    a, b = related(rng, 700, 12)
    a[::70], b[::70] = a[0], b[0]
    return a, b


def a_stretch_of_near_copies(rng):
    """Rows 0 to 149 of B are one row and noise of 1e-9: their tile is done in float64, those beside it are not."""
    a, b = related(rng, 700, 24, drift=4.0, noise=3.0)
    b = b.astype(np.float64)
    b[:150] = b[0] + 1e-9 * rng.standard_normal((150, 24))
    return a, b


def copies_on_both_sides(rng):
    """Some rows of A and others of B are one row each; some belong together, and one copy is its own partner."""
    a, b = related(rng, 700, 24, drift=4.0, noise=3.0)
    b[rng.random(700) < 0.2] = b[3]
    a[rng.random(700) < 0.15] = a[5]
    a[600:650], b[600:650] = a[600], b[600]
    return a, b


def few_rows_many_times(rng):
    a, b = related(rng, 700, 24)
    again = rng.integers(0, 90, 700)
    return a[again], b[again]


def lattice(rng):
    """Few distinct cosines, so nearly everything is a tie."""
    shift = np.array([3, 0, 0, 0, 0, 0])
    return rng.integers(-1, 2, (600, 6)) + shift, rng.integers(-1, 2, (600, 6)) + shift


def nearly_equal_cosines(rng):
    """All raw cosines within 1e-7 of each other."""
    a, b = related(rng, 520, 30)
    return 1 + 3e-4 * a, 1 + 3e-4 * b


def needle(rng):
    """Anisotropy 0.9999."""
    a, b = related(rng, 600, 40, drift=0)
    return a + 100, b + 100


def needle_with_a_stray_row(rng):
    a, b = needle(rng)
    a[33], b[77] = -a[33], -b[77]
    return a, b


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


def huge_and_tiny_norms(rng):
    a, b = related(rng, 530, 10)
    a, b = a * 1e200, b * 1e-200
    a[7], b[9] = a[7] * 1e107, b[9] * 1e-110  # near the largest number, and below the least normal one
    return a, b


def antipodal(rng):
    a = np.tile([[1.0, 0, 0], [-1.0, 0, 0]], (260, 1)) + 1e-3 * rng.standard_normal((520, 3))
    return a, a.copy()


def two_columns(rng):
    """So dense on the circle that many cosines lie within 1e-7 of each other."""
    return rng.standard_normal((900, 2)), rng.standard_normal((900, 2))


def wide_rows(rng):
    """More columns than enter one float32 product."""
    return related(rng, 530, 1500, drift=0.2, noise=8.0)


def three_rows(rng):
    return related(rng, 3, 4)


def one_more_than_a_segment(rng):
    return related(rng, 513, 5, noise=2.0)


CASES = [
    plain,
    unrelated,
    duplicated,
    half_the_same,
    a_few_the_same,
    a_stretch_of_near_copies,
    copies_on_both_sides,
    few_rows_many_times,
    lattice,
    nearly_equal_cosines,
    needle,
    needle_with_a_stray_row,
    collapsed,
    half_collapsed,
    half_precision,
    big_endian_fortran,
    whole_numbers,
    wide_norms,
    huge_and_tiny_norms,
    antipodal,
    two_columns,
    wide_rows,
    three_rows,
    one_more_than_a_segment,
]

#: Cases in which some margin lies within 1e-14 of the tie bound, so that a count may differ.
TOO_CLOSE = {half_collapsed}
