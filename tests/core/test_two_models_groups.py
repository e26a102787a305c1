"""Two models with ids of groups: no half and no piece of the interval divides an item."""

from __future__ import annotations

import numpy as np

from core.group_ids import GroupIds
from core.report import two_models_document
from core.train_split import divide
from core.two_models import audit_two_models
from tests.arrays import inspected


def captions(rng, n_items=60, each=5, dim=24):
    """Unrelated files whose rows belong to items by fives, and the ids: likeness far from that of copies."""
    ids = rng.permutation(np.repeat(np.arange(n_items), each))
    a, b = (rng.standard_normal((n_items, dim))[ids] + 0.8 * rng.standard_normal((len(ids), dim)) for _ in "ab")
    return a, b, ids


def test_ids_keep_items_in_one_half_and_in_one_piece_of_the_interval(rng, said, tmp_path):
    clear = []
    for seed in range(4):
        a, b, ids = captions(np.random.default_rng(seed))
        path = tmp_path / "ids.txt"
        path.write_text("\n".join(f"image {number}" for number in ids))
        without, found = said(a, b), said(a, b, None, None, "--groups", path)
        clear.append((without["mapped"]["gap_interval"]["low"] > 0, found["mapped"]["gap_interval"]["low"] > 0))
        assert found["groups"]["count"] == 60
        assert (found["groups"]["largest"], found["groups"]["name"]) == (5, "ids.txt")
        assert found["neighbours"]["n"] == 60
        assert (found["pairs"]["train"], found["pairs"]["compared"]) == (150, 150)
        (text,) = [one["text"] for one in found["notices"] if one["code"] == "repeated_pairs"]
        assert text.startswith("300 pairs share an id, or a row of A or of B, with another pair and stand in the same")
        assert "Pairs of one of the 60 declared groups were never divided" in found["methods"]
        assert without["groups"] is None
    assert [sum(side) for side in zip(*clear, strict=True)] == [4, 0]


def test_no_half_divides_an_id():
    a, b, ids = captions(np.random.default_rng(5))
    rows = divide(a, b, None, None, np.random.default_rng(0), labels=ids)
    assert not set(ids[rows.numbers]) & set(np.delete(ids, rows.numbers))


def test_with_train_rows_ids_are_of_the_compared_rows(rng, said, tmp_path):
    a, b, ids = captions(rng)
    np.save(tmp_path / "ids.npy", ids)
    found = said(a, b, *(rng.standard_normal((100, 24)) for _ in "ab"), "--groups", tmp_path / "ids.npy")
    (text,) = [one["text"] for one in found["notices"] if one["code"] == "repeated_pairs"]
    assert text.endswith("Ids are of the compared rows: no train row is held against them.")
    assert "same half" not in text


def test_ids_that_are_not_one_a_row_are_refused(run, saved, rng, tmp_path):
    files = [saved(name, rng.standard_normal((40, 6))) for name in "ab"]
    np.save(tmp_path / "ids.npy", np.arange(39))
    code, out, err = run("two-models", *files, "--groups", tmp_path / "ids.npy")
    assert (code, out) == (2, "")
    assert "ids.npy holds 39 ids and the files have 40 rows" in err


def test_the_command_of_a_report_gives_the_ids_again(rng):
    a, b, ids = captions(rng)
    given = GroupIds(name="ids.txt", sha256="0" * 64, values=ids, may_have_heading=False)
    result = audit_two_models(inspected(a, "a.npy"), inspected(b, "b.npy"), groups=given)
    words = two_models_document(result)
    assert "--groups ids.txt" in words.command
    assert ("groups", "0" * 64) in words.fingerprints
