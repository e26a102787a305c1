"""Read vectors from ``.json`` and ``.jsonl``.

Shapes that occur: a list of vectors; a list or a file of records with a vector in one
field; an embeddings API's answer (``data[].embedding``, put in ``index`` order), or several;
an object with one list of vectors in it; an object of name -> vector, or of columns.

Lists, lines and the long lists in an object are decoded one element at a time, so that memory
is the text, the numbers and one element; see `core.formats.json_text`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from core import limits
from core.errors import ChoiceNeeded, FormatError, LimitError
from core.formats.encoding import encoding_of
from core.formats.json_bounds import refuse_dense, refuse_long_lists
from core.formats.json_lines import JsonLines
from core.formats.json_nested import answers
from core.formats.json_objects import inside_object
from core.formats.json_tables import Found
from core.formats.json_text import JsonText
from core.formats.label_columns import ask_about_numbered
from core.formats.loaded import Decoded, ReadChoices
from core.formats.numbers import whole_number_words
from core.formats.record_order import RecordOrder
from core.formats.records import collect
from core.formats.text import check_text_size
from core.formats.vectors import VectorRows
from core.prose import counted

#: ``[[ 0.1 -0.2``, as numpy prints an array: JSON has commas.
_PRINTED = re.compile(r"\s{0,9}\[\s{0,9}\[?\s{0,99}-?[\d.]{1,30}(?:e[+-]?\d{1,3})?\s{1,99}[-\d.]")


def recognises(buffer: memoryview) -> bool:
    """True when the bytes are text that begins with a bracket or a brace."""
    codec = encoding_of(buffer)
    if codec is None:
        return False
    head = bytes(buffer[: limits.TEXT_SAMPLE_BYTES]).decode(codec, errors="ignore")
    return head.lstrip(" \t\r\n")[:1] in ("[", "{")


def read(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Return the vectors of a JSON document or of JSON lines as float64.

    Raises
    ------
    ChoiceNeeded
        Records with several vectors and no field chosen, or several lists of vectors and no key.
    FormatError
        Not JSON, nested too deeply, no vectors, vectors of unequal length, or records whose
        ``index`` gives no order.
    LimitError
        More text, or more brackets in it, than can be read in a sane amount of memory.
    """
    check_text_size(buffer, name)
    text = _decoded_text(buffer, name)
    try:
        items, words, wanted, row_ids, columns = _items(text, name, choices)
        rows, order = VectorRows(name), RecordOrder(name, one_answer=bool(words))
        lines = items if isinstance(items, JsonLines) else None
        items, answer_words = answers(items, name)
        field_words, fields = collect(items, rows, order, name, wanted)
        words += field_words + answer_words + (lines.words if lines else ())
        array = rows.array()
        if wanted is None:
            ask_about_numbered(fields, array, name)
        in_order, order_words = order.rows()
    except json.JSONDecodeError as error:
        raise _not_json(name, error) from error
    except RecursionError as error:
        raise FormatError(
            f"{name} is JSON nested too deeply to be a list of vectors",
            remedy="Save a list of lists of numbers.",
        ) from error
    except ValueError as error:
        # Python refuses to read whole numbers of thousands of digits.
        if isinstance(error, (FormatError, LimitError, ChoiceNeeded)):
            raise
        raise FormatError(
            f"{name} holds a number too long to be read as JSON", remedy="Write the numbers as floats, or use np.save."
        ) from error
    if in_order is not None and len(in_order) == len(array):
        array = array[in_order]
        row_ids += tuple(ids.taken(in_order) for ids in order.row_ids)
    else:
        row_ids += order.row_ids
    words += order_words + rows.words + whole_number_words(array)
    return Decoded(array=array, dtype="float64", words=words, row_ids=row_ids, columns=fields or columns)


def _decoded_text(buffer: memoryview, name: str) -> str:
    codec = encoding_of(buffer)
    if codec is None:
        raise FormatError(f"{name} is not text, so it is not JSON", remedy="Check which file this is.")
    refuse_dense(buffer, name)
    refuse_long_lists(buffer, name)
    try:
        return str(buffer, codec)
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{name} is not valid {codec.upper()} text at byte {error.start:,} (counting from 0)",
            remedy="Write it again as UTF-8.",
        ) from error


def _items(text: str, name: str, choices: ReadChoices) -> Found:
    """The vectors or records of a document, one by one, words about where they were, and the choice still open."""
    source = JsonText(text, name)
    start = source.space(0)
    inside = source.space(start + 1)
    if text[start] == "[" and text[inside : inside + 1] in ("[", "{"):
        return _without_names(_elements(source, start), name, choices)
    first, end = source.members(start) if text[start] == "{" else source.whole(start)
    if source.space(end) < len(text):
        return _without_names(JsonLines(source, start), name, choices)
    if isinstance(first, list) and any(isinstance(item, (list, dict)) for item in first):
        return _without_names(first, name, choices)  # its first vectors are missing
    if isinstance(first, dict):
        return inside_object(first, name, choices)
    raise FormatError(
        f"{name} is one list of {counted(len(first), 'value')}, not of vectors: 1-d, where (n, d) is needed",
        remedy="Save a list of lists, one inner list a vector.",
    )


def _without_names(items: Iterable[Any], name: str, choices: ReadChoices) -> Found:
    """The elements of a list, among which no key can choose."""
    if choices.key is not None:
        raise FormatError(
            f"{name} is one list of vectors or records; there is no key to choose in it",
            remedy="Leave that choice out for this file.",
        )
    return Found(items, (), choices.columns)


def _elements(source: JsonText, start: int) -> Iterator[Any]:
    """The elements of the list that begins at `start`, which must be all there is."""
    at = start
    for value, at in source.elements(start):  # noqa: B007 - the last end is what counts
        yield value
    if (end := source.space(source.space(at) + 1)) < len(source.text):
        raise json.JSONDecodeError("more text after the list", source.text, end)


def _not_json(name: str, error: json.JSONDecodeError) -> FormatError:
    if _PRINTED.match(error.doc):
        return FormatError(
            f"{name} is an array as print shows it, with blanks between its numbers, which may be rounded or left out",
            remedy="Save the array itself, not its printed form: np.save('new.npy', x).",
        )
    if error.pos >= len(error.doc.rstrip()):
        return FormatError(
            f"{name} ends in the middle of its JSON: it was cut short", remedy="Copy or download it again."
        )
    return FormatError(
        f"{name} is not valid JSON: it stops making sense at line {error.lineno:,}, column {error.colno:,}",
        remedy="Save a list of lists of numbers, or one JSON object a line.",
    )
