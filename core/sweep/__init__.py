"""The one pass over all n^2 scores: ranks, ties, rivals, histogram and spread of both readings.

    make_ready    one look at the stored rows: own cosines, floors, float32 rows (`sides`)
    sweep         the pass itself (`one_pass`); blocks of rows over threads (`blocks`, `workers`)
    pairing_sums  the scores of a few given pairings (`pairings`)

Beneath: `tiles` defines in float64 what is counted, `fast_tiles` counts the same at the
speed of the float32 product with compiled loops (`tile_kernel`, `pair_kernel`), `bounds`
says how far a float32 score can be off, and `rivals` finds each row's best other candidate.
"""

from core.sweep.one_pass import ReadingSweep, Sweep, sweep
from core.sweep.pairings import pairing_sums
from core.sweep.sides import CENTRED, RAW, ReadySide, ReadySides, make_ready
from core.sweep.workers import Progress

__all__ = [
    "CENTRED",
    "RAW",
    "Progress",
    "ReadingSweep",
    "ReadySide",
    "ReadySides",
    "Sweep",
    "make_ready",
    "pairing_sums",
    "sweep",
]
