"""A comparison of two models as plain dictionaries, in the order of the JSON.

The layout is documented in the README and kept by a test. Undefined numbers are null.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.permutation_null import PermutationNull
from core.report.audit_data import exact_reading, hubs_data, input_data, notices_data, ranks_both_ways
from core.report.numbers import ascii_minus
from core.spaces import TwoModels
from core.two_models import TwoModelsAudit

__all__ = ["SCHEMA", "two_models_data"]

#: Name and version of the layout; a breaking change raises the number.
SCHEMA = "cosine-floor-two-models/1"


def two_models_data(
    result: TwoModelsAudit, *, reading: str, warning: str, note: tuple[str, ...], methods: str
) -> dict[str, Any]:
    """The result and its sentences, in the order of the JSON."""
    found = result.found
    inputs = (("a", result.a), ("b", result.b), ("train_a", result.train_a), ("train_b", result.train_b))
    return {
        "schema": SCHEMA,
        "reading": ascii_minus(reading),
        "warning": ascii_minus(warning) or None,
        "note": [ascii_minus(sentence) for sentence in note],
        "methods": ascii_minus(methods),
        "pairs": {
            "given": found.n_given,
            "used": found.n_used,
            "compared": found.n_compared,
            "train": found.n_train,
            "split_in_halves": found.split,
        },
        "series": {
            "file_order": found.file_order,
            "rows_apart": found.rows_apart,
            "moved_gap": _null(found.moved),
        },
        "dim": {"a": found.dim_a, "b": found.dim_b},
        "map_rank": found.rank,
        "mapped": _mapped(found),
        "not_evidence": _unmapped(found),
        "cka": {"debiased": found.cka, "null": _null(found.cka_null)},
        "neighbours": {
            "overlap": found.neighbours.overlap,
            "k": found.neighbours.k,
            "n": found.neighbours.n_rows,
            "chance": found.neighbours.chance,
            "decided_by_lot": found.neighbours.decided_by_lot,
            "null": _null(found.neighbours.null),
        },
        "notices": notices_data(result.notices),
        "inputs": {side: input_data(one) for side, one in inputs if one is not None},
        "groups": None if result.groups is None else asdict(result.groups),
        "settings": {
            "seed": result.settings.seed,
            "drop_bad_rows": result.settings.drop_bad_rows,
            "n_derangements": result.n_derangements,
            "n_permutations": result.n_permutations,
            "dropped_rows": result.dropped_rows,
            "dropped_train_rows": result.dropped_train_rows,
        },
        "versions": result.versions,
    }


def _mapped(found: TwoModels) -> dict[str, Any]:
    """Everything after the map, from compared rows alone."""
    mapped, interval = found.mapped, found.interval
    return {
        **exact_reading(mapped),
        "permuted_floor_mean": mapped.permuted.floor_mean,
        "permuted_gap": mapped.permuted.gap,
        "gap_interval": {
            "error": interval.error,
            "low": interval.low,
            "high": interval.high,
            "undefined": ascii_minus(interval.reason) or None,
        },
        "ranks": {
            **ranks_both_ways(mapped),
            "n_candidates": mapped.a_to_b.n_candidates,
            "chance": mapped.a_to_b.chance,
        },
        "hubs": hubs_data(mapped.hubs),
    }


def _unmapped(found: TwoModels) -> dict[str, float] | None:
    """The compared rows without the map: two coordinate systems, so no evidence."""
    if found.unmapped is None:
        return None
    return {
        "gap_without_map": found.unmapped.plain,
        "gap_added_by_map": found.unmapped.gain,
        "error_of_added": found.unmapped.error,
    }


def _null(null: PermutationNull | None) -> dict[str, float | int] | None:
    if null is None:
        return None
    return {
        "observed": null.observed,
        "mean": null.mean,
        "sd": null.sd,
        "pvalue": null.pvalue,
        "n_permutations": null.n_permutations,
        "n_rows": null.n_rows,
    }
