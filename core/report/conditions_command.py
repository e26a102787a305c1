"""The command line that gives a comparison of conditions again, safe to paste into a shell."""

from __future__ import annotations

from core.comparison import Comparison, MeasuredRun, condition_of
from core.errors import Side
from core.flags import side_flag
from core.provenance import InputRecord
from core.report.command_line import file_word, setting_words, shell_word

__all__ = ["conditions_command"]


def conditions_command(comparison: Comparison) -> str:
    """``python -m core conditions …``, with a flag for all that is not as by default.

    Empty where no command line says the same: a name that flags could not carry, or files
    of which each was read in its own way. Files go by their base names: a report holds no path.
    """
    names = [_name(run) for run in comparison.runs]
    choices = _choices(comparison)
    if choices is None or (None in names and not comparison.layers):
        return ""
    words = ["python", "-m", "core", "conditions"]
    if comparison.layers:
        first = comparison.runs[0].audit
        words += ["--layers", file_word(first.a), file_word(first.b)]
    else:
        for name, run in zip(names, comparison.runs, strict=True):
            words += ["--run", shell_word(name or ""), file_word(run.audit.a), file_word(run.audit.b)]
    return " ".join([*words, *_setting_words(comparison), *choices])


def _name(run: MeasuredRun) -> str | None:
    """``NAME`` or ``NAME@SEED`` that is read back as this run; `None` where there is none."""
    name = run.label if run.seed is None else f"{run.label}@{run.seed}"
    readable = condition_of(name) == (run.label, run.seed) and not name.startswith(("-", "@")) and name[-1:] != "@"
    return name if readable else None


def _setting_words(comparison: Comparison) -> list[str]:
    settings, first = comparison.settings, comparison.runs[0]
    words = []
    if settings.baseline is None:
        words.append("--all-pairs")
    elif settings.baseline != first.label:
        words.append(f"--baseline={shell_word(settings.baseline)}")
    if settings.margin is not None:
        words += ["--margin", repr(settings.margin), *["--margin-after-look"] * comparison.margin_after_look]
    fits: tuple[tuple[Side, InputRecord | None], ...] = (("fit_a", first.audit.fit_a), ("fit_b", first.audit.fit_b))
    for side, fit in fits:
        if fit is not None:
            words += [side_flag(side), file_word(fit)]
    return words + setting_words(settings.audit)


def _choices(comparison: Comparison) -> list[str] | None:
    """Flags that say how every file was read; `None` where not all were read alike."""
    inputs = [
        found
        for run in comparison.runs
        for found in (run.audit.a, run.audit.b, run.audit.fit_a, run.audit.fit_b)
        if found is not None
    ]
    said = [
        {name: value for name, value in found.choices.items() if not (comparison.layers and name == "layer")}
        for found in inputs
    ]
    if any(one != said[0] for one in said):
        return None
    return [f"--{name.replace('_', '-')}={shell_word(str(value))}" for name, value in said[0].items()]
