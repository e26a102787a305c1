"""The demo in words: what the rows are, and what the last control did."""

from __future__ import annotations

from app import state
from app.demo import ENCODERS
from core.demo import Standing
from core.report.numbers import fixed, percent

__all__ = ["ASKED", "LESSON", "SOURCE", "STEPS", "claim", "happened", "labels", "shared"]

ASKED = "Nothing is changed yet: every first half stands beside its own second half. Start with Shuffle."


#: What to press, and what to look at.
STEPS = {
    "shuffle": "**1 Take the pairs apart.** Every first half gets the second half of some *other* section. "
    "Does the raw cosine notice?",
    "encoder": "**2 Change the encoder.** The same texts, from rows that hardly lean one way to rows that all do. "
    "Shuffle each.",
    "size": "**3 Make any encoder look good.** Add one number, the same to every row: it says nothing about any "
    "text, yet all raw cosines climb.",
}

SOURCE = "A real figure: 400 sections of the Python documentation, each split in two."

LESSON = (
    "So never read a cosine alone: ask what unrelated rows of the same files score, and whether the right "
    "partner comes first."
)


def claim(start: Standing) -> str:
    """The claim that the page takes apart, as Markdown."""
    return (
        f"“The two halves of a documentation section score **{fixed(start.raw.matched_mean, 2)}**. "
        f"They clearly belong together.”"
    )


def shared(encoder: str, now: Standing) -> str:
    """What anisotropy is, by this encoder's own figure."""
    return (
        "A cosine says how much two rows of numbers point the same way: 1 is the same direction. But an encoder "
        "may make *all* its rows lean one way, whatever the texts say. That is **anisotropy**: with "
        f"{ENCODERS[encoder].full}, two *different* first halves score **{fixed(now.anisotropy, 2)}** on average."
    )


def labels(demo: state.Demo) -> tuple[str, str]:
    """What the pairs side by side are called, and all others."""
    return ("shuffled", "all others") if demo.shuffle else ("matched", "unrelated")


def happened(demo: state.Demo, before: Standing, now: Standing) -> str:
    """One sentence on what the last control did; both standings are those around it."""
    if demo.last is None:
        return ASKED
    return {
        "shuffle": _shuffled,
        "put_back": _put_back,
        "choose": _chosen,
        "slide": _slid,
    }[demo.last.action](demo, before, now)


def _shuffled(demo: state.Demo, before: Standing, now: Standing) -> str:
    return f"Every first half now stands beside a stranger: {_from_to(before, now)} (chance is {percent(now.chance)})."


def _put_back(demo: state.Demo, before: Standing, now: Standing) -> str:
    return f"Every first half stands beside its own second half again: {_from_to(before, now)}."


def _chosen(demo: state.Demo, before: Standing, now: Standing) -> str:
    paired, others = labels(demo)
    return (
        f"The same texts by {ENCODERS[demo.encoder].full}: {paired} pairs score {fixed(now.raw.matched_mean)} raw and "
        f"{others if demo.shuffle else f'{others} pairs'} {fixed(now.raw.floor_mean)}, because {_lean(now.anisotropy)}."
    )


def _lean(anisotropy: float) -> str:
    return f"two different rows of one side already score {fixed(anisotropy, 2)}"


def _slid(demo: state.Demo, before: Standing, now: Standing) -> str:
    paired, others = labels(demo)
    what = "The extra coordinate is gone"
    if demo.size:
        what = f"Every row now has the same extra coordinate of size {demo.size:.1f}"
    return (
        f"{what}: {paired} went from {fixed(before.raw.matched_mean)} to {fixed(now.raw.matched_mean)}, "
        f"{others} from {fixed(before.raw.floor_mean)} to {fixed(now.raw.floor_mean)}; "
        "the centred cosines and the ranks did not move by a digit."
    )


def _from_to(before: Standing, now: Standing) -> str:
    return (
        f"raw went from {fixed(before.raw.matched_mean)} to {fixed(now.raw.matched_mean)}, "
        f"centred from {fixed(before.centred.matched_mean)} to {fixed(now.centred.matched_mean)}, "
        f"partner first from {percent(before.raw.partner_first)} to {percent(now.raw.partner_first)} of rows"
    )
