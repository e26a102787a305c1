"""Read labels: one text a row, from ``.txt``, ``.csv`` or ``.json``.

A label stands beside a row's number so that a person can see which item it is. It is
hostile text like any other: kept as given, escaped and cut where it is shown.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core import limits
from core.errors import FormatError, LimitError
from core.formats.encoding import encoding_of
from core.formats.source import open_buffer
from core.prose import counted

__all__ = ["Labels", "read_labels"]

#: First lines of a table that are its heading, not the text of a row.
_HEADINGS = frozenset(
    (
        *("text", "texts", "label", "labels", "title", "titles", "name", "names", "sentence", "sentences", "content"),
        *("document", "documents", "passage", "passages", "caption", "captions", "question", "questions", "query"),
        *("answer", "answers", "abstract", "description"),
    )
)

_REMEDY = "Save one text a line (.txt), one column (.csv), or a list of strings (.json)."


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """One text for each row of a file.

    Attributes
    ----------
    name
        Of the file, exactly as given.
    texts
        In the order of the rows; the first may be a heading.
    may_have_heading
        True for a table, whose first line may be one.
    """

    name: str
    texts: tuple[str, ...]
    may_have_heading: bool

    def for_rows(self, n: int) -> tuple[str, ...]:
        """The texts of a file of n rows, without a heading.

        Raises
        ------
        FormatError
            There are more or fewer, or as many only if a heading counts as a text.
        """
        if len(self.texts) == n:
            if self.may_have_heading and n > 0 and self.texts[0].strip().lower() in _HEADINGS:
                raise FormatError(
                    f"{self.name} begins with {self.texts[0].strip()!r}, a heading, which leaves "
                    f"{counted(n - 1, 'text')} for {counted(n, 'row')}",
                    remedy="Add the text that is missing, or save one text a line as .txt, where no line is a heading.",
                )
            return self.texts
        if self.may_have_heading and len(self.texts) == n + 1:
            return self.texts[1:]
        raise FormatError(
            f"{self.name} holds {counted(len(self.texts), 'text')} for {counted(n, 'row')}; one text a row is "
            f"needed", remedy=_REMEDY
        )


def read_labels(source: bytes | memoryview | Path, name: str) -> Labels:
    """Read a file of labels; the ending of its name says of which kind it is.

    Raises
    ------
    FormatError
        Not one text a row.
    LimitError
        More than `limits.MAX_LABEL_BYTES`.
    """
    buffer = open_buffer(source, name)
    if len(buffer) > limits.MAX_LABEL_BYTES:
        raise LimitError(
            f"{name} has {len(buffer):,} bytes; of labels {limits.MAX_LABEL_BYTES:,} are read at most",
            remedy="Save the beginning of each text only.",
        )
    codec = encoding_of(buffer)
    if codec is None:
        raise FormatError(f"{name} is not text, so it holds no labels", remedy=_REMEDY)
    ending = name.lower().rpartition(".")[2]
    if ending == "json":
        return Labels(name=name, texts=_from_json(buffer, codec, name), may_have_heading=False)
    lines = _lines(_decoded(buffer, codec, name), name)
    if ending == "csv":
        return Labels(name=name, texts=_from_csv(csv.reader(lines), name), may_have_heading=True)
    return Labels(name=name, texts=tuple(line.rstrip("\n") for line in lines), may_have_heading=False)


def _decoded(buffer: memoryview, codec: str, name: str) -> str:
    """All of the text, every byte of it: a text in another encoding would be shown with wrong letters."""
    try:
        return bytes(buffer).decode(codec)
    except UnicodeDecodeError as error:
        line = bytes(buffer[: error.start]).count(b"\n") + 1
        raise FormatError(
            f"{name} is not valid {codec.upper().removesuffix('-SIG')} text: line {line:,} holds a byte that is none",
            remedy="It may be in Latin-1 or another encoding; save it as UTF-8.",
        ) from error


def _lines(text: str, name: str) -> Iterator[str]:
    """The lines, blank ones too: each is a row's. One newline at the very end begins no further line."""
    blank = 0
    for line in io.StringIO(text, newline=None):
        if len(line) > limits.MAX_LINE_CHARS:
            raise LimitError(f"{name} has a line of more than {limits.MAX_LINE_CHARS:,} characters", remedy=_REMEDY)
        blank += line == "\n"
        if blank > limits.MAX_BLANK_LINES:
            raise LimitError(f"{name} has more than {limits.MAX_BLANK_LINES:,} blank lines", remedy=_REMEDY)
        yield line


def _from_csv(rows: Iterable[list[str]], name: str) -> tuple[str, ...]:
    texts = []
    try:
        for number, cells in enumerate(rows, start=1):
            if len(cells) > 1:
                raise FormatError(
                    f"{name} has {len(cells)} columns in row {number:,}; labels are one column", remedy=_REMEDY
                )
            texts.append(cells[0] if cells else "")
            if len(texts[-1]) > limits.MAX_LABEL_CHARS:
                raise FormatError(
                    f"{name} has a cell that is too long to be a label in row {number:,}", remedy=_REMEDY
                )
    except csv.Error as error:
        raise FormatError(f"{name} has a cell that is too long to be a label", remedy=_REMEDY) from error
    return tuple(texts)


def _from_json(buffer: memoryview, codec: str, name: str) -> tuple[str, ...]:
    text = _decoded(buffer, codec, name)
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise FormatError(f"{name} is JSON nested too deeply to be a list of labels", remedy=_REMEDY) from error
    except ValueError as error:  # JSONDecodeError, and whole numbers of thousands of digits
        raise FormatError(f"{name} is not valid JSON", remedy=_REMEDY) from error
    if not isinstance(found, list):
        raise FormatError(f"{name} is JSON, but not a list of strings", remedy=_REMEDY)
    for number, text in enumerate(found):
        if not isinstance(text, str):
            raise FormatError(f"{name} is a list whose entry {number:,} (counting from 0) is no string", remedy=_REMEDY)
    return tuple(found)
