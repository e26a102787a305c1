"""Whether item i is the same item in every run of a comparison, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from core.comparison import Comparison
from core.prose import agreed, counted, told
from core.report.names import shown_name
from core.report.numbers import count
from core.run_items import ItemOrder, Reordered

__all__ = ["limits", "not_compared", "other_ids", "reordered", "tied", "uncentred"]


def reordered(order: ItemOrder) -> Iterator[str]:
    """That runs look to be in another order than the first, and what it does to the figures."""
    found = order.reordered
    if not found:
        return
    named = [_moved(one) for one in found]
    yield (
        f"The items look to be in another order in {told(named)}. Differences are taken item by item, so intervals, "
        "errors and p-values of comparisons across these orders are wrong, though each gap by itself may be right: "
        "put every run in one order."
    )


def _moved(one: Reordered) -> str:
    run, other = shown_name(one.run), shown_name(one.other)
    return (
        f"{run}, side {one.side} (of {counted(one.asked, 'row')} of {other} asked {count(one.moved)} "
        f"{agreed(one.moved, 'has its', 'have their')} counterpart at another place: row {count(one.row)} of {other} "
        f"at row {count(one.place)}, counting from 0)"
    )


def other_ids(order: ItemOrder) -> Iterator[str]:
    """That files of runs name other items."""
    found = order.other_ids
    if not found:
        return
    named = [
        f"{shown_name(one.run)} against {shown_name(one.other)}, side {one.side}: {count(one.shared)} of "
        f"{counted(one.n, 'id')} in common under {shown_name(one.column)}"
        for one in found
    ]
    yield (
        f"The files name other items ({told(named)}). Unless these names are each file's own, the runs are not on the "
        "same items, and no difference here, nor its interval, is one of conditions."
    )


def not_compared(order: ItemOrder) -> Iterator[str]:
    """Of which runs the order could not be looked for."""
    if order.not_compared:
        names = told(list(map(shown_name, order.not_compared)), ", ")
        yield (
            f"Whether row i is the same item in every run was not looked for in {names}, whose files have other "
            "columns: only ids in the files would tell. Differences are taken item by item."
        )


def tied(comparison: Comparison) -> Iterator[str]:
    """That pairs share rows, so that they are fewer independent ones than items."""
    spread = (run.audit for run in comparison.runs if run.audit.centred is not None)  # a layer of one row is no repeat
    proposed = (audit.proposed_groups for audit in spread)
    found = min((one for one in proposed if one is not None), key=lambda one: one.count, default=None)
    if found is None:
        return
    yield (
        f"{counted(found.n_pairs, 'pair')} of {count(comparison.n)} share a row with another, whatever its length, up "
        f"to {count(found.largest)} together; taken as groups they are {count(found.count)}, not {count(comparison.n)} "
        "independent pairs. Errors here take every pair for one of its own, so intervals are too narrow and p-values "
        "too small: compare one pair of each group."
    )


def limits(comparison: Comparison) -> tuple[str, ...]:
    """What a comparison cannot say for what its items are."""
    said = []
    if comparison.order.reordered or comparison.order.other_ids:
        said.append("How sure a difference is: the runs look not to hold the same items in one order.")
    if any(tied(comparison)):
        said.append("How sure a difference is: pairs that share a row are taken for independent ones.")
    return tuple(said)


def uncentred(comparison: Comparison) -> Iterator[str]:
    """Why conditions have no centred difference, and what to compare with instead."""
    without = {run.label: run.audit.centred_undefined for run in comparison.runs if run.gaps.centred is None}
    if not without:
        return
    names = list(without)
    yield f"No centred difference involves {told(list(map(shown_name, names)), ', ')}. {without[names[0]]}"
    baseline, first = comparison.settings.baseline, comparison.runs[0].label
    other = next((run.label for run in comparison.runs if run.label not in without), None)
    if baseline in without and other is not None:
        yield (
            f"All is compared with {shown_name(baseline or '')}, which has no centred reading, so nothing is compared "
            f'centred: compare with {shown_name(other)} (--baseline "{shown_name(other)}", or the setting on the page).'
        )
    elif first in without and baseline is not None and baseline != first:
        yield f"Each is compared with {shown_name(baseline)}, since {shown_name(first)} has no centred reading."
