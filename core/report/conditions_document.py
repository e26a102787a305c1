"""A comparison of conditions in words and tables. It is worded here and in `conditions_words`."""

from __future__ import annotations

from collections.abc import Sequence

from core.comparison import Comparison, MeasuredRun
from core.conditions import side_by_side
from core.gap_differences import GapDifference
from core.gap_values import GapValues
from core.prose import counted
from core.provenance import InputRecord
from core.reading import Reading
from core.report.audit_document import FLOOR_COLUMNS, fit_rows_left_out, floor_cells
from core.report.conditions_command import conditions_command
from core.report.conditions_data import conditions_data
from core.report.conditions_figures import difference_intervals
from core.report.conditions_words import (
    decimals_of,
    methods_paragraph,
    notes,
    notices,
    reading_sentence,
    run_name,
    signed,
    title_of,
    verdict_words,
    warning,
)
from core.report.document import Document, Row, Table
from core.report.item_words import limits
from core.report.names import shown_name
from core.report.numbers import UNDEFINED, count, fixed

__all__ = ["conditions_document"]

#: Conditions named in the line under the title.
_NAMED = 4

#: p-values below this are shown as such: a tail further out is of no use to anybody.
_SMALLEST_PVALUE = 1e-15

#: Characters of a SHA-256 shown to people; the JSON holds all 64.
_SHORT_HASH = 12


def conditions_document(comparison: Comparison) -> Document:
    """Word a comparison. Pure: the same comparison gives the same document."""
    reading, warned, note = reading_sentence(comparison), warning(comparison), notes(comparison)
    methods = methods_paragraph(comparison)
    tables = (
        *_difference_tables(comparison),
        *_seed_tables(comparison),
        _verdict_table(comparison),
        _gap_table(comparison),
        *_run_tables(comparison),
        _anisotropy_table(comparison),
        _derangement_table(comparison),
        _settings_table(comparison),
        _input_table(comparison),
    )
    return Document(
        title="Layers compared, by their gap" if comparison.layers else "Conditions compared, by their gap",
        reading=reading,
        warning=warned,
        note=note,
        tables=tables,
        notices=notices(comparison),
        limits=limits(comparison),
        methods=methods,
        subject=_subject(comparison),
        figures=(difference_intervals(comparison),),
        command=conditions_command(comparison),
        fingerprints=_fingerprints(comparison),
        data=conditions_data(comparison, reading=reading, warning=warned, note=note, methods=methods),
    )


def _readings(comparison: Comparison) -> list[tuple[str, tuple[GapDifference, ...]]]:
    return [(name, found) for name, found in (("raw", comparison.raw), ("centred", comparison.centred)) if found]


def _difference_tables(comparison: Comparison) -> list[Table]:
    return [
        Table(
            title=f"Difference of the {name} gap, signed",
            columns=(
                "difference",
                "95% low",
                "95% high",
                "size",
                "standard error",
                "df",
                "p (Holm)",
                "detectable at 80%",
                "ruled out above",
            ),
            rows=tuple(_difference_row(one) for one in found),
        )
        for name, found in _readings(comparison)
    ]


def _difference_row(one: GapDifference) -> Row:
    decimals = decimals_of(one.error)
    low, high = (signed(end, decimals) for end in one.interval) if one.interval else (UNDEFINED, UNDEFINED)
    cells = (
        signed(one.mean, decimals),
        low,
        high,
        fixed(one.absolute, decimals),
        fixed(one.error, decimals),
        UNDEFINED if one.df is None else count(one.df),
        _pvalue(one.holm_pvalue),
        fixed(one.detectable, decimals),
        fixed(one.excluded_above, decimals),
    )
    return Row(label=title_of(one), cells=cells)


def _pvalue(value: float | None) -> str:
    return fixed(value) if value is None or value >= _SMALLEST_PVALUE else f"<{_SMALLEST_PVALUE:.0e}"


