"""Two models through the command line: the cases a map must tell apart, and what is refused."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import orthogonal_procrustes

from core import command, two_models
from core.errors import LimitError, SettingsError
from core.two_models import TwoModelsSettings, audit_two_models
from tests.arrays import inspected, random_rotation
from tests.oracle import exact, first_shares, unit

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_data"


@pytest.fixture
def run(run):
    """Run ``two-models`` in this process: exit code, stdout, stderr."""
    return partial(run, "two-models")


def assert_refused(outcome, *words):
    code, out, err = outcome
    assert (code, out) == (2, "")
    assert re.fullmatch(r"error: [^\n]+\n", err)
    for word in words:
        assert word in err


def spectrum(n, dim, seed=0):
    """Rows whose directions fade, as those of encoders do."""
    rng = np.random.default_rng([seed, n, dim])
    return rng.standard_normal((n, dim)) / np.sqrt(1 + np.arange(dim) / 8), rng


def plain_gap(a, b):
    """The reading that a row-wise cosine of the two would give, centred."""
    a, b = (unit(unit(x) - unit(x).mean(axis=0)) for x in (a, b))
    return exact(a, b)["gap"], first_shares(a @ b.T)["expected"]


# ---------------------------------------------------------------- the cases


@pytest.mark.parametrize("kind", ["rotated", "columns shuffled", "signs flipped"])
def test_the_same_rows_in_other_axes_are_found_again_though_their_cosines_say_nothing(said, kind):
    a, rng = spectrum(500, 256)
    turned = {
        "rotated": lambda: a @ random_rotation(rng, 256),
        "columns shuffled": lambda: a[:, rng.permutation(256)],
        "signs flipped": lambda: a * rng.choice([-1.0, 1.0], 256),
    }[kind]()
    gap, first = plain_gap(a, turned)
    found = said(a, turned)

    assert abs(gap) < 0.1
    assert first < 0.05
    assert abs(found["not_evidence"]["gap_without_map"]) < 0.1
    # 249 directions of 256 are known; what is left of a row loses its cosine alone.
    assert found["mapped"]["gap"] > 0.9
    assert found["mapped"]["ranks"]["a_to_b"]["expected"] == 1.0
    assert_allclose(found["cka"]["debiased"], 1.0, atol=1e-9)
    assert found["neighbours"]["overlap"] == 1.0
    assert found["cka"]["null"]["pvalue"] == found["neighbours"]["null"]["pvalue"] == 0.001


@pytest.mark.parametrize(("n", "dim", "chance"), [(500, 256, 0.020), (100, 768, 0.101)])
def test_unrelated_rows_of_the_same_spectrum_score_nothing(said, n, dim, chance):
    a, _ = spectrum(n, dim)
    found = said(a, spectrum(n, dim, seed=1)[0])
    assert abs(found["mapped"]["gap"]) < 0.03
    assert found["mapped"]["ranks"]["a_to_b"]["expected"] < 0.06
    assert abs(found["cka"]["debiased"]) < 0.05, "the biased CKA reads .23 and .89 here"
    assert_allclose(found["neighbours"]["chance"], chance, atol=0.001)
    assert_allclose(found["neighbours"]["overlap"], chance, atol=0.03)
    assert min(found[what]["null"]["pvalue"] for what in ("cka", "neighbours")) > 0.01


def test_unrelated_rows_are_said_not_to_belong_together(said):
    rng = np.random.default_rng(4)
    found = said(rng.standard_normal((200, 20)), rng.standard_normal((200, 30)))
    assert found["mapped"]["gap_interval"]["low"] < 0 < found["mapped"]["gap_interval"]["high"]
    assert "holds 0: the mapped rows do not show that A and B belong together" in found["note"][0]
    assert found["not_evidence"] is None
    assert "A has 20 columns and B 30: without a map there is no cosine between them at all" in found["note"][2]


def test_rows_of_one_space_do_better_without_the_map_and_that_is_said(said):
    a, rng = spectrum(200, 384)
    found = said(a, a + 0.1 * rng.standard_normal(a.shape))
    assert found["not_evidence"]["gap_without_map"] > 0.8 > found["mapped"]["gap"]
    assert "they look like rows of one space already" in found["warning"]
    assert "map_loses" in [notice["code"] for notice in found["notices"]]


def test_a_weak_link_in_other_axes_is_found_with_enough_train_rows(said):
    """Held out, the partner scores what the noise leaves: 1/sqrt(1 + 1.7^2) = .51 at best."""
    rng = np.random.default_rng(6)
    a = rng.standard_normal((700, 50))
    b = (a + 1.7 * rng.standard_normal(a.shape)) @ random_rotation(rng, 50)
    found = said(a[:300], b[:300], a[300:], b[300:])
    assert 0.35 < found["mapped"]["gap"] < 0.52
    assert found["mapped"]["gap_interval"]["low"] > 0.3
    assert abs(found["not_evidence"]["gap_without_map"]) < 0.06
    assert found["warning"] is None


def test_with_as_many_train_rows_as_columns_unrelated_rows_train_to_three_quarters_and_score_nothing(said):
    """The limit is the half moment of a Fuss-Catalan law; only held-out rows are shown."""
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((600, 300)), rng.standard_normal((600, 300))
    train = [unit(unit(x[:300]) - unit(x[:300]).mean(axis=0)) for x in (a, b)]
    turn, _ = orthogonal_procrustes(*train)
    trained = float(np.mean(np.sum(train[0] @ turn * train[1], axis=1)))
    assert_allclose(trained, 0.75, atol=0.01)

    found = said(a[300:], b[300:], a[:300], b[:300])
    assert abs(found["mapped"]["matched_mean"]) < 0.012
    assert found["mapped"]["ranks"]["a_to_b"]["expected"] < 0.02
    figures = [float(number) for number in re.findall(r"0\.\d+", json.dumps(found["mapped"]))]
    assert not any(abs(figure - trained) < 1e-3 for figure in figures)
    assert "What the train pairs themselves score is not shown" in found["note"][3]


@pytest.mark.parametrize(("dim_a", "dim_b"), [(16, 16), (12, 20)])
def test_every_figure_after_the_map_is_that_of_another_solver(said, dim_a, dim_b):
    """scipy's Procrustes on rows padded with zeros to one width."""
    rng = np.random.default_rng(8)
    things = rng.standard_normal((150, 10))
    rows = [things @ rng.standard_normal((10, d)) + rng.standard_normal((150, d)) + 1 for d in (dim_a, dim_b)]
    found = said(rows[0][:60], rows[1][:60], rows[0][60:], rows[1][60:])

    means = [unit(x[60:]).mean(axis=0) for x in rows]
    centred = [unit(unit(x) - mean) for x, mean in zip(rows, means, strict=True)]
    wide = max(dim_a, dim_b)
    a, b = (np.pad(x, ((0, 0), (0, wide - x.shape[1]))) for x in centred)
    turn, _ = orthogonal_procrustes(a[60:], b[60:])
    scores = a[:60] @ turn @ b[:60].T
    expected = exact(a[:60] @ turn, b[:60])
    assert_allclose(found["mapped"]["matched_mean"], expected["matched"], rtol=1e-10)
    assert_allclose(found["mapped"]["floor_mean"], expected["floor"], atol=1e-12)
    assert_allclose(found["mapped"]["floor_sd"], expected["floor_sd"], rtol=1e-10)
    assert_allclose(found["mapped"]["ranks"]["a_to_b"]["expected"], first_shares(scores)["expected"])
    assert_allclose(found["mapped"]["ranks"]["b_to_a"]["expected"], first_shares(scores.T)["expected"])


