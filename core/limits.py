"""Named bounds, each with its reason. Nothing else in the core holds a magic size."""

from __future__ import annotations

#: Largest file the page accepts, in MB. Equal to ``server.maxUploadSize`` in
#: ``.streamlit/config.toml``: with unequal limits the browser shows a bare "413".
MAX_UPLOAD_MB = 1024

#: Rows and columns of a tile of scores (2 MB in float32): small enough to be in cache when
#: the product is done with it, large enough for the product to run at full speed. Sums are
#: taken tile by tile in order, so this, and not the number of threads, fixes their last digit.
SWEEP_TILE_ROWS = 512
SWEEP_TILE_COLUMNS = 1024

#: Numbers in the rows of one tile: very wide rows get fewer, so that a sweep can be stopped
#: promptly and its float64 rows stay under 32 MB.
SWEEP_TILE_ELEMENTS = 2_000_000

#: Up to this many rows everything is swept in float64: it takes a quarter of a second, less
#: than loading the compiled loops of the float32 sweep. Wide rows only up to `ROW_BLOCK_ELEMENTS`.
EXACT_SWEEP_ROWS = 2_000

#: Up to this many rows the scores of both readings are kept (16 MB): one product then serves
#: the pass and the derangements.
WHOLE_SCORES_ROWS = 1_000

#: Most workers that can be asked for: beyond the cores they only wait for each other.
MAX_WORKERS = 256

#: Float64 scores of a tile that are counted at a time: with what is made of them they stay
#: in the second-level cache.
EXACT_STRIP_ELEMENTS = 32_768

#: Float64 numbers in one block of rows made unit length (16 MB).
ROW_BLOCK_ELEMENTS = 2_000_000

#: Numbers in a block of rows that goes through many small steps (1.6 MB in float64): inspected,
#: averaged, made ready for the sweep, summed by pair. A dozen passes go over it, so it should
#: stay in the second-level cache.
READY_BLOCK_ELEMENTS = 200_000

#: Numbers of a strip of the d-by-d products of the closed-form floor (32 MB in float64).
CLOSED_FORM_ELEMENTS = 4_000_000

#: The spread of the pass is checked against the closed form where that costs little: rows
#: this many times the columns (then 1/16 of the pass), or n d^2 up to this (a few ms).
#: Elsewhere against this many rows scored again.
CLOSED_FORM_SHARE = 128
CLOSED_FORM_AT_ONCE = 10_000_000
CHECKED_ROWS = 16

#: Fewest candidates a row can be ranked among, its partner included: the pool they are
#: drawn from must leave each of its own rows somebody to meet.
MIN_CANDIDATES = 3

#: Candidates offered where ranking against all rows takes long. Chance is 1/20,000 then.
OFFERED_CANDIDATES = 20_000

#: Share of the time of all rows above which a pool is not offered: it goes over its candidates in both
#: directions and needs the spread in closed form, so that with few rows it takes longer than all of them.
OFFERED_SHARE = 0.5

#: Expected seconds above which the command line says so before it starts, and above which
#: the page offers a pool of candidates instead: nobody waits a minute without wondering.
SAY_SECONDS = 10.0
OFFER_SECONDS = 60.0

#: Bytes of a file from which the command line says that it is read, and how many are hashed and inspected
#: a second (measured: 0.45 GB/s); text takes far longer a byte.
SAY_READING_BYTES = 64 * 2**20
READ_BYTES_PER_SECOND = 400e6

#: Bins of the cosine histograms over [-1, 1]: width 0.005.
HISTOGRAM_BINS = 400

#: Fewer pairs have no unrelated pairs worth the name (REFERENCE.md refuses n < 3).
MIN_PAIRS = 3

#: Derangements of the permuted floor. Each costs a pass over the rows; the reference
#: draws 20, and the exact floor needs none.
MAX_DERANGEMENTS = 10_000

#: Pairs the automatic alarm of an audit looks at, drawn with the seed: enough to
#: see two coordinate systems, and little beside the ranking pass of a large file.
ALARM_PAIRS = 2_000

#: Likewise, or a quarter of the pairs, where half of them are fewer than columns: such a map
#: only finds spaces that are wholly turned, and for that few rows do.
ALARM_SHORT_PAIRS = 300

#: Rows whose CKA the alarm shuffles: 199 shuffles of 1,000 rows would take as long as the map.
ALARM_CKA_ROWS = 400

#: Columns above which the alarm is left out of an ordinary audit: the map costs a
#: singular value decomposition of min(rows, columns).
ALARM_MAX_DIM = 2_048

#: Pairs the comparison of two models uses, and train pairs its map is fitted on; more are cut
#: to a seeded subset, and it says so. Neighbours are sought among all of them, twice.
MAX_TWO_MODEL_PAIRS = 20_000
MAX_TRAIN_PAIRS = 20_000

#: Rows of an n-by-n matrix that may exist as a whole (8 MB each): permutation nulls
#: reorder it many times, so more rows are cut to a seeded subset.
GRAM_ROWS = 1_000

#: Float64 scores held at a time by the smaller passes (32 MB).
SCORE_BLOCK_ELEMENTS = 4_000_000

