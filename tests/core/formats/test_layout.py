"""What a text's layout would lose or change, refused."""

import numpy as np
import pytest

from core.errors import AuditError, FormatError
from core.formats import read_array
from tests.hostile import GOOD

FRAMES = ["- [@]", "w%: [@]", "<@>", "- {@}", "- (@)", "- [ @ ]", "%,[@]", "x[@]", "- [[@]]", "|@|", "w%: @", "@ ;;"]


def framed(frame, between):
    rows = (between.join(map(repr, row)) for row in GOOD.tolist())
    return "".join(frame.replace("@", row).replace("%", str(at)) + "\n" for at, row in enumerate(rows)).encode()


@pytest.mark.parametrize("between", [", ", " ", ",", "  ", "; "])
@pytest.mark.parametrize("frame", FRAMES)
def test_a_vector_in_brackets_never_loses_its_ends(frame, between):
    try:
        read = read_array(framed(frame, between), "a.txt").array
    except AuditError:
        return
    np.testing.assert_array_equal(read, GOOD)


@pytest.mark.parametrize("frame", ["- [@]", "w%: [@]", "<@>", "- {@}", "- (@)", "- [ @ ]"])
def test_a_vector_taken_apart_is_refused_with_its_piece(frame):
    with pytest.raises(FormatError, match="would be lost"):
        read_array(framed(frame, ", "), "a.yaml")


def test_a_list_of_numpy_scalars_never_loses_its_ends():
    rows = (", ".join(f"np.float64({value!r})" for value in row) for row in GOOD.tolist())
    with pytest.raises(FormatError):
        read_array("".join(f"- [{row}]\n" for row in rows).encode(), "a.txt")


@pytest.mark.parametrize(
    "text", ["Alien (1979)", "C1=CC(=CC=C1)[C@H](N)O", "sp|P12345|GLB_2", "w [unused3]", "v1.2", "3:30.25"]
)
def test_a_text_with_its_brackets_closed_is_left_out_as_before(text):
    rows = "".join(f"{text},{','.join(map(repr, row))}\n" for row in GOOD.tolist())
    np.testing.assert_array_equal(read_array(rows.encode(), "a.csv").array, GOOD)