# ---------------------------------------------------------------- real encoders


def test_two_encoders_of_the_same_texts_belong_together_after_a_map(run):
    a, b = SAMPLE / "minilm", SAMPLE / "e5_small"
    arguments = [a / "a.npy", b / "a.npy", "--train-a", a / "fit_a.npy", "--train-b", b / "fit_a.npy"]
    found = json.loads(run(*arguments)[1])
    assert_allclose(found["not_evidence"]["gap_without_map"], -0.001, atol=0.0005)
    assert_allclose(found["mapped"]["gap"], 0.546, atol=0.001)
    assert found["mapped"]["ranks"]["a_to_b"]["expected"] == 0.9975
    assert_allclose(found["cka"]["debiased"], 0.682, atol=0.001)
    assert_allclose(found["neighbours"]["overlap"], 0.446, atol=0.001)


# ---------------------------------------------------------------- options


def test_the_seed_draws_the_halves(said):
    a, rng = spectrum(60, 8)
    b = a @ random_rotation(rng, 8) + 0.3 * rng.standard_normal(a.shape)
    one, again, other = (said(a, b, None, None, "--seed", seed)["mapped"]["gap"] for seed in (3, 3, 4))
    assert one == again != other


def test_bad_rows_are_refused_by_file_and_left_out_only_on_request(said, run, saved):
    a, rng = spectrum(90, 8)
    b = a @ random_rotation(rng, 8)
    a[4, 2] = np.nan
    b[50] = 0
    files = saved("a", a[:40]), saved("b", b[:40]), "--train-a", saved("ta", a[40:]), "--train-b", saved("tb", b[40:])
    assert_refused(run(*files), "a.npy (side A): 1 of 40 rows holds NaN: row 4 (counting from 0)")
    found = said(a[:40], b[:40], a[40:], b[40:], "--drop-bad-rows")
    assert (found["pairs"]["compared"], found["pairs"]["train"]) == (39, 49)
    assert (found["settings"]["dropped_rows"], found["settings"]["dropped_train_rows"]) == (1, 1)
    said_so = [notice["text"] for notice in found["notices"] if notice["code"] == "dropped_rows"]
    assert said_so == ["1 pair and 1 train pair with a NaN, infinite or zero row are left out."]


