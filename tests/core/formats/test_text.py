import json
import subprocess

import numpy as np
import pytest

from core import limits
from core.errors import ChoiceNeeded, FormatError, LimitError
from core.formats import ReadChoices, read_array
from tests.core.formats.verdicts import check
from tests.hostile import GOOD, csv_text
from tests.hostile_tables import NAMES, TEXT


@pytest.mark.parametrize("name", TEXT)
def test_each_table_of_the_corpus_gets_its_decision(name):
    check(name, TEXT[name])


def test_text_above_the_limit_is_refused_unread(monkeypatch):
    monkeypatch.setattr(limits, "MAX_TEXT_BYTES", 100)
    with pytest.raises(LimitError, match="100 are read at most"):
        read_array(csv_text(GOOD), "a.csv")


def test_the_ragged_row_is_named_by_row_and_line():
    lines = csv_text(GOOD, NAMES).decode().splitlines()
    lines[5] = "1,2,3,4"
    with pytest.raises(FormatError, match=r"row 4 \(counting from 0; line 6 of the file\) has 4 cells; 5 columns"):
        read_array("\n".join(lines).encode(), "a.csv")


@pytest.mark.parametrize(("rows", "index"), [(2, False), (3, True)])
def test_row_numbers_need_three_rows_to_be_recognised(rows, index):
    data = csv_text(GOOD[:rows], None, list(range(rows)))
    if not index:
        with pytest.raises(ChoiceNeeded):
            read_array(data, "a.csv")
        return
    assert read_array(data, "a.csv").shape == (rows, GOOD.shape[1])


def test_offered_columns_can_be_chosen_as_they_are_offered():
    data = csv_text(GOOD, ["id", "x", "y, z", 'q"', "u", "v"], [7] * len(GOOD))
    data = data.replace(b"y, z", b'"y, z"').replace(b'q"', b'"q"""')
    with pytest.raises(ChoiceNeeded) as question:
        read_array(data, "a.csv")
    floats, everything = question.value.options
    assert read_array(data, "a.csv", ReadChoices(columns=floats)).shape == GOOD.shape
    assert read_array(data, "a.csv", ReadChoices(columns=everything)).shape == (len(GOOD), 6)


def test_a_long_hostile_name_is_cut_in_the_sentence():
    data = csv_text(GOOD, ["x" * 100_000, "y", "z", "u", "v"])
    words = read_array(data, "a.csv").words
    assert all(len(word.text) < 500 for word in words)


def test_comments_before_a_table_are_bounded(monkeypatch):
    monkeypatch.setattr(limits, "MAX_BLANK_LINES", 100)
    assert read_array(b"# x\n" * 100 + csv_text(GOOD), "a.csv").shape == GOOD.shape
    with pytest.raises(LimitError, match="begins with more than 100 blank or comment lines"):
        read_array(b"# x\n" * 101 + csv_text(GOOD), "a.csv")


def test_a_heading_is_found_again_behind_the_first_block(monkeypatch):
    monkeypatch.setattr(limits, "TEXT_BLOCK_CHARS", 200)
    table = csv_text(GOOD, ["0", "1", "2", "3", "4"])
    with pytest.raises(FormatError, match=f"row {len(GOOD)} .counting from 0; line {len(GOOD) + 2} of"):
        read_array(table * 2, "a.csv")


@pytest.mark.parametrize("words", [["#"], ["#", "##"], ["#tag"]])
@pytest.mark.parametrize("above", ["", "# made by hand\n"])
def test_a_row_whose_word_begins_with_a_hash_is_no_comment(words, above):
    words = [*words, *(f"w{row}" for row in range(len(GOOD) - len(words)))]
    lines = [" ".join([word, *map(repr, row)]) for word, row in zip(words, GOOD.tolist(), strict=True)]
    np.testing.assert_array_equal(read_array((above + "\n".join(lines)).encode(), "a.txt").array, GOOD)


