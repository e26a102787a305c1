"""A comparison of conditions as plain dictionaries, unrounded, in the order of the JSON.

The layout is documented in the README and kept by a test. Undefined numbers are null, with
the reason in ``no_interval`` or in a run's ``exact.centred_undefined``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.comparison import Comparison, MeasuredRun
from core.gap_differences import GapDifference
from core.gap_values import GapValues
from core.report.audit_data import audit_data
from core.report.item_words import limits
from core.report.numbers import ascii_minus

__all__ = ["CONDITIONS_SCHEMA", "conditions_data"]

#: Name and version of the layout; a breaking change raises the number.
CONDITIONS_SCHEMA = "cosine-floor-conditions/1"

#: What a run has in common with the JSON of an audit.
_OF_AN_AUDIT = ("dim", "means", "anisotropy", "raw", "centred", "exact", "ranks", "notices", "inputs")


def conditions_data(
    comparison: Comparison, *, reading: str, warning: str, note: tuple[str, ...], methods: str
) -> dict[str, Any]:
    """The comparison and its sentences."""
    settings = comparison.settings
    keys: dict[str, Any] = {"schema": CONDITIONS_SCHEMA, "n": comparison.n, "layers": comparison.layers}
    keys["seeds"] = [seed for seed in comparison.seeds if seed is not None]
    keys["reading"] = ascii_minus(reading)
    if warning:
        keys["warning"] = ascii_minus(warning)
    keys["note"] = [ascii_minus(sentence) for sentence in note]
    keys["limits"] = [ascii_minus(sentence) for sentence in limits(comparison)]
    keys["methods"] = ascii_minus(methods)
    keys["differences"] = {
        "raw": [_difference(one, comparison) for one in comparison.raw],
        "centred": [_difference(one, comparison) for one in comparison.centred],
    }
    keys["conditions"] = [_run(run) for run in comparison.runs]
    keys["item_order"] = {
        "other_ids": [asdict(one) for one in comparison.order.other_ids],
        "reordered": [asdict(one) for one in comparison.order.reordered],
        "not_compared": list(comparison.order.not_compared),
    }
    keys["settings"] = {
        "baseline": settings.baseline,
        "margin": settings.margin,
        "margin_declared": comparison.margin_declared or None,
        "shared_mean": settings.audit.shared_mean,
        "n_derangements": settings.audit.n_derangements,
        "seed": settings.audit.seed,
        "candidates": settings.audit.candidates,
        "drop_bad_rows": settings.audit.drop_bad_rows,
        "dropped_rows": comparison.runs[0].audit.dropped_rows,
        "dropped_fit_rows": dict(zip("ab", comparison.runs[0].audit.dropped_fit_rows, strict=True)),
    }
    keys["versions"] = comparison.runs[0].audit.versions
    return keys


def _difference(one: GapDifference, comparison: Comparison) -> dict[str, Any]:
    return {
        "first": one.first,
        "second": one.second,
        "design": one.design,
        "mean": one.mean,
        "interval": list(one.interval) if one.interval is not None else None,
        "absolute": one.absolute,
        "standard_error": one.error,
        "df": one.df,
        "pvalue": one.pvalue,
        "holm_pvalue": one.holm_pvalue,
        "outcome": one.outcome(comparison.settings.margin),
        "detectable": one.detectable,
        "excluded_above": one.excluded_above,
        "no_interval": one.no_interval or None,
        "by_seed": _by_seed(one.by_seed, comparison.seeds),
        "mean_absolute": one.mean_absolute,
    }


def _by_seed(values: Sequence[float], seeds: Sequence[str | None]) -> list[dict[str, Any]]:
    return [{"seed": seed, "difference": value} for seed, value in zip(seeds, values, strict=True)]


def _run(run: MeasuredRun) -> dict[str, Any]:
    """What the JSON of an audit says of it, and its corrected gaps."""
    data = audit_data(run.audit, reading="", warning="", note=(), verdict="", limits=(), methods="")
    return {
        "label": run.label,
        "seed": run.seed,
        **{name: data[name] for name in _OF_AN_AUDIT},
        "corrected_gap": {"raw": _gap(run.gaps.raw), "centred": _gap(run.gaps.centred)},
    }


def _gap(values: GapValues | None) -> dict[str, float | None]:
    return {"gap": values.gap if values else None, "standard_error": values.error if values else None}
