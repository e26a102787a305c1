"""Compared rows that stand nearly as they are among the train rows: kept apart, or warned of."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from core.near_copies import are_many, near_copies, near_groups
from core.report import two_models_document
from core.spaces import compare_models
from core.train_split import divide
from core.two_models import audit_two_models
from tests.arrays import inspected
from tests.core.test_alike_rows import drift

SAMPLE = Path(__file__).parents[2] / "sample_data"


def compared(*rows, seed=0):
    return compare_models(*rows, rng=np.random.default_rng(seed), n_permutations=99)


def codes(found):
    return {one.code for one in found.notices}


def text_of(found, code):
    (text,) = [one.text for one in found.notices if one.code == code]
    return text


def versions(rng, n_items, n_versions, dim, noise=0.15):
    """Rows of so many items, each in several versions, and the item of each row."""
    items = np.tile(np.arange(n_items), n_versions)
    rows = rng.standard_normal((n_items, dim))[items]
    return rows + noise * rng.standard_normal(rows.shape), items


def linked(rng, n, m, dim=24, latent=12, noise=0.5):
    things = rng.standard_normal((n + m, latent))
    sides = [things @ rng.standard_normal((latent, dim)) for _ in "ab"]
    a, b = (side + noise * rng.standard_normal(side.shape) for side in sides)
    return a[:n], b[:n], a[n:], b[n:]


@pytest.mark.parametrize("noise", [0.05, 0.1, 0.2])
def test_near_copies_of_compared_rows_among_the_train_rows_are_warned_of(rng, noise):
    a, b = rng.standard_normal((200, 64)), rng.standard_normal((200, 64))
    train = [x + noise * rng.standard_normal(x.shape) for x in (a, b)]
    found = compared(a, b, *train)
    assert found.interval.low > 0.2, "unrelated rows score high"
    text = text_of(found, "near_train_rows")
    assert text.startswith("200 of 200 compared rows have a near copy among the train rows (200 in A, 200 in B, 200 in")
    assert "Train on other items" in text


def test_the_same_texts_in_int8_as_train_rows_are_warned_of_beside_the_reading():
    """Rows shuffled on one side are unrelated, and 99 % of partners rank first all the same."""
    rows, train = (np.load(SAMPLE / "minilm_precision" / f"{name}.npy") for name in ("fp32", "int8_per_channel"))
    order = np.random.default_rng(7).permutation(len(rows))
    files = [rows, rows[order], train, train[order]]
    result = audit_two_models(*(inspected(one, f"{name}.npy") for name, one in zip("abtu", files, strict=True)))
    warning = two_models_document(result).warning
    assert result.found.mapped.a_to_b.expected > 0.9
    assert "380 of 380 compared rows have a near copy among the train rows (380 in A, 380 in B" in warning
    assert "The figures contradict one another" in warning
    assert "would be too low, if the rows are linked" in warning
    assert "compared rows score is too low" not in warning


def test_near_copies_on_one_side_alone_are_named_for_that_side(rng):
    a, b, train_b = (rng.standard_normal((200, 64)) for _ in "abt")
    found = compared(a, b, a + 0.1 * rng.standard_normal(a.shape), train_b)
    assert "(200 in A, none in B, none in both)" in text_of(found, "near_train_rows")


@pytest.mark.parametrize(("count", "said"), [(2, False), (4, True)])
def test_a_word_begins_at_one_row_in_fifty(rng, count, said):
    a, b, train_a, train_b = (rng.standard_normal((200, 32)) for _ in "abtu")
    train_a[:count] = a[10 : 10 + count] + 0.1 * rng.standard_normal((count, 32))
    found = compared(a, b, train_a, train_b)
    assert ("near_train_rows" in codes(found)) is said
    if said:
        assert "row 10, 11, 12, 13 (counting from 0)" in text_of(found, "near_train_rows")


@pytest.mark.parametrize(
    ("first", "second"), [("minilm", "e5_small"), ("glove_50d", "e5_small"), ("glove_50d", "minilm")]
)
@pytest.mark.parametrize("side", ["a", "b"])
def test_real_encoders_with_other_texts_as_train_rows_get_no_word(first, second, side):
    files = [np.load(SAMPLE / model / f"{part}{side}.npy") for part, model in product(("", "fit_"), (first, second))]
    found = compared(*files)
    assert not codes(found) & {"near_train_rows", "map_contradicts"}
    assert "near_train_rows" not in codes(compared(*files[:2]))


@pytest.mark.parametrize(
    "draw",
    [
        *(lambda rng, n, dim=dim: rng.standard_normal((n, dim)) for dim in (2, 3, 8, 10, 64)),
        lambda rng, n: rng.standard_normal((n, 200)) / np.arange(1, 201),
        lambda rng, n: (
            np.random.default_rng(1).standard_normal((20, 32))[rng.integers(0, 20, n)]
            + 0.1 * rng.standard_normal((n, 32))
        ),
        lambda rng, n: rng.standard_t(3, (n, 64)),
        lambda rng, n: drift(rng, n, 32),
        lambda rng, n: np.tanh(rng.standard_normal((n, 4)) @ np.random.default_rng(1).standard_normal((4, 100))),
        lambda rng, n: np.repeat(rng.standard_normal((4, 32)), n // 4, axis=0),
    ],
    ids=["2", "3", "8", "10", "64", "fading", "clusters", "heavy tails", "drifting", "on a surface", "equal rows"],
)
def test_rows_drawn_alike_have_no_near_copies_to_speak_of(rng, draw):
    rows, train = draw(rng, 400), draw(np.random.default_rng(99), 600)
    assert not are_many(len(near_copies(rows, train)), 400)


def test_copies_are_found_whichever_rows_they_stand_in(rng):
    """Beside each row's own number, drawn by hand."""
    train = rng.standard_normal((300, 40))
    rows = rng.standard_normal((120, 40))
    copied = np.sort(rng.choice(120, 37, replace=False))
    rows[copied] = 5 * train[rng.choice(300, 37, replace=False)] + 0.5 * rng.standard_normal((37, 40))
    assert near_copies(rows, train).tolist() == copied.tolist()


