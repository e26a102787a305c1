"""Two models in words and tables. They are worded here, and only here."""

from __future__ import annotations

from core.permutation_null import PermutationNull
from core.prose import counted
from core.provenance import InputRecord
from core.report.audit_document import FLOOR_COLUMNS, distance, floor_cells, input_table
from core.report.command_line import two_models_command
from core.report.document import Document, Row, Table
from core.report.names import shown_name, visible
from core.report.numbers import count, fixed, percent
from core.report.two_models_data import two_models_data
from core.report.two_models_figures import two_models_figures
from core.spaces import TwoModels
from core.two_models import TwoModelsAudit

__all__ = ["NOT_EVIDENCE", "methods_paragraph", "two_models_document", "two_models_inputs"]

#: What stands beside every figure between the two spaces as they are.
NOT_EVIDENCE = "not evidence: two coordinate systems"

#: Notices that a reader must know before trusting the figures after the map.
_WARNINGS = (
    "same_file",
    "few_train_rows",
    "map_loses",
    "train_order",
    "compared_order",
    "train_swap",
    "train_elsewhere",
    "neighbours_alike",
    "rows_drift",
    "train_rows_compared",
    "near_train_rows",
    "map_contradicts",
)


def two_models_document(result: TwoModelsAudit) -> Document:
    """Word a comparison of two models. Pure: the same result gives the same document."""
    reading, methods, note = _reading(result.found), methods_paragraph(result), _notes(result.found)
    warning = " ".join(visible(notice.text) for notice in result.notices if notice.code in _WARNINGS)
    return Document(
        title="Two models: matched rows after a map fitted on other rows",
        reading=reading,
        warning=warning,
        note=note,
        tables=(
            _mapped_table(result),
            *_gap_tables(result.found),
            _rank_table(result.found),
            _geometry_table(result),
            _settings_table(result),
            input_table(two_models_inputs(result)),
        ),
        notices=tuple(visible(notice.text) for notice in result.notices if notice.code not in _WARNINGS),
        data=two_models_data(result, reading=reading, warning=warning, note=note, methods=methods),
        subject=_subject(result),
        figures=two_models_figures(result.found),
        command=two_models_command(result),
        fingerprints=(
            *((label, found.sha256) for label, found in two_models_inputs(result)),
            *((("groups", result.groups.sha256),) if result.groups is not None and result.groups.sha256 else ()),
        ),
        methods=methods,
    )


def two_models_inputs(result: TwoModelsAudit) -> tuple[tuple[str, InputRecord], ...]:
    """The inputs that were given, with the letter or words people know them by."""
    given = (("A", result.a), ("B", result.b), ("train A", result.train_a), ("train B", result.train_b))
    return tuple((label, found) for label, found in given if found is not None)


def _subject(result: TwoModelsAudit) -> str:
    found = result.found
    return (
        f"{shown_name(result.a.name)} and {shown_name(result.b.name)}: {count(found.n_given)} pairs in "
        f"{count(found.dim_a)} and {counted(found.dim_b, 'dimension')}"
    )


def methods_paragraph(result: TwoModelsAudit) -> str:
    """How it was done, to paste into a report."""
    found = result.found
    train = (
        f"{_halves(found)} with seed {result.settings.seed}"
        if found.split and found.file_order == "any"
        else _halves(found)
    )
    return (
        f"Rows were scaled to unit length. The mean of each model and an orthogonal (Procrustes) map between "
        f"{count(found.dim_a)} and {counted(found.dim_b, 'dimension')} were fitted on {train}; all cosines after the "
        f"map "
        f"are of {count(found.n_compared)} other pairs, against the exact floor of all their unrelated pairs. Debiased "
        f"linear CKA and the overlap of the {found.neighbours.k} nearest neighbours were taken within each model over "
        f"{count(found.neighbours.n_rows)} pairs, {_beside(found)}.{_by_group(result)}"
    )


def _by_group(result: TwoModelsAudit) -> str:
    """What ids that were given did, for a paper."""
    if result.groups is None:
        return ""
    halves = "were never divided between train and compared pairs and " if result.found.split else ""
    return (
        f" Pairs of one of the {count(result.groups.count)} declared groups {halves}were left out of the interval "
        "together; within the models one pair of each group was taken."
    )


def _halves(found: TwoModels) -> str:
    """What trained the map, for a paper."""
    if not found.split:
        return f"{count(found.n_train)} separate train pairs"
    if found.file_order == "any":
        return f"{count(found.n_train)} pairs drawn from the same files"
    return f"the first {count(found.n_train)} pairs of the same files"


