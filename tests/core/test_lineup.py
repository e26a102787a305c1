"""Other axes and another order, as an audit finds and says them: each kind by construction."""

from __future__ import annotations

import numpy as np
import pytest

from core.lineup import in_the_files
from core.report import document
from tests.arrays import audited, random_rotation, related_pair


def linked(rng, n=200, dim=24, noise=0.4):
    return related_pair(rng, n=n, dim=dim, drift=1.0, noise=noise)


def unrelated(rng, n=200, dim=24):
    return linked(rng, n, dim)[0], linked(rng, n, dim)[1]


def partly_turned(rng, n=400, dim=32):
    """The same space, a third of whose axes are turned."""
    a, b = linked(rng, n, dim, noise=0.2)
    b[:, -dim // 3 :] = b[:, -dim // 3 :] @ random_rotation(rng, -(-dim // 3))
    return a, b


def words(audit):
    return {notice.code: notice.text for notice in audit.notices}


def line(audit, code):
    (found,) = [each for each in audit.distortions if each.code == code]
    return found


def test_rows_in_order_and_in_one_space_are_worth_no_word_and_said_to_be_clean(rng):
    found = audited(*linked(rng))
    assert found.alarm.strength == "silent"
    assert found.alarm.n_pairs == 200
    assert found.pairing is None
    assert not {"other_axes", "at_chance"} & set(words(found))
    assert (line(found, "other_axes").fired, line(found, "row_order").fired) == (False, False)
    assert "100 pairs, drawn with the seed" in line(found, "other_axes").text
    assert "more often than by chance" in line(found, "row_order").text


@pytest.mark.parametrize("shift", [1, 3, -2])
def test_shifted_rows_are_said_with_their_shift_and_the_order_pairs_them(rng, shift):
    a, b = linked(rng)
    b = np.roll(b, shift, axis=0)
    found = audited(a, b)
    assert (found.pairing.kind, found.pairing.shift) == ("shifted", shift)
    assert f"row i {'+' if shift > 0 else '−'} {abs(shift)} for" in words(found)["at_chance"]
    assert "shifted" in words(found)["at_chance"]
    assert line(found, "row_order").fired
    assert audited(a, b[found.pairing.pairing_order]).pairing is None


def lost(b, *rows):
    """B without some rows."""
    return np.delete(b, rows, axis=0)


def neighbours_swapped(n):
    return np.arange(n) ^ 1


def blocks_reordered(rng, n, count=8):
    parts = np.array_split(np.arange(n), count)
    return np.concatenate([parts[k] for k in rng.permutation(count)])


@pytest.mark.parametrize("noise", [0.4, 0.6])
@pytest.mark.parametrize("n", [100, 300])
def test_two_lost_rows_are_two_pieces_and_not_one_shift(rng, n, noise):
    """The shift of the longer piece would pair half of the rows."""
    a, b = linked(rng, n=n + 2, noise=noise)
    found = audited(a[:n], lost(b, 0, n // 2)).pairing
    assert found.kind == "permuted"
    paired = found.pairing_order + 1 + (found.pairing_order >= n // 2 - 1) == np.arange(n)
    assert np.mean(paired) > (0.9 if noise < 0.5 else 0.75)


def test_an_order_in_pieces_is_said_to_be_one(rng):
    a, b = linked(rng, n=302)
    said, found = (f(audited(a[:300], lost(b, 0, 150))) for f in (words, lambda audit: audit.pairing))
    assert found.pieces == 2
    assert "made of 2 pieces, each shifted by an amount of its own" in said["at_chance"]
    assert "where one file lacks rows near its start" not in said["at_chance"]
    assert "pieces" not in words(audited(a, b[rng.permutation(302)]))["at_chance"]


@pytest.mark.parametrize("noise", [0.4, 0.6])
@pytest.mark.parametrize("n", [100, 300])
def test_neighbours_that_changed_places_are_no_shift(rng, n, noise):
    a, b = linked(rng, n=n, noise=noise)
    found = audited(a, b[neighbours_swapped(n)])
    assert found.pairing.kind == "permuted"
    assert np.mean(found.pairing.pairing_order == neighbours_swapped(n)) > (0.9 if noise < 0.5 else 0.75)
    assert "shifted" not in words(found)["at_chance"]


def test_blocks_in_another_order_are_no_shift():
    for seed in range(4):
        rng = np.random.default_rng(seed)
        a, b = linked(rng, n=200)
        true = blocks_reordered(rng, 200)
        found = audited(a, b[true]).pairing
        if found is not None:  # blocks that stayed where they were can lift matched off its floor
            assert found.kind == "permuted"
            assert np.mean(true[found.pairing_order] == np.arange(200)) > 0.95


def test_a_shift_of_rows_half_of_which_are_of_other_items_is_said_with_what_it_pairs(rng):
    a, b = linked(rng, n=300)
    b = np.roll(b, 3, axis=0)
    b[::2] = unrelated(rng, n=300)[1][::2]
    found = audited(a, b)
    assert (found.pairing.kind, found.pairing.shift) == ("shifted", 3)
    assert found.pairing.first_choice == found.pairing.shift_votes
    assert 140 < found.pairing.first_choice < 165
    assert f"It pairs {found.pairing.first_choice} of 300 rows with their best row" in words(found)["at_chance"]


def test_no_order_is_offered_that_pairs_no_more_than_what_stands(rng, monkeypatch):
    monkeypatch.setattr("core.lineup.pairs_more", lambda found: False)
    a, b = linked(rng)
    found = audited(a, np.roll(b, 2, axis=0)).pairing
    assert found.kind not in ("shifted", "permuted")
    assert found.pairing_order is None


def test_permuted_rows_are_said_and_the_order_pairs_them(rng):
    a, b = linked(rng)
    true = rng.permutation(200)
    found = audited(a, b[true])
    assert found.pairing.kind == "permuted"
    order = found.pairing.pairing_order
    assert order.dtype == np.int64
    assert np.mean(true[order] == np.arange(200)) > 0.98
    assert 190 < found.pairing.first_choice <= 200
    assert f"It pairs {found.pairing.first_choice} of 200 rows with their best row" in words(found)["at_chance"]
    assert "out of order" in words(found)["at_chance"]
    assert "flatters matched" in words(found)["at_chance"]
    assert line(found, "row_order").fired
    assert not line(found, "other_axes").fired


@pytest.mark.parametrize(("copies", "both"), [(2, True), (4, True), (10, True), (2, False)])
def test_rows_that_occur_several_times_are_ordered_up_to_interchange(rng, copies, both):
    """Each pair several times over, or each row of A with several rows of B of its own; then shuffled."""
    things = np.repeat(np.arange(200 // copies), copies)
    a, b = linked(rng, noise=0.2)
    a, b = a[things], (b[things] if both else a[things] + 0.1 * b)
    true = rng.permutation(200)
    found = audited(a, b[true])
    assert found.pairing.kind == "permuted"
    order = found.pairing.pairing_order
    assert sorted(order) == list(range(200))
    assert np.mean(things[true][order] == things) > 0.97
    assert (found.pairing.repeated_a, found.pairing.repeated_b) == (200, 200 if both else 0)
    assert found.pairing.first_choice > (190 if both else 90)
    text = words(found)["at_chance"]
    assert f"200 rows of A and {200 if both else 0} of B equal another row of their file" in text
    assert "equal rows may be interchanged" in text


@pytest.mark.parametrize("copies", [2, 10])
def test_unrelated_rows_that_occur_several_times_are_in_no_other_order(copies):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        a, b = (np.repeat(side, copies, axis=0)[rng.permutation(40 * copies)] for side in unrelated(rng, n=40))
        found = audited(a, b).pairing
        assert found is None or found.kind in ("unrelated", "in_order")


def test_where_many_copies_hide_an_order_that_is_said(rng):
    """Four rows of B for each row of A: unrelated rows name each other nearly as often."""
    a, b = linked(rng, noise=0.2)
    a = a[np.repeat(np.arange(50), 4)]
    found = audited(a, (a + 0.1 * b)[rng.permutation(200)])
    assert found.pairing.kind == "unrelated"
    assert "or rows that occur several times would look the same" in words(found)["at_chance"]


def test_rows_that_occur_once_are_not_said_to_be_interchangeable(rng):
    a, b = linked(rng)
    assert "interchanged" not in words(audited(a, b[rng.permutation(200)]))["at_chance"]


@pytest.mark.parametrize("moved", [lambda b, rng: np.roll(b, 2, axis=0), lambda b, rng: b[rng.permutation(200)]])
def test_rows_in_another_order_are_said_nothing_about_their_axes(rng, monkeypatch, moved):
    """A map fitted on wrong pairs says nothing, whatever it finds."""
    a, b = linked(rng)
    loud = audited(a, b @ random_rotation(rng, 24)).alarm
    assert loud.strength == "strong"
    monkeypatch.setattr("core.lineup.coordinate_alarm", lambda *_, **__: loud)
    found = audited(a, moved(b, rng))
    assert found.alarm.not_run == "the rows are in another order"
    assert line(found, "other_axes").fired is None
    assert line(found, "other_axes").text == "The rows are in another order."


def test_other_axes_are_said_with_the_way_to_read_them(rng):
    a, b = linked(rng)
    found = audited(a, b @ random_rotation(rng, 24))
    assert found.alarm.strength == "strong"
    text = words(found)["other_axes"]
    assert "different coordinate systems" in text
    assert "python -m core two-models" in text
    assert "page Two models" in text
    assert line(found, "other_axes").fired
    assert any("coordinate systems" in limit for limit in document(found).limits)
    if found.pairing is not None:
        assert found.pairing.kind == "different_spaces"
        assert found.pairing.pairing_order is None


def test_partly_turned_spaces_are_a_weak_word(rng):
    found = audited(*partly_turned(rng))
    assert found.alarm.strength == "weak"
    assert "partly turned" in words(found)["other_axes"]
    assert found.pairing is None
    assert not any("coordinate systems" in limit for limit in document(found).limits)


def test_unrelated_rows_are_said_to_look_so_and_raise_no_alarm():
    for seed in range(10):
        found = audited(*unrelated(np.random.default_rng(seed)))
        assert found.alarm.strength == "silent"
        assert "other_axes" not in words(found)
        if found.pairing is not None:
            assert found.pairing.kind == "unrelated"
            assert "look unrelated, or linked too weakly to tell" in words(found)["at_chance"]
            assert found.pairing.pairing_order is None


def test_the_blind_spot_is_said_where_there_are_fewer_train_pairs_than_columns(rng):
    few, many = audited(*linked(rng, n=60, dim=40)), audited(*linked(rng, n=200, dim=40))
    assert "30 train pairs for 40 columns" in line(few, "other_axes").text
    assert "blind" not in line(many, "other_axes").text


def test_the_blind_spot_of_rows_that_drift_is_said_where_neighbours_are_alike():
    """Asked in parts of the file, or not asked at all."""
    rng = np.random.default_rng(3)
    series = rng.standard_normal((300, 16))
    for row in range(1, 300):
        series[row] += 0.8 * series[row - 1]
    turn = np.linalg.qr(rng.standard_normal((16, 16)))[0]
    drifts = [np.cumsum(rng.standard_normal((300, 16)), axis=0) for _ in "ab"]
    for pair in ((series, (series + 0.5 * rng.standard_normal(series.shape)) @ turn), drifts):
        found = audited(*pair)
        assert "rows that drift along the file" in line(found, "other_axes").text


def test_few_pairs_or_wide_rows_are_not_looked_at_and_that_is_said(rng):
    found = audited(*linked(rng, n=12))
    assert found.alarm.not_run
    assert line(found, "other_axes").fired is None
    assert "12 independent pairs" in line(found, "other_axes").text
    assert "map" not in document(found).methods.replace("mapped", "")


def test_a_pool_of_candidates_cannot_tell_the_order(rng):
    a, b = linked(rng)
    found = audited(a, b[rng.permutation(200)], candidates=20)
    assert found.pairing is None
    assert line(found, "row_order").fired is None
    assert "Check the row order" in words(found)["at_chance"]
    assert "No other order was looked for" in words(found)["at_chance"]
    assert "no order was looked for" in line(found, "row_order").text
    ordered = audited(a, b, candidates=20)
    assert line(ordered, "row_order").text == "Partners rank first more often than by chance."


def test_rows_that_all_tie_are_in_no_other_order():
    rows = np.tile([[1.0, 2.0, 3.0]], (30, 1))
    found = audited(rows, rows + 0.0, rows[:1] * [[1.0, 0.0, 0.0]])
    assert found.pairing is None or found.pairing.kind == "in_order"
    assert not line(found, "row_order").fired


def test_an_order_keeps_pairs_that_were_left_out_where_they_are(rng):
    a, b = linked(rng, n=100)
    true = np.concatenate([[0, 1], 2 + rng.permutation(98)])
    b = b[true]
    a[1] = np.nan
    found = audited(a, b, drop_bad_rows=True)
    order = found.pairing.pairing_order
    assert found.pairing.kind == "permuted"
    assert sorted(order) == list(range(100))
    assert order[1] == 1
    assert np.mean(true[order] == np.arange(100)) > 0.98


@pytest.mark.parametrize("shift", [5, 37, -20])
@pytest.mark.parametrize("side", ["a", "b", "both"])
def test_a_shift_and_its_order_are_in_rows_of_the_files_though_some_were_left_out(rng, shift, side):
    a, b = linked(rng, n=400)
    b = np.roll(b, shift, axis=0)
    bad = rng.choice(400, 9, replace=False)
    if side != "b":
        a[bad] = np.nan
    if side != "a":
        b[(bad * 7) % 400] = np.nan
    found = audited(a, b, drop_bad_rows=True)
    assert (found.pairing.kind, found.pairing.shift) == ("shifted", shift)
    assert list(found.pairing.pairing_order) == [(i + shift) % 400 for i in range(400)]
    assert "in rows of the files" in words(found)["at_chance"]


def test_an_order_of_a_file_with_bad_rows_says_what_stays_beside_them(rng):
    a, b = linked(rng, n=200)
    b = b[rng.permutation(200)]
    a[7] = 0
    found = audited(a, b, drop_bad_rows=True)
    assert found.pairing.pairing_order[7] == 7
    assert "The 1 pair left out stays in place, though a good row beside a bad one" in words(found)["at_chance"]


@pytest.mark.parametrize(("n", "dim", "why"), [(40, 2_049, "rows of 2,049 columns"), (18, 6, "18 independent pairs")])
def test_axes_that_were_not_looked_for_are_not_said_to_be_the_same(rng, n, dim, why):
    a = rng.standard_normal((n, dim))
    found = audited(a, a[:, rng.permutation(dim)])
    shown = words(found)["at_chance"]
    assert f"other axes were not looked for ({why}" in shown
    assert "the right order in other axes (the page Two models" in shown
    assert "no map" not in shown


def test_nothing_dropped_changes_nothing():
    assert in_the_files(None, np.array([3])) is None


def test_twins_on_both_sides_are_no_train_rows_for_each_other():
    """Each pair five times over: a map fitted on copies of the compared rows would know them."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        a, b = (np.repeat(rows, 5, axis=0) for rows in unrelated(rng, n=60, dim=48))
        found = audited(a, b)
        assert found.alarm.n_pairs == 60
        assert found.alarm.strength == "silent"


def test_one_pair_of_each_declared_group_is_looked_at(rng):
    a, b = linked(rng, n=120)
    assert audited(a, b, groups=np.repeat(np.arange(40), 3)).alarm.n_pairs == 40


def test_the_same_seed_gives_the_same_answer_and_another_draws_others(rng):
    a, b = linked(rng, n=200, dim=24)
    first, again, other = (audited(a, b, seed=seed).alarm for seed in (5, 5, 6))
    assert first == again
    assert first.gain != other.gain


def test_the_methods_paragraph_says_how_many_pairs_were_looked_at(rng):
    assert "asked of 200 pairs drawn with the seed" in document(audited(*linked(rng))).methods


@pytest.mark.parametrize(("kinds", "copies"), [(2, 2), (2, 20), (3, 2)])
def test_ties_of_repeated_rows_alone_are_no_mismatch_of_the_files(rng, kinds, copies):
    """V5 and its like: a file with itself, each row several times."""
    rows = np.repeat(rng.standard_normal((kinds, 5)), copies, axis=0)
    for b in (rows, 3 * rows, rows + 0.001 * np.repeat(rng.standard_normal((kinds, 5)), copies, axis=0)):
        text = words(audited(rows, b))["at_chance"]
        assert f"since {kinds * (copies - 1)} rows of B have the direction of an earlier one" in text
        assert "Ties alone hold the share down, not a mismatch of the files" in text
        assert "unrelated" not in text
        assert "Check" not in text


def test_repeated_rows_that_are_unrelated_are_not_put_down_to_ties(rng):
    a, b = (np.repeat(rng.standard_normal((6, 5)), 10, axis=0) for _ in "ab")
    text = words(audited(a, b[rng.permutation(60)])).get("at_chance", "")
    assert "Ties alone" not in text
    assert "Check" in text


def test_few_rows_that_carry_the_gain_are_named_as_rows_of_the_files(rng):
    where = rng.random(1_200) < 0.04
    a, b = (where[:, None] * 4 * rng.standard_normal(48) + rng.standard_normal((1_200, 48)) for _ in "ab")
    where = np.concatenate([[False] * 7, where])
    a, b = (np.concatenate([np.zeros((7, 48)), side]) for side in (a, b))
    found = audited(a, b, drop_bad_rows=True)
    assert found.alarm.strength == "few_rows"
    assert all(where[row] for row in found.alarm.few_rows)
    told = words(found)["other_axes"]
    assert "helps few rows alone" in told
    assert f"Look at rows {found.alarm.few_rows[0]}, " in told
    assert found.pairing is None or found.pairing.kind != "different_spaces"
    assert "few rows carry it" in line(found, "other_axes").text