def test_an_archive_of_train_rows_is_read_by_its_key(run, saved, tmp_path):
    a, rng = spectrum(80, 8)
    b = a @ random_rotation(rng, 8)
    np.savez(tmp_path / "train.npz", first=a[40:], second=b[40:])
    files = saved("a", a[:40]), saved("b", b[:40]), "--train-a", tmp_path / "train.npz"
    files += ("--train-b", tmp_path / "train.npz")
    assert_refused(run(*files), "train rows of A", "--key-train-a", "first")
    code, out, _ = run(*files, "--key-train-a", "first", "--key-train-b", "second")
    assert code == 0
    assert json.loads(out)["inputs"]["train_b"]["choices"] == {"key": "second"}


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("json", "{\n"),
        ("markdown", "**Two models"),
        ("latex", "% Two models"),
        ("csv", "table,row,column,value\n"),
        ("html", "<!DOCTYPE html>"),
    ],
)
def test_each_format_to_a_file(run, saved, tmp_path, name, start):
    a, rng = spectrum(40, 6)
    written = tmp_path / "report"
    code, out, _ = run(saved("a", a), saved("b", a @ random_rotation(rng, 6)), "--format", name, "--output", written)
    assert (code, out) == (0, "")
    assert written.read_text(encoding="utf-8").startswith(start)


def test_help_has_an_example_that_works(capsys, run, monkeypatch):
    with pytest.raises(SystemExit) as left:
        command.main(["two-models", "--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    (example,) = re.findall(r"python -m core two-models (sample_data.*\n.*)", shown)
    for option in ("--train-a", "--train-b", "--key-train-a", "--read-train-b-as", "--seed", "--drop-bad-rows"):
        assert option in shown
    monkeypatch.chdir(ROOT)
    assert run(*example.replace("\\\n", " ").split())[0] == 0


# ---------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        (((20, 4), (19, 5), None, None), ["A (a.npy) has 20 rows and B (b.npy) has 19", "same list of items"]),
        (((20, 4), (20, 5), (20, 4), None), ["train rows for A (ta.npy) but none for B", "or neither"]),
        (((20, 4), (20, 5), None, (20, 5)), ["train rows for B (tb.npy) but none for A"]),
        (((20, 4), (20, 5), (30, 5), (30, 5)), ["train rows of A (ta.npy) have 5 columns and the compared rows 4"]),
        (((20, 4), (20, 5), (30, 4), (29, 5)), ["train rows of A (ta.npy) are 30 and those of B (tb.npy) 29"]),
        (((20, 4), (20, 5), (2, 4), (2, 5)), ["2 train pairs, and a map needs at least 3"]),
        (((5, 4), (5, 4), None, None), ["5 pairs, and two models need at least 7"]),
    ],
)
def test_files_that_cannot_be_compared_are_refused_by_name(run, saved, rng, shapes, words):
    arguments = []
    for flag, name, shape in zip((None, None, "--train-a", "--train-b"), ("a", "b", "ta", "tb"), shapes, strict=True):
        if shape is not None:
            arguments += [*([flag] if flag else []), saved(name, rng.standard_normal(shape))]
    assert_refused(run(*arguments), *words)


