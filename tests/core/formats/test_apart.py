import time

import numpy as np
import pytest

from core import limits
from core.errors import AuditError, ChoiceNeeded, FormatError, LimitError
from core.formats.apart import read_apart
from core.formats.loaded import ReadChoices

NAME = "odd \u202e\ud800\n'\".parquet"


def call(function, data=b"12345678", choices=None):
    return read_apart(
        "tests.core.formats.readers_that_fail", function, memoryview(data), NAME, choices or ReadChoices()
    )


@pytest.mark.parametrize("function", ["aborts", "ends_without_a_word", "raises"])
def test_a_reader_that_ends_its_process_becomes_a_refusal(function):
    with pytest.raises(FormatError, match="gave up") as caught:
        call(function)
    assert str(caught.value).startswith(NAME)


def test_memory_is_bounded_by_the_size_of_the_file():
    with pytest.raises(LimitError, match="more memory"):
        call("takes_all_memory")


def test_time_is_bounded(monkeypatch):
    monkeypatch.setattr(limits, "READER_SECONDS", 1)
    start = time.perf_counter()
    with pytest.raises(LimitError, match="within 1 seconds"):
        call("never_ends")
    assert time.perf_counter() - start < 10


def test_what_a_reader_says_crosses_whole():
    with pytest.raises(ChoiceNeeded) as question:
        call("asks")
    assert (question.value.choice, question.value.options, question.value.remedy) == ("key", ("a", "b"), "say")
    with pytest.raises(LimitError) as caught:
        call("refuses")
    assert (str(caught.value), caught.value.remedy) == (f"{NAME} is too large", "less")


def test_numbers_choices_and_words_cross_whole():
    numbers = np.arange(6, dtype=">f4")
    decoded = call("echoes", numbers.tobytes(), ReadChoices(layer=7))
    np.testing.assert_array_equal(decoded.array, numbers.reshape(2, 3))
    assert decoded.array.dtype == numbers.dtype
    assert decoded.dtype == "7"
    assert decoded.words[0].text == NAME


def test_a_full_disk_is_said_and_not_a_traceback(monkeypatch):
    def full():
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.formats.apart.tempfile.TemporaryFile", full)
    with pytest.raises(AuditError, match="No space left"):
        call("echoes")
