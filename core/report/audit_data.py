"""An audit as plain dictionaries: the reference's keys first, in its order and rounding, then our own.

The layout is documented in the README and kept by a test. Undefined numbers are null, and
the reason stands in ``centred_undefined`` or ``notices``.
"""

from __future__ import annotations

from typing import Any

from core.audit import Audit, MeanSource
from core.errors import Notice
from core.provenance import InputRecord
from core.ranks import Hubs, PartnerRanks
from core.reading import Reading
from core.report.inference_data import inference_data, interval_data
from core.report.numbers import ascii_minus, rounded

__all__ = ["SCHEMA", "audit_data", "exact_reading", "hubs_data", "input_data", "notices_data", "ranks_both_ways"]

#: Name and version of the layout; a breaking change raises the number.
SCHEMA = "cosine-floor/1"


def audit_data(
    audit: Audit,
    *,
    reading: str,
    warning: str,
    note: tuple[str, ...],
    verdict: str,
    limits: tuple[str, ...],
    methods: str,
) -> dict[str, Any]:
    """The audit and its sentences, in the order of the JSON."""
    return {
        **_reference_keys(audit, reading, warning, note),
        "schema": SCHEMA,
        **inference_data(audit, verdict=verdict, limits=limits, methods=methods),
        **_own_keys(audit),
    }


def _reference_keys(audit: Audit, reading: str, warning: str, note: tuple[str, ...]) -> dict[str, Any]:
    keys: dict[str, Any] = {
        "n": audit.n,
        "dim": audit.dim,
        "means": _means(audit),
        "anisotropy": {"a": rounded(audit.anisotropy_a, 4), "b": rounded(audit.anisotropy_b, 4)},
        "raw": _reference_reading(audit.raw),
        "centred": _reference_reading(audit.centred),
        "partner_first_by_chance": rounded(audit.raw.a_to_b.chance, 4),
        "reading": ascii_minus(reading),
    }
    if warning:
        keys["warning"] = ascii_minus(warning)
    if note:
        keys["note"] = [ascii_minus(sentence) for sentence in note]
    return keys


def _means(audit: Audit) -> dict[str, str]:
    """Where the means come from, in the words of the reference's JSON."""
    a, b = _json_source(audit.mean_a, "--fit-a"), _json_source(audit.mean_b, "--fit-b")
    if audit.settings.shared_mean:
        return {"shared": f"one mean over both sides' fit rows ({a}; {b})"}
    return {"a": f"fitted on {a}", "b": f"fitted on {b}"}


def _json_source(source: MeanSource, flag: str) -> str:
    return f"{flag}, {source.n_rows} rows" if source.from_fit_file else f"the compared rows, {source.n_rows}"


def _reference_reading(reading: Reading | None) -> dict[str, float | None]:
    """Figures against the seeded derangements, rounded as the reference prints them."""
    permuted = reading.permuted if reading else None
    return {
        "matched": rounded(reading.matched_mean if reading else None, 4),
        "floor": rounded(permuted.floor_mean if permuted else None, 4),
        "gap": rounded(permuted.gap if permuted else None, 4),
        "floor_sd": rounded(permuted.floor_sd if permuted else None, 4),
        "gap_over_floor_sd": rounded(permuted.gap_over_floor_sd if permuted else None, 2),
        "cohens_d": rounded(permuted.cohens_d if permuted else None, 2),
        "partner_ranked_first": rounded(reading.a_to_b.expected if reading else None, 4),
    }