def _seed_tables(comparison: Comparison) -> list[Table]:
    if len(comparison.seeds) == 1:
        return []
    seeds = tuple(f"seed {shown_name(str(seed))}" for seed in comparison.seeds)
    return [
        Table(
            title=f"The same, {name}, seed by seed",
            columns=(*seeds, "mean", "mean of absolute values (biased)"),
            rows=tuple(
                Row(
                    label=title_of(one),
                    cells=(*map(signed, one.by_seed), signed(one.mean), fixed(one.mean_absolute)),
                )
                for one in found
            ),
        )
        for name, found in _readings(comparison)
    ]


def _verdict_table(comparison: Comparison) -> Table:
    readings = _readings(comparison)
    margin = comparison.settings.margin
    rows = tuple(
        Row(
            label=title_of(one),
            cells=tuple(
                UNDEFINED if said is None else verdict_words(said, margin) for said in (one, other)[: len(readings)]
            ),
        )
        for one, other in side_by_side(comparison.raw, comparison.centred)
    )
    said = "no margin declared" if margin is None else f"margin {margin:.15g}"
    return Table(
        title=f"What can be said ({said})", columns=tuple(name for name, _ in readings), rows=rows, numeric=False
    )


def _gap_table(comparison: Comparison) -> Table:
    """What the differences are differences of: corrected gaps."""
    return Table(
        title="Gap of each run with its own 95% interval, the centred one corrected for fitting the means",
        columns=("raw gap", "low", "high", "centred gap", "centred low", "centred high"),
        rows=tuple(
            Row(label=run_name(run), cells=(*_gap(run.gaps.raw), *_gap(run.gaps.centred))) for run in comparison.runs
        ),
    )


def _gap(values: GapValues | None) -> tuple[str, str, str]:
    if values is None:
        return (UNDEFINED,) * 3
    low, high = values.interval or (None, None)
    decimals = decimals_of(values.error)
    return fixed(values.gap, decimals), fixed(low, decimals), fixed(high, decimals)


def _run_tables(comparison: Comparison) -> list[Table]:
    """One row a run against the exact floor, raw and centred."""
    pairs = count(comparison.n * (comparison.n - 1))
    columns = (
        "matched",
        "floor",
        "gap",
        "floor sd",
        "gap over floor sd",
        "partner first, A to B",
        "partner first, B to A",
    )
    return [
        Table(
            title=f"Each run, {name} cosine, exact floor over {pairs} unrelated pairs",
            columns=columns,
            rows=tuple(Row(label=run_name(run), cells=_figures(getattr(run.audit, name))) for run in comparison.runs),
        )
        for name in ("raw", "centred")
    ]


def _figures(reading: Reading | None) -> tuple[str, ...]:
    if reading is None:
        return (UNDEFINED,) * 7
    exact = reading.exact
    return (
        fixed(reading.matched_mean),
        fixed(exact.floor_mean),
        fixed(exact.gap),
        fixed(exact.floor_sd),
        fixed(exact.gap_over_floor_sd, 2),
        fixed(reading.a_to_b.expected),
        fixed(reading.b_to_a.expected),
    )


def _anisotropy_table(comparison: Comparison) -> Table:
    return Table(
        title="Anisotropy of each run",
        columns=("A", "B", "A after centring", "B after centring"),
        rows=tuple(
            Row(
                label=run_name(run),
                cells=(
                    fixed(run.audit.anisotropy_a),
                    fixed(run.audit.anisotropy_b),
                    fixed(run.audit.centred_anisotropy_a),
                    fixed(run.audit.centred_anisotropy_b),
                ),
            )
            for run in comparison.runs
        ),
    )


def _derangement_table(comparison: Comparison) -> Table:
    settings = comparison.settings.audit
    return Table(
        title="Reference format, floor from the same "
        f"{counted(settings.n_derangements, 'seeded derangement')} for every run (seed {settings.seed})",
        columns=FLOOR_COLUMNS,
        rows=tuple(
            Row(label=f"{run_name(run)}, {name}", cells=_permuted(getattr(run.audit, name)))
            for run in comparison.runs
            for name in ("raw", "centred")
        ),
    )


