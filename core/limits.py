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
