import subprocess
import sys

import numpy as np
import pytest

from core.errors import ChoiceNeeded, FormatError
from core.formats import ReadChoices, read_array
from tests.core.formats.verdicts import outcome
from tests.hostile import GOOD
from tests.hostile_tables import ARROW, lists, parquet


@pytest.mark.parametrize("name", ["lists.parquet", "lists.arrow"])
def test_arrays_and_words_cross_from_the_other_process(name):
    loaded = read_array(ARROW[name].build(), name)
    np.testing.assert_array_equal(loaded.array, GOOD)
    assert not loaded.array.flags.writeable


def test_choices_and_questions_cross():
    data = parquet(a=lists(GOOD), b=lists(GOOD + 1))
    np.testing.assert_array_equal(read_array(data, "a.parquet", ReadChoices(columns="b")).array, GOOD + 1)
    with pytest.raises(ChoiceNeeded) as question:
        read_array(data, "a.parquet")
    assert question.value.options == ("a", "b")
    assert question.value.choice == "columns"


@pytest.mark.parametrize("place", [300, 600, 900])
def test_damaged_tables_are_refused(place):
    data = bytearray(ARROW["lists.parquet"].build())
    data[-place : -place + 20] = bytes(20)
    assert outcome(bytes(data), "a.parquet")[0] in ("refuse", "take")


def test_pyarrow_is_not_imported_with_the_core():
    code = "import sys, core; print(sorted({'pyarrow', 'safetensors', 'scipy', 'pandas'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_pyarrow_cannot_read_names_the_file():
    with pytest.raises(FormatError, match=r"^a\.parquet"):
        read_array(b"PAR1" + bytes(100) + b"PAR1", "a.parquet")