def _permuted(reading: Reading | None) -> tuple[str, ...]:
    return (UNDEFINED,) * len(FLOOR_COLUMNS) if reading is None else floor_cells(reading, reading.permuted)


def _settings_table(comparison: Comparison) -> Table:
    settings, declared = comparison.settings, comparison.margin_declared
    ranked = comparison.runs[0].audit.raw.a_to_b.n_candidates
    rows = [
        ("items (n)", count(comparison.n)),
        ("layers" if comparison.layers else "conditions", count(len({run.label for run in comparison.runs}))),
        ("seeds", count(len(comparison.seeds)) if comparison.seeds != (None,) else "none"),
        ("compared with", "each other" if settings.baseline is None else shown_name(settings.baseline)),
        ("margin", "none declared" if settings.margin is None else f"{settings.margin:.15g}, {declared}"),
        ("means", "one for both sides" if settings.audit.shared_mean else "one for each side"),
        ("derangements", f"{count(settings.audit.n_derangements)}, seed {settings.audit.seed}"),
        ("ranked among", f"{count(ranked)} rows, chance 1/{count(ranked)}"),
        *([("pairs left out", count(comparison.runs[0].audit.dropped_rows))] if settings.audit.drop_bad_rows else []),
        *_fit_rows_left_out(comparison),
        *((name.replace("_", " "), version) for name, version in comparison.runs[0].audit.versions.items()),
    ]
    return Table(
        title="How it was measured",
        columns=("value",),
        rows=tuple(Row(label=label, cells=(value,)) for label, value in rows),
        numeric=False,
    )


def _fit_rows_left_out(comparison: Comparison) -> list[tuple[str, str]]:
    asked = comparison.settings.audit.drop_bad_rows
    return [(row.label, row.cells[0]) for row in fit_rows_left_out(comparison.runs[0].audit)] if asked else []


def _subject(comparison: Comparison) -> str:
    labels = list(dict.fromkeys(shown_name(run.label) for run in comparison.runs))
    named = ", ".join(labels[:_NAMED]) + (", …" if len(labels) > _NAMED else "")
    seeds = f", {count(len(comparison.seeds))} seeds" if len(comparison.seeds) > 1 else ""
    return f"{named}: {count(comparison.n)} items{seeds}"


def _input_table(comparison: Comparison) -> Table:
    rows = tuple(
        Row(
            label=users,
            cells=(
                shown_name(record.name),
                " × ".join(map(count, record.shape)),
                record.dtype,
                record.sha256[:_SHORT_HASH],
            ),
        )
        for users, record in _files(comparison)
    )
    return Table(title="Inputs", columns=("file", "shape", "type", "SHA-256"), rows=rows, numeric=False)


def _fingerprints(comparison: Comparison) -> tuple[tuple[str, str], ...]:
    return tuple((users, record.sha256) for users, record in _files(comparison))


def _files(comparison: Comparison) -> list[tuple[str, InputRecord]]:
    """Every file once, with who used it."""
    served: dict[tuple[str, str], tuple[InputRecord, list[str]]] = {}
    for run in comparison.runs:
        for record, what in _inputs(run):
            _, users = served.setdefault((record.sha256, record.name), (record, []))
            users.append(what)
    return [(_users(users), record) for record, users in served.values()]


def _inputs(run: MeasuredRun) -> list[tuple[InputRecord, str]]:
    audit = run.audit
    name = run_name(run)
    fits = [(fit, side) for fit, side in ((audit.fit_a, "fit A"), (audit.fit_b, "fit B")) if fit is not None]
    return [(audit.a, f"A of {name}"), (audit.b, f"B of {name}"), *fits]


def _users(users: Sequence[str]) -> str:
    """Who used a file: the one run, or the first of several and how many."""
    known = list(dict.fromkeys(users))
    return known[0] if len(known) == 1 else f"{known[0]} and {count(len(known) - 1)} more"
