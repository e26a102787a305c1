"""Against what a user would pick instead: faiss and torch, for the one figure that they give.

    python benchmarks/alternatives.py [--rows 20000] [--columns 768] [--repeats 5]

faiss-cpu and torch are not among the requirements: install them into an environment of
their own beside requirements.txt. What is missing is left out.

`IndexFlatIP` and a blocked torch top-k answer one question: the best candidate of each row
of A, in one reading and one direction, in float32, ties in file order. The audit answers
it in both readings and both directions, exactly, with ranks, histograms and floors. Rows
are unit length and in memory before the clock starts; for the whole command they are files.

The faiss wheel brings an old OpenBLAS of its own, which takes processors newer than itself for
a Prescott: look at the kernels that are printed. ``OPENBLAS_CORETYPE=SkylakeX`` (or Haswell)
in the environment then shows what faiss can do; numpy's own, newer OpenBLAS knows better.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.sweep import bare_product, print_environment, timed
from benchmarks.whole_command import files, load_compiled_loops, whole_command
from core.rows import UnitRows
from core.sweep import make_ready, sweep
from core.sweep.workers import usable_cores

TORCH_ROWS = 1_024


def with_faiss(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    import faiss

    index = faiss.IndexFlatIP(b.shape[1])
    index.add(b)
    return index.search(a, 1)[1][:, 0]


def with_torch(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    import torch

    rows, candidates = torch.from_numpy(a), torch.from_numpy(b).T
    tops = [torch.topk(part @ candidates, 1, dim=1).indices[:, 0] for part in rows.split(TORCH_ROWS)]
    return torch.cat(tops).numpy()


def the_sweep(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    found = sweep(make_ready(a, b, *(UnitRows(rows).mean_row().mean for rows in (a, b)))).raw
    return np.where(found.rival_margin_a_to_b >= 0, np.arange(len(a)), found.rival_a_to_b)


def compare(n: int, dim: int, repeats: int) -> None:
    load_compiled_loops()
    with files("related", n, dim) as paths:
        a, b = (np.load(path) for path in paths)
        answers = {"sweep, all of it": lambda: the_sweep(a, b)}
        if find_spec("faiss"):
            answers["faiss IndexFlatIP top-1"] = lambda: with_faiss(a, b)
        if find_spec("torch"):
            answers["torch blocked top-1"] = lambda: with_torch(a, b)
        tops = {name: answer() for name, answer in answers.items()}
        for name, top in tops.items():
            share = np.mean(top == tops["sweep, all of it"])
            print(f"{name}: same top candidate as the sweep for {100 * share:.3f} % of the rows")
        steps: dict[str, Callable[[], object]] = {
            "bare float32 product": lambda: bare_product(a, b, usable_cores()),
            **answers,
            "whole command": lambda: whole_command(paths),
        }
        times = np.array([[timed(work)[0] for work in steps.values()] for _ in range(repeats)])
    medians = dict(zip(steps, np.median(times, axis=0), strict=True))
    print(f"\nn = {n:,}, d = {dim}, {usable_cores()} threads, medians of {repeats} in turns")
    for name, seconds in medians.items():
        print(f"  {name:24} {seconds:7.2f} s  {seconds / medians['whole command']:.2f} x the whole command")


def print_versions() -> None:
    if find_spec("faiss"):
        import faiss

        faiss.omp_set_num_threads(usable_cores())
        print(
            f"faiss {faiss.__version__}, {faiss.omp_get_max_threads()} threads, {faiss.get_compile_options().strip()}"
        )
    if find_spec("torch"):
        import torch

        torch.set_num_threads(usable_cores())
        kind = "MKL" if torch.backends.mkl.is_available() else "its own BLAS"
        print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, {kind}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=768)
    parser.add_argument("--repeats", type=int, default=5)
    chosen = parser.parse_args()
    print_versions()
    print_environment()  # now with the BLAS that faiss brings
    compare(chosen.rows, chosen.columns, chosen.repeats)


if __name__ == "__main__":
    main()
