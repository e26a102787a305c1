"""The worst pairs as a table, as a document and as a plain CSV with a line a pair."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from core.audit import Audit
from core.claim_review import ReadingName
from core.claims import WorstOrder, WorstPair
from core.limits import MAX_SHOWN_LABEL_CHARS
from core.report.audit_document import input_records, rank_scope
from core.report.document import Document, Row, Table
from core.report.names import shown_name, visible
from core.report.numbers import count, fixed
from core.report.to_csv import guarded

__all__ = ["ORDERS", "WorstRows", "rows_csv", "rows_document", "rows_legend", "rows_table"]

#: Orders of the table, worst first, in words.
ORDERS: dict[WorstOrder, str] = {
    "margin": "margin, furthest behind first",
    "own_cosine": "own cosine, lowest first",
    "rank": "rank of the partner, last first",
    "row": "row, as in the files",
}

_COLUMNS = ("own cosine", "rank of its partner", "best other row of B", "its cosine", "margin", "tied with")

#: The same for programs, the row first.
_NAMES = ("row", "own_cosine", "rank", "best_other_row", "best_other_cosine", "margin", "tied")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorstRows:
    """Pairs of one audit and reading, in the order to show them, and what to call their rows.

    Attributes
    ----------
    audit
        With its rows kept.
    reading, order
        What was listed.
    pairs
        From `core.claims.worst_pairs`.
    texts_a, texts_b
        A label for each row of the *files*; empty without.
    """

    audit: Audit
    reading: ReadingName
    order: WorstOrder
    pairs: tuple[WorstPair, ...]
    texts_a: tuple[str, ...] = ()
    texts_b: tuple[str, ...] = ()

    def file_row(self, compared: int) -> int:
        """Number in the files of a compared row; the same unless rows were left out."""
        if self.audit.rows is None:
            raise ValueError("the audit has not kept its rows")
        return int(self.audit.rows.numbers[compared])


def rows_legend(audit: Audit) -> str:
    """How to read the columns."""
    scope = f" Rows are {rank_scope(audit)}." if audit.has_pool else ""
    scope += " Rows of a pair’s own group count here too." if audit.groups else ""
    return (
        "Rows count from 0, as in the files. The best other row is the row of B that scores highest beside the "
        f"partner: with a margin below 0 it beats the partner. Of places that a tie shares, the first is shown.{scope}"
    )


def rows_table(rows: WorstRows) -> Table:
    """A row for each pair. With labels their texts stand first, cut to what a table can hold."""
    texts = bool(rows.texts_a or rows.texts_b)
    heads = [*_text_heads(rows), *_COLUMNS]
    return Table(
        title=f"Pairs by {ORDERS[rows.order]} ({rows.reading})",
        columns=tuple(heads),
        rows=tuple(
            Row(label=count(rows.file_row(pair.row)), cells=(*map(_shown, _texts(rows, pair)), *_cells(rows, pair)))
            for pair in rows.pairs
        ),
        numeric=not texts,
        corner="row",
    )


def _text_heads(rows: WorstRows) -> list[str]:
    """Headings of the texts there are: of the row, its partner, and the best other row."""
    heads = ["text of A"] if rows.texts_a else []
    return [*heads, "text of its partner", "text of the best other row"] if rows.texts_b else heads


def _texts(rows: WorstRows, pair: WorstPair) -> Iterable[str]:
    if rows.texts_a:
        yield rows.texts_a[rows.file_row(pair.row)]
    if rows.texts_b:
        yield rows.texts_b[rows.file_row(pair.row)]
        yield rows.texts_b[rows.file_row(pair.winner)]


def _shown(text: str) -> str:
    plain = visible(text)
    return plain if len(plain) <= MAX_SHOWN_LABEL_CHARS else plain[: MAX_SHOWN_LABEL_CHARS - 1] + "…"


def _cells(rows: WorstRows, pair: WorstPair) -> tuple[str, ...]:
    return (
        fixed(pair.own_cosine),
        count(pair.rank),
        count(rows.file_row(pair.winner)),
        fixed(pair.winner_cosine),
        fixed(pair.margin),
        count(pair.tied),
    )


def rows_csv(rows: WorstRows) -> str:
    """A line for each pair, figures unrounded; texts whole, guarded against spreadsheets."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(_names(rows))
    for pair in rows.pairs:
        lines.writerow((*_figures(rows, pair), *map(guarded, _texts(rows, pair))))
    return out.getvalue()


def _names(rows: WorstRows) -> tuple[str, ...]:
    """Names of the figures, then of the texts."""
    return (*_NAMES, *(head.replace(" ", "_") for head in _text_heads(rows)))


def _figures(rows: WorstRows, pair: WorstPair) -> tuple[int | float, ...]:
    return (
        rows.file_row(pair.row),
        pair.own_cosine,
        pair.rank,
        rows.file_row(pair.winner),
        pair.winner_cosine,
        pair.margin,
        pair.tied,
    )


def rows_document(rows: WorstRows) -> Document:
    """The table with what it is of."""
    audit = rows.audit
    return Document(
        title="Which rows: pairs one by one",
        reading=(
            f"{count(len(rows.pairs))} of {count(audit.n)} pairs of {shown_name(audit.a.name)} and "
            f"{shown_name(audit.b.name)}. {rows_legend(audit)}"
        ),
        warning="",
        note=(),
        tables=(rows_table(rows),),
        notices=(),
        data=_data(rows),
        fingerprints=tuple((label, found.sha256) for label, found in input_records(audit)),
    )


def _data(rows: WorstRows) -> dict[str, Any]:
    return {
        "schema": "cosine-floor-rows/1",
        "n": rows.audit.n,
        "reading": rows.reading,
        "order": rows.order,
        "rows": [
            dict(zip(_names(rows), (*_figures(rows, pair), *_texts(rows, pair)), strict=True)) for pair in rows.pairs
        ],
    }
