import json

import pandas as pd
import pytest

from app.widgets.tables import _styled, _terms
from core.report import RENDERERS, document
from core.report.document import Row, Table
from tests.app.conftest import read


def shown_cells(table):
    """The cells of a table as the browser shows them, headings left out."""
    import pyarrow as pa

    return pa.ipc.open_stream(table.proto.arrow_data.styler.display_values).read_all().to_pandas()


def test_the_tables_show_the_words_of_the_report(page, audit_result):
    page.drop_pair().press("run")
    words = document(audit_result)
    tables = [table for table in page.app.table if "margin" not in table.value.columns]  # not the pairs one by one
    assert len(tables) == len(words.tables)
    ordered = [t for t in words.tables if t.numeric] + [t for t in words.tables if not t.numeric]
    for shown, table in zip(tables, ordered, strict=True):
        cells = shown_cells(shown).map(lambda cell: str(cell).replace("\\", "").replace("`", "").replace("\u2060", ""))
        assert [list(row)[-len(table.columns) :] for row in cells.itertuples()] == [
            [cell or "—" for cell in row.cells] for row in table.rows
        ]


def test_every_format_can_be_downloaded(page):
    page.drop_pair().press("run")
    keys = [button.key for button in page.app.download_button]
    assert {f"download_{name}" for name in RENDERERS} <= set(keys)


def test_each_figure_can_be_downloaded_alone_under_its_title(page):
    page.drop_pair().press("run")
    labels = {button.key: button.label for button in page.app.download_button}
    figures = document(page.app.session_state["cosine_floor_result"].audit).figures
    assert len(figures) == 3
    for figure in figures:
        assert labels[f"download_{figure.name}"] == figure.title


def test_the_source_of_the_html_is_not_spread_over_the_page(page):
    page.drop_pair().press("run")
    assert not any("<svg" in str(code.value) for code in page.app.code)


@pytest.mark.parametrize("name", sorted(set(RENDERERS) - {"html"}))
def test_every_format_to_paste_is_there_to_copy_and_to_download(page, name):
    page.drop_pair().press("run")
    text = RENDERERS[name](document(page.app.session_state["cosine_floor_result"].audit))
    assert text.strip() in [str(code.value).strip() for code in page.app.code]
    assert f"download_{name}" in [button.key for button in page.app.download_button]


def test_the_json_on_the_page_reads_back(page):
    page.drop_pair().press("run")
    held = [json.loads(code.value) for code in page.app.code if str(code.value).startswith("{")]
    assert [one["n"] for one in held] == [40]


def test_a_hostile_name_stays_text_in_the_tables(page, pair):
    page.drop("a", pair[0], "![x](y).npy").drop("b", pair[1]).press("run")
    cells = [str(cell) for cell in shown_cells(page.app.table[-1]).to_numpy().ravel()]
    assert any(r"\!\[x\]" in cell for cell in cells)
    assert not any("![x]" in cell for cell in cells)


@pytest.mark.parametrize(
    ("cells", "right"),
    [
        (["12", "−0.5", "1,000"], True),
        (["12", "a"], False),
        (["7", "007"], False),
        (["1e5", "2"], False),
        (["", "1"], False),
    ],
)
def test_a_column_of_numbers_beside_texts_stands_to_the_right_in_its_own_words(cells, right):
    rows = tuple(Row(label=str(place), cells=(cell, "text")) for place, cell in enumerate(cells))
    styled = _styled(Table(title="T", columns=("number", "words"), rows=rows, numeric=False, corner="row"))
    assert list(styled.data.columns) == ["row", "number", "words"]
    kinds = {name: pd.api.types.is_float_dtype(styled.data[name]) for name in styled.data.columns}
    assert kinds == {"row": True, "number": right, "words": False}
    written = [
        [cell["display_value"] for cell in line if cell["type"] == "td"]
        for line in styled._translate(False, False)["body"]
    ]
    assert [read(line[1]) for line in written] == [cell or "—" for cell in cells]


def test_the_title_of_a_table_explains_the_terms_in_its_headings():
    table = Table(title="x", columns=("matched", "floor sd", "p"), rows=(Row(label="gap (raw)", cells=("1",) * 3),))
    told = _terms(table)
    assert "**floor sd**: Standard deviation of the unrelated cosines" in told
    assert len(told.splitlines()) == 3, "none for headings that are no terms"
