"""What counts as equal, place by place, on small dictionaries made by hand."""

from __future__ import annotations

import pytest

from core.verification import ABSENT, compare

REPORT = {
    "n": 40,
    "raw": {"matched": 0.8989, "gap": None},
    "reading": "All is well.",
    "exact": {"raw": {"gap": 0.0813, "gap_over_floor_sd": 5000.0, "undefined": None}},
    "notices": [{"code": "ties"}, {"code": "few_pairs"}],
    "checks": [{"name": "raw mean", "passed": True, "text": "2.0e-17 apart"}],
    "versions": {"numpy": "2.0", "threads": "2"},
}


def changed(*path, to):
    """The report with one value replaced; `ABSENT` takes it out."""

    def copy(value, rest):
        if not rest:
            return to
        items = dict(value) if isinstance(value, dict) else list(value)
        if len(rest) == 1 and to is ABSENT:
            del items[rest[0]]
        else:
            known = isinstance(items, list) or rest[0] in items
            items[rest[0]] = copy(items[rest[0]], rest[1:]) if known else to
        return items

    return copy(REPORT, path)


def differing(recorded, found=REPORT):
    return [(one.place, one.recorded, one.found) for one in compare(recorded, found).differences]


def test_a_report_equals_itself_and_all_of_it_is_counted():
    result = compare(REPORT, REPORT)
    assert result.differences == ()
    assert result.versions == ()
    assert dict(result.compared) == {"counts": 1, "printed": 1, "unrounded": 2, "words": 7}


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("n",), 41, "n"),
        (("n",), 40.5, "n"),
        (("n",), 40.0, "n"),
        (("n",), True, "n"),
        (("n",), "40", "n"),
        (("raw", "matched"), 0.8989000001, "raw.matched"),
        (("raw", "gap"), 0.0, "raw.gap"),
        (("reading",), "All is  well.", "reading"),
        (("exact", "raw", "gap"), 0.0813 + 2e-9, "exact.raw.gap"),
        (("exact", "raw", "gap"), None, "exact.raw.gap"),
        (("exact", "raw", "gap"), 10**400, "exact.raw.gap"),
        (("exact", "raw", "gap_over_floor_sd"), 5000.0 + 1e-5, "exact.raw.gap_over_floor_sd"),
        (("notices", 1, "code"), "ties", "notices[1].code"),
        (("checks", 0, "passed"), False, "checks[0].passed"),
        (("checks", 0, "passed"), 1, "checks[0].passed"),
    ],
)
def test_a_value_that_is_not_the_same_is_named(path, value, place):
    assert [where for where, *_ in differing(changed(*path, to=value))] == [place]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("exact", "raw", "gap"), 0.0813 + 5e-10),
        (("exact", "raw", "gap_over_floor_sd"), 5000.0 + 4e-6),
        (("checks", 0, "text"), "3.1e-18 apart"),
        (("versions", "numpy"), "1.0"),
    ],
)
def test_rounding_of_another_machine_is_no_difference(path, value):
    assert differing(changed(*path, to=value)) == []


@pytest.mark.parametrize(
    ("path", "place"),
    [(("n",), "n"), (("exact", "raw", "gap"), "exact.raw.gap"), (("exact",), "exact"), (("checks",), "checks")],
)
def test_what_is_taken_out_or_added_is_a_difference(path, place):
    assert [(where, old is ABSENT) for where, old, _ in differing(changed(*path, to=ABSENT))] == [(place, True)]
    assert [(where, new is ABSENT) for where, _, new in differing(REPORT, changed(*path, to=ABSENT))] == [(place, True)]


def test_an_item_more_or_less_of_a_list_is_a_difference():
    longer = changed("notices", to=[*REPORT["notices"], {"code": "x"}])
    assert [where for where, *_ in differing(longer)] == ["notices[2]"]
    assert [where for where, *_ in differing(REPORT, longer)] == ["notices[2]"]


def test_versions_are_listed_and_not_compared():
    found = compare(changed("versions", to={"numpy": "1.9", "blas": "x"}), REPORT)
    assert found.differences == ()
    assert found.versions == (
        ("numpy", "1.9", "2.0"),
        ("threads", "not said", "2"),
        ("blas", "x", "not said"),
    )


def test_the_version_that_the_methods_name_is_not_compared():
    old, new = (
        {**REPORT, "methods": f"By counting. Cosine Floor {version}.", "versions": {"cosine_floor": version}}
        for version in ("0.1.0", "0.2.0")
    )
    assert differing(old, new) == []
    guessed = {**old, "methods": "By guessing. Cosine Floor 0.1.0."}
    assert [where for where, *_ in differing(guessed, new)] == ["methods"]


def test_a_sentence_in_the_place_of_the_version_is_compared_with_the_methods():
    methods = {"methods": "All pairs. Cosine Floor 0.1.0.", "versions": {"cosine_floor": "0.1.0"}}
    later = {"methods": "All pairs. Cosine Floor 0.2.0rc1.", "versions": {"cosine_floor": "0.2.0rc1"}}
    forged = "0.1.0 which found that A equals B"
    assert differing(later, methods) == []
    written = {"methods": f"All pairs. Cosine Floor {forged}.", "versions": {"cosine_floor": forged}}
    assert [place for place, _, _ in differing(written, methods)] == ["methods"]
