"""How an audit was measured: a paragraph ready to paste."""

from __future__ import annotations

from collections.abc import Iterator

from core.audit import Audit
from core.prose import counted
from core.report.inference_words import pool_scope
from core.report.names import shown_name
from core.report.numbers import count, fixed

__all__ = ["methods_paragraph"]


def methods_paragraph(audit: Audit) -> str:
    """How it was measured, ready to paste."""
    return " ".join(_methods(audit))


def _methods(audit: Audit) -> Iterator[str]:
    yield (
        f"Cosines of {count(audit.n)} matched pairs (d = {count(audit.dim)}) were compared with all unrelated pairs of "
        "the same two files, in float64 or checked against it."
    )
    if audit.centred is not None:
        yield f"Centred figures subtract {_means_used(audit)} from the unit rows and make them unit length again."
    if audit.groups is not None:
        named = f" ({shown_name(audit.groups.name)})" if audit.groups.name else ""
        yield (
            f"Pairs fall into {count(audit.groups.count)} declared groups{named}: unrelated means of another group, "
            "and intervals leave out whole groups."
        )
    if not audit.evidence_missing:
        unit = "groups" if audit.groups else "pairs"
        yield (
            f"95% intervals on mean cosines, gaps and effect sizes are delete-one jackknife intervals over {unit} with "
            f"Student's t, including the effect of the estimated mean; gap, gap over floor sd and Cohen's d of a mean "
            "fitted on the compared rows are corrected for what that inflates."
        )
        yield f"The p-value is two-sided, over {_permuted(audit)}."
        yield (
            "The smallest detectable gap is for 80% power at the 5% level; a gap is ruled out by two one-sided tests "
            "at 5%."
        )
    if audit.alarm.gain is not None:
        yield (
            f"Whether both sides share one coordinate system was asked of {count(audit.alarm.n_pairs)} pairs drawn "
            "with the seed, by an orthogonal map fitted on half of them and tried on the others."
        )
    margin = audit.settings.margin
    yield (
        "No margin was declared with the run."
        if margin is None
        else f"A gap of up to {margin:.15g} was {audit.margin_declared} not to matter."
    )
    if audit.has_pool:
        yield (
            f"Partners were {pool_scope(audit)}: a random pool drawn with the seed, the same for every row, and the "
            "row's own partner; hubs and histograms are of the pool."
        )
    yield (
        f"Partner ranked first has chance {fixed(audit.raw.a_to_b.chance)}, ties share their credit, and its interval "
        "is Clopper–Pearson from the pessimistic to the optimistic count."
    )
    yield f"Seed {audit.settings.seed}; Cosine Floor {audit.versions['cosine_floor']}."


def _permuted(audit: Audit) -> str:
    test = audit.raw.evidence.test
    what = "permutations of whole groups among groups of their size" if audit.groups else "permutations of the pairing"
    if test is not None and not test.has_permutations:
        return f"{what}, of which there is one: nothing was tested"
    if test is None or test.method == "normal":
        return f"{what}, by the normal tail of the exact permutation z"
    if test.method == "enumerated":
        return f"all {count(test.n_permutations)} {what}"
    why = ", for few scores make up the statistic and its tail is not normal" if test.method == "gathered" else ""
    return f"{count(test.n_permutations)} random {what}{why}"


def _means_used(audit: Audit) -> str:
    sources = (audit.mean_a, audit.mean_b)
    named = [counted(source.n_rows, "fit row" if source.from_fit_file else "compared row") for source in sources]
    if audit.settings.shared_mean:
        return f"one mean for both sides (of {named[0]} of A and {named[1]} of B)"
    return f"the mean of each side (A: {named[0]}; B: {named[1]})"
