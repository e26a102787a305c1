"""Files people hold beside arrays, refused by name with the one line that makes a ``.npy``.

A table: what gives the file away (first bytes, or the end of its name), what it is, and
what to do. Nothing here is opened, unpickled or guessed at.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from core.errors import FormatError
from core.formats.encoding import encoding_of
from core.formats.transfer import refuse_reencoded_start

_RESAVE = "Save the array again: np.save('new.npy', x)."
_UNPICKLED = "Where you made it yourself, save the numbers there: np.save('new.npy', np.asarray(x, dtype='float32'))."
_UNPACK = "Unpack it and use the file inside."
_RAW = "Save them with their shape: np.save('new.npy', np.fromfile('old', dtype='float32').reshape(-1, d))."
_TORCH = "Save the tensor: np.save('new.npy', torch.load('old.pt', weights_only=True).float().numpy())."
_FAISS = "Save its vectors: np.save('new.npy', index.reconstruct_n(0, index.ntotal))."
_MAT = "Save the matrix: np.save('new.npy', scipy.io.loadmat('old.mat')['x'])."
_PICKLED = (".pkl", ".pickle", ".p", ".joblib")
_R_SUFFIXES = (".rds", ".rdata", ".rda")
_OLD_HEAD = 200
_PICKLE = "is a pickle: Python objects, which are never loaded, since unpickling can run any code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One kind of file.

    Attributes
    ----------
    starts
        First bytes, any of which give it away.
    suffixes
        Ends of names, lower case, that give it away where the bytes do not.
    what
        What it is, to follow the file's name.
    remedy
        The line that makes a ``.npy``.
    """

    starts: tuple[bytes, ...] = ()
    suffixes: tuple[str, ...] = ()
    what: str
    remedy: str


