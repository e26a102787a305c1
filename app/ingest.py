"""From a dropped or chosen file to a place on the page, or to the sentence that says why not.

Runs in widget callbacks, before the page is drawn: the box is then a new, empty one and
Streamlit never holds the file again. A refused file changes nothing but its own sentence.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path, PurePath

from app import local_folder, run, shared_link, spool, state
from app.places import SIDES, GroupsPlace, HeldFile, Question, SideName
from app.widgets.guard import caught, sentence
from app.widgets.reading import reading
from core import AuditError, ChoiceNeeded, ReadChoices, inspect, read_array
from core.by_header import by_header
from core.formats.ids import read_ids
from core.limits import READ_BYTES_PER_SECOND, SAY_SECONDS
from core.pairs import refuse_other_counts

__all__ = [
    "choose",
    "keep",
    "load_example",
    "load_two_models_example",
    "open_again",
    "replace_file",
    "take",
    "take_groups",
    "take_local",
    "take_out",
    "take_out_groups",
]

#: Real embeddings that ship with the project; see sample_data/README.md.
_SAMPLE_DATA = Path(__file__).resolve().parents[1] / "sample_data"
EXAMPLE = _SAMPLE_DATA / "e5_small"

#: What its rows are embeddings of.
EXAMPLE_TEXTS = {side: _SAMPLE_DATA / f"texts_{side}.txt" for side in ("a", "b")}

#: The same texts by two encoders, and other texts by both.
TWO_MODELS_EXAMPLE: dict[SideName, Path] = {
    "a": _SAMPLE_DATA / "minilm" / "a.npy",
    "b": EXAMPLE / "a.npy",
    "train_a": _SAMPLE_DATA / "minilm" / "fit_a.npy",
    "train_b": EXAMPLE / "fit_a.npy",
}


def take(side: SideName) -> None:
    """Take over the file just dropped on a place."""
    dropped = state.take_dropped(side)
    if dropped is None:
        return
    try:
        with caught(partial(_refuse, side, None, None)):
            _take_in(side, HeldFile(name=dropped.name, data=spool.hold(dropped.getvalue())))
    finally:
        spool.drop_upload(dropped.file_id)


def take_local(side: SideName, widget: str) -> None:
    """Open the file just chosen from the data folder."""
    name = state.answer(widget)
    if name is None:
        return
    state.fresh_box(side)
    with caught(partial(_refuse, side, None, None)):
        _take_in(side, _of_folder(name))


def take_groups() -> None:
    """Take over the ids of groups just dropped."""
    dropped = state.take_dropped("groups")
    if dropped is None:
        return
    try:
        with caught(_refuse_groups):
            state.set_groups(GroupsPlace(found=read_ids(dropped.getvalue(), dropped.name)))
            shared_link.run_when_confirmed()
    finally:
        spool.drop_upload(dropped.file_id)


def take_out_groups() -> None:
    """Take every pair as independent again."""
    state.set_groups(GroupsPlace())


def choose(side: SideName, field: str, widget: str) -> None:
    """Read the file in question again with the choice just made; what was asked after it is asked anew."""
    question = next((one for one in state.slot(side).questions if one.asked.choice == field), None)
    value = state.answer(widget)
    if question is None or value is None:
        return
    chosen = int(value) if field == "layer" else value
    with caught(partial(_refuse, side, None, None)):
        file = _of_folder(question.file.local) if question.file.changed else question.file
        _ask_about(side, file)
        _read(side, file, replace(question.choices, **{field: chosen}))
        shared_link.run_when_confirmed()


def _ask_about(side: SideName, file: HeldFile) -> None:
    """The same questions of a place, about the file as it now is."""
    state.set_slot(side, questions=tuple(replace(one, file=file) for one in state.slot(side).questions))


def replace_file(side: SideName) -> None:
    """Open the box of a place; its file stays in use until another is accepted."""
    state.set_slot(side, replacing=True)


def keep(side: SideName) -> None:
    """Close the box again and stay with the file in use."""
    state.set_slot(side, replacing=False, problem="", questions=())


def take_out(side: SideName) -> None:
    """Empty a place."""
    state.clear_slot(side)
    state.set_example(False)


def load_example() -> None:
    """Load the example and audit it."""
    for side in SIDES:
        state.clear_slot(side)
    take_out_groups()
    for side in ("a", "b"):
        _load(side, EXAMPLE / f"{side}.npy", f"{side}.npy")
    state.set_example(True)
    _forget_claim()
    run.start()


def _forget_claim() -> None:
    """What was typed was said of other files."""
    for field in ("claimed", "cutoff"):
        state.set_claim(**{field: ""})
        state.set_answer(f"claim_{field}", "")


def load_two_models_example() -> None:
    """Load two encoders of the same texts with their train rows, and compare them."""
    take_out_groups()
    for side, path in TWO_MODELS_EXAMPLE.items():
        state.clear_slot(side)
        _load(side, path, f"{path.parent.name}_{path.name}")
    state.set_example(True, "two_models")
    run.start_two_models()


def open_again(side: SideName) -> None:
    """Open a file of the data folder anew, as it now is, and read it as before."""
    here = state.slot(side)
    state.fresh_box(side)  # a select that shows a refused choice goes with it
    with caught(partial(_refuse, side, None, None)):
        file = _of_folder(here.local)
        if here.questions and here.questions[0].file.local == here.local:
            _ask_about(side, file)
        _read(side, file, here.choices)
        shared_link.run_when_confirmed()


def _of_folder(name: str) -> HeldFile:
    """A file of the data folder, in place: it is mapped, not copied."""
    return HeldFile(name=PurePath(name).name, data=local_folder.opened(name), local=name)


def _take_in(side: SideName, file: HeldFile) -> None:
    """Read a new file; the one that a link asks for as the link says."""
    _read(side, file, ReadChoices())
    if side in SIDES:
        asked = shared_link.choices_for(side, file)
        if asked is not None:
            _read_as_asked(side, file, asked)
        shared_link.run_when_confirmed()


def _read_as_asked(side: SideName, file: HeldFile, asked: ReadChoices) -> None:
    """Answer the questions about a file one by one as a link says, so that each answer can be changed."""
    said = ReadChoices()
    while (waits := state.slot(side).questions[-1:]) and waits[0].file is file and waits[0].answer is None:
        field = waits[0].asked.choice
        if getattr(asked, field) is None or getattr(said, field) is not None:
            break
        said = replace(said, **{field: getattr(asked, field)})
        _read(side, file, said)
    if said != asked:
        _read(side, file, asked)


def _load(side: SideName, path: Path, name: str) -> None:
    """Put a file of the sample data on a place."""
    _read(side, HeldFile(name=name, data=memoryview(path.read_bytes())), ReadChoices())


def _read(side: SideName, file: HeldFile, choices: ReadChoices) -> None:
    with caught(partial(_refuse, side, file, choices)):
        _refuse_long_for_nothing(side, file, choices)
        with reading(file.name, len(file.data)):
            found = inspect(read_array(file.data, file.name, choices))
        state.set_slot(
            side,
            found=found,
            choices=choices,
            local=file.local,
            questions=_answered(side, file, choices),  # kept, so that another choice can be made
            problem="",
            replacing=False,
        )
        state.set_example(False)


def _answered(side: SideName, file: HeldFile, choices: ReadChoices) -> tuple[Question, ...]:
    """The questions about this file that these choices answer, with their answers."""
    asked = [(one, getattr(choices, one.asked.choice)) for one in state.slot(side).questions if one.file is file]
    return tuple(replace(one, answer=answer) for one, answer in asked if answer is not None)


def _refuse_long_for_nothing(side: SideName, file: HeldFile, choices: ReadChoices) -> None:
    """Refuse a file that takes long to read and has other rows than the one it would be paired with."""
    other = state.slot("b" if side == "a" else "a").found
    if side not in ("a", "b") or other is None or len(file.data) < SAY_SECONDS * READ_BYTES_PER_SECOND:
        return
    told = by_header(file.data, file.name, choices)
    if told is not None:
        refuse_other_counts(*((told, other) if side == "a" else (other, told)))


def _refuse(side: SideName, file: HeldFile | None, choices: ReadChoices | None, error: AuditError) -> None:
    if isinstance(error, ChoiceNeeded) and file is not None and choices is not None:
        waiting = Question(file=file, choices=choices, asked=error)
        state.set_slot(side, questions=(*_answered(side, file, choices), waiting), problem="")
    else:
        state.set_slot(side, problem=sentence(error))


def _refuse_groups(error: AuditError) -> None:
    state.set_groups(replace(state.groups(), problem=sentence(error)))