#: Rows asked whether their best names them back: the share is then known to .023.
PAIRING_ROWS = 250

#: Rounds of greedy matching before the rest of an order is filled in file order.
MATCHING_ROUNDS = 20

#: Pairs up to which an n-by-n matrix of scores is kept (32 MB): permutations are drawn from
#: it, and sums over it need no closed form. Above, everything goes block by block.
FULL_MATRIX_PAIRS = 2_000

#: Permutations drawn where there are too many to try them all and the matrix of scores is kept.
DRAWN_PERMUTATIONS = 9_999

#: Looking at a file takes about 40 bytes for each row, however narrow. Rows of fewer stored
#: bytes than the second number are therefore read up to the first: then that is at most a
#: fifth of the array, or 80 MB.
MAX_NARROW_ROWS = 2_000_000
NARROW_ROW_BYTES = 200

#: Most columns of a file: four times the widest embeddings published (16,384). One row is then less than
#: a block of `READY_BLOCK_ELEMENTS`, so that whatever goes block by block never holds more than it does
#: for ordinary rows, and an audit of hundreds of rows takes seconds.
MAX_COLUMNS = 2**16

#: Columns up to which a d-by-d scatter matrix is made (512 MB). Above, with more than
#: `FULL_MATRIX_PAIRS` pairs, intervals are left out with that reason.
SCATTER_COLUMNS = 8_192

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

#: Bytes looked at to see whether all 256 byte values are in use (bincount needs 8 MB), and
#: how often the rarest must occur against the mean: packed signs use all of them about
#: alike (share above 0.2), codes of bell-shaped numbers clipped at 3 sd have a share of 0.03.
PACKED_SAMPLE_BYTES = 1_000_000
PACKED_RAREST_SHARE = 1 / 16

#: Most bytes an archive member, a gzip stream or a table may unpack to: twice the
#: largest upload, so that honest compression passes and a bomb does not.
MAX_UNPACKED_BYTES = 2 * MAX_UPLOAD_MB * 2**20

#: Unpacked sizes up to this are never a bomb worth the name.
FREE_UNPACKED_BYTES = 64 * 2**20

#: Above `FREE_UNPACKED_BYTES`, unpacking may not multiply the size by more than this.
#: Embeddings shrink to about 0.9 of their size, and mostly-zero ones to a few per cent.
MAX_EXPANSION = 200

#: Members of a gzip file: bgzip makes one of 64 kB, so 6 GB.
MAX_GZIP_MEMBERS = 100_000

#: Bytes unpacked at a time.
INFLATE_CHUNK_BYTES = 2**20

#: Directory of a .zip: room for about 10,000 members, and a bound on the objects made from it.
MAX_ZIP_DIRECTORY_BYTES = 2**20

#: Names listed in a sentence, and characters of each; a page offers all options in full.
MAX_LISTED = 12

#: Records of JSON lines held back until one shows which field holds the vectors.
MAX_LEADING_RECORDS = 1_000
MAX_NAME_CHARS = 60

#: Largest text file (CSV, JSON) read. Numbers as text cost up to 12 times their size in
#: memory while they are read: 3 GB at this bound. About 20 million numbers.
MAX_TEXT_BYTES = 256 * 2**20

#: Longest cell of a table: a vector of 16,384 numbers written out in full.
MAX_CELL_CHARS = 400_000

#: Longest id of a group, and longest text beside a row: more is another kind of file. An
#: array of ids is as wide as its longest one.
MAX_ID_CHARS = 1_000
MAX_LABEL_CHARS = 100_000

#: Memory of ids as an array: 256 MB are never too much, nor so many times the file, which is what
#: ids of much the same length take (4 bytes a character).
FREE_ID_BYTES = 256 * 2**20
ID_MEMORY_PER_BYTE = 8

#: Longest line of a table: 65,536 numbers written out in full.
MAX_LINE_CHARS = 2**21

#: Characters of text taken apart at a time: few enough to be in cache, enough that the
#: parser's start does not matter.
TEXT_BLOCK_CHARS = 2**18

#: Blank lines between the rows of a table, and lines of comment before it; each costs time and
#: holds nothing.
MAX_BLANK_LINES = 1_000_000

#: Most columns of a table.
MAX_TABLE_COLUMNS = 65_536

#: First rows of a table looked at to tell header, index and vectors apart.
TABLE_SAMPLE_ROWS = 20

#: And most cells of them: a very wide table shows what it is in fewer rows.
TABLE_SAMPLE_CELLS = 200_000

#: Columns of a Parquet or Arrow table whose first values are looked at: they are decoded in
#: batches of 8,192 rows, and a few show whether the first one stands beside fractions.
TABLE_SAMPLE_COLUMNS = 64

#: First bytes looked at to tell text from numbers.
TEXT_SAMPLE_BYTES = 4096

#: Share of a JSON file that may be this character. Each costs 60 to 250 bytes of memory;
#: vectors need one bracket per few hundred bytes, rows of two numbers one per ten.
MAX_JSON_DENSITY = {"[": 1 / 6, "{": 1 / 32, '"': 1 / 6}

