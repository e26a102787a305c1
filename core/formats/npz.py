"""Read one array of an ``.npz``: a zip archive of ``.npy`` members.

`zipfile` reads the directory only. Member bytes are taken from the buffer by us: stored
ones as a view, deflated ones under the bound of `core.formats.inflate`; bzip2 and LZMA,
which numpy never writes and `zipfile` unpacks without bound, are refused. Names of
members are labels: nothing is ever written to disk.

Reference: PKWARE APPNOTE 6.3.10, sections 4.3.7 (local header) and 4.4.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from core import limits
from core.errors import FormatError, LimitError
from core.formats import npy
from core.formats.appended import archive_words, refuse_before_archive
from core.formats.declared import is_object_type, stored_type
from core.formats.ids import is_text_type, text_array
from core.formats.inflate import RAW_DEFLATE, check_expansion, inflated
from core.formats.listing import listed, shortened
from core.formats.loaded import Decoded, ReadChoices, Word
from core.formats.member_ids import ids_beside, without_columns_of_ids
from core.formats.members import Member, chosen_member, is_of_tokens

#: A local file header, an empty archive's end record, a spanned archive's marker.
_STARTS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")

#: Fixed part of a local header; lengths of name and extra field are its last two numbers.
_LOCAL_HEADER = struct.Struct("<4s5H3I2H")

#: What scipy.sparse.save_npz writes in every layout.
_SPARSE_KEYS = {"data", "format", "shape"}

#: What a member is called in the reason why it cannot be read or was left out: its name stands before it.
_IT = "it"


def recognises(buffer: memoryview) -> bool:
    """True when the bytes begin as a zip archive does."""
    return bytes(buffer[:4]) in _STARTS


def read(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Return the one matrix of an ``.npz``, or the member ``choices.key`` names.

    Memory: a stored member is a view; a deflated one costs its declared size.

    Raises
    ------
    ChoiceNeeded
        Several matrices, none chosen.
    FormatError, LimitError
        Damaged, encrypted, not an ``.npz``, or larger unpacked than the limits allow.
    """
    by_key, members, member = _chosen(buffer, name, choices)
    info = by_key[member.key]
    label = name if len(by_key) == 1 else f"{name} (member {shortened(member.key)})"
    _packed(buffer, info, label)
    npy.refuse_outsized_by_header(_peek(buffer, info, label), label)
    decoded = npy.read(_unpacked(buffer, info, name), label, choices)
    row_ids, id_words = ids_beside(members, member, lambda other: _id_values(buffer, by_key[other.key], other))
    end_words = archive_words(buffer)
    return replace(
        decoded,
        words=_name_words(member.key) + _token_words(members, member, choices) + decoded.words + end_words + id_words,
        row_ids=row_ids,
    )


def shape_of(buffer: memoryview, name: str, choices: ReadChoices) -> tuple[int, ...] | None:
    """The shape that the member to read declares."""
    by_key, _, member = _chosen(buffer, name, choices)
    _packed(buffer, by_key[member.key], name)
    npy.refuse_outsized_by_header(_peek(buffer, by_key[member.key], name), name)
    return member.shape


def _chosen(
    buffer: memoryview, name: str, choices: ReadChoices
) -> tuple[dict[str, zipfile.ZipInfo], list[Member], Member]:
    """Where the members are, what they say of themselves, and the one to read."""
    infos = _directory(buffer, name)
    _refuse_relatives(infos, name)
    if not infos:
        raise FormatError(f"{name} is a zip archive that holds nothing", remedy="Write it again with np.savez.")
    by_key = {key: info for key, info in infos.items() if info.filename.endswith(".npy")}
    if not by_key:
        raise FormatError(
            f"{name} is a zip archive without .npy members; it holds: {listed(list(infos))}",
            remedy="Unpack it and use the file inside.",
        )
    members = [_describe(buffer, info, key) for key, info in by_key.items()]
    offered = members if choices.key is not None else without_columns_of_ids(members)
    member = chosen_member(offered, name, choices.key)
    return by_key, members, member


