"""Read ``.npy`` files, versions 1.0 to 3.0, as a view of the bytes held.

Layout: the magic ``\\x93NUMPY``, two version bytes, the header's length (2 bytes little
endian in version 1, else 4), the header, the numbers. The header is the text of a Python
dict with exactly the keys ``descr``, ``fortran_order`` and ``shape``.

The header is taken apart by a tokenizer of our own: no `eval`, no parser that hostile
nesting can exhaust. What it claims is compared, in Python's unbounded integers, with the
bytes that are there *before* any array exists; then the array is a view, so no claim can
make us allocate.

Reference: numpy.lib.format ("NEP 1"), https://numpy.org/neps/nep-0001-npy-format.html
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from core import limits
from core.errors import FormatError
from core.formats.declared import stored_type
from core.formats.loaded import Decoded, ReadChoices, Word
from core.formats.shapes import no_matrix, refuse_outsized
from core.formats.transfer import changed_line_feeds, line_feeds_doubled

MAGIC = b"\x93NUMPY"

#: Version -> (bytes of the length field, text encoding of the header).
_VERSIONS = {(1, 0): (2, "latin-1"), (2, 0): (4, "latin-1"), (3, 0): (4, "utf-8")}

#: First bytes of a file enough for any header that is read.
MOST_HEADER_BYTES = limits.MAX_NPY_HEADER_BYTES + 12

_KEYS = ("descr", "fortran_order", "shape")

#: One value of the header. Python 2 wrote whole numbers as ``64L``. Quantifiers are
#: possessive (``*+``): a header of 64 kB of spaces or digits must not be tried in every way.
_TOKEN = re.compile(
    r"""\s*+ (?: (?P<text>'[^'\\]*'|"[^"\\]*") | (?P<truth>True|False) | (?P<list>\[)
               | \(\s*+ (?P<shape> (?:-?\d{1,24}L?\s*+,\s*+)*+ (?:-?\d{1,24}L?\s*+)? ) \) ) \s*+""",
    re.VERBOSE,
)
#: ``('emb', '<f4', (768,))`` in a structured type.
_FIELD = re.compile(r"\('([^'\\]{1,60})', '[<>|=]?[fiu]\d{1,2}', \(\d{1,19},?\)\)")

_KEY = re.compile(r"""\s*+(?:'(\w{1,40})'|"(\w{1,40})")\s*+:""")


@dataclass(frozen=True, slots=True, kw_only=True)
class NpyHeader:
    """What a ``.npy`` says of itself; nothing of it is believed yet.

    Attributes
    ----------
    descr
        Type string such as ``"<f4"``, or ``"["`` for a structured type.
    fortran_order
        True when the first axis varies fastest.
    shape
        Sizes as declared; may be negative or larger than any memory.
    offset
        Where the numbers begin, in bytes from the start of the file.
    field
        Of a structured type, the first field that holds several numbers a record: hostile text.
    """

    descr: str
    fortran_order: bool
    shape: tuple[int, ...]
    offset: int
    field: str = ""

    @property
    def header_bytes(self) -> int:
        return self.offset


def recognises(buffer: memoryview) -> bool:
    """True when the first bytes are those of a ``.npy``."""
    return bytes(buffer[: len(MAGIC)]) == MAGIC


def read(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Return the array of a ``.npy`` as a read-only view of `buffer`.

    Raises
    ------
    FormatError
        Not a ``.npy``, a broken header, a type without numbers, no numbers, or fewer bytes than declared.
    """
    header = read_header(buffer, name)
    dtype = stored_type(header.descr, name, field=header.field)
    count = _checked_count(header, name)
    needed, held = count * dtype.itemsize, len(buffer) - header.offset
    if held < needed:
        raise FormatError(
            f"{name} declares {_shape_text(header.shape)} {dtype.name}, {needed:,} bytes of numbers, "
            f"but holds {held:,}: it was cut short, or is not what it claims",
            remedy="Copy or download it again, or write it again with np.save.",
        )
    if held > needed and line_feeds_doubled(buffer) == held - needed:
        raise changed_line_feeds(name)
    if not count:  # numpy multiplies the other sizes, which may be anything
        raise no_matrix(header.shape, name)
    refuse_outsized(header.shape, dtype.itemsize, name)
    flat = np.frombuffer(buffer, dtype, count, header.offset)
    array = flat.reshape(header.shape, order="F" if header.fortran_order else "C")
    return Decoded(array=array, dtype=dtype.name, words=_words(header, held - needed))


def shape_of(buffer: memoryview, name: str, choices: ReadChoices) -> tuple[int, ...]:
    """The shape of the array that `read` returns, which costs nothing: it is a view."""
    shape: tuple[int, ...] = read(buffer, name, choices).array.shape
    return shape


def declared_shape(beginning: memoryview, name: str) -> tuple[int, ...]:
    """The shape that the first bytes of a ``.npy`` declare, held against what is read of any file.

    Raises
    ------
    FormatError, LimitError
        As `read` does for what the header shows.
    """
    header = read_header(beginning, name)
    dtype = stored_type(header.descr, name, field=header.field)
    if _checked_count(header, name):
        refuse_outsized(header.shape, dtype.itemsize, name)
    return header.shape


def refuse_outsized_by_header(beginning: memoryview, name: str) -> None:
    """Refuse what is too wide or too narrow from the first bytes, before the rest is unpacked; nothing else.

    Raises
    ------
    LimitError
        As `core.formats.shapes.refuse_outsized` does.
    """
    with suppress(FormatError):  # said when all of it is read
        declared_shape(beginning, name)


