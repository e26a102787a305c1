"""Labels written as floats among the coordinates: asked about as the same ones written as whole numbers."""

import io
import json

import numpy as np
import pytest

from core.errors import ChoiceNeeded
from core.formats import ReadChoices, read_array
from tests.hostile_arrow import arrow, parquet

pytestmark = pytest.mark.usefixtures("in_process")

N, D = 90, 5
LETTERS = [*"abcde"]
LABELS = {
    "in turns": np.arange(N) % 3,
    "sorted": np.sort(np.arange(N) % 3),
    "of two kinds": np.arange(N) % 2,
    "negative": (np.arange(N) % 2) * 2 - 1,
    "one": np.ones(N, int),
}
WAYS = ("0", "0.0", "0.000e+00", "parquet", "arrow", "split", "records", "tabs", "savetxt")


@pytest.fixture
def vectors(rng):
    return rng.normal(size=(N, D)).round(6)


def text_table(rows, names, mark=",", form="{}"):
    head = [mark.join([*names, "label"])] if names else []
    lines = (mark.join([*map(repr, row[:-1]), form.format(row[-1])]) for row in rows.tolist())
    return "\n".join([*head, *lines]).encode()


def table(way, vectors, labels, names=LETTERS):
    """The rows with their label in the last column, as one kind of file, and its name."""
    rows = np.c_[vectors, labels.astype(float)]
    if way == "savetxt":
        stream = io.BytesIO()
        np.savetxt(stream, rows, delimiter=",")
        return stream.getvalue(), "x.csv"
    if way == "split":
        return json.dumps({"columns": [*names, "label"], "data": rows.tolist()}).encode(), "x.json"
    if way == "records":  # numbered, without which records with a number a field are none
        return json.dumps(
            [{str(at): value for at, value in enumerate(row)} for row in rows.tolist()]
        ).encode(), "x.json"
    if way in ("parquet", "arrow"):
        save = {"parquet": parquet, "arrow": arrow}[way]
        return save(**dict(zip([*names, "label"], rows.T, strict=True))), f"x.{way}"
    form = {"0": "{:.0f}", "0.0": "{:.1f}", "0.000e+00": "{:.3e}", "tabs": "{:.1f}"}[way]
    return text_table(rows, names, "\t" if way == "tabs" else ",", form), "x.tsv" if way == "tabs" else "x.csv"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", LABELS)
def test_a_label_among_fractions_is_asked_about_however_it_is_written(way, kind, vectors):
    data, name = table(way, vectors, LABELS[kind])
    with pytest.raises(ChoiceNeeded, match="can be read in 2 ways") as question:
        read_array(data, name)
    first, both = question.value.options
    np.testing.assert_array_equal(read_array(data, name, ReadChoices(columns=first)).array, vectors)
    np.testing.assert_array_equal(
        read_array(data, name, ReadChoices(columns=both)).array, np.c_[vectors, LABELS[kind].astype(float)]
    )


@pytest.mark.parametrize("form", ["{:.0f}", "{:.1f}"])
@pytest.mark.parametrize("names", [["0", "1", "2", "3", "4"], []])
def test_so_is_one_in_a_table_without_names_or_under_bare_numbers(form, names, vectors):
    data = text_table(np.c_[vectors, LABELS["in turns"]], names, form=form).replace(b"label", b"5")
    with pytest.raises(ChoiceNeeded) as question:
        read_array(data, "x.csv")
    assert question.value.options == ("0,1,2,3,4", "0,1,2,3,4,5")


def test_a_missing_label_is_no_fraction(vectors):
    data = text_table(np.c_[vectors, LABELS["in turns"]], LETTERS).replace(b",2.0\n", b",\n", 1)
    with pytest.raises(ChoiceNeeded):
        read_array(data, "x.csv")


def one_hot(rng):
    return np.eye(D)[rng.integers(0, D, N)]


def counts(rng):
    return rng.poisson(0.4, (N, D)).astype(float)


def quantised(rng):
    return rng.integers(-127, 128, (N, D)).astype(float)


def after_relu(rng):
    return np.c_[np.maximum(rng.normal(size=(N, D)), 0), np.zeros(N)]


def unit_rows_of_words(rng):
    """tf-idf: mostly zeros, and the word that stands alone in its rows has the weight 1 there."""
    weights = np.where(rng.random((N, D)) < 0.3, rng.random((N, D)), 0)
    weights[0] = 0.25
    alone = np.zeros((N, 1))
    alone[7] = 1
    weights[7] = 0
    return np.c_[weights, alone]


def with_fractions_far_down(rng):
    rows = rng.normal(size=(N, D))
    rows[:60, 2] = np.arange(60) % 2
    return rows


@pytest.mark.parametrize("made", [one_hot, counts, quantised, after_relu, unit_rows_of_words, with_fractions_far_down])
@pytest.mark.parametrize("way", ["text", "parquet", "split"])
def test_whole_numbers_that_are_coordinates_are_read_without_a_question(made, way, rng):
    rows = made(rng)
    names = [f"col{letter}" for letter in "abcdef"[: rows.shape[1]]]
    if way == "text":
        data, name = "\n".join(",".join(map(repr, row)) for row in [*rows.tolist()]).encode(), "x.csv"
    elif way == "parquet":
        data, name = parquet(**dict(zip(names, rows.T, strict=True))), "x.parquet"
    else:
        data, name = json.dumps({"columns": names, "data": rows.tolist()}).encode(), "x.json"
    np.testing.assert_array_equal(read_array(data, name).array, rows)


def test_a_label_among_sparse_numbers_is_asked_about_where_it_counts_further_than_one(rng):
    rows = unit_rows_of_words(rng)
    rows[:, -1] = LABELS["in turns"]
    with pytest.raises(ChoiceNeeded):
        read_array("\n".join(",".join(map(repr, row)) for row in rows.tolist()).encode(), "x.csv")


def test_a_column_of_a_numbered_run_is_a_coordinate_whatever_it_holds(vectors):
    rows = np.c_[vectors, LABELS["in turns"]]
    data = parquet(**{f"e{at}": column for at, column in enumerate(rows.T)})
    np.testing.assert_array_equal(read_array(data, "x.parquet").array, rows)


def test_four_rows_show_nothing():
    rows = np.c_[np.full((4, 2), 0.5), [0.0, 1.0, 0.0, 1.0]]
    text = "\n".join(",".join(map(repr, row)) for row in rows.tolist())
    np.testing.assert_array_equal(read_array(text.encode(), "x.csv").array, rows)
