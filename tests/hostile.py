"""Files people have and files that mean harm, each built from code.

A table: name -> bytes, what must become of them, and words the sentence or notice must
hold (any one of each group). The bytes are made by hand or by the library that makes them
in the wild, never by the code under test. Tables are in `tests.hostile_tables`.
"""

from __future__ import annotations

import bz2
import gzip
import io
import pickle
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

ROWS, DIMS = 12, 5
GOOD = np.random.default_rng(7).standard_normal((ROWS, DIMS)).astype("float32")

#: What the pickles here would create if anything ran them.
MARKER = "PWNED_BY_TEST"


@dataclass(frozen=True, kw_only=True)
class Case:
    """One file: its bytes, the decision ("take", "refuse", "ask"), and the words that must be said."""

    build: Callable[[], bytes]
    decision: str
    say: tuple[tuple[str, ...], ...] = ()
    array: np.ndarray | None = field(default=None, compare=False)


class Payload:
    """Unpickling this creates a file: the test looks for it afterwards."""

    def __reduce__(self):
        return open, (MARKER, "w")


def npy(array: np.ndarray, version: tuple[int, int] | None = None) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version, allow_pickle=True)
    return out.getvalue()


def header(text: str, data: bytes = b"", version: int = 1, length: int | None = None) -> bytes:
    """A .npy with this header text, whatever it says."""
    body = text.encode("latin-1")
    size = struct.pack("<H" if version == 1 else "<I", len(body) if length is None else length)
    return b"\x93NUMPY" + bytes([version, 0]) + size + body + data


def described(descr: str = "'<f4'", shape: str = "(12, 5)", order: str = "False") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