#: Memory of what is kept of a JSON object while it is read, in bytes for each character of it: with text, file
#: and numbers that makes the 12 of `MAX_TEXT_BYTES`. Short vectors under names take up to 20, so a small file may
#: have 100 MB all the same: some 200,000 of them.
JSON_MEMORY_PER_BYTE = 8
FREE_JSON_BYTES = 100 * 2**20

#: Elements of a list of lists in a JSON object kept as they are; a longer list stays text and is
#: decoded an element at a time. Few enough that all of them are decoded in an instant.
JSON_LIST_HELD = 1_000

#: A JSON value of more characters than this, among several one after the other, is taken apart piece by piece.
#: Shorter ones, as records on a line of their own are, are decoded in one step.
JSON_LONG_VALUE = 2**20

#: Longest safetensors header read: room for about 10,000 tensors, and a bound on the objects
#: made from it. A file of embeddings has a few hundred bytes of it.
MAX_SAFETENSORS_HEADER_BYTES = 2**20

#: Longest header the safetensors library itself accepts: up to here a file is called one.
KNOWN_SAFETENSORS_HEADER_BYTES = 100_000_000

#: Footer of a Parquet file: about 100 bytes for each column in each group of rows, 20 to 30 times
#: as much in memory. Room for 2,048 columns in 150 groups.
MAX_PARQUET_FOOTER_BYTES = 32 * 2**20

#: Rows of a Parquet or Arrow table turned into numbers at a time.
TABLE_BATCH_ROWS = 8_192

#: Largest JSON report read back. One of an audit has about 10 kB; notices and long names add little.
MAX_REPORT_BYTES = 4 * 2**20

#: Files listed from a local data folder, and how many folders deep: a list longer than
#: this is no list to choose from, and a walk must end.
DATA_FOLDER_FILES = 500
DATA_FOLDER_DEPTH = 3

#: Memory of a process that reads Parquet or Arrow: Python, the library and its own
#: allocator reserve about 400 MB of addresses; the rest is for the numbers.
READER_BASE_BYTES = 2 * 2**30
READER_MEMORY_PER_BYTE = 12

#: Longest such a process may take; 1 GB of Parquet takes about ten seconds.
READER_SECONDS = 120

#: Memory of an audit beside the float32 copies of both sides, measured
#: and rounded up: in any case (tiles of scores, compiled loops), for each pair (counts,
#: lengths, own cosines, scores of a pairing, figures without it), for each column (means and what pulls at
#: them), and for each number of a block of rows (its float64 copies).
AUDIT_BASE_BYTES = 64 * 2**20
AUDIT_BYTES_PER_ROW = 600
AUDIT_BYTES_PER_COLUMN = 200
AUDIT_BLOCK_BYTES_PER_NUMBER = 48

#: Likewise for each number of an n-by-n matrix of scores (few pairs): some float64 copies and
#: masks of it stand at a time. Of a d-by-d scatter matrix (many pairs) half is held, and of two
#: sides at a time both in float64 and one in float32, with fit rows one more.
AUDIT_MATRIX_BYTES_PER_NUMBER = 48
AUDIT_SCATTER_BYTES_PER_NUMBER = 14

#: Memory of one worker, measured and rounded up: its tile with what is asked and noted of it, for each
#: row of a side (what a block of rows counts of all columns), for each number of a block of rows, and
#: with a pool for each pair of columns (its part of the closed form, and another that waits to be added).
WORKER_TILE_BYTES = 4 * 2**20
WORKER_BYTES_PER_ROW = 48
WORKER_BLOCK_BYTES_PER_NUMBER = 42
WORKER_BYTES_PER_COLUMN_PAIR = 32

#: What all workers may take together, less with a pool, whose closed form needs some itself; of many rows a
#: quarter of the two inputs, or so many bytes a row, where that is more. It leaves 16 workers to an audit of
#: all rows of ordinary width, and an audit about within 2.5 times its inputs and 300 MB; the two workers of
#: a small machine are always left.
WORKERS_BYTES = 136 * 10**6
WORKERS_BYTES_OF_A_POOL = 100 * 10**6
WORKERS_INPUT_PART = 4
WORKERS_BYTES_PER_ROW = 1_000
WORKERS_LEFT = 2

#: Largest file of labels: 80 characters each for 400,000 rows. As lists of JSON it may take
#: some twenty times as much memory while it is read.
MAX_LABEL_BYTES = 32 * 2**20

#: Characters of a label that are shown; a table of longer ones is no table.
MAX_SHOWN_LABEL_CHARS = 160

#: Pairs up to which a typed number is counted at once: with 768 columns one
#: to two seconds on two cores.
COUNT_AT_ONCE_ROWS = 5_000

#: Rows of a table sent to the page at a time.
MAX_SHOWN_ROWS = 200

#: Longest link to a shared audit, as an address: proxies and chat programs cut longer ones.
MAX_LINK_CHARS = 8_000

#: Largest whole number a browser holds exactly: what the page's number boxes take.
LARGEST_WHOLE = 2**53 - 1

#: Smallest margin the page takes; smaller gaps are rounding in most files.
SMALLEST_MARGIN = 1e-6
