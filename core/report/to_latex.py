"""A document as LaTeX to paste: plain tabulars, no package needed, every name escaped."""

from __future__ import annotations

from core.report.document import Document, Row, Table
from core.report.numbers import ascii_minus

__all__ = ["to_latex"]

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "^": r"\textasciicircum{}",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "%": r"\%",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\texttt{\char34}",
        "−": "$-$",
        "×": r"$\times$",
        "±": r"$\pm$",
        "…": r"\ldots{}",
        "–": r"\textendash{}",
        "—": r"\textemdash{}",
        "“": r"\textquotedblleft{}",
        "”": r"\textquotedblright{}",
        "‘": r"\textquoteleft{}",
        "’": r"\textquoteright{}",
    }
)


def to_latex(document: Document) -> str:
    """A document as LaTeX source, ending in a newline."""
    texts = [*document.opening, document.warning, *document.note]
    parts = [f"% {ascii_minus(document.title)}", *(_escaped(text) for text in texts if text)]
    parts += _listed("What this cannot say:", document.limits)
    parts += [_table(table) for table in document.tables]
    if document.methods:
        parts.append(_escaped(document.methods))
    parts += _listed("Worth a word:", document.notices)
    return "\n\n".join(parts) + "\n"


def _listed(title: str, texts: tuple[str, ...]) -> list[str]:
    """A titled list, or nothing."""
    if not texts:
        return []
    # The empty group: a bracket right after \item would be its label.
    items = "\n".join(f"  \\item{{}} {_escaped(text)}" for text in texts)
    return [f"\\noindent {title}\n\\begin{{itemize}}\n{items}\n\\end{{itemize}}"]


def _table(table: Table) -> str:
    align = "l" + ("r" if table.numeric else "l") * len(table.columns)
    heading = Row(label="", cells=table.columns)
    lines = [_line(heading), "\\hline", *(_line(row) for row in table.rows)]
    body = "\n".join(lines)
    return f"\\noindent {_escaped(table.title)}\n\n\\noindent\\begin{{tabular}}{{{align}}}\n{body}\n\\end{{tabular}}"


def _line(row: Row) -> str:
    return " & ".join(_escaped(text) for text in (row.label, *row.cells)) + r" \\"


def _escaped(text: str) -> str:
    """Text that LaTeX prints as typed."""
    return text.translate(_ESCAPES)
