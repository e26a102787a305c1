"""The alarm of every ordinary audit: do A and B look like different coordinate systems?

If the cosines between A and B are near their floor, yet a map fitted on half of the pairs
raises the gap of the *other* half, then the rows do belong together and only the axes do
not. A plain test of the gap cannot see that: fixed rotations give gaps far from zero in
either direction at ranks of pure chance.

Three conditions, all needed: the map raises the gap of the held-out half by more than two
standard errors, debiased CKA is above its permutation null (p <= .01), and then either the
plain gap is below half of the mapped one (*strong*: different coordinate systems) or the
map adds more than .1 (*weak*: a map helps). Otherwise silent.

A few rows that are alike on each side (empty texts, one boilerplate) are lined up by any map, and their
gain alone lifts the mean though the map brings nothing for all other rows. So the gain is asked of the
middle rows too: where it is well below the mean, *few_rows* carry it, and they are named instead.

Where neighbouring rows of both sides are alike (sentences of one text, steps of one series),
a compared row stands between train rows that are nearly it, and shuffled rows are no fair
null: unrelated series look related. What would have been an alarm is then asked again, with
the first part of the file against the last, and a null that moves one side along the other
and holds only rows far apart in the file against each other.

Blind spot: where the spaces are only partly turned against each other and there are fewer
train rows than columns, the map loses more than it gains and the alarm stays silent. So
there a few hundred pairs say all that can be said, and no more are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.alike_rows import PARTS_APART, neighbours_alike, parts_of_file, rows_apart
from core.cka import cka_null
from core.errors import PairingError
from core.floor import NO_SPREAD
from core.formats.loaded import RealArray
from core.gap_values import GapValues, gap_values
from core.jackknife import jackknife_error
from core.limits import ALARM_CKA_ROWS, ALARM_MAX_DIM, ALARM_PAIRS, ALARM_SHORT_PAIRS
from core.permutation_null import PermutationNull
from core.procrustes import OrthogonalMap, fit_map, half_split
from core.prose import counted
from core.rows import UnitRows
from core.ticks import Tick, no_tick

__all__ = ["CoordinateAlarm", "MapGain", "coordinate_alarm", "map_gain", "not_asked", "pairs_looked_at"]

Strength = Literal["strong", "weak", "few_rows", "silent"]

#: Fewer pairs leave halves of under ten rows, on which no error can be trusted.
MIN_ALARM_PAIRS = 20

#: The gain must exceed this many standard errors.
GAIN_ERRORS = 2.0

#: CKA must be this rare under shuffled rows.
CKA_LEVEL = 0.01

#: Shuffles: enough for p = .005, the smallest that leaves room below `CKA_LEVEL`.
ALARM_PERMUTATIONS = 199

#: Why the alarm says nothing of such files.
NEIGHBOURS_ALIKE = (
    "neighbouring rows of A are alike, and so are those of B, so a map that helps cannot be told from one that rows "
    "beside each other make"
)

#: The gain of the middle rows leaves out so much at either end.
TAIL_SHARE = 0.1

#: Few rows carry the gain where that of the middle rows is below this share of it: the larger one where the other rows
#: lose by the map all together, as also a weak link can have it by noise.
LESS, MUCH_LESS = 0.8, 0.6

#: Rows named where few carry the gain.
ROWS_NAMED = 5

#: A weak alarm needs the map to add this much.
WEAK_GAIN = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class MapGain:
    """Gap of held-out pairs without and with a map fitted on other pairs.

    Attributes
    ----------
    plain
        Gap of the compared rows centred on the train means, as they are.
    mapped
        Gap of the same rows after the map.
    error
        Jackknife standard error of mapped - plain, both taken on the same pairs.
    plain_error
        That of plain alone.
    middle
        mapped - plain of the middle rows: mean over the pairs without the tenth at either end; `None` if not asked.
    top_share
        What the tenth of the pairs that gain most adds, as a share of the gain; above 1 all others lose by the map.
    top
        Pairs that gain most, by their number among the compared ones, the first most.
    """

    plain: float
    mapped: float
    error: float
    plain_error: float
    middle: float | None = None
    top_share: float = 0.0
    top: tuple[int, ...] = ()

    @property
    def gain(self) -> float:
        return self.mapped - self.plain


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinateAlarm:
    """Whether A and B look like different coordinate systems.

    Attributes
    ----------
    strength
        ``"strong"``, ``"weak"``, ``"few_rows"`` (the map helps, but few rows alone) or ``"silent"``.
    not_run
        Why the alarm did not look; empty if it did.
    gain
        What the map did on held-out rows; `None` if not run.
    cka
        Debiased CKA beside its null; `None` if the gain alone kept the alarm silent.
    n_pairs, n_train, n_compared
        Pairs looked at (a seeded subset of large files), and its two halves.
    neighbours_alike
        True if neighbouring rows are alike on both sides: the halves are then the first and the
        last part of the file, and CKA's null moves one side along the other.
    few_rows
        Rows that gain most, where few carry the gain: compared rows, or, from an audit, rows of the files.
    """

    strength: Strength
    not_run: str
    gain: MapGain | None
    cka: PermutationNull | None
    n_pairs: int
    n_train: int
    n_compared: int
    neighbours_alike: bool = False
    few_rows: tuple[int, ...] = ()

    def at(self, numbers: NDArray[np.intp]) -> CoordinateAlarm:
        """The same with rows named by other numbers: row i is `numbers[i]`."""
        return replace(self, few_rows=tuple(int(numbers[row]) for row in self.few_rows))


def coordinate_alarm(
    a: RealArray,
    b: RealArray,
    *,
    rng: np.random.Generator,
    rows: NDArray[np.intp] | None = None,
    max_dim: int = ALARM_MAX_DIM,
    tick: Tick = no_tick,
) -> CoordinateAlarm:
    """Look for two coordinate systems in a subset of the pairs.

    Parameters
    ----------
    a, b : (n, d) real arrays
        Stored rows, finite and not zero; row i belongs with row i.
    rng : Generator
        Draws the subset, the halves and the shuffles.
    rows : (k,) intp, optional
        Pairs to draw from, all by default. Of pairs that belong together only one should be
        among them: a map fitted on one of them would know the others.
    max_dim : int
        Wider rows are left alone.
    tick : callable
        Called between the parts; see `core.procrustes.fit_map` for the longest.

    Notes
    -----
    With m pairs drawn time O(m d min(m, d)); the shuffles, only when the map helps, take
    O(`ALARM_CKA_ROWS`^2) each. float64. All of it twice where it would speak and neighbouring rows are alike.
    """
    dim = a.shape[1]
    rows = np.arange(len(a)) if rows is None else rows
    n = len(rows)
    if n < MIN_ALARM_PAIRS:
        return not_asked(f"{counted(n, 'independent pair')}: fewer than {MIN_ALARM_PAIRS} cannot be halved")
    if dim > max_dim:
        return not_asked(f"rows of {dim:,} columns: above {max_dim:,} the map would take longer than the audit")
    chosen = np.sort(rng.choice(rows, size=pairs_looked_at(n, dim), replace=False))
    a, b = a[chosen], b[chosen]
    try:
        found = _asked(a, b, half_split(len(chosen), rng), rng, tick=tick)
        if found.strength == "silent" or not (neighbours_alike(a, tick=tick) and neighbours_alike(b, tick=tick)):
            return found.at(chosen)
        far = rows_apart(len(chosen))
        alike = neighbours_alike(a, far, tick=tick) and neighbours_alike(b, far, tick=tick)
        cka = None if alike else _cka(a, b, rng, apart=PARTS_APART, tick=tick)
        if cka is None or cka.pvalue > CKA_LEVEL:
            return not_asked(NEIGHBOURS_ALIKE)
        return _asked(a, b, parts_of_file(len(chosen)), rng, cka=cka, tick=tick).at(chosen)
    except PairingError:
        return not_asked("one side has no spread left after centring, so there is nothing to map")


def _asked(
    a: RealArray,
    b: RealArray,
    halves: tuple[NDArray[np.intp], NDArray[np.intp]],
    rng: np.random.Generator,
    *,
    cka: PermutationNull | None = None,
    tick: Tick = no_tick,
) -> CoordinateAlarm:
    """What a map fitted on one half says of the other; `cka` is that of alike neighbours, if they are."""
    train, compared = halves
    gain = map_gain(fit_map(a[train], b[train], tick), a[compared], b[compared], tick)
    helps = gain.error > NO_SPREAD and gain.gain > GAIN_ERRORS * gain.error
    size: Strength = _size(gain) if helps else "silent"
    alike = cka is not None
    if size != "silent" and cka is None:
        cka = _cka(a, b, rng, tick=tick)
    strength: Strength = size if cka is not None and cka.pvalue <= CKA_LEVEL else "silent"
    return CoordinateAlarm(
        strength=strength,
        not_run="",
        gain=gain,
        cka=cka,
        n_pairs=len(a),
        n_train=len(train),
        n_compared=len(compared),
        neighbours_alike=alike,
        few_rows=tuple(int(compared[row]) for row in gain.top) if strength == "few_rows" else (),
    )


def _cka(
    a: RealArray, b: RealArray, rng: np.random.Generator, *, apart: float = 0.0, tick: Tick = no_tick
) -> PermutationNull | None:
    return cka_null(
        a,
        b,
        n_permutations=ALARM_PERMUTATIONS,
        rng=rng,
        n_rows=ALARM_CKA_ROWS,
        apart=apart,
        progress=lambda *_: tick(),  # a part of the alarm's one step
    )


def map_gain(fitted: OrthogonalMap, a: RealArray, b: RealArray, tick: Tick = no_tick) -> MapGain:
    """Gap of compared rows before and after a map, with the error of the difference.

    Parameters
    ----------
    fitted : OrthogonalMap
        Fitted on other rows.
    a, b : (n, d) real arrays
        Compared rows of equal width, n >= 3.
    """
    plain = gap_values(UnitRows(a, fitted.mean_a), UnitRows(b, fitted.mean_b), tick)
    mapped: GapValues = gap_values(*fitted.mapped(a, b, tick), tick)
    by_pair = mapped.pseudo_values - plain.pseudo_values
    order = np.argsort(by_pair)
    tail = max(1, int(TAIL_SHARE * len(order)))
    ranked = by_pair[order]
    return MapGain(
        plain=plain.gap,
        mapped=mapped.gap,
        error=jackknife_error(mapped.delete_one - plain.delete_one),
        plain_error=plain.error,
        middle=float(ranked[tail:-tail].mean()),
        top_share=float(ranked[-tail:].sum() / (ranked.sum() or 1.0)),
        top=tuple(int(row) for row in order[::-1][:ROWS_NAMED]),
    )


def pairs_looked_at(n: int, dim: int) -> int:
    """Pairs of n that the alarm draws: all, up to a bound; few where half of them are fewer than columns."""
    most = min(n, ALARM_PAIRS)
    return most if most >= 2 * dim else min(most, max(ALARM_SHORT_PAIRS, n // 4))


def _size(gain: MapGain) -> Strength:
    speaks = gain.plain < gain.mapped / 2 or gain.gain > WEAK_GAIN
    if speaks and gain.middle is not None and gain.middle < (LESS if gain.top_share > 1 else MUCH_LESS) * gain.gain:
        return "few_rows"
    if gain.plain < gain.mapped / 2:
        return "strong"
    return "weak" if gain.gain > WEAK_GAIN else "silent"


def not_asked(why: str) -> CoordinateAlarm:
    """A silent alarm that did not look, and why."""
    return CoordinateAlarm(strength="silent", not_run=why, gain=None, cka=None, n_pairs=0, n_train=0, n_compared=0)
