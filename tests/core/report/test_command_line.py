"""The command a report quotes gives the same audit again, whatever the files are called."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from dataclasses import fields, replace

import pytest

from core import AuditSettings
from core.command import COMMANDS
from core.command import audit as command
from core.report.audit_document import document
from core.report.command_line import command_line, shell_word
from tests.core.report.hostile_names import HOSTILE_NAMES

#: A value other than the default for every setting; a new one needs a line here and in the command.
CHANGED = {"shared_mean": True, "n_derangements": 7, "seed": 3, "drop_bad_rows": True, "candidates": 9, "margin": 0.05}
FLAGS = {"shared_mean": "shared", "n_derangements": "perms"}

BASH = shutil.which("bash")


def parsed(audit):
    start, *words = shlex.split(command_line(audit))
    assert (start, words[:2]) == ("python", ["-m", "core"])
    return command.parser().parse_args(words[2:])


def test_the_plain_audit_needs_no_flag(ordinary):
    assert command_line(ordinary) == "python -m core a.npy b.npy"
    assert document(ordinary).command == command_line(ordinary)


@pytest.mark.parametrize("field", [field.name for field in fields(AuditSettings)])
def test_every_setting_that_was_changed_has_its_flag(ordinary, field):
    changed = replace(ordinary, settings=AuditSettings(**{field: CHANGED[field]}))
    options = parsed(changed)
    for name in CHANGED:
        expected = getattr(changed.settings, name)
        assert getattr(options, FLAGS.get(name, name)) == expected


def test_fit_files_and_how_files_were_read_are_in_it(ordinary):
    read = replace(ordinary.a, name="fit.npz", choices={"key": "-x y", "layer": 3, "read_as": "bfloat16"})
    options = parsed(replace(ordinary, fit_b=read, b=replace(ordinary.b, choices={"columns": "a b,c"})))
    assert str(options.fit_b) == "fit.npz"
    assert (options.key_fit_b, options.layer_fit_b, options.read_fit_b_as) == ("-x y", 3, "bfloat16")
    assert options.columns_b == "a b,c"
    assert options.fit_a is None


@pytest.mark.skipif(BASH is None, reason="needs bash")
@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_a_shell_reads_a_hostile_name_as_the_name(name):
    word = shell_word(name)
    assert word.isprintable()
    done = subprocess.run([BASH, "-c", f"printf '%s' {word}"], capture_output=True, check=True, timeout=20)
    assert (done.stdout, done.stderr) == (os.fsencode(name), b"")


@pytest.mark.parametrize("name", ["-x.npy", "--shared", *COMMANDS])
def test_a_name_is_taken_for_no_flag_and_no_command(ordinary, name):
    options = parsed(replace(ordinary, a=replace(ordinary.a, name=name)))
    assert options.a.name == name
    assert command_line(replace(ordinary, a=replace(ordinary.a, name=name))).split()[3].strip("'").startswith("./")


def test_half_a_character_has_a_word_too():
    assert shell_word("a\ud800") == r"$'a\355\240\200'"
