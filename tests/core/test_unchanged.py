"""A mapped file that somebody writes to is refused, before, during and after the pass over it."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import numpy as np
import pytest

from core import AuditError, audit, load
from core.claim_review import count_claim
from core.settings import AuditSettings
from core.two_models import audit_two_models

N = 400


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    rng = np.random.default_rng(0)
    shared = rng.standard_normal((N, 32))
    paths = tmp_path / "A.npy", tmp_path / "B.npy"
    for path in paths:
        np.save(path, (shared + rng.standard_normal((N, 32))).astype(np.float32))
    return paths


def write_over(path: Path) -> None:
    """New numbers in the same file, as a program that opens it for writing in place leaves them."""
    with path.open("r+b") as file:
        file.seek(-64, os.SEEK_END)
        file.write(np.ones(16, np.float32).tobytes())
    os.utime(path, ns=(1, 1))  # a coarse clock of the file system must not hide the change


def shorten(path: Path) -> None:
    os.truncate(path, 4096 + 100)


def replace_file(path: Path) -> None:
    other = path.with_suffix(".new")
    np.save(other.open("wb"), np.zeros((3, 2)))
    other.replace(path)


@pytest.mark.parametrize("change", [write_over, shorten])
@pytest.mark.parametrize("side", [0, 1])
def test_a_file_changed_after_it_was_opened_is_refused_by_name(files, change, side):
    a, b = map(load, files)
    change(files[side])
    with pytest.raises(AuditError, match=f"{files[side].name} was changed after it was opened"):
        audit(a, b)
    with pytest.raises(AuditError, match="was changed"):
        audit_two_models(a, b)
    with pytest.raises(AuditError, match="was changed"):
        count_claim((a, b, None, None), (0.5,), settings=AuditSettings(), reading="raw")


def test_a_file_changed_during_the_audit_is_refused(files):
    a, b = map(load, files)
    said = []

    def change_once(done: int, total: int, message: str) -> None:
        if not said:
            write_over(files[1])
        said.append(message)

    with pytest.raises(AuditError, match=r"B\.npy was changed"):
        audit(a, b, progress=change_once)
    assert said


def test_a_fit_file_that_was_changed_is_refused(files):
    a, b = map(load, files)
    fit = load(files[0])
    write_over(files[0])
    with pytest.raises(AuditError, match=r"A\.npy was changed"):
        audit(load(files[1].read_bytes(), "C.npy"), b, fit)
    assert a.loaded.file is not None


@pytest.mark.parametrize("change", [replace_file, Path.unlink])
def test_a_new_file_under_the_name_changes_nothing(files, change):
    a, b = map(load, files)
    before = audit(a, b).centred.exact
    change(files[0])
    assert audit(a, b).centred.exact == before


def test_numbers_that_were_copied_out_of_a_file_do_not_hold_it(tmp_path):
    path = tmp_path / "A.csv"
    numbers = np.random.default_rng(0).standard_normal((39, 2))
    np.savetxt(path, numbers, delimiter=",")
    found, other = load(path), load(path.read_bytes(), "B.csv")
    path.write_text("1,2\n")
    assert found.loaded.file is None
    assert audit(found, other).n == len(numbers)


def test_an_open_file_is_let_go_with_its_rows(files):
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("open files are counted in /proc")
    gc.collect()
    before = descriptors()
    held = [load(files[0]) for _ in range(20)]
    assert descriptors() >= before + 20
    del held
    gc.collect()
    assert descriptors() <= before
