"""Named bounds, each with its reason. Nothing else in the core holds a magic size."""

from __future__ import annotations

#: Largest file the page accepts, in MB. Equal to ``server.maxUploadSize`` in
#: ``.streamlit/config.toml``: with unequal limits the browser shows a bare "413".
MAX_UPLOAD_MB = 1024

#: Float64 numbers in one block of scores (32 MB): small enough for several blocks in
#: memory at once, large enough for the matrix product to run at full speed.
SCORE_BLOCK_ELEMENTS = 4_000_000

#: Float64 numbers in one block of rows made unit length (16 MB).
ROW_BLOCK_ELEMENTS = 2_000_000

#: Bins of the cosine histograms over [-1, 1]: width 0.005.
HISTOGRAM_BINS = 400

#: Fewer pairs have no unrelated pairs worth the name (REFERENCE.md refuses n < 3).
MIN_PAIRS = 3

#: Derangements of the permuted floor. Each costs a pass over the rows; the reference
#: draws 20, and the exact floor needs none.
MAX_DERANGEMENTS = 10_000
#: Longest .npy header read. The most an array of numbers needs is about 200 bytes;
#: 65,535 is what version 1.0 can express, and lets odd but sound padding through.
MAX_NPY_HEADER_BYTES = 65_535

#: Above this numpy itself refuses a header unless asked: worth a word.
LONG_NPY_HEADER_BYTES = 10_000

#: Most axes of an array: numpy's own bound since 2.0.
MAX_AXES = 64

#: Largest size of one axis: what numpy's index type can hold.
MAX_AXIS_SIZE = 2**63 - 1

#: Most matrices in an (L, n, d) stack offered as layers. The deepest models have about
#: 150; a longer axis counts texts or tokens.
MAX_LAYERS = 256

#: Rows of packed bits are seldom wider: 512 bytes are 4,096 dimensions.
MAX_PACKED_ROW_BYTES = 512

#: Bytes looked at to see whether all 256 byte values are in use (bincount needs 8 MB).
PACKED_SAMPLE_BYTES = 1_000_000

#: Pairs the automatic alarm of an audit looks at, drawn with its own seed: enough to
#: see two coordinate systems, and little beside the ranking pass of a large file.
ALARM_PAIRS = 2_000

#: Columns above which the alarm is left out of an ordinary audit: the map costs a
#: singular value decomposition of min(rows, columns).
ALARM_MAX_DIM = 2_048

#: Pairs the comparison of two models uses; more are cut to a seeded subset, and it says so.
MAX_TWO_MODEL_PAIRS = 20_000

#: Rows of an n-by-n matrix that may exist as a whole (8 MB each): permutation nulls
#: reorder it many times, so more rows are cut to a seeded subset.
GRAM_ROWS = 1_000

#: Rounds of greedy matching before the rest of an order is filled in file order.
MATCHING_ROUNDS = 20
