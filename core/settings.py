"""What the user may choose; the only place that holds an integer seed."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import SettingsError
from core.limits import MAX_DERANGEMENTS, MIN_CANDIDATES

__all__ = ["AuditSettings", "refuse_groups_in_a_pool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSettings:
    """What the user may choose; the only place that holds an integer seed.

    Attributes
    ----------
    shared_mean
        One mean for both sides instead of one each.
    n_derangements
        Pairings drawn for the permuted floor of the reference format.
    seed
        Of ``numpy.random.default_rng``, for those derangements.
    drop_bad_rows
        Leave out pairs in which either row is NaN, infinite or zero.
    candidates
        Rank each row among so many candidates, its partner included, from one seeded pool;
        `None`, or as many as there are rows, for all. Floors and anisotropy are exact anyway.
    margin
        X, the largest gap in cosine that would not matter, declared before looking; without it
        the verdict never says that there is no gap.
    """

    shared_mean: bool = False
    n_derangements: int = 20
    seed: int = 0
    drop_bad_rows: bool = False
    candidates: int | None = None
    margin: float | None = None

    def pooled(self, n: int) -> bool:
        """Whether n rows are ranked among a pool of candidates: as many candidates as rows are all of them."""
        return self.candidates is not None and self.candidates < n

    def __post_init__(self) -> None:
        for name in ("n_derangements", "seed", "candidates"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | None):
                raise SettingsError(f"{name} is {value!r}; it must be a whole number", remedy="Give an int.")
        if not 1 <= self.n_derangements <= MAX_DERANGEMENTS:
            raise SettingsError(
                f"the number of derangements (--perms) is {self.n_derangements:,}; "
                f"it must be between 1 and {MAX_DERANGEMENTS:,}",
                remedy="The reference uses 20.",
            )
        if self.seed < 0:
            raise SettingsError(f"the seed (--seed) is {self.seed}; it must be 0 or more", remedy="The default is 0.")
        if self.candidates is not None and self.candidates < MIN_CANDIDATES:
            raise SettingsError(
                f"the number of candidates (--candidates) is {self.candidates:,}; it must be {MIN_CANDIDATES} or more",
                remedy="Leave it out to rank against all rows.",
            )
        if self.margin is not None and not _is_margin(self.margin):
            raise SettingsError(
                f"the margin (--margin) is {self.margin!r}; it must be a number above 0 and at most 2",
                remedy="It is the largest gap in cosine that would not matter to you.",
            )


def _is_margin(value: object) -> bool:
    """A gap of two mean cosines can be 2 at most. NaN is no margin."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 2


def refuse_groups_in_a_pool(
    candidates: int | None, n: int, *, remedy: str = "Leave out one of --groups and --candidates."
) -> None:
    """Refuse groups of n rows that are ranked among a pool: as many candidates as rows are none.

    Raises
    ------
    SettingsError
        There are fewer candidates than rows.
    """
    if candidates is not None and candidates < n:
        raise SettingsError(
            "groups and a pool of candidates cannot be combined: the ranks leave out a row's own group, "
            "and a pool holds only some of it",
            remedy=remedy,
        )
