"""The JSON that scripts read: its keys, their order, their rounding. The README documents it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.report.audit_data import SCHEMA
from core.report.audit_document import document
from core.report.to_json import to_json
from tests.arrays import audited, random_rotation, related_pair
from tests.core.report.hostile_names import HOSTILE_NAMES, under_the_name

README = Path(__file__).parents[3] / "README.md"

NUMBER = (int, float)
UNDEFINABLE = (int, float, type(None))

REFERENCE_READING = {
    "matched": UNDEFINABLE,
    "floor": UNDEFINABLE,
    "gap": UNDEFINABLE,
    "floor_sd": UNDEFINABLE,
    "gap_over_floor_sd": UNDEFINABLE,
    "cohens_d": UNDEFINABLE,
    "partner_ranked_first": UNDEFINABLE,
}
EXACT_READING = {
    "matched_mean": UNDEFINABLE,
    "matched_min": UNDEFINABLE,
    "matched_max": UNDEFINABLE,
    "floor_mean": UNDEFINABLE,
    "floor_sd": UNDEFINABLE,
    "gap": UNDEFINABLE,
    "gap_over_floor_sd": UNDEFINABLE,
    "cohens_d": UNDEFINABLE,
    "permuted_floor_monte_carlo_error": UNDEFINABLE,
}
NOTHING = type(None)
INTERVAL = {
    "estimate": UNDEFINABLE,
    "error": UNDEFINABLE,
    "low": UNDEFINABLE,
    "high": UNDEFINABLE,
    "reason": (str, NOTHING),
}
RANKS = {
    "optimistic": UNDEFINABLE,
    "expected": UNDEFINABLE,
    "pessimistic": UNDEFINABLE,
    "tied": (int, NOTHING),
    "interval": INTERVAL,
    "mean_rank_index": INTERVAL,
}
HUBS = {"most": (int, NOTHING), "row": (int, NOTHING), "never": UNDEFINABLE, "null_sd": UNDEFINABLE}
BOTH_WAYS = {"a_to_b": RANKS, "b_to_a": RANKS, "decided_by_rounding": (int, NOTHING)}
#: Keys that are null as a whole where they do not apply.
VERDICT = {
    "outcome": (str, NOTHING),
    "undefined": (str, NOTHING),
    "gap": NUMBER,
    "pvalue": NUMBER,
    "wrong_way": bool,
    "largest_gap_left": UNDEFINABLE,
    "margin": UNDEFINABLE,
    "detectable": UNDEFINABLE,
    "exploratory": bool,
    "test_disagrees": bool,
}
TEST = {
    "pvalue": NUMBER,
    "method": str,
    "n_permutations": int,
    "z": UNDEFINABLE,
    "gap_error": NUMBER,
    "smallest_pvalue": UNDEFINABLE,
    "log10_smallest_pvalue": NUMBER,
    "reach": NUMBER,
}
FIGURES = {
    "n_groups": (int, NOTHING),
    "df": (float, NOTHING),
    "correction_factor": UNDEFINABLE,
    "added_to_matched": UNDEFINABLE,
    "matched": INTERVAL,
    "floor": INTERVAL,
    "gap": INTERVAL,
    "gap_over_floor_sd": INTERVAL,
    "cohens_d": INTERVAL,
}
SIDE = {
    "top_dimensions": [{"dimension": int, "cosine": NUMBER, "share": NUMBER}],
    "participation_ratio": UNDEFINABLE,
    "isoscore": UNDEFINABLE,
    "top_share": UNDEFINABLE,
    "rms_cosine": UNDEFINABLE,
    "both_ways": bool,
    "norm_ratio": UNDEFINABLE,
    "norm_ratio_undefined": (str, NOTHING),
    "n_duplicates": int,
    "n_same_direction": int,
    "fit_overlap": (int, NOTHING),
    "mean_check": {
        "squared_distance": NUMBER,
        "z": UNDEFINABLE,
        "floor_shift": UNDEFINABLE,
        "direction_left": UNDEFINABLE,
        "mean_cosine": UNDEFINABLE,
        "expected_cosine": UNDEFINABLE,
        "verdict": (str, NOTHING),
    },
}
CLOSENESS = {
    "mean_distance": NUMBER,
    "median_distance": NUMBER,
    "worst_distance": NUMBER,
    "worst_pair": int,
    "mean_angle": NUMBER,
    "worst_angle": NUMBER,
    "identical": int,
    "distance_lost": INTERVAL,
}
GROUPS = {
    "name": str,
    "sha256": str,
    "count": int,
    "smallest": int,
    "largest": int,
    "n_unrelated": int,
    "effective_count": NUMBER,
    "plain_raw_floor": NUMBER,
    "raw_inflation": NUMBER,
    "centred_kin": [float],
    "trimmed": int,
}
CKA = {"observed": NUMBER, "mean": NUMBER, "sd": NUMBER, "pvalue": NUMBER, "n_permutations": int, "n_rows": int}
ALARM = {
    "strength": str,
    "not_run": (str, NOTHING),
    "n_pairs": int,
    "n_train": int,
    "n_compared": int,
    "neighbours_alike": bool,
    "few_rows": [int],
    "plain_gap": UNDEFINABLE,
    "mapped_gap": UNDEFINABLE,
    "error_of_added": UNDEFINABLE,
    "cka": CKA,
}
PAIRING = {
    "kind": str,
    "shift": int,
    "shift_votes": int,
    "mutual": int,
    "asked": int,
    "mutual_by_chance": float,
    "first_choice": int,
    "in_place": int,
    "pieces": int,
    "repeated_a": int,
    "repeated_b": int,
}
BEFORE_AND_AFTER = {"before": NUMBER, "after": UNDEFINABLE}
INPUT = {"name": str, "shape": [int], "dtype": str, "bytes": int, "sha256": str, "choices": {}}

#: Every key in its order, with the types it may hold; a list of one type, a tuple of several.
LAYOUT = {
    "n": int,
    "dim": int,
    "means": {"a": str, "b": str},
    "anisotropy": {"a": NUMBER, "b": NUMBER},
    "raw": REFERENCE_READING,
    "centred": REFERENCE_READING,
    "partner_first_by_chance": NUMBER,
    "reading": str,
    "warning": str,
    "note": [str],
    "schema": str,
    "verdict": {
        "sentence": str,
        "at_ceiling": bool,
        "margin_declared": (str, NOTHING),
        "missing": (str, NOTHING),
        "raw": VERDICT,
        "centred": VERDICT,
    },
    "limits": [str],
    "distortions": [{"code": str, "name": str, "fired": (bool, NOTHING), "text": str}],
    "intervals": {
        "confidence_level": float,
        "anisotropy": {"a": INTERVAL, "b": INTERVAL},
        "raw": FIGURES,
        "centred": FIGURES,
    },
    "permutation_test": {"raw": TEST, "centred": TEST},
    "sides": {"a": SIDE, "b": SIDE},
    "offset_between_means": NUMBER,
    "centred_floor": {
        "forced": UNDEFINABLE,
        "residual": UNDEFINABLE,
        "reason": (str, NOTHING),
        "from_offset": UNDEFINABLE,
    },
    "closeness": CLOSENESS,
    "groups": GROUPS,
    "proposed_groups": {"count": int, "n_pairs": int, "largest": int},
    "alarm": ALARM,
    "pairing": PAIRING,
    "methods": str,
    "notices": [{"code": str, "side": str, "text": str}],
    "exact": {
        "anisotropy": {"a": BEFORE_AND_AFTER, "b": BEFORE_AND_AFTER},
        "raw": EXACT_READING,
        "centred": EXACT_READING,
        "centred_undefined": (str, type(None)),
    },
    "ranks": {"raw": BOTH_WAYS, "centred": BOTH_WAYS, "n_candidates": int, "chance": float},
    "hubs": {"raw": HUBS, "centred": HUBS},
    "checks": [{"name": str, "passed": bool, "text": str}],
    "inputs": {"a": INPUT, "b": INPUT, "fit_a": INPUT, "fit_b": INPUT},
    "settings": {
        "shared_mean": bool,
        "n_derangements": int,
        "seed": int,
        "drop_bad_rows": bool,
        "candidates": (int, type(None)),
        "margin": UNDEFINABLE,
        "dropped_rows": int,
        "dropped_fit_rows": {"a": int, "b": int},
    },
    "versions": dict.fromkeys(
        ("cosine_floor", "python", "numpy", "scipy", "numba", "threadpoolctl", "blas", "threads"), str
    ),
}

#: Keys that stand only when there is something to say.
OPTIONAL = {"warning", "note", "fit_a", "fit_b"}

#: Keys that are null as a whole where there is no such thing.
NULLABLE = {"closeness", "groups", "proposed_groups", "mean_check", "raw", "centred", "cka", "pairing"}


def leaves(value):
    """Everything in nested dictionaries that is none."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from leaves(inner)
    else:
        yield value


