"""The demo in words: what the rows are, and what the last control did."""

from __future__ import annotations

from app import state
from app.demo import ENCODERS
from core.demo import Standing
from core.report.numbers import fixed, percent, rounded

__all__ = ["LESSON", "SOURCE", "STEPS", "claim", "figure", "found", "happened", "labels", "shared"]

#: What to press, and what to look at.
STEPS = {
    "shuffle": "**1 Take the pairs apart.** Every first half gets the second half of some *other* section. "
    "Does the raw cosine notice?",
    "encoder": "**2 Change the encoder.** The same texts, from rows that hardly lean one way to rows that all do. "
    "Shuffle each.",
    "size": "**3 Make any encoder look good.** Add an extra coordinate of equal size to every row: it says "
    "nothing about any text, yet all raw cosines climb.",
}

SOURCE = "Said of real text: 400 sections of the Python documentation, each cut in two."

LESSON = (
    "So never read a cosine alone: ask what unrelated rows of the same files score, and whether the right "
    "partner comes first."
)


def claim(standing: Standing) -> str:
    """The claim that the page takes apart, as Markdown."""
    return f"“The two halves of a section score **{_short(standing.raw.matched_mean)}**. They belong together.”"


def shared(demo: state.Demo, now: Standing, plain: Standing) -> str:
    """What anisotropy is, by this encoder's own figure, with and without an added coordinate."""
    without = f" ({_short(plain.anisotropy)} without the extra coordinate)" if demo.size else ""
    return (
        "A cosine says how much two rows of numbers point the same way: 1 is the same direction. But an encoder "
        "may make *all* its rows lean one way, whatever the texts say. That is **anisotropy**: with "
        f"{ENCODERS[demo.encoder].full}, two *different* first halves score **{_short(now.anisotropy)}** on "
        f"average{without}."
    )


def labels(demo: state.Demo) -> tuple[str, str]:
    """What the pairs side by side are called, and all others."""
    return ("shuffled" if demo.shuffle else "matched"), "all others"


def found(demo: state.Demo) -> str:
    """Who stands beside a row and may rank first: after a shuffle it is no partner."""
    return "stranger" if demo.shuffle else "partner"


def happened(demo: state.Demo, now: Standing, aligned: Standing, plain: Standing) -> str:
    """One sentence on what the last control did.

    Parameters
    ----------
    demo, now
        Where the controls stand, and the figures there.
    aligned
        The same with every row beside its own partner.
    plain
        The same without an added coordinate.
    """
    if demo.last == "shuffle":
        return _shuffled(now, aligned)
    if demo.last == "put_back":
        return _put_back(now)
    if demo.last == "choose":
        return _chosen(demo, now)
    if demo.last == "slide":
        return _slid(demo, now, plain)
    return "Nothing is changed yet: every first half stands beside its own second half. Start with Shuffle."


def _shuffled(now: Standing, aligned: Standing) -> str:
    return (
        f"Every first half now stands beside a stranger: raw {figure(now.raw.matched_mean)} instead of "
        f"{figure(aligned.raw.matched_mean)}, centred {figure(now.centred.matched_mean)} instead of "
        f"{figure(aligned.centred.matched_mean)}; raw, the stranger ranks first for "
        f"{_rows(now.raw.partner_first, now)}, where the partner did for {_rows(aligned.raw.partner_first, now)}."
    )


def _put_back(now: Standing) -> str:
    return (
        f"Every first half stands beside its own second half again: raw {figure(now.raw.matched_mean)}, "
        f"centred {figure(now.centred.matched_mean)}; raw, the partner ranks first for "
        f"{_rows(now.raw.partner_first, now)}."
    )


def _rows(share: float, now: Standing) -> str:
    """A share as rows that can be counted; ties may leave a part of one, which only a percentage can say."""
    n = round(1 / now.chance)
    rows = share * n
    if abs(rows - round(rows)) > 1e-6:
        return f"{percent(share)} of rows"
    return f"{round(rows) or 'none'} of {n} rows"


def _chosen(demo: state.Demo, now: Standing) -> str:
    paired, others = labels(demo)
    return (
        f"The same texts by {ENCODERS[demo.encoder].full}: raw, {paired} pairs score {figure(now.raw.matched_mean)} "
        f"and {others} {figure(now.raw.floor_mean)}; centred, {figure(now.centred.matched_mean)} and "
        f"{figure(now.centred.floor_mean)}."
    )


def _slid(demo: state.Demo, now: Standing, plain: Standing) -> str:
    paired, others = labels(demo)
    if not demo.size:
        return (
            f"The extra coordinate is gone: raw, {paired} pairs are back at {figure(now.raw.matched_mean)} and "
            f"{others} at {figure(now.raw.floor_mean)}; the centred cosines and the ranks never moved."
        )
    return (
        f"Every row has the same extra coordinate of size {demo.size:.1f}: raw, {paired} pairs climb from "
        f"{figure(plain.raw.matched_mean)} to {figure(now.raw.matched_mean)} and {others} from "
        f"{figure(plain.raw.floor_mean)} to {figure(now.raw.floor_mean)}; the centred cosines and the ranks stay as "
        "they were, to the digit."
    )


def figure(value: float) -> str:
    """Four decimals, also for a cosine next to 0: a room compares digits in one place."""
    return fixed(rounded(value, 4))


def _short(value: float) -> str:
    """Two decimals for a sentence; four where two would make 1 of what is less."""
    return fixed(value, 4 if round(value, 2) == 1 else 2)