def _beside(found: TwoModels) -> str:
    """The null of the measures within each model, for a paper."""
    null = found.neighbours.null
    apart = (
        f"of which only rows at least {count(found.rows_apart)} apart in the file, round its end, were held against "
        "each other, since neighbouring rows are alike"
    )
    if null is None:
        return f"{apart}; rows a tenth of the file apart are alike as well, so no p was taken"
    if found.file_order == "any":
        return f"each beside {count(null.n_permutations)} random permutations of one side's rows"
    return (
        f"{apart}, and each is beside {count(null.n_permutations)} moves of one side's rows along the file; the "
        "interval of the gap leaves out whole stretches of the file"
    )


def _reading(found: TwoModels) -> str:
    mapped, ranks = found.mapped, found.mapped.a_to_b
    source = "the other half of the pairs" if found.split else f"{count(found.n_train)} other pairs"
    if found.split and found.file_order != "any":
        source = "the first part of the file"
    return (
        f"After a map fitted on {source}, matched pairs score {fixed(mapped.matched_mean)} against a floor of "
        f"{fixed(mapped.exact.floor_mean)}, {distance(mapped)}, and the own partner ranks first for "
        f"{percent(ranks.expected)} of {count(found.n_compared)} rows (chance {percent(ranks.chance)})."
    )


def _notes(found: TwoModels) -> tuple[str, ...]:
    return (
        _interval_note(found),
        _geometry_note(found),
        _unmapped_note(found),
        "What the train pairs themselves score is not shown: a map fits its own train rows, and unrelated data reach a "
        "cosine of 0.75 there with as many train pairs as columns.",
    )


def _interval_note(found: TwoModels) -> str:
    interval = found.interval
    if interval.low is None or interval.high is None:
        nothing = ". It shows nothing about A and B" if found.file_order == "drifting" else ""
        return f"The gap after the map has no interval: {interval.reason}{nothing}."
    ends = f"from {fixed(interval.low)} to {fixed(interval.high)}"
    if interval.low <= 0 <= interval.high:
        return (
            f"Given this map, the 95% interval of the gap goes {ends} and holds 0: the mapped rows do not show that A "
            "and B belong together. Unrelated rows look like this, and so do rows in another order."
        )
    if interval.high < 0:
        return (
            f"Given this map, the 95% interval of the gap goes {ends} and lies below 0: mapped rows score below "
            "unrelated ones, which shows a map that turns them the wrong way, not whether A and B belong together."
        )
    moved = "" if found.moved is None else f", p = {fixed(found.moved.pvalue, 3)} beside B moved along A"
    return f"Given this map, the gap is {fixed(interval.estimate)} with a 95% interval {ends}{moved}."


def _geometry_note(found: TwoModels) -> str:
    near = found.neighbours
    cka = "undefined, because one side has all rows equally far apart"
    if found.cka is not None:
        cka = f"{fixed(found.cka)} (about 0 by chance, {_p(found.cka_null)})"
    return (
        f"Without any map, within each model: debiased CKA is {cka}, and of the {near.k} nearest rows both models name "
        f"{percent(near.overlap)} (chance {percent(near.chance)} with n = {count(near.n_rows)}, "
        f"{_p(near.null)})."
    )


def _p(null: PermutationNull | None) -> str:
    return "no p" if null is None else f"p = {fixed(null.pvalue, 3)}"


def _unmapped_note(found: TwoModels) -> str:
    if found.unmapped is None:
        return (
            f"A has {counted(found.dim_a, 'column')} and B {count(found.dim_b)}: without a map there is no cosine "
            f"between "
            "them at all."
        )
    return (
        f"Row-wise cosines of A and B as they are were not taken as a reading. Centred, they have a gap of "
        f"{fixed(found.unmapped.plain)}; of two models that is {NOT_EVIDENCE}."
    )


def _mapped_table(result: TwoModelsAudit) -> Table:
    found, mapped = result.found, result.found.mapped
    unrelated = found.n_compared * (found.n_compared - 1)
    derangements = f"{count(result.n_derangements)} seeded derangements (seed {result.settings.seed})"
    return Table(
        title=f"After the map, {count(found.n_compared)} compared pairs",
        columns=FLOOR_COLUMNS,
        rows=(
            Row(label=f"floor from all {count(unrelated)} unrelated pairs", cells=floor_cells(mapped, mapped.exact)),
            Row(label=f"floor from {derangements}", cells=floor_cells(mapped, mapped.permuted)),
        ),
    )


