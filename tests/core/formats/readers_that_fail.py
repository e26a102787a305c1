"""Readers that do what a broken native library can do; `test_apart` runs them in a child."""

import os
import time

import numpy as np

from core.errors import ChoiceNeeded, LimitError
from core.formats.loaded import Decoded, Word


def aborts(buffer, name, choices):
    os.abort()


def ends_without_a_word(buffer, name, choices):
    os._exit(0)


def raises(buffer, name, choices):
    raise RuntimeError("a bug")


def never_ends(buffer, name, choices):
    time.sleep(60)


def takes_all_memory(buffer, name, choices):
    return Decoded(array=np.ones(4 * 10**8), dtype="float64")


def asks(buffer, name, choices):
    raise ChoiceNeeded(f"{name} asks", choice="key", options=("a", "b"), remedy="say")


def refuses(buffer, name, choices):
    raise LimitError(f"{name} is too large", remedy="less")


def echoes(buffer, name, choices):
    array = np.frombuffer(buffer, ">f4").reshape(2, -1)
    return Decoded(array=array, dtype=f"{choices.layer}", words=(Word(code="said", text=name),))
