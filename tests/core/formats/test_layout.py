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


@pytest.mark.parametrize("between", [";", "\t"])
def test_german_thousands_are_refused_as_the_file_writes_them(between):
    rows = [["1.257,00", "2.300,50", "3,25"], ["4.257,00", "1.300,50", "3,50"]] * 4
    data = "\n".join(between.join(row) for row in rows)
    with pytest.raises(FormatError, match=r"1\.257,00"):
        read_array(data.encode(), "a.txt")


def test_one_german_thousand_is_shown_as_the_file_writes_it():
    data = "0,5;0,25;0,00\n" * 3 + "0,5;0,25;1.257,00\n"
    with pytest.raises(FormatError, match=r"row 3 .* holds '1\.257,00'"):
        read_array(data.encode(), "a.csv")


def test_german_thousands_between_blanks_are_not_cut_at_their_commas():
    with pytest.raises(FormatError):
        read_array(b"1.257,00 2.300,50 3,25\n4.257,00 1.300,50 3,50\n" * 4, "a.txt")