def _gap_tables(found: TwoModels) -> tuple[Table, ...]:
    """The gap after the map with its interval, and what the map did to it."""
    interval, plain = found.interval, found.unmapped
    ends = (interval.estimate, interval.error, interval.low, interval.high)
    tables = [
        Table(
            title="Gap after the map, with its interval given this map",
            columns=("gap", "standard error", "95% low", "95% high"),
            rows=(Row(label="mapped cosine", cells=tuple(fixed(value) for value in ends)),),
        )
    ]
    if plain is not None:
        figures = (plain.plain, plain.mapped, plain.gain, plain.error)
        tables.append(
            Table(
                title="What the map added to the gap of the compared pairs",
                columns=(f"as they are ({NOT_EVIDENCE})", "after the map", "added", "standard error of added"),
                rows=(Row(label="centred gap", cells=tuple(fixed(value) for value in figures)),),
            )
        )
    return tuple(tables)


def _rank_table(found: TwoModels) -> Table:
    mapped = found.mapped
    return Table(
        title="Partner ranked first after the map (ties share their credit)",
        columns=("A to B", "B to A", "tied rows, A to B", "tied rows, B to A", f"chance, 1/{count(found.n_compared)}"),
        rows=(
            Row(
                label="mapped cosine",
                cells=(
                    fixed(mapped.a_to_b.expected),
                    fixed(mapped.b_to_a.expected),
                    count(mapped.a_to_b.tied),
                    count(mapped.b_to_a.tied),
                    fixed(mapped.a_to_b.chance),
                ),
            ),
        ),
    )


def _geometry_table(result: TwoModelsAudit) -> Table:
    found, near = result.found, result.found.neighbours
    how = "shuffled" if found.file_order == "any" else "moved"
    return Table(
        title=f"Within each model, no map ({count(near.n_rows)} pairs, {_draws(found)})",
        columns=("agreement", "by chance", f"{how} mean", f"{how} sd", "p", f"rows {how}"),
        rows=(
            Row(label="debiased CKA", cells=(fixed(found.cka), fixed(0.0), *_null_cells(found.cka_null))),
            Row(
                label=f"shared among {near.k} nearest rows (k = {near.k}, n = {count(near.n_rows)})",
                cells=(fixed(near.overlap), fixed(near.chance), *_null_cells(near.null)),
            ),
        ),
    )


def _draws(found: TwoModels) -> str:
    null = found.neighbours.null
    if null is None:
        return "no fair null"
    return f"{count(null.n_permutations)} {'shuffles' if found.file_order == 'any' else 'moves along the file'}"


def _null_cells(null: PermutationNull | None) -> tuple[str, ...]:
    if null is None:
        return (fixed(None),) * 4
    return fixed(null.mean), fixed(null.sd), fixed(null.pvalue), count(null.n_rows)


def _settings_table(result: TwoModelsAudit) -> Table:
    found = result.found
    train = (
        ("half of the given pairs" if found.file_order == "any" else "the first part of the file")
        if result.train_a is None or result.train_b is None
        else f"{shown_name(result.train_a.name)} and {shown_name(result.train_b.name)}"
    )
    rows = [
        Row(label="pairs given", cells=(count(found.n_given),)),
        Row(label="pairs compared", cells=(count(found.n_compared),)),
        Row(label="train pairs", cells=(f"{count(found.n_train)}, {train}",)),
        Row(label="columns of A and B", cells=(f"{count(found.dim_a)} and {count(found.dim_b)}",)),
        Row(label="dimensions the map reaches", cells=(count(found.rank),)),
        Row(label="seed", cells=(str(result.settings.seed),)),
    ]
    if result.groups is not None:
        named = f" of {shown_name(result.groups.name)}" if result.groups.name else ""
        rows.append(Row(label="groups", cells=(f"{count(result.groups.count)}{named}",)))
    if result.settings.drop_bad_rows:
        left_out = f"{count(result.dropped_rows)}, train pairs {count(result.dropped_train_rows)}"
        rows.append(Row(label="pairs left out", cells=(left_out,)))
    rows.extend(Row(label=name.replace("_", " "), cells=(version,)) for name, version in result.versions.items())
    return Table(title="How it was measured", columns=("value",), rows=tuple(rows), numeric=False)