def test_train_rows_that_are_the_compared_rows_are_refused(run, saved, rng):
    a, b = saved("a", rng.standard_normal((30, 5))), saved("b", rng.standard_normal((30, 5)))
    assert_refused(
        run(a, b, "--train-a", a, "--train-b", b), "30 of 30 compared pairs also stand among the train pairs"
    )


def test_train_rows_without_spread_are_refused_by_side(run, saved, rng):
    files = saved("a", rng.standard_normal((30, 5))), saved("b", rng.standard_normal((30, 5)))
    train = "--train-a", saved("ta", rng.standard_normal((9, 5))), "--train-b", saved("tb", np.ones((9, 5)))
    assert_refused(run(*files, *train), "the train rows of B have no spread left after centring")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--seed", "-1"], ["(--seed) is -1; it must be 0 or more"]),
        (["--seed", "x"], ["--seed", "python -m core two-models --help"]),
        (["--key-train-a", "x"], ["--key-train-a says how to read the train rows of A, which is not given"]),
        (["--fit-a", "x.npy"], ["unrecognized arguments: --fit-a"]),
        (["--train-a", "missing.npy"], ["missing.npy"]),
    ],
)
def test_options_that_cannot_be_meant_are_refused(run, saved, rng, options, words):
    files = saved("a", rng.standard_normal((30, 5))), saved("b", rng.standard_normal((30, 5)))
    assert_refused(run(*files, *options), *words)


def test_an_output_that_is_an_input_is_refused(run, saved, rng):
    files = saved("a", rng.standard_normal((30, 5))), saved("b", rng.standard_normal((30, 5)))
    before = files[0].read_bytes()
    assert_refused(run(*files, "--output", files[0]))
    assert files[0].read_bytes() == before


def test_what_will_not_fit_in_memory_is_refused_before_it_starts(monkeypatch, rng):
    monkeypatch.setattr(two_models, "available_bytes", lambda: 10_000_000)
    a, b = inspected(rng.standard_normal((30, 5)), "a.npy"), inspected(rng.standard_normal((30, 5)), "b.npy")
    with pytest.raises(LimitError, match=r"comparing a\.npy and b\.npy needs about .* 10 MB are free"):
        audit_two_models(a, b)


@pytest.mark.parametrize("seed", [True, 1.5, "1"])
def test_a_seed_that_is_no_whole_number_is_refused(seed):
    with pytest.raises(SettingsError, match="whole number"):
        TwoModelsSettings(seed=seed)


@pytest.mark.parametrize(
    "saved_again",
    [lambda x: x.astype(np.float32), unit, lambda x: 3 * x],
    ids=["float32", "unit rows", "scaled"],
)
def test_train_rows_that_are_the_compared_rows_saved_again_are_refused(run, saved, rng, saved_again):
    """40 pairs of unrelated rows of 64 columns would score a matched mean of .9, partner first for all."""
    a, b = rng.standard_normal((40, 64)), rng.standard_normal((40, 64))
    train = "--train-a", saved("ta", saved_again(a)), "--train-b", saved("tb", saved_again(b))
    assert_refused(run(saved("a", a), saved("b", b), *train), "40 of 40 compared pairs also stand among the train")


@pytest.mark.parametrize(
    ("seconds", "watched", "words"),
    [(9.9, True, ""), (25, True, "60 rows: about 25 s on this machine\n"), (300, False, "")],
)
def test_a_long_comparison_says_how_long_on_the_terminal(run, saved, rng, monkeypatch, seconds, watched, words):
    asked = []
    monkeypatch.setattr(
        "core.command.two_models.expected_two_models_seconds",
        lambda *shape, n_train: asked.append((*shape, n_train)) or seconds,
    )
    monkeypatch.setattr("sys.stderr.isatty", lambda: watched, raising=False)
    files = [saved(name, rng.standard_normal(shape)) for name, shape in (("a", (60, 5)), ("b", (60, 7)))]
    train = [saved(name, rng.standard_normal(shape)) for name, shape in (("t", (20, 5)), ("u", (20, 7)))]
    code, _, err = run(*files, "--train-a", train[0], "--train-b", train[1])
    assert code == 0
    assert err.startswith(words)
    assert ("on this machine" in err) is (words != "")
    assert asked == ([(60, 5, 7, 20)] if watched else [])
