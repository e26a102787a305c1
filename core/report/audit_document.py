"""An audit in words and tables. It is worded here, and only here."""

from __future__ import annotations

from collections.abc import Callable

from core.audit import Audit, MeanSource
from core.prose import counted
from core.provenance import InputRecord
from core.reading import FloorComparison, Reading
from core.report.audit_data import audit_data
from core.report.audit_figures import CONVENTION, figures
from core.report.command_line import command_line
from core.report.document import Document, Row, Table
from core.report.headline_words import headline
from core.report.inference_words import (
    UNCORRECTED,
    distortion_table,
    is_corrected,
    rank_scope,
    results_table,
    verdict_sentence,
)
from core.report.limit_words import limit_sentences
from core.report.methods_words import methods_paragraph
from core.report.names import shown_name, visible
from core.report.numbers import count, fixed

__all__ = [
    "CONVENTION",
    "FLOOR_COLUMNS",
    "cosine_label",
    "distance",
    "document",
    "floor_cells",
    "input_records",
    "input_table",
    "rank_scope",
]

#: Compared rows below which the reference asks for a train split to fit the mean on.
FEW_FIT_ROWS = 1_000

#: Characters of a SHA-256 shown to people; the JSON holds all 64.
SHORT_HASH = 12


def document(audit: Audit) -> Document:
    """Word an audit. Pure: the same audit gives the same document."""
    reading, warning, note = _reading_sentence(audit), _warning(audit), _notes(audit)
    verdict, limits, methods = verdict_sentence(audit), limit_sentences(audit), methods_paragraph(audit)
    return Document(
        title="Cosine audit: matched pairs against their floor",
        headline=headline(audit),
        verdict=verdict,
        limits=limits,
        methods=methods,
        reading=reading,
        warning=warning,
        note=note,
        tables=(
            results_table(audit),
            distortion_table(audit),
            _anisotropy_table(audit),
            _exact_table(audit),
            _derangement_table(audit),
            _rank_table(audit),
            _settings_table(audit),
            _check_table(audit),
            input_table(input_records(audit)),
        ),
        notices=tuple(visible(notice.text) for notice in audit.notices),
        data=audit_data(
            audit, reading=reading, warning=warning, note=note, verdict=verdict, limits=limits, methods=methods
        ),
        subject=_subject(audit),
        figures=figures(audit),
        command=command_line(audit),
        fingerprints=_fingerprints(audit),
    )


def input_records(audit: Audit) -> tuple[tuple[str, InputRecord], ...]:
    """The inputs that were given, with the letter or words people know them by."""
    given = (("A", audit.a), ("B", audit.b), ("fit A", audit.fit_a), ("fit B", audit.fit_b))
    return tuple((label, found) for label, found in given if found is not None)


def _fingerprints(audit: Audit) -> tuple[tuple[str, str], ...]:
    """SHA-256 of every file; ids of groups that a program gave have none."""
    groups = (("groups", audit.groups.sha256),) if audit.groups and audit.groups.sha256 else ()
    return tuple((label, found.sha256) for label, found in input_records(audit)) + groups


def _subject(audit: Audit) -> str:
    return (
        f"{shown_name(audit.a.name)} against {shown_name(audit.b.name)}: "
        f"{count(audit.n)} pairs in {counted(audit.dim, 'dimension')}"
    )


def _reading_sentence(audit: Audit) -> str:
    raw = audit.raw
    share = ""
    if raw.matched_mean > 0 and raw.exact.floor_mean > 0:
        share = f", {100 * raw.exact.floor_mean / raw.matched_mean:.0f}% of"
    start = (
        f"All {count(_unrelated(audit))} unrelated pairs score {fixed(raw.exact.floor_mean)} raw on average"
        f"{share or ', against'} the matched {fixed(raw.matched_mean)}"
    )
    if audit.centred is None:
        return f"{start}, {distance(raw)}; the centred reading is undefined."
    return (
        f"{start}; centred, matched pairs score {fixed(audit.centred.matched_mean)} against a floor of "
        f"{fixed(audit.centred.exact.floor_mean)}, {distance(audit.centred, _uncorrected(audit.centred))}."
    )


def _uncorrected(reading: Reading) -> str:
    """That another figure of this gap, with its interval, is corrected; else nothing."""
    return f" ({UNCORRECTED})" if is_corrected(reading) else ""


def cosine_label(name: str, reading: Reading | None) -> str:
    """``centred cosine (not corrected for centring)``: matched, floor and matched less floor in one row."""
    return f"{name} cosine{'' if reading is None else _uncorrected(reading)}"


def _published_label(name: str, _: Reading | None) -> str:
    """``centred cosine``: the row as the reference names it, so that its table can be put beside this one."""
    return f"{name} cosine"


