"""From stored values to real numbers: bit patterns and integer codes.

Floats pass untouched. Integers may be someone's quantised embeddings, bits packed into
bytes, or bfloat16 bit patterns in disguise: the bytes cannot say which, so the reader
asks (uint16, two-byte void) or reads them as stored and says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import limits
from core.errors import ChoiceNeeded, FormatError, LimitError
from core.formats.loaded import Decoded, RealArray, Word
from core.formats.shapes import refuse_outsized
from core.prose import counted

BFLOAT16, PACKED_BITS, NUMBERS = "bfloat16", "packed-bits", "numbers"

#: read_as -> the stored types (kind and bytes) it can apply to.
_APPLIES = {
    BFLOAT16: ("V2", "u2", "i2"),
    PACKED_BITS: ("u1", "i1"),
    NUMBERS: ("f2", "f4", "f8", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8"),
}

#: Exponents of bfloat16 from 2**-40 to 2**40: what embeddings hold. Small codes are subnormal there, or no numbers.
_LEAST_EXPONENT, _MOST_EXPONENT = 127 - 40, 127 + 40

#: What `read_as` can say.
READ_AS = tuple(_APPLIES)


def real_numbers(decoded: Decoded, name: str, read_as: str | None) -> Decoded:
    """Return `decoded` as real numbers, with a word where integers are involved.

    Raises
    ------
    ChoiceNeeded
        Two-byte void or uint16 and nothing said about how to read them.
    FormatError
        `read_as` names a reading that does not fit the stored type.
    """
    stored = f"{decoded.array.dtype.kind}{decoded.array.dtype.itemsize}"
    if read_as is None and (stored in {"V2", "u2"} or (stored == "i2" and _may_be_bfloat16(decoded.array))):
        raise _ask(name, stored)
    if read_as == decoded.dtype:  # a safetensors file says itself that it is bfloat16
        return decoded
    if read_as is not None and stored not in _APPLIES.get(read_as, ()):
        raise FormatError(
            f"{name} holds {decoded.dtype} values, which cannot be read as {read_as[:40]}",
            remedy=f"Ways to read a file: {', '.join(_APPLIES)}; leave the choice out for this one.",
        )
    if read_as == BFLOAT16:
        text = f"The file stores {decoded.dtype}; its values were read as bfloat16 bit patterns, as chosen."
        word = Word(code="read_as_bfloat16", text=text)
        return _replace(decoded, bfloat16_numbers(decoded.array), BFLOAT16, word)
    if read_as == PACKED_BITS:
        _refuse_too_many_signs(decoded.array, name)
        text = f"Each {decoded.dtype} value was unpacked into eight dimensions of ±1, as chosen."
        word = Word(code="packed_bits", text=text)
        return _replace(decoded, unpacked_bits(decoded.array), decoded.dtype, word)
    return _replace(decoded, decoded.array, decoded.dtype, *_integer_words(decoded.array, read_as))


def whole_number_words(values: NDArray[np.float64]) -> tuple[Word, ...]:
    """The word for numbers that were text and are all whole: codes, as in an integer file."""
    step = limits.ROW_BLOCK_ELEMENTS // max(values.shape[-1], 1) + 1
    blocks = [values[start : start + step] for start in range(0, len(values), step)]
    if not values.size or not all(np.all((np.trunc(block) == block) | np.isnan(block)) for block in blocks):
        return ()
    text = (
        "All numbers of the file are whole (integers), most likely quantised codes or counts. They are scored "
        "as stored, without undoing any scale or zero point."
    )
    if not any(np.any(block < 0) for block in blocks):
        text += " None is negative; the zero point of such codes is seldom 0, and that offset lifts every raw cosine."
    return (Word(code="integer_codes", text=text),)


def bfloat16_numbers(bits: NDArray[Any]) -> RealArray:
    """The float32 numbers whose upper halves are the 16-bit patterns `bits`; same shape.

    bfloat16 is float32 without its lower 16 bits, so this is exact. One float32 copy.
    """
    if bits.dtype.kind == "V":  # ml_dtypes writes little endian and calls it void
        bits = bits.view("<u2")
    wide = bits.view(bits.dtype.str.replace("i", "u")).astype(np.uint32)
    wide <<= 16
    return _frozen(wide.view(np.float32))


def unpacked_bits(packed: NDArray[Any]) -> RealArray:
    """±1 as int8 for the bits of 8-bit `packed`, first bit first; last axis 8 times as long.

    numpy.packbits order. int8 codes are the same bits with 128 subtracted, as
    sentence-transformers writes its "binary" precision.
    """
    octets = np.ascontiguousarray(packed).view(np.uint8)
    if packed.dtype.kind == "i":
        octets = octets ^ np.uint8(128)
    signs: NDArray[np.int8] = np.unpackbits(octets, axis=-1).view(np.int8)
    signs *= 2
    signs -= 1
    return _frozen(signs)


def _refuse_too_many_signs(packed: NDArray[Any], name: str) -> None:
    """Refuse bits that would fill the memory once each is a number."""
    if not packed.size or packed.ndim < 2:
        return
    *outer, octets = packed.shape
    refuse_outsized((*outer, 8 * octets), 1, name)
    signs, most = 8 * packed.size, limits.MAX_UNPACKED_BYTES
    if signs > most:
        raise LimitError(
            f"{name} unpacks to {signs:,} signs of a byte each; at most {most:,} are held",
            remedy="Save a part of the rows: np.save('part.npy', x[:rows]).",
        )


def _may_be_bfloat16(array: RealArray) -> bool:
    """True for int16 most of whose values, zeros aside, have a size that numbers of vectors have as bfloat16."""
    width = max(array.shape[-1] if array.ndim else 1, 1)
    sample = array.reshape(-1, width)[: limits.PACKED_SAMPLE_BYTES // width + 1].astype(np.int32)
    exponents = (sample[sample & 0x7FFF != 0] >> 7) & 0xFF  # -0 is a zero too
    fine = (exponents >= _LEAST_EXPONENT) & (exponents <= _MOST_EXPONENT)
    return bool(2 * np.count_nonzero(fine) > fine.size)


def _ask(name: str, stored: str) -> ChoiceNeeded:
    if stored == "V2":
        return ChoiceNeeded(
            f"{name} holds two-byte values of a type numpy does not know (void V2): bfloat16, most likely, "
            f"and it can be read as {BFLOAT16}",
            choice="read_as",
            options=(BFLOAT16,),
            remedy="Say so if it is; otherwise save float32: np.save('new.npy', x.astype('float32')).",
        )
    kind = "unsigned 16-bit integers (uint16)" if stored == "u2" else "16-bit integers (int16)"
    return ChoiceNeeded(
        f"{name} holds {kind}: bfloat16 bit patterns or plain whole numbers; "
        f"it can be read as {BFLOAT16} or as {NUMBERS}",
        choice="read_as",
        options=(BFLOAT16, NUMBERS),
        remedy="Only whoever wrote it knows.",
    )


def _integer_words(array: RealArray, read_as: str | None) -> tuple[Word, ...]:
    if array.dtype.kind not in "iu":
        return ()
    if array.dtype.kind == "u":
        text = (
            f"The file holds {array.dtype.name} integers, most likely quantised codes. They are scored as "
            "stored; an unsigned code's zero point is seldom 0, and that offset lifts every raw cosine."
        )
    else:
        text = (
            f"The file holds {array.dtype.name} integers, most likely quantised codes. They are scored as "
            "stored, without undoing any scale or zero point."
        )
    words = [Word(code="integer_codes", text=text)]
    if read_as is None and _may_be_packed(array):
        bits = 8 * array.shape[-1]
        words.append(
            Word(
                code="maybe_packed_bits",
                text=f"All 256 byte values are in use: are these {bits:,} signs packed into "
                f"{counted(array.shape[-1], 'byte')} a row? If so, read them as {PACKED_BITS}.",
            )
        )
    return tuple(words)


def _may_be_packed(array: RealArray) -> bool:
    """True when 8-bit rows are narrow enough to be packed and use every byte value about alike.

    Quantised codes crowd around their middle, so their outermost values are rare.
    """
    if array.dtype.itemsize != 1 or array.ndim < 2 or not 0 < array.shape[-1] <= limits.MAX_PACKED_ROW_BYTES:
        return False
    rows = limits.PACKED_SAMPLE_BYTES // array.shape[-1]
    sample = np.ascontiguousarray(array.reshape(-1, array.shape[-1])[:rows]).view(np.uint8)
    counts = np.bincount(sample.ravel(), minlength=256)
    return bool(counts.min() > limits.PACKED_RAREST_SHARE * counts.mean())


def _replace(decoded: Decoded, array: RealArray, dtype: str, *words: Word) -> Decoded:
    return replace(decoded, array=array, dtype=dtype, words=decoded.words + words)


def _frozen(array: RealArray) -> RealArray:
    array.flags.writeable = False
    return array
