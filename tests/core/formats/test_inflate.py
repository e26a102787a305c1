import tracemalloc
import zlib

import pytest

from core import limits
from core.errors import FormatError, LimitError
from core.formats.inflate import RAW_DEFLATE, check_expansion, inflated


def deflated(data):
    stream = zlib.compressobj(9, zlib.DEFLATED, RAW_DEFLATE)
    return memoryview(stream.compress(data) + stream.flush())


@pytest.mark.parametrize("size", [0, 1, 5, 2**20 - 1, 2**20, 2**20 + 1, 3 * 2**20])
def test_what_was_deflated_comes_back(size):
    data = bytes(range(256)) * (size // 256 + 1)
    assert inflated(deflated(data[:size]), "a", wbits=RAW_DEFLATE, size=size) == data[:size]


@pytest.mark.parametrize("size", [0, 1, 9_999])
def test_a_stream_longer_than_declared_is_refused(size):
    with pytest.raises(FormatError, match="more than"):
        inflated(deflated(bytes(10_000)), "a", wbits=RAW_DEFLATE, size=size)


@pytest.mark.parametrize("size", [10_001, 10**6])
def test_a_stream_shorter_than_declared_is_refused(size):
    with pytest.raises(FormatError, match="unpacks to 10,000"):
        inflated(deflated(bytes(10_000)), "a", wbits=RAW_DEFLATE, size=size)


def test_a_bomb_costs_no_more_than_what_was_declared():
    packed = deflated(bytes(2**26))
    tracemalloc.start()
    with pytest.raises(FormatError, match="more than"):
        inflated(packed, "a", wbits=RAW_DEFLATE, size=1000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


def test_the_limits_are_the_named_ones():
    check_expansion("a", packed=1, unpacked=limits.FREE_UNPACKED_BYTES)
    check_expansion("a", packed=10**9, unpacked=limits.MAX_UNPACKED_BYTES)
    with pytest.raises(LimitError, match="times its size"):
        check_expansion("a", packed=1, unpacked=limits.FREE_UNPACKED_BYTES + 1)
    with pytest.raises(LimitError, match="too large"):
        check_expansion("a", packed=10**9, unpacked=limits.MAX_UNPACKED_BYTES + 1)
