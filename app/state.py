"""The only module that touches session state: what outlives a rerun, with types.

Widgets forget their value when their page is left, so nothing of worth lives in a
widget: files, settings and results live here, and a page draws whatever is here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from app.claim_inputs import ClaimInputs
from app.conditions_inputs import ConditionsInputs
from app.jobs import Job
from app.opened_link import OpenedLink
from app.pair_listing import Listing
from app.places import SIDES, TWO_MODELS_SIDES, BadFiles, BoxName, GroupsPlace, SideName, Slot
from core import Audit, AuditSettings, ReadChoices
from core.claim_review import ReadingName
from core.two_models import TwoModelsAudit, TwoModelsSettings

#: What runs in the background: one job, one failure and one result each.
Work = Literal["audit", "two_models", "claim"]
WORKS: tuple[Work, ...] = ("audit", "two_models", "claim")
_PLACES: dict[Work, tuple[SideName, ...]] = {"audit": SIDES, "two_models": TWO_MODELS_SIDES, "claim": SIDES}

_FILES, _DROPS, _SETTINGS, _JOB, _RESULT, _FAILURE, _EXAMPLE, _DEMO = (
    f"cosine_floor_{name}" for name in ("files", "drops", "settings", "job", "result", "failure", "example", "demo")
)
_TWO_MODELS_SETTINGS, _TWO_MODELS_RESULT = "cosine_floor_two_models_settings", "cosine_floor_two_models_result"

DemoAction = Literal["shuffle", "put_back", "choose", "slide"]

_CONDITIONS, _GROUPS, _CLAIM, _LISTING, _LINK, _CONSENT, _LOOKED = (
    f"cosine_floor_{name}" for name in ("conditions", "groups", "claim", "listing", "link", "consent", "looked")
)


#: What a result depends on: for each side its fingerprint and choices, the settings, and the
#: name and fingerprint of the ids of groups.
RunKey = tuple[tuple[tuple[str, str, ReadChoices] | None, ...], AuditSettings, tuple[str, str] | None]

#: What an exact count of pairs depends on: the files and settings, the reading, the thresholds.
CountKey = tuple[RunKey, ReadingName, tuple[float, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """Work that waits or runs, and what it was started for."""

    job: Job[Any]
    key: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A finished audit and what it was computed from."""

    audit: Audit
    key: RunKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """Where the controls of the demo stand.

    Attributes
    ----------
    encoder
        Whose embeddings are shown.
    shuffle
        0 for the true pairs, else the seed of a pairing of strangers.
    size
        Of the coordinate added to every row.
    last
        Which control was used last, or `None`.
    """

    encoder: str = "e5_small"
    shuffle: int = 0
    size: float = 0.0
    last: DemoAction | None = None


def slot(side: SideName) -> Slot:
    """What a place holds."""
    return _entry(_FILES, {}).get(side, Slot())


def set_slot(side: SideName, **changes: Any) -> None:
    """Change some fields of a place."""
    _entry(_FILES, {})[side] = replace(slot(side), **changes)
    if "found" in changes:
        _forget_failures()  # what failed was another file


def clear_slot(side: SideName) -> None:
    """Empty a place."""
    _entry(_FILES, {}).pop(side, None)
    _forget_failures()


def drop_key(box: BoxName) -> str:
    """Key of an upload box; a new one after each file.

    Each box counts for itself: files dropped on two of them at once arrive in one run of the
    page, and the first must not take the second one's box away.
    """
    return f"drop_{box}_{_entry(_DROPS, {}).get(box, 0)}"


def fresh_box(box: BoxName) -> None:
    """Put a new, empty box in the place of this one from here on."""
    drops = _entry(_DROPS, {})
    drops[box] = drops.get(box, 0) + 1


def take_dropped(box: BoxName) -> UploadedFile | None:
    """The file just dropped on a box, or `None`; the box is a fresh one from here on."""
    return next(iter(take_all_dropped(box)), None)


def take_all_dropped(box: BoxName) -> tuple[UploadedFile, ...]:
    """The files just dropped on a box, which may take several; it is a fresh one from here on."""
    dropped = st.session_state.get(drop_key(box))
    if not dropped:
        return ()
    fresh_box(box)
    return tuple(dropped) if isinstance(dropped, list) else (dropped,)