def _unrelated(audit: Audit) -> int:
    """Pairs the exact floor is over."""
    return audit.groups.n_unrelated if audit.groups else audit.n * (audit.n - 1)


def distance(reading: Reading, note: str = "") -> str:
    """How far matched stands from the floor, in words; the note stands beside the figure."""
    ratio = reading.exact.gap_over_floor_sd
    if ratio is None:
        return f"a gap of {fixed(reading.exact.gap)}{note}; the floor has no spread to measure it by"
    if reading.exact.at_floor:
        return "equal to it to rounding"
    where = "above" if reading.exact.gap > 0 else "below"
    return f"{fixed(abs(ratio), 2)} floor standard deviations {where} it{note}"


def _warning(audit: Audit) -> str:
    sides = {"A": audit.anisotropy_a, "B": audit.anisotropy_b}
    high = [name for name, value in sides.items() if value > CONVENTION]
    if not high:
        return ""
    named = " and ".join(f"{name} ({fixed(sides[name])})" for name in high)
    return (
        f"Anisotropy is above {CONVENTION} (a convention) on {named}: raw cosines there are dominated by a "
        "direction that all rows share. Report the raw and the centred reading together, each with its own floor."
    )


def _notes(audit: Audit) -> tuple[str, ...]:
    sides = (("A", audit.mean_a), ("B", audit.mean_b))
    few = [name for name, source in sides if not source.from_fit_file and source.n_rows < FEW_FIT_ROWS]
    if not few or audit.centred is None:
        return ()
    return (f"{_fitted_on_compared(audit, few)} To avoid this, fit on a train split of the same population.",)


def _fitted_on_compared(audit: Audit, few: list[str]) -> str:
    rows = f"the {count(audit.n)} compared rows themselves"
    if audit.settings.shared_mean and len(few) < len("AB"):
        return f"The shared mean is fitted in part on {rows}, those of {few[0]}, which pulls the centred floor below 0."
    mean = "The means of A and B are" if len(few) == len("AB") else f"The mean of {few[0]} is"
    return f"{mean} fitted on {rows}, which alone puts the centred floor at {_forced(audit)} instead of 0."


def _forced(audit: Audit) -> str:
    if audit.groups is not None:
        return f"about {fixed(audit.forced_centred_floor)} (with groups, from what rows score within them)"
    formula = "−(1+m)/(2(n−1))" if audit.settings.shared_mean else "−m/(n−1)"
    return f"about {fixed(audit.forced_centred_floor)} ({formula}, with m the centred matched mean)"


def _anisotropy_table(audit: Audit) -> Table:
    return Table(
        title="Anisotropy",
        columns=("before centring", "after centring"),
        rows=(
            Row(label="A", cells=(fixed(audit.anisotropy_a), fixed(audit.centred_anisotropy_a))),
            Row(label="B", cells=(fixed(audit.anisotropy_b), fixed(audit.centred_anisotropy_b))),
        ),
    )


def _exact_table(audit: Audit) -> Table:
    return Table(
        title=f"Exact floor, all {count(_unrelated(audit))} unrelated pairs",
        columns=FLOOR_COLUMNS,
        rows=_floor_rows(audit, lambda reading: reading.exact),
    )


def _derangement_table(audit: Audit) -> Table:
    settings = audit.settings
    error = audit.raw.monte_carlo_error
    known = f", Monte Carlo error of the raw floor ±{fixed(error)}" if error is not None else ""
    return Table(
        title=f"Reference format, floor from {counted(settings.n_derangements, 'seeded derangement')} "
        f"(seed {settings.seed}{known}; a display of the floor, not a test)",
        columns=FLOOR_COLUMNS,
        rows=_floor_rows(audit, lambda reading: reading.permuted, _published_label),
    )


FLOOR_COLUMNS = ("matched", "floor", "gap", "floor sd", "gap over floor sd", "Cohen's d")


def _floor_rows(
    audit: Audit,
    floor_of: Callable[[Reading], FloorComparison],
    label_of: Callable[[str, Reading | None], str] = cosine_label,
) -> tuple[Row, ...]:
    rows = []
    for name, reading in (("raw", audit.raw), ("centred", audit.centred)):
        label = label_of(name, reading)
        if reading is None:
            rows.append(Row(label=label, cells=(fixed(None),) * len(FLOOR_COLUMNS)))
            continue
        rows.append(Row(label=label, cells=floor_cells(reading, floor_of(reading))))
    return tuple(rows)


def floor_cells(reading: Reading, floor: FloorComparison) -> tuple[str, ...]:
    """One reading against one floor, a cell for each of `FLOOR_COLUMNS`."""
    return (
        fixed(reading.matched_mean),
        fixed(floor.floor_mean),
        fixed(floor.gap),
        fixed(floor.floor_sd),
        fixed(floor.gap_over_floor_sd, 2),
        fixed(floor.cohens_d, 2),
    )


