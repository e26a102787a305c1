"""From a file to an (n, d) array of real numbers: bytes or a path in, `LoadedArray` out.

`READERS` is the table of formats. A new one is a file beside this one with
``recognises(buffer)`` and ``read(buffer, name, choices)``, and a row in the table.
The content decides which reader is used; the name only where no content is telling.
Nothing in a file is ever executed or unpickled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path, PurePath

from core.errors import FormatError, LimitError
from core.formats import arrow, gzipped, json, npy, npz, safetensors, text
from core.formats.loaded import Decoded, LoadedArray, ReadChoices, RealArray, Word
from core.formats.mapped import file_under
from core.formats.numbers import PACKED_BITS, real_numbers
from core.formats.refused import refuse_by_content, refuse_by_name
from core.formats.row_ids import counting_words
from core.formats.shapes import as_layers, as_rows, declared_matrix, refuse_outsized
from core.formats.source import open_buffer, sha256_of
from core.formats.transfer import refuse_changed

__all__ = ["READERS", "Format", "LoadedArray", "ReadChoices", "Word", "declared_shape", "read_array", "read_stack"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One row of the table of formats.

    Attributes
    ----------
    title
        What people call it, with its article: ``"a .npy array"``.
    suffixes
        Ends of names, lower case, that go with it.
    recognises
        ``recognises(buffer)``: True when the bytes can be nothing else.
    read
        ``read(buffer, name, choices)``: see `core.formats.loaded`.
    shape_of
        ``shape_of(buffer, name, choices)``: the shape stored, from the header alone; `None` where it
        cannot be told. `None` itself for a format that declares none.
    uses
        Fields of `ReadChoices`, beyond ``layer`` and ``read_as``, that it understands.
    """

    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[memoryview], bool]
    read: Callable[[memoryview, str, ReadChoices], Decoded]
    shape_of: Callable[[memoryview, str, ReadChoices], tuple[int, ...] | None] | None = None
    uses: frozenset[str] = frozenset()


#: In the order they are tried: first those whose first bytes are unmistakable.
READERS: tuple[Format, ...] = (
    Format(title="a .npy array", suffixes=(".npy",), recognises=npy.recognises, read=npy.read, shape_of=npy.shape_of),
    Format(
        title="a zip archive of arrays (.npz)",
        suffixes=(".npz",),
        recognises=npz.recognises,
        read=npz.read,
        shape_of=npz.shape_of,
        uses=frozenset({"key"}),
    ),
    Format(
        title="a file compressed by gzip (.gz)",
        suffixes=(".gz",),
        recognises=gzipped.recognises,
        read=gzipped.read,
        shape_of=gzipped.shape_of,
        uses=frozenset({"columns", "key"}),
    ),
    Format(
        title="a Parquet table",
        suffixes=(".parquet", ".pq"),
        recognises=arrow.recognises_parquet,
        read=arrow.read_parquet,
        uses=frozenset({"columns"}),
    ),
    Format(
        title="an Arrow table",
        suffixes=(".arrow", ".feather", ".arrows", ".ipc"),
        recognises=arrow.recognises_arrow,
        read=arrow.read_arrow,
        uses=frozenset({"columns"}),
    ),
    Format(
        title="a safetensors file",
        suffixes=(".safetensors",),
        recognises=safetensors.recognises,
        read=safetensors.read,
        shape_of=safetensors.shape_of,
        uses=frozenset({"key"}),
    ),
    Format(
        title="JSON text",
        suffixes=(".json", ".jsonl", ".ndjson"),
        recognises=json.recognises,
        read=json.read,
        uses=frozenset({"columns", "key"}),
    ),
    Format(
        title="a table of text",
        suffixes=(".csv", ".tsv", ".txt", ".tab"),
        recognises=text.recognises,
        read=text.read,
        uses=frozenset({"columns"}),
    ),
)


def read_array(
    source: bytes | memoryview | Path,
    name: str,
    choices: ReadChoices = ReadChoices(),  # noqa: B008 - frozen
) -> LoadedArray:
    """Read one file as an (n, d) array of real numbers.

    Parameters
    ----------
    source
        The file's bytes, or its path. A path is memory-mapped read-only and must not be
        shortened while the result is in use.
    name
        Name for messages; only its last part is used.
    choices
        What only the file's owner can know.

    Returns
    -------
    LoadedArray
        A read-only view of the bytes where the format allows one.

    Raises
    ------
    ChoiceNeeded
        The file can be read in more than one way.
    AuditError
        It cannot be read, with the reason and what to do.
    """
    name = PurePath(name).name or name
    buffer = open_buffer(source, name)
    decoded = _real_numbers(buffer, name, choices)
    array, shape_words = as_rows(decoded.array, name, choices.layer)
    refuse_outsized(array.shape, array.itemsize, name)
    first_words = counting_words(array) if choices.columns is None else ()
    return LoadedArray(
        name=name,
        array=_read_only(array),
        dtype=decoded.dtype,
        file_bytes=len(buffer),
        sha256=sha256_of(buffer),
        words=decoded.words + shape_words + first_words,
        choices=choices,
        row_ids=tuple(ids for ids in decoded.row_ids if len(ids.values) == len(array)),
        columns=decoded.columns if len(decoded.columns) == array.shape[1] else (),
        file=file_under(buffer, array),
    )