def refuse_constant(name):
    raise AssertionError(f"{name} is not JSON")


def parsed(audit):
    return json.loads(to_json(document(audit)), parse_constant=refuse_constant)


def assert_laid_out(value, layout, where=""):
    if isinstance(layout, dict):
        assert list(value) == [key for key in layout if key in value or key not in OPTIONAL], where
        for key, inner in value.items():
            if not (inner is None and key in NULLABLE):
                assert_laid_out(inner, layout[key], f"{where}.{key}")
    elif isinstance(layout, list):
        assert isinstance(value, list), where
        for inner in value:
            assert_laid_out(inner, layout[0], f"{where}[]")
    else:
        assert isinstance(value, layout), where
        assert not isinstance(value, bool) or layout is bool or (isinstance(layout, tuple) and bool in layout), where


@pytest.fixture
def fit(rng):
    return related_pair(rng, n=100)[0]


def test_the_layout_of_an_ordinary_audit(ordinary):
    assert_laid_out(parsed(ordinary), LAYOUT)


def test_the_layout_with_fit_arrays_and_nothing_to_warn_of(rng, fit):
    a, b = related_pair(rng, drift=0)
    found = parsed(audited(a, b, fit, fit))
    assert_laid_out(found, LAYOUT)
    assert "warning" not in found
    assert "note" not in found
    assert list(found["inputs"]) == ["a", "b", "fit_a", "fit_b"]


