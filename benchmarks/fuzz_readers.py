"""Throw damaged files at the readers until a number of them have been tried.

    python benchmarks/fuzz_readers.py --runs 1000000 --kinds npy npz

Each run changes a sound file (bits, bytes, numbers, cuts, repeats, pieces of other files)
and reads it. Anything but an array of real numbers or an `AuditError` is a finding: it is
written to the folder of findings with its traceback, and the exit code is 1. So is a run
that takes longer than five seconds. What came out is counted by kind and by answer.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import platform
import random
import resource
import struct
import sys
import time
import traceback
import zipfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import pyarrow as pa
import safetensors.numpy

from core.errors import AuditError
from core.formats import read_array
from tests.hostile import GOOD, NPY, csv_text, described, header, npy, vectors_json, zipped
from tests.hostile_tables import ARROW, JSON, SAFETENSORS, TEXT

SLOW_SECONDS = 5.0

#: Numbers that make size arithmetic go wrong.
EDGES = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 2**63 - 1, 2**63, 2**64 - 1]

#: Pieces of the texts that readers take apart.
PIECES = [b"(", b")", b"[", b"]", b"{", b"}", b",", b"'", b'"', b":", b"-", b"True", b"False", b"L", b"\\", b"'descr'",
          b"<f4", b"|O", b"|V2", b">i8", b"99999999999999999999", b"nan", b"1e999", b"null", b"\n", b"#", b";",
          b"...", b"\x00", b"\xff\xfe", b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"data_offsets"]  # fmt: skip

SEEDS: dict[str, list[tuple[str, bytes]]] = {
    "npy": [(name, case.build()) for name, case in NPY.items() if len(case.build()) < 5000]
    + [("s.npy", header(described(shape="(2, 3, 4)"), bytes(96)))],
    "npz": [
        ("a.npz", zipped(zipfile.ZIP_STORED, x=npy(GOOD), y=npy(GOOD[0]))),
        ("b.npz", zipped(x=npy(GOOD))),
        ("c.npz", zipped(zipfile.ZIP_BZIP2, x=npy(GOOD))),
    ],
    "gz": [("a.npy.gz", gzip.compress(npy(GOOD))), ("a.csv.gz", gzip.compress(csv_text(GOOD)))],
    "text": [(name, case.build()) for name, case in TEXT.items() if len(case.build()) < 5000],
    "json": [(name, case.build()) for name, case in JSON.items() if len(case.build()) < 5000]
    + [("v.json", json.dumps(vectors_json(GOOD)).encode())],
    "arrow": [(name, case.build()) for name, case in ARROW.items()],
    "safetensors": [(name, case.build()) for name, case in SAFETENSORS.items() if len(case.build()) < 5000],
}


def mutated(data: bytes, chance: random.Random, others: list[tuple[str, bytes]]) -> bytes:
    """`data` with one to five random changes; more of them near its start, where headers are."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 5)):
        size = len(out)
        near = chance.random() < 0.6
        at = chance.randrange(min(size, 140) if near else size) if size else 0
        action = chance.randrange(8)
        if action == 0 and size:
            out[at] ^= 1 << chance.randrange(8)
        elif action == 1 and size:
            out[at] = chance.randrange(256)
        elif action == 2:
            width = chance.choice((1, 2, 4, 8))
            out[at : at + width] = struct.pack("<Q", chance.choice(EDGES))[:width]
        elif action == 3:
            out[at : at + chance.choice((0, 0, 1, 4))] = chance.choice(PIECES)
        elif action == 4:
            del out[at : at + chance.randint(1, 20)]
        elif action == 5 and chance.random() < 0.3:
            del out[at:]
        elif action == 6:
            out[at:at] = out[at : at + chance.randint(1, 40)] * chance.choice((1, 2, 50))
        elif action == 7:
            donor = chance.choice(others)[1]
            start = chance.randrange(len(donor) or 1)
            out[at : at + 16] = donor[start : start + 16]
    return bytes(out)


def answer_to(data: bytes, name: str) -> str:
    """What the reader made of it, in a word; a traceback when it is a finding."""
    start = time.perf_counter()
    try:
        array = read_array(data, name).array
        answer = "array" if array.ndim == 2 and array.dtype.kind in "fiu" else f"finding: {array.dtype}"
    except AuditError as error:
        answer = type(error).__name__ if str(error).startswith(name) else f"finding: {error}"
    except Exception:  # noqa: BLE001 - any other exception is what is looked for
        answer = "finding: " + traceback.format_exc()
    slow = time.perf_counter() - start
    return answer if slow < SLOW_SECONDS else f"finding: {slow:.1f} s, then {answer}"


def main() -> int:
    options = _options()
    print(f"{platform.platform()}, Python {platform.python_version()}, numpy {np.__version__}, "
          f"pyarrow {pa.__version__}, safetensors {safetensors.__version__}")  # fmt: skip
    chance = random.Random(options.seed)  # noqa: S311 - chance, not secrets
    found: set[str] = set()
    for kind in options.kinds:
        counts: Counter[str] = Counter()
        start = time.perf_counter()
        for _ in range(options.runs):
            name, data = chance.choice(SEEDS[kind])
            changed = mutated(data, chance, SEEDS[kind])
            answer = answer_to(changed, name)
            if answer.startswith("finding"):
                _keep(options.findings, name, changed, answer, found)
                answer = "finding"
            counts[answer] += 1
        seconds = time.perf_counter() - start
        print(f"{kind}: {options.runs:,} files in {seconds:.0f} s: {dict(counts)}", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"seed {options.seed}, {len(found)} different findings, peak memory {peak:.0f} MB")
    return 1 if found else 0


def _keep(folder: Path, name: str, data: bytes, answer: str, found: set[str]) -> None:
    """Write a finding once for each place it comes from."""
    lines = answer.strip().splitlines()
    place = "\n".join([line for line in lines if line.startswith("  File")][-1:] + lines[-1:])
    if place in found:
        return
    found.add(place)
    folder.mkdir(parents=True, exist_ok=True)
    stem = hashlib.sha256(data).hexdigest()[:12]
    (folder / f"{stem}.data").write_bytes(data)
    (folder / f"{stem}.txt").write_text(f"{name!r}\n{answer}\n")
    print(f"finding {stem}: {lines[-1]}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10_000, help="files of each kind")
    parser.add_argument("--kinds", nargs="+", choices=SEEDS, default=list(SEEDS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--findings", type=Path, default=Path("fuzz_findings"))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