@pytest.mark.parametrize("n_versions", [2, 5, 9])
def test_versions_of_one_item_are_one_group(rng, n_versions):
    (a, items), (b, _) = (versions(rng, 60, n_versions, 48) for _ in "ab")
    found = near_groups(a, b, np.arange(len(a)))
    assert len(set(found)) == 60
    assert len(set(zip(found, items, strict=True))) == 60


def test_groups_known_before_stay_whole(rng):
    a, b = rng.standard_normal((90, 16)), rng.standard_normal((90, 16))
    known = np.arange(90) % 30
    assert len(set(zip(near_groups(a, b, known), known, strict=True))) == 30


@pytest.mark.parametrize("seed", range(4))
def test_versions_of_one_item_stand_in_one_half_so_that_unrelated_files_score_nothing(seed):
    rng = np.random.default_rng(seed)
    (a, items), (b, _) = (versions(rng, 120, 3, 64) for _ in "ab")
    found = compared(a, b, seed=seed)
    assert found.interval.low <= 0
    assert (found.neighbours.n_rows, found.cka_null.n_rows) == (120, 120)
    assert "near_train_rows" not in codes(found)
    assert text_of(found, "repeated_pairs").startswith(
        "360 pairs are near copies of another pair, in A or in B, and stand in the same half with it: the halves are "
        "drawn from 120 groups"
    )
    rows = divide(a, b, None, None, np.random.default_rng(seed))
    compared_items = items[rows.numbers]
    assert not set(compared_items) & set(np.delete(items, rows.numbers))


def test_near_copies_in_groups_too_large_to_be_items_are_warned_of(rng):
    """A chain of rows each near the next: no half can keep it whole."""
    steps = np.cumsum(0.35 * rng.standard_normal((200, 64)), axis=0)[rng.permutation(200)]
    a, b = steps, rng.standard_normal((200, 64))
    found = compared(a, b)
    assert "near_train_rows" in codes(found) or not are_many(len(near_copies(a[:100], a[100:])), 100)
    assert "repeated_pairs" not in codes(found)


def test_a_map_that_contradicts_the_geometry_of_both_models_is_said(rng):
    a, b = rng.standard_normal((300, 48)), rng.standard_normal((300, 48))
    train = [x + 0.6 * rng.standard_normal(x.shape) for x in (a, b)]
    text = text_of(compared(a, b, *train), "map_contradicts")
    assert "within the models nothing links the same rows" in text
    assert "stand among the train rows as well" in text


@pytest.mark.parametrize("noise", [0.5, 3, 6])
def test_weak_links_that_a_map_finds_first_are_no_contradiction(noise):
    """With many train rows a map is finer than CKA: a small gap beside a CKA of chance is no contradiction."""
    for seed in range(6):
        rows = linked(np.random.default_rng(seed), 80, 600, noise=noise)
        assert not codes(compared(*rows)) & {"map_contradicts", "near_train_rows"}


@pytest.mark.parametrize(("related", "words"), [(True, "is too low"), (False, "would be too low, if the rows are")])
def test_few_train_rows_make_a_score_too_low_only_where_something_is_found(rng, related, words):
    a, b, train_a, train_b = linked(rng, 100, 20)
    found = compared(a, b if related else b[rng.permutation(100)], train_a, train_b)
    assert (found.interval.low > 0) is related
    assert words in text_of(found, "few_train_rows")
