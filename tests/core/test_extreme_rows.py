"""Rows that are finite, but so long or so short that their norms or ratios overflow."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.command import main
from tests.arrays import audited, inspected, related_pair


def long_beside_short(rows, power):
    """The first row 1e`power` long, the others 1e-`power`."""
    rows = rows * 10.0**-power
    rows[0] *= 10.0**power
    rows[0] *= 10.0**power
    return rows


KINDS = {
    "1e160": lambda rows: long_beside_short(rows, 160.0),
    "1e300": lambda rows: long_beside_short(rows, 300.0),
    "all long": lambda rows: rows * 1e307,
    "norms overflow": lambda rows: rows / np.abs(rows).max() * 1.79e308,
    "all short": lambda rows: rows * 1e-300,
    "subnormal float32": lambda rows: (rows * 1e-41).astype(np.float32),
    "subnormal float64": lambda rows: rows * 1e-320,
    "any power": lambda rows: rows * 10.0 ** np.linspace(-305, 305, len(rows))[:, None],
}

COMMANDS = {
    "audit": lambda a, b: [a, b],
    "rows": lambda a, b: ["rows", a, b],
    "claim": lambda a, b: ["claim", "--claim", "0.5", a, b],
    "two-models": lambda a, b: ["two-models", a, b],
    "conditions": lambda a, b: ["conditions", a, f"x={b}", f"y={a}"],
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_writes_json_of_finite_numbers(rng, tmp_path, capsys, kind, command):
    paths = [str(tmp_path / name) for name in ("a.npy", "b.npy")]
    for path, rows in zip(paths, related_pair(rng, n=40, dim=6), strict=True):
        np.save(path, KINDS[kind](rows))
    assert main([*COMMANDS[command](*paths), "--format", "json"]) == 0
    written = capsys.readouterr().out

    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    json.loads(written, parse_constant=refuse)


@pytest.mark.parametrize("kind", ["json", "markdown", "latex", "csv", "html"])
def test_every_format_says_that_a_ratio_of_norms_is_too_large_to_write(rng, tmp_path, capsys, kind):
    paths = [str(tmp_path / name) for name in ("a.npy", "b.npy")]
    for path, rows in zip(paths, related_pair(rng, n=40, dim=6), strict=True):
        np.save(path, long_beside_short(rows, 160.0))
    assert main([*paths, "--format", kind]) == 0
    written = capsys.readouterr().out
    assert "A too large to write as a number, B too large to write as a number" in written
    if kind == "json":
        side = json.loads(written)["sides"]["a"]
        assert (side["norm_ratio"], side["norm_ratio_undefined"]) == (None, "too large to write as a number")


def test_a_ratio_too_large_to_write_is_flagged(rng):
    a, b = related_pair(rng, n=40, dim=6)
    found = audited(long_beside_short(a, 160.0), b)
    (line,) = [each for each in found.distortions if each.code == "norm_ratio"]
    assert line.fired
    assert line.text.startswith("Largest over median norm: A too large to write as a number, B 1.")


def test_the_scale_of_the_rows_changes_no_figure(rng):
    a, b = related_pair(rng, n=40, dim=6)
    plain, extreme = audited(a, b), audited(long_beside_short(a, 160.0), long_beside_short(b, 160.0))
    assert_allclose(extreme.raw.matched_mean, plain.raw.matched_mean, rtol=1e-13)
    assert_allclose(extreme.centred.exact.gap, plain.centred.exact.gap, rtol=1e-12)


def test_the_median_of_norms_whose_sum_overflows_is_their_mean():
    found = inspected(np.array([[1.2e308, 0.0], [1.0, 0.0], [1.4e308, 0.0], [1.7e308, 0.0]]))
    assert_allclose(found.norm_median, 1.3e308, rtol=1e-12)
