"""Texts as R, spreadsheets and other countries lay them out; see `tests.hostile` for what a case is."""

from __future__ import annotations

import numpy as np

from tests.hostile import DIMS, GOOD, ROW, csv_text, refuse, take, vectors_json

VECTORS = vectors_json(GOOD)
CODES = (ROW * 30_000).astype(int).tolist()
NAMES = [f"V{k + 1}" for k in range(DIMS)]
QUOTED = [f'"{name}"' for name in NAMES]


#: Rows of which some count.
COUNTED = np.array([[1, 2, 3], [4, -5, 6], [7, 8, 9], [0, 1, 2]])

#: Column names as pandas makes them.
NUMBERS = [str(at) for at in range(5)]


def lines(*rows: str) -> bytes:
    return ("\n".join(rows) + "\n").encode()


def written(between: str, *, point: str = ".", names: list[str] | None = None, row_name: str = "") -> bytes:
    """The good rows as another program writes them; the row name with its number in braces."""
    rows = []
    for k, row in enumerate(VECTORS):
        cells = [repr(value).replace(".", point) for value in row]
        rows.append(between.join([row_name.format(k + 1), *cells] if row_name else cells))
    return lines(*([between.join(names)] if names else []), *rows)


def grouped(form: str, between: str = ",") -> bytes:
    return lines(*(between.join(form.format(code) for code in row) for row in CODES))


LAYOUT = {
    "blanks_and_decimal_commas.txt": take(lambda: written(" ", point=","), ("decimal commas",), array=ROW),
    "blanks_and_decimal_commas_named.csv": take(
        lambda: written("  ", point=",", names=NAMES), ("decimal commas",), array=ROW
    ),
    **{
        f"R_{place}{end}": take(
            lambda between=between, point=point, row_name=row_name: written(
                between, point=point, names=QUOTED, row_name=row_name
            ),
            ("V1 … V5",),
            ("left out",),
            array=ROW,
        )
        for place, (end, between, point) in enumerate(
            [(".txt", " ", ","), (".txt", " ", "."), (".csv", ";", ","), (".tsv", "\t", "."), (".csv", ",", ".")]
        )
        for row_name in ['"{}"' if place % 2 else '"row {}"']
    },
    "words_and_decimal_commas.txt": take(
        lambda: written(" ", point=",", row_name="w{}"), ("decimal commas",), ("column 0 was left out",), array=ROW
    ),
    "blanks_before_commas.csv": take(lambda: written(" , "), array=ROW),
    **{
        f"thousands_{place}.csv": refuse(
            lambda form=form, between=between: grouped(form, between), ("thousands",), ("decimal points",)
        )
        for place, (form, between) in enumerate(
            [('"{:,}"', ","), ("{:,}", ";"), ("{:,}", " "), ('"{:,.2f}"', ","), ("{:,.1f}", ";")]
        )
    },
    "a_price_beside.csv": take(
        lambda: csv_text(ROW, ["price", *NAMES], ['"1,234"'] * len(ROW)), ("column price was left out",), array=ROW
    ),
    **{
        f"title_{place}.csv": take(
            lambda title=title, between=between: title + csv_text(ROW, NAMES).replace(b",", between),
            ("Words about it",),
            ("V1 … V5",),
            array=ROW,
        )
        for place, (title, between) in enumerate(
            [
                (b"Words about it\n", b","),
                (b"Words about it\n\n", b";"),
                (b'"Words about it, and more"\n', b","),
                (b"Words about it;;;;\n", b";"),
            ]
        )
    },
    "title_without_names.csv": take(lambda: b"Words about it\n" + csv_text(ROW), ("Words about it",), array=ROW),
    **{
        f"unmarked_{codec}.csv": take(
            lambda codec=codec: csv_text(ROW, NAMES).decode().encode(codec), ("UTF-16",), array=ROW
        )
        for codec in ("utf-16-le", "utf-16-be")
    },
    "small_whole_numbers.bin": refuse(lambda: np.arange(400, dtype="<u2").tobytes(), ("raw numbers",)),
    "windows.csv": take(
        lambda: csv_text(ROW, ["naïve", *NAMES], ["café"] * len(ROW)).decode().encode("cp1252"),
        ("Windows-1252",),
        ("naïve was left out",),
        array=ROW,
    ),
    **{
        f"comments_{count}{end}": take(
            lambda count=count, between=between: (
                b"".join(b"# line %d, of words\n" % line for line in range(count))
                + csv_text(ROW, NAMES).replace(b",", between)
            ),
            (f"{count} blank or comment lines",),
            array=ROW,
        )
        for count in (19, 20, 21, 500)
        for end, between in ((".csv", b","), (".tsv", b"\t"))
    },
    **{
        f"heading_again_{place}.csv": refuse(lambda data=data: data, ("line 14",), ("repeats the column names",))
        for place, data in enumerate(
            [
                csv_text(ROW, NUMBERS) * 2,
                csv_text(ROW, NUMBERS).replace(b",", b"\t") * 2,
                csv_text(ROW, ["", *NUMBERS], list(range(len(ROW)))) * 2,
                csv_text(ROW, ["name", *NUMBERS], [f"w{row}" for row in range(len(ROW))]) * 2,
            ]
        )
    },
    **{
        f"two_headings_{place}.csv": refuse(lambda data=data: data, ("second line of column names",))
        for place, data in enumerate(
            [
                b"," + b",".join([b"emb"] * 5) + b"\n" + csv_text(ROW, ["", *NUMBERS], list(range(len(ROW)))),
                b",".join([b"emb"] * 5) + b"\n" + csv_text(ROW, NUMBERS),
                b",".join([b"a", b"b", b"c", b"d", b"e"]) + b"\n" + csv_text(ROW, [str(at) for at in range(1, 6)]),
            ]
        )
    },
    "row_numbers_as_floats.tsv": take(
        lambda: csv_text(ROW, None, [f"{row:.18e}" for row in range(len(ROW))]).replace(b",", b"\t"),
        ("index column",),
        array=ROW,
    ),
    "index_of_floats.csv": take(
        lambda: csv_text(ROW, ["", *NUMBERS], [float(9 - row) for row in range(len(ROW))]),
        ("out of order",),
        array=ROW,
    ),
    "whole_numbers_that_count.csv": take(lambda: b"a,b,c\n1,2,3\n4,-5,6\n7,8,9\n0,1,2\n", ("a … c",), array=COUNTED),
}