def test_the_layout_with_something_to_warn_of(rng):
    found = parsed(audited(*related_pair(rng, drift=4)))
    assert_laid_out(found, LAYOUT)
    assert found["warning"]
    assert isinstance(found["note"], list)


def test_a_shared_mean_has_one_source(pair):
    found = parsed(audited(*pair, shared_mean=True))
    assert list(found["means"]) == ["shared"]
    assert_laid_out(found, LAYOUT | {"means": {"shared": str}})


def test_undefined_centred_figures_are_null_with_the_reason(pair):
    found = parsed(audited(*pair, pair[0][:1]))
    assert_laid_out(found, LAYOUT)
    assert set(found["centred"].values()) == {None}
    assert set(found["exact"]["centred"].values()) == {None}
    reason = found["exact"]["centred_undefined"]
    assert set(leaves(found["ranks"]["centred"])) == set(leaves(found["intervals"]["centred"])) == {None, reason}
    assert all(found["intervals"]["centred"][name]["reason"] == reason for name in ("matched", "gap", "cohens_d"))
    assert found["verdict"]["centred"] is found["permutation_test"]["centred"] is None
    assert found["exact"]["anisotropy"]["a"]["after"] is None
    assert found["exact"]["centred_undefined"].startswith("The centred reading is undefined: 1 of 40 rows of A")
    assert found["raw"]["matched"] is not None


def test_intervals_that_were_not_made_say_why(ordinary):
    bare = replace(ordinary.raw, evidence=replace(ordinary.raw.evidence, intervals=None))
    found = parsed(replace(ordinary, raw=bare, evidence_missing="too wide"))["intervals"]
    assert {found["raw"][name]["reason"] for name in ("matched", "floor", "gap", "gap_over_floor_sd")} == {"too wide"}
    assert found["centred"]["gap"]["reason"] is None


def test_a_reading_that_stands_has_no_reason_to_give(ordinary):
    assert parsed(ordinary)["exact"]["centred_undefined"] is None


def test_the_references_keys_are_rounded_as_it_prints_them(ordinary):
    found = parsed(ordinary)
    raw = ordinary.raw
    assert found["raw"] == {
        "matched": round(raw.matched_mean, 4),
        "floor": round(raw.permuted.floor_mean, 4),
        "gap": round(raw.permuted.gap, 4),
        "floor_sd": round(raw.permuted.floor_sd, 4),
        "gap_over_floor_sd": round(raw.permuted.gap_over_floor_sd, 2),
        "cohens_d": round(raw.permuted.cohens_d, 2),
        "partner_ranked_first": round(raw.a_to_b.expected, 4),
    }
    assert found["anisotropy"]["b"] == round(ordinary.anisotropy_b, 4)
    assert found["partner_first_by_chance"] == 0.0167


def test_our_own_figures_keep_every_digit(ordinary):
    found = parsed(ordinary)
    assert found["exact"]["raw"]["floor_mean"] == ordinary.raw.exact.floor_mean
    assert found["exact"]["centred"]["gap"] == ordinary.centred.exact.gap
    assert found["exact"]["anisotropy"]["a"]["after"] == ordinary.centred_anisotropy_a
    assert found["ranks"]["raw"]["b_to_a"]["expected"] == ordinary.raw.b_to_a.expected


def test_a_rounded_zero_is_printed_without_a_minus_sign(ordinary):
    tiny = replace(ordinary.raw.permuted, gap=-1e-9, floor_mean=-1e-7, gap_over_floor_sd=-1e-4, cohens_d=-0.004)
    reference = to_json(document(replace(ordinary, anisotropy_a=-1e-6, raw=replace(ordinary.raw, permuted=tiny))))
    reference = reference[: reference.index('"reading"')]
    assert '"gap": 0.0,' in reference
    assert "-0.0," not in reference
    assert "-0.0\n" not in reference


def test_no_spread_is_null_never_infinity(rng):
    rows = [[0.8, 0.6, 0, 0], [0.8, 0, 0.6, 0], [0.8, 0, 0, 0.6]]
    found = parsed(audited(rows, rows))
    assert found["raw"]["gap_over_floor_sd"] is None
    assert found["exact"]["raw"]["gap_over_floor_sd"] is None


