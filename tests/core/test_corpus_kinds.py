"""Every kind of file people have been seen to hand over has a case in the tables of this repository.

The names on the left are the kinds; a new kind is a new line, and a case taken out of a table
without another of its kind shows here.
"""

import pytest

from tests import hostile, hostile_tables
from tests.core.test_corpus import NAMES
from tests.hostile_pairs import PAIRS

TABLES = {
    "npy": hostile.NPY,
    "dtype": hostile.DTYPE,
    "shape": hostile.SHAPE,
    "archive": hostile.ARCHIVE,
    "pickle": hostile.PICKLES,
    "other": hostile.OTHERS,
    "text": hostile_tables.TEXT,
    "json": hostile_tables.JSON,
    "arrow": hostile_tables.ARROW,
    "safetensors": hostile_tables.SAFETENSORS,
    "pair": PAIRS,
}

#: Kind -> (table, case, decision).
KINDS = {
    "an ordinary pair": ("pair", "ordinary", "take"),
    "a pair without a link": ("pair", "unrelated", "take"),
    "an empty file": ("npy", "empty.npy", "refuse"),
    "cut short in the header": ("npy", "cut_in_header.npy", "refuse"),
    "cut short in the data": ("npy", "cut_in_data.npy", "refuse"),
    "bytes after the array": ("npy", "trailing.npy", "take"),
    "wrong first byte": ("npy", "wrong_magic.npy", "refuse"),
    "version 1": ("npy", "version_1.npy", "take"),
    "version 2": ("npy", "version_2.npy", "take"),
    "version 4": ("npy", "version_4.npy", "refuse"),
    "header keys in another order": ("npy", "other_order.npy", "take"),
    "a header of 20,000 bytes": ("npy", "long_header.npy", "take"),
    "a header that claims 4 GB": ("npy", "header_4_gb.npy", "refuse"),
    "a shape beyond any memory": ("npy", "huge_shape.npy", "refuse"),
    "an endless empty shape": ("npy", "endless_axis.npy", "refuse"),
    "a negative shape": ("npy", "negative_shape.npy", "refuse"),
    "a header that is code": ("npy", "header_is_code.npy", "refuse"),
    "a header of another type than the data": ("npy", "header_says_double.npy", "refuse"),
    "an archive called .npy": ("archive", "renamed.npy", "take"),
    "gzip called .npy": ("archive", "gzip_renamed.npy", "take"),
    "an HTML error page": ("other", "page.npy", "refuse"),
    "a Git LFS pointer": ("other", "pointer.npy", "refuse"),
    "numbers without a header": ("npy", "memmap.npy", "refuse"),
    "an object array that acts": ("dtype", "objects.npy", "refuse"),
    "an object array of ragged rows": ("dtype", "ragged.npy", "refuse"),
    "a dict saved as .npy": ("dtype", "dict.npy", "refuse"),
    "a pickle called .npy": ("pickle", "protocol_4.npy", "refuse"),
    "an old pickle called .npy": ("pickle", "protocol_0.npy", "refuse"),
    "a pickle that acts": ("pickle", "marker.pkl", "refuse"),
    "a good member beside objects": ("archive", "beside_objects.npz", "take"),
    "half precision": ("npy", "half.npy", "take"),
    "double precision": ("npy", "double.npy", "take"),
    "big endian": ("npy", "big_endian.npy", "take"),
    "Fortran order": ("npy", "fortran.npy", "take"),
    "signed codes": ("dtype", "int8.npy", "take"),
    "unsigned codes": ("dtype", "uint8.npy", "take"),
    "packed bits": ("dtype", "packed.npy", "take"),
    "true and false": ("dtype", "bool.npy", "refuse"),
    "complex numbers": ("dtype", "complex.npy", "refuse"),
    "dates": ("dtype", "dates.npy", "refuse"),
    "numbers as text": ("dtype", "text.npy", "refuse"),
    "records with fields": ("dtype", "records.npy", "refuse"),
    "bfloat16 as void": ("dtype", "void_2.npy", "ask"),
    "bfloat16 as uint16": ("dtype", "uint16.npy", "ask"),
    "bfloat16 as int16": ("dtype", "int16.npy", "ask"),
    "a single number": ("shape", "scalar.npy", "refuse"),
    "one vector": ("shape", "one_vector.npy", "refuse"),
    "(n, 1, d)": ("shape", "n_1_d.npy", "take"),
    "a stack of layers": ("shape", "layers.npy", "ask"),
    "no rows": ("shape", "no_rows.npy", "refuse"),
    "no columns": ("shape", "no_columns.npy", "refuse"),
    "one row": ("pair", "one_row", "refuse"),
    "three rows": ("pair", "three_rows", "take"),
    "one column": ("pair", "one_column", "take"),
    "transposed": ("pair", "transposed", "refuse"),
    "one row less": ("pair", "one_row_less", "refuse"),
    "five rows for each": ("pair", "five_for_each", "refuse"),
    "another width": ("pair", "other_model", "refuse"),
    "one NaN": ("pair", "one_nan", "refuse"),
    "NaN in B": ("pair", "nan_row_of_b", "refuse"),
    "infinity": ("pair", "infinite", "refuse"),
    "zero rows": ("pair", "zero_rows", "refuse"),
    "norms of 1e200": ("pair", "norm_1e200", "take"),
    "norms of 1e-200": ("pair", "norm_1e-200", "take"),
    "one row of norm 1e200": ("pair", "one_row_1e200", "take"),
    "subnormal rows": ("pair", "subnormal", "take"),
    "norms over six decades": ("pair", "six_decades", "take"),
    "identical rows": ("pair", "identical_rows", "take"),
    "A is B": ("pair", "b_is_a", "take"),
    "B is minus A": ("pair", "b_is_minus_a", "take"),
    "duplicate rows": ("pair", "duplicates", "take"),
    "shuffled pairs": ("pair", "shuffled", "take"),
    "a rogue dimension": ("pair", "rogue_dimension", "take"),
    "a modality gap": ("pair", "modality_gap", "take"),
    "a cosine that rounds above one": ("pair", "rounds_above_one", "take"),
    "a fit array of another width": ("pair", "fit_of_other_width", "refuse"),
    "a fit array that is one row of A": ("pair", "fit_is_one_row_of_a", "take"),
    "an empty fit array": ("pair", "fit_empty", "refuse"),
    "a fit array off the domain": ("pair", "fit_off_domain", "take"),
    "an isotropic fit array": ("pair", "fit_isotropic", "take"),
    "an archive of one array": ("archive", "stored.npz", "take"),
    "an archive of two arrays": ("archive", "two.npz", "ask"),
    "an archive with text beside": ("archive", "beside_text.npz", "take"),
    "a member that is a path": ("archive", "traversal.npz", "take"),
    "an archive cut short": ("archive", "cut_short.npz", "refuse"),
    "a sparse matrix": ("archive", "sparse.npz", "refuse"),
    "a bomb": ("archive", "bomb_bzip2.npz", "refuse"),
    "a gzipped array": ("archive", "gzipped.npy.gz", "take"),
    "gzip of several members": ("archive", "members.npy.gz", "take"),
    "plain text": ("text", "plain.csv", "take"),
    "a header row": ("text", "header.csv", "take"),
    "a header of 0 to d - 1": ("text", "pandas.csv", "take"),
    "a header of other numbers": ("text", "numbers_0.csv", "take"),
    "an index and a header": ("text", "index.csv", "take"),
    "a column of lists": ("text", "lists.csv", "take"),
    "a column of printed arrays": ("text", "numpy_repr.csv", "take"),
    "printed arrays shortened": ("text", "ellipsis.csv", "refuse"),
    "UTF-16 by Excel": ("text", "utf16.csv", "take"),
    "ragged rows": ("text", "ragged.csv", "refuse"),
    "a script in the header": ("text", "script.csv", "take"),
    "a missing value": ("text", "NA_at_0.csv", "take"),
    "an odd cell in the first rows": ("text", "odd_cell_1.csv", "refuse"),
    "JSON lines": ("json", "records.jsonl", "take"),
    "a list of lists": ("json", "lists.json", "take"),
    "names and vectors": ("json", "names.json", "take"),
    "deep nesting": ("json", "deep.json", "refuse"),
    "records out of order": ("json", "index_4.json", "take"),
    "a Parquet column of lists": ("arrow", "lists.parquet", "take"),
    "wide Parquet columns": ("arrow", "wide.parquet", "take"),
    "one tensor": ("safetensors", "one.safetensors", "take"),
    "a bfloat16 tensor": ("safetensors", "bf16.safetensors", "take"),
    "a PyTorch file": ("pickle", "tensor.pt", "refuse"),
    "a PyTorch file that acts": ("pickle", "legacy.pth", "refuse"),
    "an HDF5 file": ("other", "data.h5", "refuse"),
    "big-ann vectors": ("other", "base.fbin", "refuse"),
    "raw numbers": ("other", "raw.bin", "refuse"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_case_with_its_decision(kind):
    table, name, decision = KINDS[kind]
    case = TABLES[table][name]
    assert case.decision == decision
    if decision != "take":
        assert case.say, "a refusal or a question must say something that can be checked"


def test_every_table_is_drawn_on():
    assert {table for table, _, _ in KINDS.values()} == set(TABLES)


@pytest.mark.parametrize("letters", ["**", "<", "&", ":", "\u202e", "\t", "%", "=", "é" * 100])
def test_each_kind_of_name_is_tried(letters):
    assert any(letters in name for name in NAMES)


def test_names_without_a_stem_or_an_end_are_tried():
    assert {".npy", "no_extension"} <= set(NAMES)
