"""A link to an audit: what goes in comes out of a real address, and nothing else comes out."""

from dataclasses import fields
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import AuditError, AuditSettings, ReadChoices
from core.limits import LARGEST_WHOLE, MAX_DERANGEMENTS, MAX_LINK_CHARS, MIN_CANDIDATES, SMALLEST_MARGIN
from core.share import Expected, Shared, decode, encode, is_link

A, B, OTHER = "a" * 64, "0123456789abcdef" * 4, "f" * 64

SETTINGS = {
    "shared_mean": st.booleans(),
    "n_derangements": st.integers(1, MAX_DERANGEMENTS),
    "seed": st.integers(0, LARGEST_WHOLE),
    "drop_bad_rows": st.booleans(),
    "candidates": st.none() | st.integers(MIN_CANDIDATES, LARGEST_WHOLE),
    "margin": st.none() | st.floats(SMALLEST_MARGIN, 2.0),
}
READ_AS = st.sampled_from([None, "bfloat16", "packed-bits", "numbers"])
WORDS = st.none() | st.text(max_size=60)
CHOICES = st.builds(ReadChoices, key=WORDS, columns=WORDS, layer=st.none() | st.integers(0, 10**6), read_as=READ_AS)
DIGESTS = st.text("0123456789abcdef", min_size=64, max_size=64)
FILES = st.fixed_dictionaries(
    {place: st.builds(Expected, sha256=DIGESTS, choices=CHOICES) for place in ("a", "b")},
    optional={
        **{place: st.builds(Expected, sha256=DIGESTS, choices=CHOICES) for place in ("fit_a", "fit_b")},
        "groups": st.builds(Expected, sha256=DIGESTS),
    },
)
SHARED = st.builds(Shared, settings=st.builds(AuditSettings, **SETTINGS), files=FILES) | st.builds(
    Shared,
    settings=st.builds(AuditSettings, **SETTINGS | {"margin": st.floats(SMALLEST_MARGIN, 2.0)}),
    files=FILES,
    margin_after_look=st.booleans(),
)


def through_an_address(parameters):
    """What a page gets that was opened with these parameters."""
    return parse_qs(urlencode(parameters), keep_blank_values=True, strict_parsing=True)


def link(**parameters):
    """A link to A and B by default, with these parameters as well; `__` in a name stands for a dot."""
    given = {"share": "1", "a": A, "b": B} | {name.replace("__", "."): value for name, value in parameters.items()}
    return {name: [value] for name, value in given.items() if value is not None}


def test_every_setting_is_drawn_for_the_round_trip():
    assert set(SETTINGS) == {field.name for field in fields(AuditSettings)}


@given(SHARED)
def test_what_goes_into_an_address_comes_out_of_it(shared):
    try:
        parameters = encode(shared)
    except AuditError:
        assert len(repr(shared)) > MAX_LINK_CHARS / 12  # a letter takes at most 12 characters of an address
        return
    assert decode(through_an_address(parameters)) == shared


def test_defaults_and_names_do_not_travel():
    shared = Shared(settings=AuditSettings(seed=7), files={"a": Expected(sha256=A), "b": Expected(sha256=B)})
    assert encode(shared) == {"share": "1", "a": A, "b": B, "set.seed": "7"}


def test_parameters_of_others_are_left_alone():
    assert decode(link(utm_source="chat", embed="true", seed="9")).settings == AuditSettings()


