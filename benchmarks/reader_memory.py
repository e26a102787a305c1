"""Peak memory and time of each reader on one large file, against the bounds promised.

    python benchmarks/reader_memory.py --rows 200000 --dims 384

Every file is read in a fresh process, from a path (mapped) and from bytes (as uploaded).
Peak is VmHWM less what the process held before it had the file; of a path, mapped pages
count too. Bounds: 1.2 x the array + 100 MB for .npy and safetensors; 12 x the file for text;
twice the array + 100 MB for what was compressed (the numbers, and the file); for Parquet,
which is read in a process of its own, that process whole, with its own view of both.
"""

from __future__ import annotations

import argparse
import gzip
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

MB = 1e6


def write_files(folder: Path, rows: int, dims: int, text_rows: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq
    import safetensors.numpy

    x = np.random.default_rng(0).standard_normal((rows, dims)).astype("f4")
    np.save(folder / "a.npy", x)
    safetensors.numpy.save_file({"x": x}, folder / "a.safetensors")
    np.savez(folder / "stored.npz", x=x)
    np.savez_compressed(folder / "deflated.npz", x=x)
    (folder / "a.npy.gz").write_bytes(gzip.compress((folder / "a.npy").read_bytes(), 1))
    table = pa.table({"e": pa.FixedSizeListArray.from_arrays(pa.array(x.ravel()), dims)})
    pq.write_table(table, folder / "a.parquet")
    small = x[:text_rows]
    np.savetxt(folder / "a.csv", small, "%.6g", ",")
    with (folder / "lists.csv").open("w") as out:
        out.writelines(["id,embedding\n", *(f'{k},"{row.tolist()}"\n' for k, row in enumerate(small))])
    (folder / "a.json").write_text(json.dumps(small.round(4).tolist()))
    (folder / "a.jsonl").write_text("\n".join(json.dumps({"embedding": row.tolist()}) for row in small))


def bound(name: str, array: int, file: int) -> float:
    if name.endswith((".npy", ".safetensors")):
        return 1.2 * array + 100 * MB
    if name.endswith((".csv", ".json", ".jsonl")):
        return 12 * file
    return 4 * array + 200 * MB if name.endswith(".parquet") else 2 * array + 100 * MB


def measure(path: Path, from_bytes: bool) -> None:
    """In the child: read one file and print array bytes, file bytes, peak and seconds."""
    from core.formats import read_array

    source = path.read_bytes() if from_bytes else path
    before = _peak()
    start = time.perf_counter()
    loaded = read_array(source, path.name)
    seconds = time.perf_counter() - start
    child = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(loaded.array.nbytes, loaded.file_bytes, _peak() - before + child, seconds)


def _peak() -> int:
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split("VmHWM:")[1].split()[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--dims", type=int, default=384)
    parser.add_argument("--text-rows", type=int, default=20_000)
    parser.add_argument("--measure", type=Path)
    parser.add_argument("--from-bytes", action="store_true")
    options = parser.parse_args()
    if options.measure:
        measure(options.measure, options.from_bytes)
        return 0
    print(f"{platform.platform()}, Python {platform.python_version()}, numpy {np.__version__}")
    print(f"{'file':16}{'from':7}{'array MB':>9}{'file MB':>9}{'peak MB':>9}{'bound MB':>9}{'seconds':>9}")
    over = 0
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), options.rows, options.dims, options.text_rows)
        for path in sorted(Path(folder).iterdir()):
            for source in ("path", "bytes"):
                flag = ["--from-bytes"] if source == "bytes" else []
                command = [sys.executable, __file__, "--measure", str(path), *flag]
                out = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
                array, file, peak, most = int(out[0]), int(out[1]), int(out[2]), 0.0
                most = bound(path.name, array, file)
                over += peak > most
                sizes = "".join(f"{value / MB:9.0f}" for value in (array, file, peak, most))
                print(f"{path.name:16}{source:7}{sizes}{float(out[3]):9.2f}", flush=True)
    print(f"{over} over their bound")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
