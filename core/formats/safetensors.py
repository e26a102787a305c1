"""Read one tensor of a ``.safetensors`` file as a view of the bytes held.

Layout: the header's length (8 bytes, little endian), a JSON object of tensor name ->
``{dtype, shape, data_offsets}``, the numbers without gaps. The safetensors package can
only copy what is in memory already; the format is small, so the view is made here, and
the tests hold it against the package.

Reference: https://github.com/huggingface/safetensors, README, "Format".
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import limits
from core.errors import FormatError, LimitError
from core.formats.listing import shortened
from core.formats.loaded import Decoded, ReadChoices, Word
from core.formats.member_ids import ids_beside, without_columns_of_ids
from core.formats.members import Member, chosen_member
from core.formats.numbers import BFLOAT16, bfloat16_numbers
from core.formats.shapes import no_matrix, refuse_outsized
from core.prose import counted

#: Name in the file -> (numpy type, the reader's word). BF16 is read as bits first.
_TYPES = {
    "F64": ("<f8", "float64"),
    "F32": ("<f4", "float32"),
    "F16": ("<f2", "float16"),
    "BF16": ("<u2", BFLOAT16),
    "I64": ("<i8", "int64"),
    "I32": ("<i4", "int32"),
    "I16": ("<i2", "int16"),
    "I8": ("|i1", "int8"),
    "U64": ("<u8", "uint64"),
    "U32": ("<u4", "uint32"),
    "U16": ("<u2", "uint16"),
    "U8": ("|u1", "uint8"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tensor:
    """One entry of the header, checked against the bytes there are."""

    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


def recognises(buffer: memoryview) -> bool:
    """True when a header of the length the first 8 bytes give begins like one."""
    return bytes(buffer[8:9]) == b"{" and 2 <= _header_bytes(buffer) <= limits.KNOWN_SAFETENSORS_HEADER_BYTES


def read(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Return the one matrix of a ``.safetensors``, or the tensor ``choices.key`` names.

    Raises
    ------
    ChoiceNeeded
        Several matrices, none chosen.
    FormatError
        Not a sound file of this format, or a type without real numbers.
    LimitError
        A header longer than any file of embeddings needs.
    """
    tensors, members, member, start = _chosen(buffer, name, choices)
    tensor = tensors[member.key]
    row_ids, words = ids_beside(members, member, lambda other: _numbers(buffer, tensors[other.key], start, "it"))
    if tensor.dtype == "BF16":
        text = "The numbers are stored as bfloat16 (BF16) and were read exactly, as float32."
        words = (Word(code="bfloat16", text=text), *words)
    array = _numbers(buffer, tensor, start, name)
    return Decoded(array=array, dtype=_TYPES[tensor.dtype][1], words=words, row_ids=row_ids)


def shape_of(buffer: memoryview, name: str, choices: ReadChoices) -> tuple[int, ...]:
    """The shape that the tensor to read declares."""
    tensors, _, member, _ = _chosen(buffer, name, choices)
    return tensors[member.key].shape


def _numbers(buffer: memoryview, tensor: _Tensor, start: int, name: str) -> NDArray[Any]:
    """The numbers of a tensor, as a view of the bytes; bfloat16 as float32."""
    if tensor.dtype not in _TYPES:
        raise _no_numbers(tensor.dtype, name)
    flat = np.frombuffer(buffer, _TYPES[tensor.dtype][0], math.prod(tensor.shape), start + tensor.begin)
    array = flat.reshape(tensor.shape)
    return bfloat16_numbers(array) if tensor.dtype == "BF16" else array


def _chosen(
    buffer: memoryview, name: str, choices: ReadChoices
) -> tuple[dict[str, _Tensor], list[Member], Member, int]:
    """All tensors, the one to read and where the numbers of the file begin; it holds numbers, and not too many."""
    tensors, start = _header(buffer, name)
    members = [_described(key, tensor) for key, tensor in tensors.items()]
    offered = members if choices.key is not None else without_columns_of_ids(members)
    member = chosen_member(offered, name, choices.key)
    tensor = tensors[member.key]
    if tensor.dtype not in _TYPES:
        raise _no_numbers(tensor.dtype, name)
    if not math.prod(tensor.shape):  # numpy multiplies the other sizes, which may be anything
        raise no_matrix(tensor.shape, name)
    refuse_outsized(tensor.shape, np.dtype(_TYPES[tensor.dtype][0]).itemsize, name)
    return tensors, members, member, start