def answer(key: str) -> Any:
    """The value of a widget, inside its own callback."""
    return st.session_state[key]


def first_answer(key: str, value: Any) -> None:
    """Give a widget about to be drawn its value, unless it has one."""
    st.session_state.setdefault(key, value)


def set_answer(key: str, value: Any) -> None:
    """Change the value of a widget, inside a callback."""
    st.session_state[key] = value


def settings() -> AuditSettings:
    """The settings on the page."""
    return _entry(_SETTINGS, AuditSettings())


def set_settings(new: AuditSettings) -> None:
    """Keep what the settings form says."""
    if new != settings():
        set_failure("")
    st.session_state[_SETTINGS] = new


def run_key() -> RunKey | None:
    """What a result of the present page would depend on; `None` while A or B is missing, or a file has changed."""
    if not _ready(SIDES):
        return None
    return _fingerprints(SIDES), effective_settings(), groups().fingerprint


def groups() -> GroupsPlace:
    """What the place for ids of groups holds."""
    return _entry(_GROUPS, GroupsPlace())


def set_groups(new: GroupsPlace) -> None:
    """Change what that place holds."""
    if new.found is not groups().found:
        _forget_failures()
    st.session_state[_GROUPS] = new


def effective_settings() -> AuditSettings:
    """The settings, leaving bad rows out only where there are any and their owner said so."""
    return replace(settings(), drop_bad_rows=leaves_out("audit"))


def bad_files(work: Work = "audit") -> BadFiles:
    """The files in use of this kind of work that hold NaN, infinite or zero rows."""
    held = ((side, slot(side)) for side in _PLACES[work])
    return frozenset(
        (side, one.found.loaded.sha256, one.choices) for side, one in held if one.found and len(one.found.unusable)
    )


def leaves_out(work: Work = "audit") -> bool:
    """True if there are bad rows and their owner said, of these very files, to leave them out."""
    wish = two_models_settings().drop_bad_rows if work == "two_models" else settings().drop_bad_rows
    bad = bad_files(work)
    return wish and bool(bad) and bad <= _entry(_of(work, _CONSENT), frozenset())


def set_leaves_out(wish: bool, of: BadFiles, work: Work = "audit") -> None:
    """Keep that the bad rows of some files may be left out; without the wish, those of no file."""
    if work == "two_models":
        set_two_models_settings(replace(two_models_settings(), drop_bad_rows=wish))
    else:
        set_settings(replace(settings(), drop_bad_rows=wish))
    known = _entry(_of(work, _CONSENT), frozenset())
    st.session_state[_of(work, _CONSENT)] = known | of if wish else frozenset()
    set_failure("", work)


def changed(work: Work = "audit") -> tuple[SideName, ...]:
    """The places whose file was written to since it was opened."""
    return tuple(side for side in _PLACES[work] if slot(side).changed)


def _ready(sides: tuple[SideName, ...]) -> bool:
    given = slot("a").found is not None and slot("b").found is not None
    return given and not any(slot(side).changed for side in sides)


def pending(work: Work = "audit") -> Pending | None:
    """The audit, or other work, that waits or runs."""
    return _entry(_of(work, _JOB), None)


def set_pending(new: Pending | None, work: Work = "audit") -> None:
    """Remember or forget running work."""
    st.session_state[_of(work, _JOB)] = new


def result() -> Result | None:
    """The newest finished audit of this page."""
    return _entry(_RESULT, None)


def set_result(new: Result) -> None:
    """Keep a finished audit; a margin that its files were not first audited with is declared after a look."""
    files = frozenset(side[0] for side in new.key[0][:2] if side is not None)
    looked = declared_after_look(("audit", files), new.audit.settings.margin)
    st.session_state[_RESULT] = replace(new, audit=replace(new.audit, margin_after_look=looked))


def note_look(sha256_a: str, sha256_b: str) -> None:
    """Remember that these files were audited before, with no margin, by whoever asks for them now."""
    _entry(_LOOKED, {})[("audit", frozenset((sha256_a, sha256_b)))] = None


def declared_after_look(files: tuple[str, frozenset[str]], margin: float | None) -> bool:
    """True if these files had a result in this session already, and it had another margin, or none."""
    first = _entry(_LOOKED, {}).setdefault(files, margin)
    return margin is not None and bool(margin != first)