def read_header(buffer: memoryview, name: str) -> NpyHeader:
    """Read and check the header alone; at most `limits.MAX_NPY_HEADER_BYTES` are looked at.

    Raises
    ------
    FormatError
        Wrong first bytes, unknown version, a header cut short, too long or not as numpy writes it.
    """
    if not recognises(buffer):
        raise not_an_npy(name)
    version = tuple(buffer[6:8])
    if len(version) < 2:
        raise _cut_in_header(name)
    if version not in _VERSIONS:
        raise FormatError(
            f"{name} has .npy version {version[0]}.{version[1]}; versions 1.0, 2.0 and 3.0 exist",
            remedy="Write it again with np.save.",
        )
    width, encoding = _VERSIONS[version]
    length, start = int.from_bytes(buffer[8 : 8 + width], "little"), 8 + width
    if len(buffer) < start + length:
        raise _cut_in_header(name)
    if length > limits.MAX_NPY_HEADER_BYTES:
        raise FormatError(
            f"{name} has a header of {length:,} bytes; "
            f"{limits.MAX_NPY_HEADER_BYTES:,} are the most an array of numbers can need",
            remedy="Write it again with np.save.",
        )
    if bytes(buffer[start + length - 1 : start + length]) == b"\r":  # numpy ends it with a line feed, always
        raise changed_line_feeds(name)
    text = bytes(buffer[start : start + length]).decode(encoding, errors="replace")
    return _parse(text, start + length, name)


def not_an_npy(name: str) -> FormatError:
    """The refusal for bytes that do not start as a ``.npy`` does."""
    return FormatError(
        f"{name} is not a .npy file: it does not start with the bytes every .npy starts with (\\x93NUMPY)",
        remedy="If it holds raw numbers without a header (tofile, np.memmap), save them with their shape: "
        "np.save('new.npy', np.fromfile('old', dtype='float32').reshape(-1, d)).",
    )


def _parse(text: str, offset: int, name: str) -> NpyHeader:
    """Take ``{'descr': …, 'fortran_order': …, 'shape': …}`` apart, keys in any order."""
    values: dict[str, re.Match[str]] = {}
    body = text.strip()
    position = 1
    if not body.startswith("{"):
        raise _broken_header(name)
    while key := _KEY.match(body, position):
        value = _TOKEN.match(body, key.end())
        word = key[1] or key[2]
        if value is None or word in values:
            raise _broken_header(name)
        values[word] = value
        if value["list"] and word == "shape":
            raise FormatError(
                f"{name} has a header whose shape is a list in brackets, where np.save writes a tuple",
                remedy="Write it again with np.save.",
            )
        if value["list"]:  # a structured type: refused by its kind, so the fields need no parsing
            field = _FIELD.search(body, value.end())
            return NpyHeader(descr="[", fortran_order=False, shape=(0,), offset=offset, field=field[1] if field else "")
        position = value.end() + body.startswith(",", value.end())
    if body[position:].strip() != "}" or sorted(values) != sorted(_KEYS):
        raise _broken_header(name)
    descr, order, shape = (values[key] for key in _KEYS)
    if not (descr["text"] and order["truth"] and shape["shape"] is not None):
        raise _broken_header(name)
    return NpyHeader(
        descr=descr["text"][1:-1],
        fortran_order=order["truth"] == "True",
        shape=tuple(int(size) for size in re.findall(r"-?\d+", shape["shape"])),
        offset=offset,
    )


def _checked_count(header: NpyHeader, name: str) -> int:
    """Numbers the shape declares, as an unbounded Python integer."""
    if len(header.shape) > limits.MAX_AXES:
        raise FormatError(
            f"{name} declares {len(header.shape)} axes; (n, d) has two", remedy="Write it again with np.save."
        )
    if any(size < 0 for size in header.shape):
        raise FormatError(
            f"{name} declares the shape {_shape_text(header.shape)}; sizes must be 0 or more",
            remedy="Write it again with np.save.",
        )
    if max(header.shape, default=0) > limits.MAX_AXIS_SIZE:
        raise FormatError(
            f"{name} declares the shape {_shape_text(header.shape)}, larger than any file: "
            f"it is damaged or not what it claims",
            remedy="Write it again with np.save.",
        )
    return math.prod(header.shape)


def _words(header: NpyHeader, trailing: int) -> tuple[Word, ...]:
    words = []
    if header.header_bytes > limits.LONG_NPY_HEADER_BYTES:
        words.append(
            Word(
                code="long_header",
                text=f"The header is {header.header_bytes:,} bytes long, more than numpy itself accepts; "
                "it is sound otherwise.",
            )
        )
    if trailing:
        words.append(
            Word(
                code="trailing_bytes",
                text=f"{trailing:,} {'byte follows' if trailing == 1 else 'bytes follow'} after the array, not read; "
                "the file may hold a second array, or rows written after its header.",
            )
        )
    return tuple(words)


def _shape_text(shape: tuple[int, ...]) -> str:
    return f"({', '.join(f'{size:,}' for size in shape)}{',' if len(shape) == 1 else ''})"


def _cut_in_header(name: str) -> FormatError:
    return FormatError(f"{name} ends inside its header: it was cut short", remedy="Copy or download it again.")


def _broken_header(name: str) -> FormatError:
    return FormatError(
        f"{name} has a header that is not the description of an array, as np.save writes it",
        remedy="Write it again with np.save.",
    )
