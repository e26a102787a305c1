import gzip
import io

import numpy as np
import pytest
import safetensors.numpy

from core import limits
from core.errors import ChoiceNeeded, FormatError, LimitError
from core.formats import ReadChoices, read_array, read_stack
from core.formats.shapes import as_rows
from tests.core.formats.verdicts import check
from tests.hostile import GOOD, SHAPE, npy


@pytest.mark.parametrize("name", SHAPE)
def test_each_shape_of_the_corpus_gets_its_decision(name):
    check(name, SHAPE[name])


@pytest.mark.parametrize(
    ("shape", "left"),
    [((12, 1, 5), (12, 5)), ((1, 12, 5), (12, 5)), ((12, 5, 1), (12, 5)), ((1, 1, 5), (1, 5)),
     ((12, 1, 1), (12, 1)), ((1, 12, 1, 5), (12, 5))],
)  # fmt: skip
def test_axes_of_length_one_are_dropped_with_a_word(shape, left):
    array, words = as_rows(np.zeros(shape, "f4"), "a.npy", None)
    assert array.shape == left
    assert [word.code for word in words] == ["axis_dropped"]
    assert str(shape) in words[0].text


def test_the_chosen_layer_is_taken():
    stack = np.stack([GOOD, GOOD + 1, GOOD + 2])
    np.testing.assert_array_equal(read_array(npy(stack), "a.npy", ReadChoices(layer=2)).array, GOOD + 2)


@pytest.mark.parametrize("layer", [-1, 3, 10**30])
def test_a_layer_that_is_not_there_asks_again(layer):
    with pytest.raises(ChoiceNeeded, match=f"no layer {layer}") as question:
        read_array(npy(np.stack([GOOD] * 3)), "a.npy", ReadChoices(layer=layer))
    assert question.value.choice == "layer"
    assert question.value.options == ("0", "1", "2")


def test_a_layer_of_a_plain_matrix_is_refused_and_not_ignored():
    with pytest.raises(FormatError, match="no layers"):
        read_array(npy(GOOD), "a.npy", ReadChoices(layer=0))


def test_a_stack_is_read_as_its_layers_once():
    stack = np.stack([GOOD, GOOD + 1, GOOD + 2])
    layers = read_stack(npy(stack), "a.npy")
    for number, (layer, rows) in enumerate(zip(layers, stack, strict=True)):
        alone = read_array(npy(stack), "a.npy", ReadChoices(layer=number))
        np.testing.assert_array_equal(layer.array, rows)
        assert (layer.sha256, layer.choices, layer.dtype) == (alone.sha256, alone.choices, alone.dtype)
        assert not layer.array.flags.writeable


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ((5, 4), "a stack of layers has three axes"),
        ((1, 5, 4), "1 layer, and 2 to 256 can be compared"),
        ((257, 5, 4), "257 layers"),
        ((2, 0, 4), "no numbers"),
        ((2, 3, 5, 4), "three axes"),
        ((5,), "1-d"),
    ],
)
def test_what_is_no_stack_is_refused(shape, words):
    with pytest.raises(FormatError, match=words) as refused:
        read_stack(npy(np.ones(shape, "f4")), "a.npy")
    assert refused.value.remedy


def test_of_narrow_rows_only_so_many_are_read(monkeypatch):
    monkeypatch.setattr(limits, "MAX_NARROW_ROWS", 100)
    assert read_array(npy(np.ones((100, 3), np.int8)), "a.npy").shape == (100, 3)
    assert read_array(npy(np.ones((101, 50), np.float32)), "wide.npy").shape == (101, 50)
    with pytest.raises(LimitError, match=r"a\.npy has 101 rows of 1 column; of rows this narrow at most 100"):
        read_array(npy(np.ones((101, 1))), "a.npy")
    with pytest.raises(LimitError, match="101 rows of 49 columns"):
        read_array(npy(np.ones((101, 49), np.float32)), "a.npy")
    with pytest.raises(LimitError, match=r"s\.npy has 101 rows"):
        read_stack(npy(np.ones((2, 101, 3))), "s.npy")


def test_what_is_kept_of_narrow_rows_stays_a_fifth_of_the_array_or_eighty_megabytes():
    kept = 40  # bytes a row, as core.inspection says
    assert kept * limits.MAX_NARROW_ROWS <= 80e6
    assert kept <= limits.NARROW_ROW_BYTES / 5


def test_rows_wider_than_any_embedding_are_refused_from_the_header_of_every_container(monkeypatch):
    monkeypatch.setattr(limits, "MAX_COLUMNS", 100)
    wide = np.ones((3, 101), np.float32)
    stored, deflated, packed = io.BytesIO(), io.BytesIO(), io.BytesIO()
    np.savez(stored, x=wide)
    np.savez_compressed(deflated, x=wide)
    packed.write(gzip.compress(npy(wide)))
    files = {
        "a.npy": npy(wide),
        "a.npz": stored.getvalue(),
        "b.npz": deflated.getvalue(),
        "a.npy.gz": packed.getvalue(),
        "a.safetensors": safetensors.numpy.save({"x": wide}),
        "a.csv": "\n".join(",".join(map(str, row)) for row in wide).encode(),
        "one.npy": npy(wide.reshape(3, 1, 101)),
        "packed.npy": npy(np.ones((3, 13), np.uint8)),
    }
    for name, data in files.items():
        choices = ReadChoices(read_as="packed-bits" if name == "packed.npy" else None)
        with pytest.raises(LimitError, match=r"has 3 rows of 10\d columns; at most 100 columns are read") as refused:
            read_array(data, name, choices)
        assert "transposed or flattened" in refused.value.remedy
    assert read_array(npy(wide[:, :100]), "a.npy").shape == (3, 100)
    with pytest.raises(LimitError, match="at most 100 columns"):
        read_stack(npy(np.ones((2, 3, 101))), "s.npy")


def test_a_wide_array_is_refused_before_its_container_is_unpacked(monkeypatch):
    monkeypatch.setattr(limits, "MAX_COLUMNS", 100)

    def never(*_args, **_options):
        raise AssertionError("unpacked")

    monkeypatch.setattr("core.formats.npz.inflated", never)
    monkeypatch.setattr("core.formats.gzipped.inflated", never)
    deflated = io.BytesIO()
    np.savez_compressed(deflated, x=np.ones((3, 101)))
    for name, data in (("a.npz", deflated.getvalue()), ("a.npy.gz", gzip.compress(npy(np.ones((3, 101)))))):
        with pytest.raises(LimitError, match="at most 100 columns"):
            read_array(data, name)


def test_a_row_of_the_most_columns_is_about_one_block_of_ordinary_rows():
    assert limits.MAX_COLUMNS <= 1.5 * limits.READY_BLOCK_ELEMENTS
    assert limits.MAX_COLUMNS >= 4 * 16_384


def test_packed_bits_that_would_fill_the_memory_are_not_unpacked(monkeypatch):
    monkeypatch.setattr(limits, "MAX_UNPACKED_BYTES", 400)
    assert read_array(npy(np.ones((5, 10), np.uint8)), "a.npy", ReadChoices(read_as="packed-bits")).shape == (5, 80)
    with pytest.raises(LimitError, match=r"a\.npy unpacks to 480 signs .* at most 400"):
        read_array(npy(np.ones((6, 10), np.uint8)), "a.npy", ReadChoices(read_as="packed-bits"))