@pytest.mark.parametrize("comment", ["# 1 2 3 4 5", "# 0.1 0.2", "# five numbers a row"])
def test_a_comment_above_numbers_stays_one(comment):
    data = f"{comment}\n".encode() + csv_text(GOOD).replace(b",", b" ")
    np.testing.assert_array_equal(read_array(data, "a.txt").array, GOOD)


@pytest.mark.parametrize("between", [", ", "; ", " "])
@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
def test_lists_with_decimal_commas_are_refused_with_the_row(between, name):
    rows = [["0.25", "-0.5", "1.75"], ["0.125", "0.5", "-0.3"]]
    cells = [f'"[{between.join(number.replace(".", ",") for number in row)}]"' for row in rows]
    with pytest.raises(FormatError, match=r"row 0 .*commas inside its numbers \(\[0,25"):
        read_array("\n".join(["embedding", *cells]).encode(), name)


LISTS = ['"[0.5, 1.5, -2.5]"', '"[1.5, 2.5, 0.25]"', '"[0.75, -1.5, 2.0]"']


@pytest.mark.parametrize(
    ("head", "row", "index"),
    [
        (",0", "{at},{cell}", True),  # pd.Series(lists).to_csv()
        ("0", "{cell}", False),  # the same without its index
        (",0,1", "{at},{cell},t", True),
        ("0,1", "t,{cell}", False),
        ("3,4", "7,{cell}", False),
    ],
)
def test_lists_under_a_number_for_a_name_are_read(head, row, index):
    lines = [head, *(row.format(at=at, cell=cell) for at, cell in enumerate(LISTS))]
    loaded = read_array("\n".join(lines).encode(), "a.csv")
    np.testing.assert_array_equal(loaded.array, [[0.5, 1.5, -2.5], [1.5, 2.5, 0.25], [0.75, -1.5, 2.0]])
    words = {word.code: word.text for word in loaded.words}
    assert "column names, not as a row" in words["header_row"]
    assert ("index_column" in words) == index


@pytest.mark.parametrize("first", ["0.5", "[1.5, 2.5]"])
def test_a_first_row_that_is_a_broken_vector_is_no_heading(first):
    with pytest.raises(FormatError, match=r"row [01] \(counting from 0; line [12] "):
        read_array("\n".join([f'"{first}"', *LISTS]).encode(), "a.csv")


@pytest.mark.parametrize("head", ["a;b;c;d", None])
@pytest.mark.parametrize("comma_columns", [(1, 3), (0,), (0, 1, 2)])
def test_columns_with_decimal_commas_beside_columns_with_points_are_refused(head, comma_columns):
    rows = np.random.default_rng(3).normal(size=(12, 4)).round(4)
    cells = [[f"{value:.4f}" for value in row] for row in rows]
    lines = [";".join(c.replace(".", ",") if at in comma_columns else c for at, c in enumerate(row)) for row in cells]
    with pytest.raises(FormatError, match=r"some columns with decimal commas .* and others with points"):
        read_array("\n".join([head, *lines] if head else lines).encode(), "a.csv")


def test_a_remark_of_two_numbers_beside_the_vectors_can_be_left_out_by_name():
    lines = ["tags;a;b", *(f"1,{at};{at}.5;0.25" for at in range(5))]
    data = "\n".join(lines).encode()
    with pytest.raises(FormatError, match="decimal commas") as refusal:
        read_array(data, "a.csv")
    assert "name the columns" in refusal.value.remedy
    assert read_array(data, "a.csv", ReadChoices(columns="a,b")).shape == (5, 2)