REFUSALS = (
    Refusal(
        starts=(b"version https://git-lfs", b"version https://hawser", b"version http://git-media"),
        what="is a Git LFS pointer: the data were never downloaded",
        remedy="Run: git lfs pull.",
    ),
    Refusal(
        starts=(b"# xet version",),
        what="is a Hugging Face Xet pointer: the data were never downloaded",
        remedy="Run: git xet install, then check the file out again; or download it with hf download.",
    ),
    Refusal(
        starts=(b"outs:\n- md5:", b"outs:\n- hash:", b"outs:\r\n- md5:"),
        what="is a DVC pointer: the data were never downloaded",
        remedy="Run: dvc pull.",
    ),
    Refusal(
        starts=(b"/annex/objects/", b"../.git/annex/", b".git/annex/"),
        what="is a git-annex pointer: the data were never downloaded",
        remedy="Run: git annex get.",
    ),
    Refusal(
        starts=(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",),
        suffixes=(".xls",),
        what="is an old Office document (such as .xls), which is not read",
        remedy="Save the sheet as CSV.",
    ),
    Refusal(
        starts=(b"gguf",),
        suffixes=(".gguf",),
        what="is a model for llama.cpp (GGUF), not an array of embeddings",
        remedy="Give the embeddings the model makes, not the model.",
    ),
    Refusal(
        suffixes=(".onnx", ".keras", ".tflite"),
        what="is a model, not an array of embeddings",
        remedy="Give the embeddings the model makes, not the model.",
    ),
    Refusal(
        starts=(b"obj\x01",),
        suffixes=(".avro",),
        what="is an Avro file, which is not read",
        remedy="Save the table as Parquet.",
    ),
    Refusal(
        starts=(
            b"orc\x03",
            b"orc\n",
        ),
        suffixes=(".orc",),
        what="is an ORC file, which is not read",
        remedy="Save it as Parquet.",
    ),
    Refusal(
        starts=(
            *(b"rdx2\n", b"rdx3\n", b"rda2\n", b"rda3\n"),
            *(b"x\n\x00\x00\x00\x02", b"x\n\x00\x00\x00\x03", b"b\n\x02\x00\x00\x00", b"b\n\x03\x00\x00\x00"),  # .rds
        ),
        suffixes=_R_SUFFIXES,
        what="is an R data file, which is not read",
        remedy="Save it in R, where x is what readRDS or load gives: "
        "arrow::write_parquet(as.data.frame(x), 'new.parquet').",
    ),
    Refusal(
        starts=(b"%%matrixmarket",),
        suffixes=(".mtx",),
        what="is in Matrix Market format (.mtx), which is not read",
        remedy="Save it dense: x = scipy.io.mmread('old.mtx'); "
        "np.save('new.npy', x.toarray() if hasattr(x, 'toarray') else x).",
    ),
    Refusal(
        starts=(b"@relation",),
        suffixes=(".arff",),
        what="is an ARFF file (Weka), which is not read",
        remedy="Save it as CSV: pd.DataFrame(scipy.io.arff.loadarff('old.arff')[0]).to_csv('new.csv', index=False).",
    ),
    Refusal(
        suffixes=(".ann", ".usearch", ".hnsw"),
        what="is an index for nearest neighbours, not an array",
        remedy="Save the vectors it was built from: np.save('new.npy', x).",
    ),
    Refusal(
        suffixes=(".tfrecord", ".tfrecords"),
        what="is a TFRecord file, which is not read",
        remedy="Save the vectors: np.save('new.npy', np.stack(vectors)).",
    ),
    Refusal(
        starts=(b"cdf\x01", b"cdf\x02", b"cdf\x05"),
        what="is a NetCDF file, which is not read",
        remedy="Save the variable: np.save('new.npy', xarray.open_dataset('old.nc')['x'].values).",
    ),
    Refusal(
        suffixes=(".duckdb", ".ddb"),
        what="is a DuckDB database, not an array",
        remedy="Save the table as Parquet: COPY t TO 'new.parquet'.",
    ),
    Refusal(
        starts=(b"http/1.", b"http/2 ", b"http/3 "),
        what="is the answer of a web server with its headers, not the file that was asked for",
        remedy="Download it again and look at what arrives; without headers (curl -fL, not curl -i).",
    ),
    Refusal(
        starts=(b"<!doctype", b"<!--", b"<html", b"<body", b"<head", b"<?xml", b"<error"),
        what="is a web page (HTML), not a .npy file: most likely the error message of a failed download",
        remedy="Download it again and look at what arrives.",
    ),
    Refusal(
        starts=(b"\x89hdf\r\n\x1a\n",),
        suffixes=(".h5", ".hdf5", ".hdf", ".h5ad", ".nc"),
        what="is an HDF5 file (.h5), which is not read",
        remedy="Save the data set: np.save('new.npy', h5py.File('old.h5')['embeddings'][:]).",
    ),
    Refusal(
        starts=(b"matlab 5.0 mat-file", b"matlab 7.3 mat-file"),
        suffixes=(".mat",),
        what="is a MATLAB file (.mat), which is not read",
        remedy=_MAT,
    ),
    Refusal(
        starts=(b"ixf2", b"ixfi", b"ixpq", b"iwfl", b"iwpq", b"ihnf", b"ihnsf", b"ixmp", b"ixm2", b"ixsq"),
        suffixes=(".faiss", ".index"),
        what="is a faiss index, not an array",
        remedy=_FAISS,
    ),
    Refusal(
        suffixes=(".pt", ".pth", ".ckpt"),
        what="is a PyTorch file (.pt): numbers beside a pickle, which is never loaded",
        remedy=_TORCH,
    ),
    Refusal(
        suffixes=(".joblib",),
        what="is a joblib file: a pickle, which is never loaded, since unpickling can run any code",
        remedy=_UNPICKLED,
    ),
    Refusal(suffixes=(".pkl", ".pickle", ".p"), what=_PICKLE, remedy=_UNPICKLED),
    Refusal(
        suffixes=(".bvecs",),
        what="is a file of one-byte vectors each with its own length in front (.bvecs), which is not read",
        remedy="Save them without it: x = np.fromfile('old.bvecs', dtype='uint8'); "
        "np.save('new.npy', x.reshape(-1, 4 + int(x[:4].view('<i4')[0]))[:, 4:]).",
    ),
    Refusal(
        suffixes=(".ivecs",),
        what="is a file of whole numbers (neighbours, most likely) with each row's length in front (.ivecs), "
        "which is not read",
        remedy="If they are vectors: x = np.fromfile('old.ivecs', dtype='int32'); "
        "np.save('new.npy', x.reshape(-1, 1 + x[0])[:, 1:]).",
    ),
    Refusal(
        suffixes=(".fvecs",),
        what="is a file of vectors each with its own length in front (.fvecs), which is not read",
        remedy="Save them without it: x = np.fromfile('old.fvecs', dtype='int32'); "
        "np.save('new.npy', x.reshape(-1, 1 + x[0])[:, 1:].copy().view('float32')).",
    ),
    Refusal(
        starts=(b"fea1",),
        what="is a file of Feather version 1, which is not read",
        remedy="Save it as Parquet.",
    ),
    Refusal(starts=(b"\xfd7zxz\x00",), suffixes=(".xz",), what="is compressed by xz", remedy=_UNPACK),
    Refusal(starts=(b"bzh",), suffixes=(".bz2",), what="is compressed by bzip2", remedy=_UNPACK),
    Refusal(starts=(b"(\xb5/\xfd",), suffixes=(".zst",), what="is compressed by Zstandard", remedy=_UNPACK),
    Refusal(starts=(b'\x04"m\x18',), suffixes=(".lz4",), what="is compressed by LZ4", remedy=_UNPACK),
    Refusal(starts=(b"7z\xbc\xaf'\x1c",), suffixes=(".7z",), what="is a 7-Zip archive", remedy=_UNPACK),
    Refusal(starts=(b"rar!\x1a\x07",), suffixes=(".rar",), what="is a RAR archive", remedy=_UNPACK),
    Refusal(suffixes=(".tar",), what="is a tar archive", remedy=_UNPACK),
    Refusal(starts=(b"sqlite format 3\x00",), what="is an SQLite database, not an array", remedy=_RESAVE),
    Refusal(
        starts=(b"\x89png\r\n", b"\xff\xd8\xff", b"gif8", b"%pdf"),
        what="is a picture or a PDF, not an array",
        remedy="Give the embeddings, not what they were made from.",
    ),
    Refusal(
        suffixes=(".bin", ".raw", ".dat", ".f32", ".float32", ".memmap", ".mmap"),
        what="holds raw numbers without a header (.bin), most likely: its shape cannot be told from it",
        remedy=_RAW,
    ),
)

#: Bytes looked at; longer than any start.
_HEAD = 32

#: Rows and columns in the first line of word2vec's binary format.
_WORD2VEC = re.compile(rb"[1-9]\d{0,11} [1-9]\d{0,5}\n")

#: Where a tar archive says that it is one.
_TAR_AT = 257

#: How pickles of protocols 0 and 1 begin: a call of a global, a list, a dict.
_OLD_PICKLE = re.compile(rb"c[\w.]{1,80}\n[\w.]{1,80}\n|\([ld]p\d{1,9}\n|\(c[\w.]{1,80}\n|[\]}]q.", re.DOTALL)


def refuse_by_content(buffer: memoryview, name: str) -> None:
    """Raise the refusal whose first bytes these are; return when there is none."""
    refuse_reencoded_start(buffer, name)
    head = bytes(buffer[:_HEAD]).lstrip(b" \t\r\n\xef\xbb\xbf").lower()
    for row in REFUSALS:
        if row.remedy == _UNPACK and name.lower().endswith(_R_SUFFIXES):  # R compresses what it saves
            continue
        if row.starts and head.startswith(row.starts):
            raise FormatError(f"{name} {row.what}", remedy=row.remedy)
    if bytes(buffer[_TAR_AT : _TAR_AT + 5]) == b"ustar":
        raise FormatError(f"{name} is a tar archive", remedy=_UNPACK)
    if bytes(buffer[8:12]) == b"DUCK":
        raise FormatError(
            f"{name} is a DuckDB database, not an array",
            remedy="Save the table as Parquet: COPY t TO 'new.parquet'.",
        )
    if _is_pickle(buffer) and not name.lower().endswith((".pt", ".pth", ".ckpt", ".joblib")):
        raise FormatError(f"{name} {_PICKLE}", remedy=_UNPICKLED)


def refuse_by_name(buffer: memoryview, name: str) -> None:
    """Raise the refusal whose names end so; return when there is none."""
    if name.lower().endswith((".fbin", ".u8bin", ".i8bin")):
        raise _big_ann(buffer, name)
    if _WORD2VEC.match(bytes(buffer[:_HEAD])) and name.lower().endswith(".bin"):
        raise FormatError(
            f"{name} is in word2vec's binary format, which is not read",
            remedy="Save its vectors: np.save('new.npy', gensim.models.KeyedVectors.load_word2vec_format('old.bin', "
            "binary=True).vectors).",
        )
    if name.lower().endswith(_PICKLED) and encoding_of(buffer) is not None:
        raise FormatError(
            f"{name} is named as a pickle, but holds plain text",
            remedy="If it is a table or JSON, name it so: .csv, .json.",
        )
    for row in REFUSALS:
        if row.suffixes and name.lower().endswith(row.suffixes):
            raise FormatError(f"{name} {row.what}", remedy=row.remedy)


def _is_pickle(buffer: memoryview) -> bool:
    """True for protocols 2 to 5, PROTO and its number first, and for 0 and 1; STOP last.

    Both ends are looked at: raw floats may begin with any two bytes.
    """
    if len(buffer) < 4 or buffer[-1] != ord("."):
        return False
    return (buffer[0] == 0x80 and 2 <= buffer[1] <= 5) or _OLD_PICKLE.match(bytes(buffer[:_OLD_HEAD])) is not None


def _big_ann(buffer: memoryview, name: str) -> FormatError:
    """The refusal of big-ann-benchmarks' format: uint32 n, uint32 d, then the rows."""
    said, ending = "", name.lower().rpartition(".")[2]
    stored = {"u8bin": "uint8", "i8bin": "int8"}.get(ending, "float32")
    if len(buffer) >= 8:
        rows, dims = struct.unpack_from("<2I", buffer)
        if len(buffer) in (8 + 4 * rows * dims, 8 + rows * dims):
            said = f"; its first 8 bytes say ({rows:,}, {dims:,})"
    return FormatError(
        f"{name} is in the format of big-ann-benchmarks (.{ending}, {stored}), which is not read{said}",
        remedy=f"Save it as: n, d = np.fromfile('old.{ending}', 'uint32', 2); "
        f"np.save('new.npy', np.fromfile('old.{ending}', '{stored}', offset=8).reshape(n, d)).",
    )