def _described(key: str, tensor: _Tensor) -> Member:
    size, readable = tensor.end - tensor.begin, tensor.dtype in _TYPES
    if not readable:
        why = str(_no_numbers(tensor.dtype, "it"))
        return Member(key=key, shape=tensor.shape, dtype=tensor.dtype, readable=False, size=size, why=why)
    return Member(key=key, shape=tensor.shape, dtype=_TYPES[tensor.dtype][1], readable=True, size=size)


def _header_bytes(buffer: memoryview) -> int:
    return int.from_bytes(buffer[:8], "little")


def _header(buffer: memoryview, name: str) -> tuple[dict[str, _Tensor], int]:
    """Tensors by name and where the numbers begin; every claim compared with the bytes held."""
    length = _header_bytes(buffer)
    start = 8 + length
    if bytes(buffer[8:9]) != b"{" or length > limits.KNOWN_SAFETENSORS_HEADER_BYTES:
        raise FormatError(
            f"{name} is not a safetensors file: its first bytes are not a header's length and a header",
            remedy="Check which file this is.",
        )
    if start > len(buffer):
        raise _cut_short(name, start, len(buffer))
    if length > limits.MAX_SAFETENSORS_HEADER_BYTES:
        raise LimitError(
            f"{name} has a safetensors header of {length:,} bytes; "
            f"{limits.MAX_SAFETENSORS_HEADER_BYTES:,} are read at most",
            remedy="Save the embeddings alone: safetensors.numpy.save_file({'x': x}, 'new.safetensors').",
        )
    try:
        entries = json.loads(str(buffer[8:start], "utf-8"), object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise _broken(name) from error
    tensors = {key: _tensor(entry, name) for key, entry in entries.items() if key != "__metadata__"}
    _check_layout(tensors, len(buffer) - start, name)
    return tensors, start


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name occurs twice")
    return dict(pairs)


def _tensor(entry: object, name: str) -> _Tensor:
    if not isinstance(entry, dict):
        raise _broken(name)
    dtype: Any = entry.get("dtype")
    shape: Any = entry.get("shape")
    offsets: Any = entry.get("data_offsets")
    sound = isinstance(dtype, str) and _are_sizes(shape) and _are_sizes(offsets) and len(offsets) == 2
    if not sound or len(shape) > limits.MAX_AXES:
        raise _broken(name)
    return _Tensor(dtype=dtype[:20], shape=tuple(shape), begin=offsets[0], end=offsets[1])


def _are_sizes(values: object) -> bool:
    return isinstance(values, list) and all(
        type(value) is int and 0 <= value <= limits.MAX_AXIS_SIZE for value in values
    )


def _check_layout(tensors: dict[str, _Tensor], held: int, name: str) -> None:
    """The tensors must cover the bytes after the header exactly, as the format demands."""
    at = 0
    for tensor in sorted(tensors.values(), key=lambda tensor: (tensor.begin, tensor.end)):
        size = tensor.end - tensor.begin
        if tensor.dtype in _TYPES:
            needed = math.prod(tensor.shape) * np.dtype(_TYPES[tensor.dtype][0]).itemsize
            size = size if size == needed else -1
        if tensor.begin != at or size < 0:
            raise _broken(name)
        at = tensor.end
    if at > held:
        raise _cut_short(name, at, held)
    if at < held:
        more = counted(held - at, "byte")
        raise FormatError(f"{name} holds {more} more than its header declares", remedy="Write it again.")


def _no_numbers(dtype: str, name: str) -> FormatError:
    if dtype == "BOOL":
        return FormatError(
            f"{name} holds BOOL values (true/false, 0/1)",
            remedy="If they are signs of a binary quantisation, save them so: torch.where(x, 1.0, -1.0).",
        )
    if dtype.startswith("C"):
        return FormatError(
            f"{name} holds {shortened(dtype)} values: complex numbers",
            remedy="Save what you mean: torch.view_as_real(x).flatten(1).",
        )
    what = {"F8": "one-byte floats (float8)", "F4": "four-bit floats", "F6": "six-bit floats"}
    return FormatError(
        f"{name} holds {shortened(dtype)} values: {what.get(dtype[:2], 'a type that is not read')}",
        remedy="Convert before saving: tensor.float().",
    )


def _cut_short(name: str, declared: int, held: int) -> FormatError:
    return FormatError(
        f"{name} declares {declared:,} bytes but holds {held:,}: it was cut short",
        remedy="Copy or download it again.",
    )


def _broken(name: str) -> FormatError:
    return FormatError(f"{name} has a safetensors header that does not describe its bytes", remedy="Write it again.")