# ------------------------------------------------------------------ two models


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoModelsResult:
    """A finished comparison of two models and what it was computed from."""

    audit: TwoModelsAudit
    key: TwoModelsKey


#: As `RunKey`.
TwoModelsKey = tuple[
    tuple[tuple[str, str, ReadChoices] | None, ...], TwoModelsSettings, tuple[str, str] | None
]


def two_models_settings() -> TwoModelsSettings:
    """The settings on the page of two models."""
    return _entry(_TWO_MODELS_SETTINGS, TwoModelsSettings())


def set_two_models_settings(new: TwoModelsSettings) -> None:
    """Keep what that page says."""
    if new != two_models_settings():
        set_failure("", "two_models")
    st.session_state[_TWO_MODELS_SETTINGS] = new


def two_models_key() -> TwoModelsKey | None:
    """What a result of that page would depend on; `None` as for `run_key`."""
    if not _ready(TWO_MODELS_SIDES):
        return None
    kept = replace(two_models_settings(), drop_bad_rows=leaves_out("two_models"))
    return _fingerprints(TWO_MODELS_SIDES), kept, groups().fingerprint


def two_models_result() -> TwoModelsResult | None:
    """The newest finished comparison of two models."""
    return _entry(_TWO_MODELS_RESULT, None)


def set_two_models_result(new: TwoModelsResult) -> None:
    """Keep a finished comparison."""
    st.session_state[_TWO_MODELS_RESULT] = new


# ------------------------------------------------------------------ all kinds of work


def failure(work: Work = "audit") -> str:
    """Why the newest run gave no result, as a sentence; empty if it did."""
    return _entry(_of(work, _FAILURE), "")


def set_failure(sentence: str, work: Work = "audit") -> None:
    """Keep why a run gave no result."""
    st.session_state[_of(work, _FAILURE)] = sentence


def _forget_failures() -> None:
    for work in WORKS:
        set_failure("", work)


def _of(work: Work, entry: str) -> str:
    """Where an entry of one kind of work is kept; the audit's has the plain name."""
    return entry if work == "audit" else f"{entry}_{work}"


def shows_example(of: Work = "audit") -> bool:
    """True while the files in use are the example's."""
    return bool(_entry(_EXAMPLE, "") == of)


def set_example(shown: bool, of: Work = "audit") -> None:
    """Note whether the files in use are an example's."""
    st.session_state[_EXAMPLE] = of if shown else ""


def _fingerprints(sides: tuple[SideName, ...]) -> tuple[tuple[str, str, ReadChoices] | None, ...]:
    return tuple(_fingerprint(side) for side in sides)


def demo() -> Demo:
    """Where the controls of the demo stand."""
    return _entry(_DEMO, Demo())


def set_demo(new: Demo) -> None:
    """Keep where the controls of the demo stand."""
    st.session_state[_DEMO] = new


def conditions() -> ConditionsInputs:
    """What the Conditions page holds."""
    return _entry(_CONDITIONS, ConditionsInputs())


def set_conditions(**changes: Any) -> None:
    """Change some of what the Conditions page holds."""
    st.session_state[_CONDITIONS] = replace(conditions(), **changes)


def claim() -> ClaimInputs:
    """What is typed on the card that reviews a claim, and what has been counted for it."""
    return _entry(_CLAIM, ClaimInputs())


def set_claim(**changes: Any) -> None:
    """Change some of what is typed there."""
    st.session_state[_CLAIM] = replace(claim(), **changes)


def listing() -> Listing:
    """What the table of pairs shows."""
    return _entry(_LISTING, Listing())


def set_listing(**changes: Any) -> None:
    """Change some of what it shows."""
    st.session_state[_LISTING] = replace(listing(), **changes)


def opened_link() -> OpenedLink:
    """The link this page was opened with."""
    return _entry(_LINK, OpenedLink())


def set_opened_link(new: OpenedLink) -> None:
    """Remember another one, or how far this one has come."""
    st.session_state[_LINK] = new


def _fingerprint(side: SideName) -> tuple[str, str, ReadChoices] | None:
    """File, name and choices: a report carries the name, so another name is another report."""
    held = slot(side)
    return (held.found.loaded.sha256, held.found.loaded.name, held.choices) if held.found else None


def _entry(name: str, default: Any) -> Any:
    return st.session_state.setdefault(name, default)
