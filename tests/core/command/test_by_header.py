"""What headers show is said before a large file is read: same sentences, no hash, no inspection."""

from __future__ import annotations

import gzip
import io

import numpy as np
import pytest
import safetensors.numpy

from core import command, limits
from core.by_header import by_header
from core.errors import AuditError, LimitError
from core.formats import ReadChoices, read_array
from core.inspection import inspect
from core.pairs import refuse_other_shapes
from tests.arrays import npy_bytes


def saved(folder, name, array):
    path = folder / name
    out = io.BytesIO()
    if name.endswith(".npz"):
        np.savez_compressed(out, x=array, notes=np.array("about it"))
    elif name.endswith(".gz"):
        out.write(gzip.compress(npy_bytes(array)))
    elif name.endswith(".safetensors"):
        out.write(safetensors.numpy.save({"x": array}))
    else:
        out.write(npy_bytes(array))
    path.write_bytes(out.getvalue())
    return path


CONTAINERS = ("npy", "npz", "npy.gz", "safetensors")


@pytest.fixture
def unread(monkeypatch):
    """Reading a file to its end is a failure of the test."""

    def never(*_args, **_options):
        raise AssertionError("the file was read")

    for place in ("core.formats.sha256_of", "core.command.files.inspect", "core.formats.npz.inflated"):
        monkeypatch.setattr(place, never)
    monkeypatch.setattr("core.formats.gzipped.inflated", never)


@pytest.mark.parametrize("ending", CONTAINERS)
def test_the_header_tells_name_and_shape_of_what_is_read(tmp_path, ending):
    path = saved(tmp_path, f"x.{ending}", np.ones((7, 5), np.float32))
    told = by_header(path, path.name)
    assert told is not None
    assert (told.loaded.name, told.loaded.shape) == (path.name, read_array(path, path.name).shape)


@pytest.mark.parametrize(
    ("array", "choices", "shape"),
    [
        (np.ones((4, 1, 6)), ReadChoices(), (4, 6)),
        (np.ones((1, 4, 6)), ReadChoices(), (4, 6)),
        (np.ones((3, 4, 6)), ReadChoices(layer=1), (4, 6)),
        (np.ones((4, 6), np.uint8), ReadChoices(read_as="packed-bits"), (4, 48)),
        (np.ones((4, 6), np.uint16), ReadChoices(read_as="bfloat16"), (4, 6)),
    ],
)
def test_the_shape_told_is_the_shape_read(array, choices, shape):
    data = npy_bytes(array)
    told = by_header(data, "x.npy", choices)
    assert told is not None
    assert told.loaded.shape == read_array(data, "x.npy", choices).shape == shape


@pytest.mark.parametrize("layer", [None, 3, -1])
def test_a_stack_without_a_layer_of_its_own_is_left_to_be_asked(layer):
    assert by_header(npy_bytes(np.ones((3, 4, 6))), "x.npy", ReadChoices(layer=layer)) is None


@pytest.mark.parametrize("data", [b"1,2\n3,4\n", b"[[1, 2], [3, 4]]", gzip.compress(b"1,2\n3,4\n", mtime=0)])
def test_of_text_no_header_tells(data):
    assert by_header(data, "x.txt.gz" if data[:1] == b"\x1f" else "x.txt") is None


@pytest.mark.parametrize("ending", CONTAINERS)
@pytest.mark.parametrize("shape", [(8, 5), (14, 5), (7, 6), (5, 7)])
def test_files_that_cannot_be_paired_are_refused_unread_with_the_sentence_of_read_ones(
    tmp_path, capsys, request, ending, shape
):
    read = [inspect(read_array(npy_bytes(np.ones(s)), f"{n}.{ending}")) for n, s in (("a", (7, 5)), ("b", shape))]
    with pytest.raises(AuditError) as refused:
        refuse_other_shapes(*read)
    request.getfixturevalue("unread")
    a, b = (saved(tmp_path, f"{n}.{ending}", np.ones(s, np.float32)) for n, s in (("a", (7, 5)), ("b", shape)))
    assert command.main([str(a), str(b)]) != 0
    said = capsys.readouterr().err
    assert str(refused.value) in said
    assert refused.value.remedy in said


@pytest.mark.parametrize(
    "words",
    [
        ["claim", "a.npy", "b.npy", "--claim", "0.9"],
        ["rows", "a.npy", "b.npy"],
        ["two-models", "a.npy", "b.npy"],
        ["two-models", "a.npy", "a.npy", "--train-a", "a.npy", "--train-b", "b.npy"],
        ["conditions", "a.npy", "x=a.npy", "y=b.npy"],
        ["a.npy", "a.npy", "--fit-a", "wide.npy"],
    ],
)
def test_every_command_refuses_by_the_header(tmp_path, capsys, monkeypatch, unread, words):
    monkeypatch.chdir(tmp_path)
    for name, shape in (("a.npy", (40, 5)), ("b.npy", (41, 5)), ("wide.npy", (40, 6))):
        saved(tmp_path, name, np.ones(shape))
    assert command.main(words) != 0
    assert "must match" in (said := capsys.readouterr().err) or "its own width" in said


def test_what_will_not_fit_is_refused_before_the_files_are_read(tmp_path, capsys, monkeypatch, unread):
    a = saved(tmp_path, "a.npy", np.ones((40, 5)))
    monkeypatch.setattr("core.memory.available_bytes", lambda: 1000)
    assert command.main([str(a), str(a)]) != 0
    assert "of memory" in capsys.readouterr().err


def test_rows_too_wide_are_refused_by_the_header(monkeypatch):
    monkeypatch.setattr(limits, "MAX_COLUMNS", 4)
    with pytest.raises(LimitError, match="at most 4 columns"):
        by_header(npy_bytes(np.ones((3, 5))), "x.npy")


def test_on_a_terminal_a_large_file_is_named_before_it_is_read(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("core.command.terminal.watched", lambda: True)
    monkeypatch.setattr("core.report.waiting.SAY_READING_BYTES", 1000)
    rng = np.random.default_rng(0)
    sizes = (("large", (20, 30)), ("small", (3, 30)))
    large, small = (saved(tmp_path, f"{name}.npy", rng.standard_normal(shape)) for name, shape in sizes)
    command.main([str(large), str(large), "--fit-a", str(small)])
    said = capsys.readouterr().err
    assert "Reading large.npy, 0 MB\n" in said
    assert "small.npy," not in said
    monkeypatch.setattr("core.report.waiting.READ_BYTES_PER_SECOND", 100)
    command.main([str(large), str(large)])
    assert "Reading large.npy, 0 MB: about 49 s\n" in capsys.readouterr().err