def zipped(method: int = zipfile.ZIP_DEFLATED, **members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return out.getvalue()


def named_members(*members: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def bomb(method: int, size: int = 3 * 2**30) -> bytes:
    """An archive whose directory honestly says that it unpacks to `size` zeros; the data are a stub."""
    small = zipped(method, x=bytes(1_000_000))
    start = small.rindex(b"PK\x01\x02")
    return small[: start + 24] + struct.pack("<I", size) + small[start + 28 :]


def lying_directory(size: int) -> bytes:
    """The same, understating: the directory says `size`, the member unpacks to much more."""
    return bomb(zipfile.ZIP_DEFLATED, size)


def csv_text(array: np.ndarray, names: list[str] | None = None, index: list[object] | None = None) -> bytes:
    lines = [",".join(names)] if names else []
    for place, row in enumerate(array.tolist()):
        start = [] if index is None else [str(index[place])]
        lines.append(",".join(start + [repr(value) for value in row]))
    return ("\n".join(lines) + "\n").encode()


def bfloat16_bits(array: np.ndarray) -> np.ndarray:
    """The upper halves of float32: truncation, which is what the tests' numbers are rounded to first."""
    return (array.view("<u4") >> 16).astype("<u2")


def vectors_json(array: np.ndarray) -> list[list[float]]:
    return [[float(value) for value in row] for row in array.tolist()]


BF16 = (bfloat16_bits(GOOD).astype("<u4") << 16).view("<f4")
CODES = (GOOD * 30).astype("int8")
PACKED = np.arange(512, dtype="uint8").reshape(64, 8)
ROW = GOOD.astype("float64")


def take(build: Callable[[], bytes], *say: tuple[str, ...], array: np.ndarray = GOOD) -> Case:
    return Case(build=build, decision="take", say=say, array=array)


def refuse(build: Callable[[], bytes], *say: tuple[str, ...]) -> Case:
    return Case(build=build, decision="refuse", say=say)


def ask(build: Callable[[], bytes], *say: tuple[str, ...]) -> Case:
    return Case(build=build, decision="ask", say=say)


NPY = {
    "version_1.npy": take(lambda: npy(GOOD, (1, 0))),
    "version_2.npy": take(lambda: npy(GOOD, (2, 0))),
    "version_3.npy": take(lambda: npy(GOOD, (3, 0))),
    "no_extension": take(lambda: npy(GOOD)),
    ".npy": take(lambda: npy(GOOD)),
    "half.npy": take(lambda: npy(GOOD.astype("f2")), array=GOOD.astype("f2")),
    "double.npy": take(lambda: npy(ROW), array=ROW),
    "big_endian.npy": take(lambda: npy(GOOD.astype(">f4"))),
    "fortran.npy": take(lambda: npy(np.asfortranarray(GOOD))),
    "other_order.npy": take(lambda: header('{"shape":(12,5),"fortran_order":False,"descr":"<f4"}', GOOD.tobytes())),
    "python_2.npy": take(lambda: header(described(shape="(12L, 5L)"), GOOD.tobytes())),
    "long_header.npy": take(lambda: header(described() + " " * 20_000, GOOD.tobytes(), version=2), ("header",)),
    "trailing.npy": take(lambda: npy(GOOD) + bytes(100), ("100 bytes",)),
    "empty.npy": refuse(lambda: b"", ("empty",)),
    "cut_in_magic.npy": refuse(lambda: b"\x93NUM", ("not a .npy",)),
    "cut_in_version.npy": refuse(lambda: b"\x93NUMPY\x01", ("cut short",)),
    "cut_in_header.npy": refuse(lambda: npy(GOOD)[:70], ("cut short",)),
    "cut_in_data.npy": refuse(lambda: npy(GOOD)[:-100], ("cut short",), ("140",), ("240",)),
    "header_4_gb.npy": refuse(lambda: header("", version=2, length=2**32 - 1), ("header",)),
    "header_1_mb.npy": refuse(lambda: header(described() + " " * 10**6, version=2), ("header",)),
    "version_4.npy": refuse(lambda: header(described(), version=4), ("version",), ("4.0",)),
    "wrong_magic.npy": refuse(lambda: b"\x92" + npy(GOOD)[1:], ("not a .npy",), ("fromfile",)),
    "raw_floats.npy": refuse(lambda: GOOD.tobytes(), ("not a .npy",), ("header",)),
    "memmap.npy": refuse(lambda: GOOD.tobytes() + bytes(720), ("not a .npy",), ("header",)),
    "header_says_double.npy": refuse(
        lambda: header(described("'<f8'"), GOOD.tobytes()), ("cut short",), ("480",), ("240",)
    ),
    "huge_shape.npy": refuse(
        lambda: header(described(shape="(1000000000000, 1000000)"), bytes(64)), ("4,000,000,000,000,000,000",)
    ),
    "overflowing_shape.npy": refuse(
        lambda: header(described(shape="(18446744073709551617, 1)"), bytes(64)), ("larger than any file",)
    ),
    "negative_shape.npy": refuse(lambda: header(described(shape="(-12, 5)")), ("-12",), ("0 or more",)),
    "header_is_code.npy": refuse(lambda: header("__import__('os').system('x')"), ("header",)),
    "header_is_deep.npy": refuse(lambda: header("(" * 60_000), ("header",)),
    "header_of_digits.npy": refuse(lambda: header(described(shape="(" + "1" * 30_000 + ")")), ("header",)),
    "header_of_spaces.npy": refuse(lambda: header(described(shape="(" + " " * 60_000)), ("header",)),
    "key_twice.npy": refuse(lambda: header("{'descr': '<f4', 'descr': '<f4', 'shape': (1,)}"), ("header",)),
    "key_missing.npy": refuse(lambda: header("{'descr': '<f4', 'shape': (12, 5)}"), ("header",)),
    "shape_is_bool.npy": refuse(lambda: header(described(shape="True"), bytes(64)), ("header",)),
    "endless_axis.npy": refuse(
        lambda: header(described(shape="(9223372036854775807, 0)")), ("no columns",), ("9223372036854775807",)
    ),
    "endless_axes.npy": refuse(lambda: header(described(shape="(4294967296, 4294967296, 0)")), ("no numbers",)),
    "shape_is_a_list.npy": refuse(lambda: header(described(shape="[12, 5]"), GOOD.tobytes()), ("shape is a list",)),
    "65_axes.npy": refuse(lambda: header(described(shape="(" + "1, " * 65 + ")"), bytes(64)), ("65 axes",)),
}

DTYPE = {
    "int8.npy": take(lambda: npy(CODES), ("int8",), ("quantis",), array=CODES),
    "uint8.npy": take(lambda: npy(CODES.view("u1")), ("uint8",), ("zero point",), array=CODES.view("u1")),
    "packed.npy": take(lambda: npy(PACKED), ("packed-bits",), ("64 signs",), array=PACKED),
    "int64.npy": take(lambda: npy(CODES.astype("i8")), ("int64",), array=CODES.astype("i8")),
    "void_2.npy": ask(lambda: npy(bfloat16_bits(GOOD).view("V2")), ("bfloat16",)),
    "uint16.npy": ask(lambda: npy(bfloat16_bits(GOOD)), ("bfloat16",), ("numbers",)),
    "int16.npy": ask(lambda: npy(bfloat16_bits(GOOD).view("i2")), ("bfloat16",), ("numbers",)),
    "void_1.npy": refuse(lambda: header(described("'|V1'"), bytes(60)), ("float8",)),
    "float8.npy": refuse(lambda: header(described("'<f1'"), bytes(60)), ("float8",)),
    "bool.npy": refuse(lambda: npy(GOOD > 0), ("bool",)),
    "complex.npy": refuse(lambda: npy(GOOD.astype("c8")), ("complex",)),
    "dates.npy": refuse(lambda: npy(CODES.astype("M8[s]")), ("dates",)),
    "durations.npy": refuse(lambda: npy(CODES.astype("m8[s]")), ("time",)),
    "text.npy": refuse(lambda: npy(GOOD.astype("U7")), ("text",)),
    "bytes.npy": refuse(lambda: npy(GOOD.astype("S7")), ("text",)),
    "records_of_vectors.npy": refuse(
        lambda: npy(np.zeros(12, [("id", "i4"), ("clip vec", "f2", (5,)), ("emb", "U3")])), ("x['clip vec']",)
    ),
    "records_of_numbers.npy": refuse(lambda: npy(np.zeros(12, [("a", "f4"), ("b", "f4")])), ("by their names",)),
    "records.npy": refuse(lambda: npy(np.zeros(12, [("id", "i4"), ("emb", "f4", 5)])), ("structured",), ("x['emb']",)),
    "long_double.npy": refuse(lambda: header(described("'<f16'"), bytes(960)), ("long double",)),
    "odd_type.npy": refuse(lambda: header(described("'<f4,<f4'"), bytes(960)), ("type",)),
    "objects.npy": refuse(lambda: npy(np.array([Payload()] * 2, dtype=object)), ("pickle",)),
    "ragged.npy": refuse(lambda: npy(np.array([[1.0], [1.0, 2.0]], dtype=object)), ("object",), ("stack",)),
    "dict.npy": refuse(lambda: npy(np.array({"embeddings": GOOD}, dtype=object)), ("object",), ("dict",)),
}

SHAPE = {
    "scalar.npy": refuse(lambda: npy(np.float32(3)), ("single number",), ("(n, d)",)),
    "one_vector.npy": refuse(lambda: npy(GOOD[0]), ("(5,) is one vector",), ("np.stack",)),
    "no_rows.npy": refuse(lambda: npy(GOOD[:0]), ("no rows",), ("(0, 5)",)),
    "no_columns.npy": refuse(lambda: npy(GOOD[:, :0]), ("no columns",)),
    "nothing.npy": refuse(lambda: npy(GOOD[0, :0]), ("(0,)",)),
    "n_1_d.npy": take(lambda: npy(GOOD[:, None]), ("(12, 1, 5)",), ("dropped",)),
    "1_n_d.npy": take(lambda: npy(GOOD[None]), ("(1, 12, 5)",), ("dropped",)),
    "layers.npy": ask(lambda: npy(np.stack([GOOD] * 3)), ("(3, 12, 5)",), ("0, 1, 2",)),
    "items_first.npy": ask(lambda: npy(np.zeros((40, 3, 8), "f4")), ("0 to 39",), ("40 items",)),
    "tokens.npy": refuse(lambda: npy(np.zeros((300, 2, 3), "f4")), ("300",), ("token",)),
    "four_axes.npy": refuse(lambda: npy(np.zeros((2, 2, 2, 2), "f4")), ("4 axes",)),
}

ARCHIVE = {
    "stored.npz": take(lambda: zipped(zipfile.ZIP_STORED, embeddings=npy(GOOD))),
    "deflated.npz": take(lambda: zipped(embeddings=npy(GOOD))),
    "renamed.npy": take(lambda: zipped(arr_0=npy(GOOD)), ("npz",)),
    "beside_objects.npz": take(lambda: zipped(x=npy(GOOD), y=npy(np.array([Payload()], dtype=object)))),
    "beside_text.npz": take(lambda: zipped(x=npy(GOOD), y=npy(np.array(["a"] * 12)))),
    "beside_damaged.npz": take(lambda: zipped(x=npy(GOOD), y=b"no array")),
    "traversal.npz": take(lambda: named_members((f"../../{MARKER}.npy", npy(GOOD))), ("path",)),
    "gzipped.npy.gz": take(lambda: gzip.compress(npy(GOOD))),
    "gzip_renamed.npy": take(lambda: gzip.compress(npy(GOOD)), ("gzip",)),
    "table.csv.gz": take(lambda: gzip.compress(csv_text(GOOD)), array=ROW),
    "two.npz": ask(lambda: zipped(image=npy(GOOD), text=npy(GOOD)), ("image (12, 5) float32",), ("text",)),
    "vectors.npz": refuse(lambda: zipped(a=npy(GOOD[0]), b=npy(GOOD[1])), ("single vectors",), ("stack",)),
    "objects.npz": refuse(lambda: zipped(x=npy(np.array([Payload()], dtype=object))), ("pickle",)),
    "no_arrays.zip": refuse(lambda: named_members(("a.csv", b"1,2")), ("without .npy",), ("a.csv",)),
    "nothing.npz": refuse(lambda: named_members(), ("nothing",)),
    "same_name.npz": refuse(lambda: named_members(("x.npy", b"1"), ("x", b"2")), ("one name",)),
    "cut_short.npz": refuse(lambda: zipped(x=npy(GOOD))[:-40], ("cut short",)),
    "flipped_bit.npz": refuse(
        lambda: zipped(zipfile.ZIP_STORED, x=npy(GOOD)).replace(GOOD[3].tobytes(), GOOD[4].tobytes()),
        ("checksum",),
    ),
    "bomb.npz": refuse(lambda: bomb(zipfile.ZIP_DEFLATED), ("expands",), ("3,221,225,472",)),
    "bomb_bzip2.npz": refuse(lambda: bomb(zipfile.ZIP_BZIP2), ("expands",)),
    "bomb_ratio.npz": refuse(lambda: bomb(zipfile.ZIP_DEFLATED, 10**9), ("times its size",)),
    "understated.npz": refuse(lambda: lying_directory(500), ("member", "declares")),
    "bzip2.npz": refuse(lambda: zipped(zipfile.ZIP_BZIP2, x=npy(GOOD)), ("bzip2",)),
    "sparse.npz": refuse(
        lambda: zipped(
            data=npy(GOOD[0]),
            indices=npy(CODES[0]),
            indptr=npy(CODES[0]),
            format=npy(np.bytes_("csr")),
            shape=npy(CODES[0]),
        ),
        ("sparse",),
        ("toarray",),
    ),
    "cut_short.npy.gz": refuse(lambda: gzip.compress(npy(GOOD))[:-9], ("cut short", "damaged", "expands")),
    "bomb.npy.gz": refuse(lambda: gzip.compress(bytes(2**27)), ("expands",), ("134,217,728",)),
    "long.npy.gz": refuse(lambda: gzip.compress(npy(GOOD))[:-4] + struct.pack("<I", 20), ("damaged",)),
    "members.npy.gz": take(lambda: b"".join(gzip.compress(npy(GOOD)[at : at + 100]) for at in range(0, 400, 100))),
    "padded.npy.gz": take(lambda: gzip.compress(npy(GOOD)) + bytes(512)),
    **{
        f"appended_{place}{end}.gz": refuse(
            lambda made=made, junk=junk: gzip.compress(made()) + junk, (f"{len(junk)} trailing byte",)
        )
        for end, made in ((".npy", lambda: npy(GOOD)), (".csv", lambda: csv_text(GOOD)))
        for place, junk in enumerate([b"junk", b"\r", b"\x00\x00\x00\x01", b"\x10\x00\x00\x00", bytes(9) + b"\xff" * 9])
    },
    "cut_member.npy.gz": refuse(
        lambda: gzip.compress(npy(GOOD)[:100]) + gzip.compress(npy(GOOD)[100:])[:-9], ("cut short", "damaged")
    ),
    "bomb_of_members.npy.gz": refuse(lambda: gzip.compress(bytes(2**24)) * 12, ("expands",)),
    "pickle.npy.gz": refuse(lambda: gzip.compress(pickle.dumps(Payload(), 2)), ("pickle",)),
    "many.npz": ask(lambda: zipped(**{f"k{place}": npy(GOOD) for place in range(400)}), ("and 389 more",)),
    "long_names.npz": ask(lambda: named_members(("x" * 60_000 + ".npy", npy(GOOD)), ("y.npy", npy(GOOD))), ("…",)),
    "odd_name.npz": take(lambda: named_members(("a/\n\u202e.npy", npy(GOOD))), ("\\n\\u202e",)),
    "prose.gz": refuse(lambda: gzip.compress(b"\x00\x01" * 99), ("gzip",)),
}

PICKLES = {
    "protocol_4.npy": refuse(lambda: pickle.dumps(Payload(), 4), ("pickle",)),
    "protocol_0.npy": refuse(lambda: pickle.dumps([1.0, 2.0], 0), ("pickle",), ("np.save",)),
    "protocol_0_array.npy": refuse(lambda: pickle.dumps(GOOD, 0), ("pickle",), ("np.save",)),
    "protocol_1.npy": refuse(lambda: pickle.dumps([1.0, 2.0], 1), ("pickle",)),
    "table.pkl": refuse(lambda: csv_text(GOOD), ("plain text",), (".csv",)),
    "protocol_0.pkl": refuse(lambda: pickle.dumps([1.0, 2.0], 0), ("pickle",), ("np.save",)),
    "marker.pkl": refuse(lambda: pickle.dumps(Payload()), ("pickle",)),
    "model.joblib": refuse(lambda: b"x\x9c" + bytes(99), ("joblib",)),
    "tensor.pt": refuse(lambda: named_members(("t/data.pkl", pickle.dumps(Payload()))), (".pt",), ("np.save",)),
    "legacy.pth": refuse(lambda: pickle.dumps(Payload(), 2), (".pt",), ("np.save",)),
}

OTHERS = {
    "page.npy": refuse(lambda: b"<!DOCTYPE html><html><body>404</body></html>", ("HTML",), ("not a .npy",)),
    "pointer.npy": refuse(lambda: b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", ("git lfs pull",)),
    "old_pointer.parquet": refuse(lambda: b"version https://hawser.github.com/spec/v1\noid", ("git lfs pull",)),
    "annex.npy": refuse(lambda: b"/annex/objects/SHA256E-s12--abc.npy\n", ("git-annex",), ("git annex get",)),
    "book.xls": refuse(lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), ("Office",), ("CSV",)),
    "model.gguf": refuse(lambda: b"GGUF" + bytes(99), ("GGUF",)),
    "model.onnx": refuse(lambda: b"\x08\x07" + bytes(99), ("model",)),
    "table.avro": refuse(lambda: b"Obj\x01" + bytes(99), ("Avro",)),
    "table.db": refuse(lambda: bytes(8) + b"DUCK" + bytes(99), ("DuckDB",)),
    "tar.npy": refuse(lambda: b"x.npy" + bytes(252) + b"ustar\x0000" + bytes(300), ("tar archive",)),
    "data.rds": refuse(lambda: b"RDX3\n" + bytes(99), ("R data",)),
    "data.h5": refuse(lambda: b"\x89HDF\r\n\x1a\n" + bytes(99), ("HDF5",), ("h5py",)),
    "matrix.mat": refuse(lambda: b"MATLAB 5.0 MAT-file, Platform: GLNXA64" + bytes(99), (".mat",), ("loadmat",)),
    "vectors.faiss": refuse(lambda: b"IxF2" + bytes(99), ("faiss",), ("reconstruct_n",)),
    "base.fbin": refuse(lambda: struct.pack("<2I", 12, 5) + GOOD.tobytes(), ("fbin",), ("(12, 5)",)),
    "base.bvecs": refuse(lambda: (struct.pack("<I", 5) + bytes(5)) * 3, ("one-byte",), ("uint8",)),
    "truth.ivecs": refuse(lambda: struct.pack("<6I", 5, *range(5)) * 3, ("whole numbers",), ("int32",)),
    "base.fvecs": refuse(lambda: (struct.pack("<I", 5) + GOOD[0].tobytes()) * 3, ("fvecs",)),
    "raw.bin": refuse(lambda: GOOD.tobytes(), (".bin",), ("shape",), ("fromfile",)),
    "book.xlsx": refuse(lambda: named_members(("[Content_Types].xml", b"<x/>")), ("xlsx",), ("CSV",)),
    "a.npy.xz": refuse(lambda: b"\xfd7zXZ\x00" + bytes(20), ("xz",)),
    "a.npy.bz2": refuse(lambda: bz2.compress(npy(GOOD)), ("bzip2",)),
    "picture.npy": refuse(lambda: b"\x89PNG\r\n\x1a\n" + bytes(20), ("picture",)),
    "unknown": refuse(lambda: GOOD.tobytes(), ("no format",)),
    "line\nbreak\u202e.npy": refuse(lambda: b"", ("empty",)),
}