def _id_values(buffer: memoryview, info: zipfile.ZipInfo, other: Member) -> NDArray[Any]:
    """What a member of ids holds: numbers, or text of a fixed width."""
    if info.file_size > max(limits.FREE_ID_BYTES, limits.ID_MEMORY_PER_BYTE * len(buffer)):
        raise LimitError(f"{_IT} needs {info.file_size:,} bytes, more than ids do", remedy="Save shorter ids.")
    if not (other.readable or is_text_type(other.dtype)):  # its type is refused from the header, before the rest
        stored_type(npy.read_header(_peek(buffer, info, _IT), _IT).descr, _IT)
    unpacked = _unpacked(buffer, info, _IT)
    return npy.read(unpacked, _IT, ReadChoices()).array if other.readable else text_array(unpacked, _IT)


class _Window(io.RawIOBase):
    """The buffer as a file for `zipfile`, refusing a directory too large to be honest."""

    def __init__(self, buffer: memoryview, name: str) -> None:
        self._buffer, self._name, self._at = buffer, name, 0

    def read(self, size: int = -1) -> bytes:
        size = len(self._buffer) - self._at if size < 0 else size
        if size > limits.MAX_ZIP_DIRECTORY_BYTES:
            raise LimitError(
                f"{self._name} has an archive directory of {size:,} bytes; "
                f"{limits.MAX_ZIP_DIRECTORY_BYTES:,} are read at most",
                remedy="Save the embeddings alone: np.save('new.npy', x).",
            )
        piece = bytes(self._buffer[self._at : self._at + size])
        self._at += len(piece)
        return piece

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: len(self._buffer)}[whence]
        if base + offset < 0:
            raise OSError("seek before the start")  # as a real file does; zipfile relies on it
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def seekable(self) -> bool:
        return True


def _directory(buffer: memoryview, name: str) -> dict[str, zipfile.ZipInfo]:
    """Key (name without ``.npy``) -> entry, for every file in the archive."""
    try:
        with zipfile.ZipFile(_Window(buffer, name)) as archive:  # AA
            listed_first = min((info.header_offset for info in archive.infolist()), default=0)
            entries = [info for info in archive.infolist() if not info.filename.endswith("/")]
    except (zipfile.BadZipFile, NotImplementedError, struct.error, OverflowError, OSError) as error:
        raise _broken(name) from error
    except LimitError:
        raise
    except ValueError as error:  # a name that is not text
        raise _broken(name) from error
    refuse_before_archive(listed_first, name)
    infos = {info.filename.removesuffix(".npy"): info for info in entries}
    if len(infos) < len(entries):
        raise FormatError(
            f"{name} is a zip archive with two members of one name", remedy="Write it again with np.savez."
        )
    return infos


def _refuse_relatives(infos: dict[str, zipfile.ZipInfo], name: str) -> None:
    """Refuse, by name, the other things that are zip archives."""
    if any(key.endswith("data.pkl") for key in infos):
        raise FormatError(
            f"{name} is a PyTorch file (.pt): numbers beside a pickle, which is never loaded",
            remedy="Save the tensor: np.save('new.npy', torch.load('old.pt', weights_only=True).float().numpy()).",
        )
    if infos.keys() >= _SPARSE_KEYS:
        raise FormatError(
            f"{name} is a sparse matrix saved by scipy; its vectors are not stored as rows of numbers",
            remedy="Save it dense: np.save('new.npy', scipy.sparse.load_npz('old.npz').toarray()).",
        )
    if "[Content_Types].xml" in infos:
        raise FormatError(
            f"{name} is an Office document (such as .xlsx), which is not read",
            remedy="Save the sheet as CSV.",
        )


