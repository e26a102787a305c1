"""What intervals, test, verdict and facts about the sides add to an audit.

    python -m benchmarks.inference [--rows 20000] [--columns 768] [--repeats 3]

The audit and the same audit without these measures take turns, so that whatever else the
machine does slows both; the ratio of the medians is the figure to look at.
"""

from __future__ import annotations

import argparse
import io
import platform
import sys
import time
from contextlib import contextmanager
from unittest import mock

import numpy as np

import core
from benchmarks.sweep import rows_of
from core import measured
from core.provenance import versions


def loaded(array: np.ndarray, name: str) -> core.Inspection:
    out = io.BytesIO()
    np.save(out, array)
    return core.load(out.getvalue(), name)



@contextmanager
def nothing_taken():
    """The audit as it would be without what this benchmark is about."""
    audit_module = sys.modules["core.audit"]  # the name core.audit is the function
    with (
        mock.patch.object(measured, "_side_facts", return_value=mock.MagicMock()),
        mock.patch.object(measured, "_scatters", return_value=(None, None)),
        mock.patch.object(measured, "infer_reading", return_value=(None, None)),
        mock.patch.object(measured, "evidence", return_value=None),
        mock.patch.object(audit_module, "same_axes", return_value=mock.MagicMock()),
        mock.patch.object(audit_module, "line_up", return_value=(None, None)),
        mock.patch.object(audit_module, "in_the_files", return_value=None),
        mock.patch.object(audit_module, "result_notices", return_value=()),
        mock.patch.object(audit_module, "distortions", return_value=()),
    ):
        yield


def seconds(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    flags = argparse.ArgumentParser()
    flags.add_argument("--rows", type=int, default=20_000)
    flags.add_argument("--columns", type=int, default=768)
    flags.add_argument("--repeats", type=int, default=3)
    flags.add_argument("--kind", default="related", choices=("related", "unrelated"))
    options = flags.parse_args()
    print(platform.processor() or platform.machine(), versions())
    a, b = rows_of(options.kind, options.rows, options.columns)
    a, b = loaded(a, "a.npy"), loaded(b, "b.npy")

    def whole() -> None:
        core.audit(a, b)

    def without() -> None:
        with nothing_taken():
            core.audit(a, b)

    small = tuple(loaded(rows, "x.npy") for rows in rows_of(options.kind, 100, 8))
    core.audit(*small)  # imports
    times = np.array([(seconds(without), seconds(whole)) for _ in range(options.repeats + 1)])[1:]
    bare, full = np.median(times, axis=0)
    print(f"n = {options.rows:,}, d = {options.columns}, {options.kind}: without {bare:.2f} s, with {full:.2f} s")
    print(f"adds {1000 * (full - bare):.0f} ms, {100 * (full / bare - 1):.0f} % (ratios {times[:, 1] / times[:, 0]})")


if __name__ == "__main__":
    main()