def test_one_derangement_has_no_monte_carlo_error(pair):
    assert parsed(audited(*pair, n_derangements=1))["exact"]["raw"]["permuted_floor_monte_carlo_error"] is None


def test_the_settings_are_those_asked_for(pair):
    pair[1][2] = 0
    found = parsed(audited(*pair, shared_mean=True, n_derangements=3, seed=9, drop_bad_rows=True, margin=0.1))
    assert found["settings"] == {
        "shared_mean": True,
        "n_derangements": 3,
        "seed": 9,
        "drop_bad_rows": True,
        "candidates": None,
        "margin": 0.1,
        "dropped_rows": 1,
        "dropped_fit_rows": {"a": 0, "b": 0},
    }


def test_a_pool_of_candidates_is_said_with_its_chance(pair):
    found = parsed(audited(*pair, candidates=10))
    assert_laid_out(found, LAYOUT)
    assert found["settings"]["candidates"] == 10
    assert found["ranks"]["n_candidates"] == 10
    # 9 rows of the pool meet 8 others, the 31 rest meet 9.
    assert found["ranks"]["chance"] == pytest.approx((9 / 9 + 31 / 10) / 40)
    assert found["partner_first_by_chance"] == round((9 / 9 + 31 / 10) / 40, 4)
    assert [notice["code"] for notice in found["notices"]] == ["candidate_pool"]


def test_the_checks_are_those_of_the_audit(ordinary):
    found = parsed(ordinary)["checks"]
    assert [check["name"] for check in found] == [check.name for check in ordinary.checks]
    assert all(check["passed"] for check in found)
    assert not any("−" in check["text"] for check in found), "plain ASCII minus signs"


def test_groups_duplicates_and_nearly_equal_sides_have_their_layout(pair):
    a, b = pair
    found = parsed(audited(a, b, groups=[row // 4 for row in range(40)]))
    assert_laid_out(found, LAYOUT)
    assert found["groups"]["count"] == 10
    assert found["proposed_groups"] is None
    twins = a.copy()
    twins[1] = twins[0]
    found = parsed(audited(twins, twins + 1e-4 * b))
    assert_laid_out(found, LAYOUT)
    assert found["proposed_groups"] == {"count": 39, "n_pairs": 2, "largest": 2}
    assert 0 < found["closeness"]["mean_distance"] < 1e-6


def test_other_axes_and_another_order_have_their_layout(rng):
    a, b = related_pair(rng, n=200, dim=16, noise=0.3)
    turned = parsed(audited(a, b @ random_rotation(rng, 16)))
    assert_laid_out(turned, LAYOUT)
    assert turned["alarm"]["strength"] == "strong"
    assert turned["alarm"]["cka"]["pvalue"] <= 0.01
    assert turned["alarm"]["mapped_gap"] > 2 * turned["alarm"]["plain_gap"]
    mixed = parsed(audited(a, b[rng.permutation(200)]))
    assert_laid_out(mixed, LAYOUT)
    assert mixed["pairing"]["kind"] == "permuted"
    assert mixed["alarm"]["cka"] is None


def test_every_interval_is_unrounded(ordinary):
    found = parsed(ordinary)
    interval = ordinary.centred.evidence.intervals.gap
    shown = found["intervals"]["centred"]["gap"]
    assert (shown["estimate"], shown["low"], shown["high"]) == (interval.estimate, interval.low, interval.high)
    assert shown["reason"] is None
    assert found["intervals"]["centred"]["floor"]["low"] is None
    assert found["intervals"]["centred"]["floor"]["reason"]


def test_the_same_audit_gives_the_same_text(ordinary):
    assert to_json(document(ordinary)) == to_json(document(ordinary))
    assert to_json(document(ordinary)).endswith("}\n")


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_names_are_held_whole_and_true(ordinary, name):
    """To the last character, also the invisible ones: JSON escapes what it must itself."""
    text = to_json(document(under_the_name(ordinary, name)))
    text.encode("utf-8")
    assert json.loads(text)["inputs"]["a"]["name"] == name


def test_the_readme_documents_every_key():
    section = README.read_text().split("### The JSON")[1].split("\n## ")[0]
    for key, inner in LAYOUT.items():
        assert f"`{key}`" in section or f"`{key}." in section, key
        if isinstance(inner, dict):
            for name, innermost in inner.items():
                assert f"`{name}`" in section or f"`{key}.{name}`" in section or key in {"versions", "inputs"}, name
                if key in {"ranks", "hubs", "inputs", "exact"} and isinstance(innermost, dict):
                    for leaf in innermost:
                        assert f"`{leaf}`" in section, leaf
    assert f"`{SCHEMA}`" in section