def _describe(buffer: memoryview, info: zipfile.ZipInfo, key: str) -> Member:
    """What the header of a member says; a member that cannot be read is only described."""
    shape, dtype, is_objects = None, "unreadable", False
    try:
        header = npy.read_header(_peek(buffer, info, _IT), _IT)
        # The fields of records are not taken apart, and the shape stands behind them.
        shape, dtype = (None, "records") if header.descr == "[" else (header.shape, header.descr[:20])
        is_objects = is_object_type(header.descr)
        dtype = stored_type(header.descr, _IT).name
        check_expansion(_IT, packed=info.compress_size, unpacked=info.file_size)
    except (FormatError, LimitError) as error:
        return Member(
            key=key,
            shape=shape,
            dtype=dtype,
            readable=False,
            size=info.file_size,
            why=str(error),
            is_objects=is_objects,
        )
    return Member(key=key, shape=shape, dtype=dtype, readable=True, size=info.file_size)


def _peek(buffer: memoryview, info: zipfile.ZipInfo, name: str) -> memoryview:
    """The first bytes of a member, enough for its header, whatever the whole unpacks to."""
    packed = _stored(buffer, info, name)
    if info.compress_type == zipfile.ZIP_STORED:
        return packed[: npy.MOST_HEADER_BYTES]
    stream = zlib.decompressobj(RAW_DEFLATE)
    try:
        return memoryview(stream.decompress(packed[: npy.MOST_HEADER_BYTES], npy.MOST_HEADER_BYTES))
    except zlib.error as error:
        raise FormatError(
            f"{name} holds compressed bytes that cannot be unpacked: it was cut short or damaged",
            remedy="Copy or download it again.",
        ) from error


def _unpacked(buffer: memoryview, info: zipfile.ZipInfo, name: str) -> memoryview:
    """All bytes of a member, their checksum verified."""
    packed = _packed(buffer, info, name)
    if info.compress_type == zipfile.ZIP_DEFLATED:
        packed = inflated(packed, name, wbits=RAW_DEFLATE, size=info.file_size)
    if len(packed) != info.file_size or zlib.crc32(packed) != info.CRC:
        raise FormatError(
            f"{name} is damaged: the checksum of member {shortened(info.filename)} does not match its bytes",
            remedy="Copy or download it again.",
        )
    return packed


def _packed(buffer: memoryview, info: zipfile.ZipInfo, name: str) -> memoryview:
    """The bytes of a member as stored, after every claim about them has been checked."""
    check_expansion(name, packed=info.compress_size, unpacked=info.file_size)
    return _stored(buffer, info, name)


def _stored(buffer: memoryview, info: zipfile.ZipInfo, name: str) -> memoryview:
    """The bytes of a member as stored, in a way that is unpacked; how much that would be is not asked."""
    if info.flag_bits & 0x1:
        raise FormatError(f"{name} is encrypted", remedy="Unpack it with its password first.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        method = zipfile.compressor_names.get(info.compress_type, "an unknown method")  # type: ignore[attr-defined]
        raise FormatError(
            f"{name} is compressed by {method}, which numpy does not write",
            remedy="Write it again with np.savez_compressed.",
        )
    start = info.header_offset
    if start < 0 or start + _LOCAL_HEADER.size > len(buffer):
        raise _broken(name)
    fields = _LOCAL_HEADER.unpack_from(buffer, start)
    start += _LOCAL_HEADER.size + fields[-2] + fields[-1]
    if fields[0] != _STARTS[0] or start + info.compress_size > len(buffer):
        raise _broken(name)
    return buffer[start : start + info.compress_size]


def _token_words(members: list[Member], member: Member, choices: ReadChoices) -> tuple[Word, ...]:
    """The word about members of tokens that were left out without a question."""
    others = [other.key for other in members if is_of_tokens(other) and other is not member]
    if choices.key is not None or not others:
        return ()
    text = f"The member {shortened(member.key)} was read; what a tokenizer made was left out: {listed(others)}."
    return (Word(code="columns_left_out", text=text),)


def _name_words(key: str) -> tuple[Word, ...]:
    if not set("/\\") & set(key):
        return ()
    return (
        Word(
            code="path_like_member",
            text=f"The member's name is a path, {shortened(key)}; it is only a label here, and nothing is written.",
        ),
    )


def _broken(name: str) -> FormatError:
    return FormatError(
        f"{name} is a broken zip archive (.npz): it was cut short or damaged",
        remedy="Copy or download it again.",
    )