def _rank_table(audit: Audit) -> Table:
    scope = rank_scope(audit)
    rows = []
    for label, reading in (("raw cosine", audit.raw), ("centred cosine", audit.centred)):
        if reading is None:
            rows.append(Row(label=label, cells=(fixed(None),) * 6))
            continue
        tied = f"{count(reading.a_to_b.tied)} / {count(reading.b_to_a.tied)}"
        cells = (
            fixed(reading.a_to_b.expected),
            fixed(reading.b_to_a.expected),
            tied,
            count(reading.hubs.most),
            fixed(reading.hubs.never),
            fixed(reading.a_to_b.chance),
        )
        rows.append(Row(label=label, cells=cells))
    return Table(
        title=f"Partner ranked first ({'; '.join(part for part in (scope, 'ties share their credit') if part)})",
        columns=(
            "A to B",
            "B to A",
            "tied rows, A to B / B to A",
            "rows of A with the same row of B on top, most",
            "share of B never on top",
            "chance" if audit.groups else f"chance, 1/{count(audit.raw.a_to_b.n_candidates)}",
        ),
        rows=tuple(rows),
    )


def _margin(audit: Audit) -> str:
    margin = audit.settings.margin
    return "none" if margin is None else f"{margin:.15g}, {audit.margin_declared}"


def _settings_table(audit: Audit) -> Table:
    settings = audit.settings
    rows = [
        Row(label="pairs (n)", cells=(count(audit.n),)),
        Row(label="dimensions (d)", cells=(count(audit.dim),)),
        *_mean_rows(audit),
        Row(label="derangements", cells=(count(settings.n_derangements),)),
        Row(label="seed", cells=(str(settings.seed),)),
        Row(label="margin declared", cells=(_margin(audit),)),
    ]
    if audit.groups:
        named = f" of {shown_name(audit.groups.name)}" if audit.groups.name else ""
        rows.append(Row(label="groups", cells=(f"{count(audit.groups.count)}{named}",)))
    if audit.has_pool:
        rows.append(Row(label="candidates", cells=(rank_scope(audit),)))
    if settings.drop_bad_rows:
        rows.append(Row(label="pairs left out", cells=(count(audit.dropped_rows),)))
        rows.extend(fit_rows_left_out(audit))
    rows.extend(Row(label=name.replace("_", " "), cells=(version,)) for name, version in audit.versions.items())
    return Table(title="How it was measured", columns=("value",), rows=tuple(rows), numeric=False)


def fit_rows_left_out(audit: Audit) -> list[Row]:
    """A row of the table of settings for the bad rows that means were fitted without; none without fit files."""
    sides = zip("AB", (audit.fit_a, audit.fit_b), audit.dropped_fit_rows, strict=True)
    cells = ", ".join(f"{name}: {count(dropped)}" for name, fit, dropped in sides if fit is not None)
    return [Row(label="fit rows left out", cells=(cells,))] if cells else []


def _mean_rows(audit: Audit) -> list[Row]:
    a, b = _page_source(audit.mean_a, audit.fit_a), _page_source(audit.mean_b, audit.fit_b)
    if audit.settings.shared_mean:
        return [Row(label="one mean for both sides", cells=(f"{a}, and {b}",))]
    return [Row(label="mean of A", cells=(a,)), Row(label="mean of B", cells=(b,))]


def _page_source(source: MeanSource, fit: InputRecord | None) -> str:
    if fit is None:
        return f"the {count(source.n_rows)} compared rows"
    return f"{counted(source.n_rows, 'row')} of {shown_name(fit.name)}"


def _how_read(found: InputRecord) -> str:
    """What its owner said about how to read it, or nothing."""
    said = ", ".join(f"{name.replace('_', ' ')} {shown_name(str(value))}" for name, value in found.choices.items())
    return f" ({said})" if said else ""


def input_table(records: tuple[tuple[str, InputRecord], ...]) -> Table:
    """Name, shape, type and fingerprint of the files."""
    rows = tuple(
        Row(
            label=label,
            cells=(
                shown_name(found.name),
                " × ".join(count(size) for size in found.shape),
                found.dtype + _how_read(found),
                found.sha256[:SHORT_HASH],
            ),
        )
        for label, found in records
    )
    return Table(title="Inputs", columns=("file", "shape", "type", "SHA-256"), rows=rows, numeric=False)


def _check_table(audit: Audit) -> Table:
    rows = tuple(
        Row(label=check.name, cells=("passed" if check.passed else "FAILED", check.text)) for check in audit.checks
    )
    return Table(title="Checks that ran", columns=("outcome", "what was compared"), rows=rows, numeric=False)