def test_an_address_without_the_mark_is_no_link():
    assert not is_link({"a": [A], "b": [B]})
    assert is_link({"share": ["nonsense"]})


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"share": "2"}, "the layout '2'"),
        ({"share": ""}, "the layout ''"),
        ({"a": None}, "no fingerprint of side A"),
        ({"b": None}, "no fingerprint of side B"),
        ({"a": A.upper()}, "for the SHA-256 of a"),
        ({"a": A[:-1]}, "for the SHA-256 of a"),
        ({"b": f"{B}\n"}, "for the SHA-256 of b"),
        ({"groups": "../../etc/passwd"}, "for the SHA-256 of groups"),
        ({"late": "seed", "set__margin": "0.1"}, "'seed' for late"),
        ({"late": "margin"}, "no margin so declared"),
        ({"set__seed": "-1"}, "it must be 0 or more"),
        ({"set__seed": "1_000"}, "'1_000' for set.seed"),
        ({"set__seed": " 7"}, "for set.seed"),
        ({"set__seed": "\u0667"}, "for set.seed"),
        ({"set__seed": "9" * 17}, "for set.seed"),
        ({"set__seed": str(LARGEST_WHOLE + 1)}, "for set.seed"),
        ({"set__seed": "9" * 5_000}, "for set.seed"),
        ({"set__seed": "7.0"}, "for set.seed"),
        ({"set__candidates": ""}, "'' for set.candidates"),
        ({"set__candidates": "1"}, "number of candidates"),
        ({"set__n_derangements": "1000000000"}, "number of derangements"),
        ({"set__shared_mean": "True"}, "'True' for set.shared_mean"),
        ({"set__margin": "nan"}, "'nan' for set.margin"),
        ({"set__margin": "inf"}, "'inf' for set.margin"),
        ({"set__margin": "1e999"}, "above 0 and at most 2"),
        ({"set__margin": "0"}, "above 0 and at most 2"),
        ({"set__margin": "1e-9"}, "which is rounding"),
        ({"set__threads": "1"}, "'set.threads', which this version does not know"),
        ({"set____class__": "x"}, "does not know"),
        ({"set__": "x"}, "does not know"),
        ({"a__layer": "first"}, "'first' for a.layer"),
        ({"a__layer": "-1"}, "'-1' for a.layer, which no file can be read by"),
        ({"b__read_as": "foo"}, "'foo' for b.read_as, which no file can be read by"),
        ({"a__path": "/etc/passwd"}, "'a.path', which this version does not know"),
        ({"groups__key": "x"}, "without a fingerprint"),
        ({"groups": OTHER, "groups__key": "x"}, "does not know"),
        ({"fit_a__layer": "1"}, "'fit_a.layer' without a fingerprint"),
        ({"a__columns": "x" * MAX_LINK_CHARS}, "longer than 8,000 characters"),
        ({"x" * MAX_LINK_CHARS: ""}, "longer than 8,000 characters"),
    ],
)
def test_a_hostile_link_is_refused_in_one_short_sentence(parameters, said):
    with pytest.raises(AuditError) as refused:
        decode(link(**parameters))
    assert said in str(refused.value)
    assert len(refused.value.sentence) < 260
    assert "--" not in refused.value.sentence, "a link is refused without the words of the command line"


def test_a_parameter_given_twice_is_refused():
    with pytest.raises(AuditError, match=r"'set.seed' 2 times"):
        decode(link() | {"set.seed": ["1", "2"]})


@given(st.dictionaries(st.text(max_size=12), st.lists(st.text(max_size=70), min_size=1, max_size=2), max_size=6))
def test_any_address_is_a_link_or_an_audit_error(parameters):
    for given_too in ({}, link()):
        try:
            decode(given_too | parameters)
        except AuditError:
            continue


def with_columns(columns):
    choices = ReadChoices(columns=columns)
    return Shared(settings=AuditSettings(), files={"a": Expected(sha256=A, choices=choices), "b": Expected(sha256=B)})


def test_choices_too_long_for_an_address_are_refused_before_a_link_is_given_out():
    with pytest.raises(AuditError, match="8,000 are the most"):
        encode(with_columns(",".join(f"dimension_{i}" for i in range(768))))


def test_a_name_that_no_address_can_hold_is_refused():
    with pytest.raises(AuditError, match="no valid Unicode"):
        encode(with_columns("\ud800"))


def test_a_setting_no_page_could_take_back_is_not_given_out():
    with pytest.raises(AuditError):
        encode(Shared(settings=AuditSettings(seed=2**60), files=with_columns("x").files))