@pytest.mark.parametrize("heading", ["", "x,y,z\n"], ids=["bare", "named"])
@pytest.mark.parametrize(
    ("line", "said", "helps"),
    [
        ('"0.15,0.25,-0.3"\n', "quotes around each whole line", "Take the quotes"),
        ("1.50D-01,2.5D+00,-3.0D-01\n", r"exponents of Fortran \(1\.50D-01\)", "Write E for D"),
        ("12.3%,4%,-0.5%\n", r"per cent signs \(12\.3%\)", "without the sign"),
    ],
    ids=["quoted lines", "fortran", "per cent"],
)
def test_numbers_written_otherwise_are_refused_by_what_they_are(heading, line, said, helps):
    if line.startswith('"') and heading:
        heading = '"x,y,z"\n'
    with pytest.raises(FormatError, match=said) as refusal:
        read_array((heading + 4 * line).encode(), "a.csv")
    assert helps in refusal.value.remedy


@pytest.mark.parametrize(
    "table", ['emb,share\n"[1.5, 2]",12%\n"[3.5, 1.5]",4%\n', "x,y,share\n1.5,2.0,12%\n3.5,1.5,4%\n"]
)
def test_a_column_of_shares_beside_the_vectors_is_left_out(table):
    np.testing.assert_array_equal(read_array(table.encode(), "a.csv").array, [[1.5, 2], [3.5, 1.5]])


def test_the_advice_for_exponents_of_fortran_mends_the_file(tmp_path):
    (tmp_path / "old").write_text("doc2D1,1.50D-01,2.5D+00\ndoc3,-3.0D-01,4.d2\n")
    with pytest.raises(FormatError) as refusal:
        read_array((tmp_path / "old").read_bytes(), "a.csv")
    line = refusal.value.remedy.partition(": ")[2].removesuffix(".")
    subprocess.run(line, shell=True, check=True, cwd=tmp_path)  # noqa: S602 - the advice of a refusal
    loaded = read_array((tmp_path / "new").read_bytes(), "a.csv")
    np.testing.assert_array_equal(loaded.array, [[0.15, 2.5], [-0.3, 400]])


def slowly(table, monkeypatch):
    """What is read where no line is taken by the fast way: the array, or the sentence of the refusal."""
    with monkeypatch.context() as patched:
        patched.setattr("core.formats.text_rows.quoted_vectors", lambda lines, dialect: None)
        return array_or_sentence(table)


def array_or_sentence(table):
    try:
        return read_array(table.encode(), "a.csv").array
    except FormatError as error:
        return error.sentence


@pytest.mark.parametrize(
    "odd",
    [
        '"[1.5, 2.25]"',
        '"[1.5,2.25]"',
        '"[0,3456, -0,8216]"',
        '"[0,3456,-0,0821]"',
        '"[1, 2, 3]"',
        '"[1.5,]"',
        '"[]"',
        '"[1.5 2.5]"',
        '"[nan, 1]"',
        '"[1e400, -1e-400]"',
        '"[1e, 2]"',
        '"[-0.0, +.5]"',
        '"[1.5, [2]"',
        '"[[1.5, 2.5]]"',
        "",
        "NA",
        '"[1.5, 2"\n"[1, 2.5]]"',
        '"[1.5,""2]"',
    ],
)
@pytest.mark.parametrize("before", [0, 30], ids=["alone", "behind sound rows"])
@pytest.mark.parametrize("heading", ["", "v\n"], ids=["bare", "named"])
def test_vectors_alone_in_their_lines_are_read_the_fast_way_as_the_slow_one_reads_them(
    odd, before, heading, rng, monkeypatch
):
    rows = [json.dumps(row) for row in rng.normal(size=(before + 3, 2)).tolist()]
    lines = [f'"{row}"' for row in rows]
    table = heading + "\n".join([*lines[:before], odd, *lines[before:]]) + "\n"
    expected, found = slowly(table, monkeypatch), array_or_sentence(table)
    np.testing.assert_array_equal(found, expected)


def test_vectors_alone_in_their_lines_are_taken_without_a_closer_look(rng, monkeypatch):
    vectors = rng.normal(size=(50, 7))
    monkeypatch.setattr("core.formats.text_rows.TextRows._take_slowly", None)
    table = "v\n" + "\n".join(f'"{row}"' for row in vectors.tolist())
    np.testing.assert_array_equal(read_array(table.encode(), "a.csv").array, vectors)