def declared_shape(
    source: bytes | memoryview | Path,
    name: str,
    choices: ReadChoices = ReadChoices(),  # noqa: B008 - frozen
) -> tuple[int, int] | None:
    """The (n, d) that `read_array` will return, where the header of the file says it; reads no numbers.

    Parameters
    ----------
    source, name, choices
        As for `read_array`.

    Returns
    -------
    (n, d) or None
        `None` where the shape is not known before all is read, or is none that can be.

    Raises
    ------
    AuditError
        As `read_array` does, for what the header shows.
    """
    name = PurePath(name).name or name
    buffer = open_buffer(source, name)
    chosen = _format_of(buffer, name)
    _refuse_idle_choices(chosen, name, choices)
    with _changes_named(chosen, buffer, name):
        stored = None if chosen.shape_of is None else chosen.shape_of(buffer, name, choices)
    shape = None if stored is None else declared_matrix(stored, choices.layer)
    if shape is None or choices.read_as != PACKED_BITS:
        return shape
    return shape[0], 8 * shape[1]


def read_stack(
    source: bytes | memoryview | Path,
    name: str,
    choices: ReadChoices = ReadChoices(),  # noqa: B008 - frozen
) -> tuple[LoadedArray, ...]:
    """Read one file as an (L, n, d) stack: each layer as `read_array` would with that layer chosen.

    Parameters
    ----------
    source, name, choices
        As for `read_array`; no layer.

    Raises
    ------
    ChoiceNeeded
        The file can be read in more than one way.
    AuditError
        It cannot be read, or is no stack of at least two layers.
    """
    name = PurePath(name).name or name
    buffer = open_buffer(source, name)
    decoded = _real_numbers(buffer, name, choices)
    layers = as_layers(decoded.array, name)
    refuse_outsized(layers[0].shape, layers[0].itemsize, name)
    digest = sha256_of(buffer)
    return tuple(
        LoadedArray(
            name=name,
            array=_read_only(rows),
            dtype=decoded.dtype,
            file_bytes=len(buffer),
            sha256=digest,
            words=decoded.words,
            choices=replace(choices, layer=layer),
            file=file_under(buffer, rows),
        )
        for layer, rows in enumerate(layers)
    )


def _real_numbers(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """The numbers of a file in the shape stored, and what is worth a word about reading them."""
    chosen = _format_of(buffer, name)
    _refuse_idle_choices(chosen, name, choices)
    decoded = real_numbers(_decoded(chosen, buffer, name, choices), name, choices.read_as)
    return replace(decoded, words=_name_words(chosen, name) + decoded.words)


def _read_only(array: RealArray) -> RealArray:
    array = array.view()
    array.flags.writeable = False
    return array


def _decoded(chosen: Format, buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Read; a refusal says what the content is when the name promised something else."""
    named = _by_name(name)
    try:
        with _changes_named(chosen, buffer, name):
            return chosen.read(buffer, name, choices)
    except FormatError as error:
        if named is None or named is chosen:
            raise
        surprise = f"{error} (the content is {chosen.title}, not {named.title})"
        raise FormatError(surprise, remedy=error.remedy) from error


@contextmanager
def _changes_named(chosen: Format, buffer: memoryview, name: str) -> Iterator[None]:
    """Where a binary file cannot be read because a transfer took it for text, the refusal says so."""
    try:
        yield
    except (FormatError, LimitError):
        if chosen.recognises not in (json.recognises, text.recognises):
            refuse_changed(buffer, name)
        raise


def _format_of(buffer: memoryview, name: str) -> Format:
    """The row of the table that reads these bytes.

    Bytes that can only be one thing decide first, then a name that promises a refusal
    (text may be anything), then plain text, then whatever the name promises.
    """
    refuse_by_content(buffer, name)
    table_of_text = READERS[-1]
    for row in READERS[:-1]:
        if row.recognises(buffer):
            return row
    refuse_by_name(buffer, name)
    if table_of_text.recognises(buffer):
        return table_of_text
    named = _by_name(name)
    if named is None:
        raise FormatError(
            f"{name} is in no format that is read: its first bytes are those of none",
            remedy="Save the array with its shape: np.save('new.npy', x).",
        )
    return named


def _by_name(name: str) -> Format | None:
    return next((row for row in READERS if name.lower().endswith(row.suffixes)), None)


def _refuse_idle_choices(chosen: Format, name: str, choices: ReadChoices) -> None:
    """A choice the format cannot honour is refused: ignoring it would look like obeying."""
    for field in fields(choices):
        idle = field.name not in chosen.uses | {"layer", "read_as"}
        if idle and getattr(choices, field.name) is not None:
            raise FormatError(
                f"{name} is {chosen.title}; there is no {field.name} to choose in it",
                remedy="Leave that choice out for this file.",
            )


def _name_words(chosen: Format, name: str) -> tuple[Word, ...]:
    named = _by_name(name)
    if named is None or named is chosen:
        return ()
    return (
        Word(
            code="other_format",
            text=f"The name says {named.title}, but the content is {chosen.title}; it was read as that.",
        ),
    )
