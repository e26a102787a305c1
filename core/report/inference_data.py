"""What an audit's numbers can bear, as plain dictionaries: unrounded, undefined as null with its reason."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.alarm import CoordinateAlarm
from core.audit import Audit
from core.closeness import Closeness
from core.evidence import Evidence
from core.group_ids import GroupRecord
from core.intervals import Interval
from core.reading import Reading
from core.report.numbers import ascii_minus
from core.side_facts import SideFacts

__all__ = ["inference_data", "interval_data"]

_FIGURES = ("matched", "floor", "gap", "gap_over_floor_sd", "cohens_d")
_TEST = ("pvalue", "method", "n_permutations", "z", "gap_error", "smallest_pvalue", "log10_smallest_pvalue", "reach")
_CKA = ("observed", "mean", "sd", "pvalue", "n_permutations", "n_rows")
_PAIRING = (
    *("kind", "shift", "shift_votes", "mutual", "asked", "mutual_by_chance"),
    *("first_choice", "in_place", "pieces", "repeated_a", "repeated_b"),
)
_VERDICT = (
    "outcome",
    "undefined",
    "gap",
    "pvalue",
    "wrong_way",
    "largest_gap_left",
    "margin",
    "detectable",
    "exploratory",
    "test_disagrees",
)


def inference_data(audit: Audit, *, verdict: str, limits: tuple[str, ...], methods: str) -> dict[str, Any]:
    """Verdict, intervals, test, sides, groups and what was looked for."""
    readings = {"raw": audit.raw, "centred": audit.centred}
    unknown = audit.unknown_forced_floor
    return {
        "verdict": {
            "sentence": ascii_minus(verdict),
            "at_ceiling": audit.at_ceiling,
            "margin_declared": audit.margin_declared or None,
            "missing": audit.evidence_missing or None,
            **{name: _verdict(reading) for name, reading in readings.items()},
        },
        "limits": [ascii_minus(sentence) for sentence in limits],
        "distortions": [
            {"code": each.code, "name": each.name, "fired": each.fired, "text": ascii_minus(each.text)}
            for each in audit.distortions
        ],
        "intervals": {
            "confidence_level": 0.95,
            "anisotropy": {
                "a": interval_data(audit.side_a.shape.anisotropy),
                "b": interval_data(audit.side_b.shape.anisotropy),
            },
            **{name: _intervals(audit, reading) for name, reading in readings.items()},
        },
        "permutation_test": {name: _fields(_of(reading, "test"), _TEST) for name, reading in readings.items()},
        "sides": {"a": _side(audit.side_a), "b": _side(audit.side_b)},
        "offset_between_means": audit.squared_offset**0.5,
        "centred_floor": {
            "forced": None if unknown or not audit.centred else audit.forced_centred_floor,
            "residual": None if unknown else audit.centred_floor_residual,
            "reason": unknown or audit.centred_undefined or None,
            "from_offset": audit.shared_offset_floor,
        },
        "closeness": _closeness(audit.closeness),
        "groups": _groups(audit.groups),
        "proposed_groups": None if audit.proposed_groups is None else asdict(audit.proposed_groups),
        "alarm": _alarm(audit.alarm),
        "pairing": None if audit.pairing is None else _fields(audit.pairing, _PAIRING),
        "methods": ascii_minus(methods),
    }


def _alarm(alarm: CoordinateAlarm) -> dict[str, Any]:
    """What the map did on held-out pairs; null where it was not tried."""
    gain = alarm.gain
    return {
        "strength": alarm.strength,
        "not_run": ascii_minus(alarm.not_run) or None,
        "n_pairs": alarm.n_pairs,
        "n_train": alarm.n_train,
        "n_compared": alarm.n_compared,
        "neighbours_alike": alarm.neighbours_alike,
        "few_rows": list(alarm.few_rows),
        "plain_gap": None if gain is None else gain.plain,
        "mapped_gap": None if gain is None else gain.mapped,
        "error_of_added": None if gain is None else gain.error,
        "cka": _fields(alarm.cka, _CKA),
    }


def interval_data(interval: Interval | None, missing: str = "") -> dict[str, Any]:
    """One interval; null where there is none, with the reason: its own, or why it is missing altogether."""
    return {
        "estimate": interval.estimate if interval else None,
        "error": interval.error if interval else None,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "reason": ascii_minus(interval.reason if interval else missing) or None,
    }


def _of(reading: Reading | None, part: str) -> object:
    return None if reading is None else getattr(reading.evidence, part)


def _verdict(reading: Reading | None) -> dict[str, Any] | None:
    fields = _fields(_of(reading, "verdict"), _VERDICT)
    return None if fields is None else fields | {"undefined": ascii_minus(fields["undefined"]) or None}


def _fields(found: object, names: tuple[str, ...]) -> dict[str, Any] | None:
    return None if found is None else {name: getattr(found, name) for name in names}


def _intervals(audit: Audit, reading: Reading | None) -> dict[str, Any]:
    missing = audit.evidence_missing if reading else audit.centred_undefined
    evidence: Evidence | None = reading.evidence if reading else None
    found = evidence.intervals if evidence else None
    return {
        "n_groups": found.n_groups if found else None,
        "df": found.df if found else None,
        "correction_factor": found.correction.factor if found else None,
        "added_to_matched": found.correction.matched if found else None,
        **{name: interval_data(getattr(found, name) if found else None, missing) for name in _FIGURES},
    }


def _closeness(near: Closeness | None) -> dict[str, Any] | None:
    return None if near is None else asdict(near) | {"distance_lost": interval_data(near.distance_lost)}


def _groups(groups: GroupRecord | None) -> dict[str, Any] | None:
    return None if groups is None else asdict(groups) | {"centred_kin": list(groups.centred_kin)}


def _side(facts: SideFacts) -> dict[str, Any]:
    shape, check = facts.shape, facts.mean_check
    return {
        "top_dimensions": [asdict(each) for each in shape.top_dimensions],
        "participation_ratio": shape.participation_ratio,
        "isoscore": shape.isoscore,
        "top_share": shape.top_share,
        "rms_cosine": shape.rms_cosine,
        "both_ways": shape.both_ways,
        "norm_ratio": facts.norm_ratio,
        "norm_ratio_undefined": facts.norm_ratio_undefined or None,
        "n_duplicates": facts.n_duplicates,
        "n_same_direction": facts.n_same_direction,
        "fit_overlap": facts.fit_overlap,
        "mean_check": None if check is None else asdict(check),
    }