def _own_keys(audit: Audit) -> dict[str, Any]:
    readings = {"raw": audit.raw, "centred": audit.centred}
    return {
        "notices": notices_data(audit.notices),
        "exact": {
            "anisotropy": {
                "a": {"before": audit.anisotropy_a, "after": audit.centred_anisotropy_a},
                "b": {"before": audit.anisotropy_b, "after": audit.centred_anisotropy_b},
            },
            **{name: exact_reading(reading) for name, reading in readings.items()},
            "centred_undefined": ascii_minus(audit.centred_undefined) or None,
        },
        "ranks": {
            **{name: ranks_both_ways(reading, audit.centred_undefined) for name, reading in readings.items()},
            "n_candidates": audit.raw.a_to_b.n_candidates,
            "chance": audit.raw.a_to_b.chance,
        },
        "hubs": {name: hubs_data(reading.hubs if reading else None) for name, reading in readings.items()},
        "checks": [
            {"name": check.name, "passed": check.passed, "text": ascii_minus(check.text)} for check in audit.checks
        ],
        "inputs": {
            side: input_data(found)
            for side, found in (
                ("a", audit.a),
                ("b", audit.b),
                ("fit_a", audit.fit_a),
                ("fit_b", audit.fit_b),
            )
            if found is not None
        },
        "settings": {
            "shared_mean": audit.settings.shared_mean,
            "n_derangements": audit.settings.n_derangements,
            "seed": audit.settings.seed,
            "drop_bad_rows": audit.settings.drop_bad_rows,
            "candidates": audit.settings.candidates,
            "margin": audit.settings.margin,
            "dropped_rows": audit.dropped_rows,
            "dropped_fit_rows": dict(zip("ab", audit.dropped_fit_rows, strict=True)),
        },
        "versions": audit.versions,
    }


def exact_reading(reading: Reading | None) -> dict[str, float | None]:
    """Unrounded figures against the exact floor."""
    exact = reading.exact if reading else None
    return {
        "matched_mean": reading.matched_mean if reading else None,
        "matched_min": reading.matched_min if reading else None,
        "matched_max": reading.matched_max if reading else None,
        "floor_mean": exact.floor_mean if exact else None,
        "floor_sd": exact.floor_sd if exact else None,
        "gap": exact.gap if exact else None,
        "gap_over_floor_sd": exact.gap_over_floor_sd if exact else None,
        "cohens_d": exact.cohens_d if exact else None,
        "permuted_floor_monte_carlo_error": reading.monte_carlo_error if reading else None,
    }


def ranks_both_ways(reading: Reading | None, missing: str = "") -> dict[str, Any]:
    """Partner ranked first and the mean rank index with their intervals, or why they are missing, both directions."""
    found = reading.evidence if reading else None
    return {
        "a_to_b": {
            **_ranks(reading.a_to_b if reading else None),
            "interval": interval_data(found.first_a_to_b if found else None, missing),
            "mean_rank_index": interval_data(found.mean_rank_a_to_b if found else None, missing),
        },
        "b_to_a": {
            **_ranks(reading.b_to_a if reading else None),
            "interval": interval_data(found.first_b_to_a if found else None, missing),
            "mean_rank_index": interval_data(found.mean_rank_b_to_a if found else None, missing),
        },
        "decided_by_rounding": found.decided_by_rounding if found else None,
    }


def notices_data(notices: tuple[Notice, ...]) -> list[dict[str, str]]:
    """What is worth a word, in plain ASCII minus signs."""
    return [{"code": notice.code, "side": notice.side, "text": ascii_minus(notice.text)} for notice in notices]


def _ranks(ranks: PartnerRanks | None) -> dict[str, float | int | None]:
    return {
        "optimistic": ranks.optimistic if ranks else None,
        "expected": ranks.expected if ranks else None,
        "pessimistic": ranks.pessimistic if ranks else None,
        "tied": ranks.tied if ranks else None,
    }


def hubs_data(hubs: Hubs | None) -> dict[str, float | int | None]:
    """How unevenly the rows of B come out on top."""
    return {
        "most": hubs.most if hubs else None,
        "row": hubs.row if hubs else None,
        "never": hubs.never if hubs else None,
        "null_sd": hubs.null_sd if hubs else None,
    }


def input_data(found: InputRecord) -> dict[str, Any]:
    """The fingerprint of one file."""
    return {
        "name": found.name,
        "shape": list(found.shape),
        "dtype": found.dtype,
        "bytes": found.file_bytes,
        "sha256": found.sha256,
        "choices": found.choices,
    }
