"""What happens on the Conditions page: files are taken, named and read, a comparison is run.

Runs in widget callbacks, before the page is drawn. A refused file changes nothing but the
sentence that says why.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path, PurePath
from typing import Any

from app import cache, local_folder, run, spool, state
from app.conditions_inputs import ComparedResult, Given, PendingComparison, Place
from app.jobs import Phase
from app.places import BoxName
from app.widgets.guard import caught, sentence
from app.widgets.reading import reading
from core import AuditError, ChoiceNeeded, inspect, read_array
from core.comparison import Comparison, ComparisonSettings, compare, condition_of
from core.formats import read_stack
from core.sweep import Progress

__all__ = [
    "box_name",
    "cancel",
    "choose",
    "collect",
    "keep_alive",
    "load_layers",
    "load_precisions",
    "open_again",
    "rename",
    "set_way",
    "start",
    "take",
    "take_local",
    "take_out",
]

_SAMPLES = Path(__file__).resolve().parents[1] / "sample_data"
_STACKS: tuple[Place, ...] = ("stack_a", "stack_b")
_LISTS: tuple[Place, ...] = ("every_a", "several")


_BOXES: dict[Place, BoxName] = {
    "a": "conditions_a",
    "every_a": "conditions_every_a",
    "several": "conditions_several",
    "stack_a": "conditions_stack_a",
    "stack_b": "conditions_stack_b",
}


def box_name(place: Place) -> BoxName:
    """The upload box of a place."""
    return _BOXES[place]


def take(place: Place) -> None:
    """Take over the files just dropped on a place."""
    files = state.take_all_dropped(box_name(place))
    _forget_problems(place)
    for file in files:
        try:
            with caught(partial(_complain, place, file.name)):
                _read(place, _numbered(file.name, spool.hold(file.getvalue())))
        finally:
            spool.drop_upload(file.file_id)


def take_local(place: Place, widget: str) -> None:
    """Open the file just chosen from the data folder, in place."""
    name = state.answer(widget)
    if name is None:
        return
    state.fresh_box(box_name(place))
    _forget_problems(place)
    with caught(partial(_complain, place, name)):
        data = local_folder.opened(name)
        _read(place, replace(_numbered(PurePath(name).name, data), local=name))


def choose(place: Place, number: int, widget: str) -> None:
    """Read a waiting file again with the choice just made."""
    value, waiting = state.answer(widget), _file(place, number)
    if value is None or waiting is None or waiting.asked is None:
        return
    field = waiting.asked.choice
    choices = replace(waiting.choices, **{field: int(value) if field == "layer" else value})
    _forget_problems(place)
    _read_again(place, replace(waiting, choices=choices))


def open_again(place: Place, number: int) -> None:
    """Open a file of the data folder anew, as it now is, and read it as before."""
    held = _file(place, number)
    if held is not None:
        _forget_problems(place)
        _read_again(place, held)


def _read_again(place: Place, file: Given) -> None:
    """Read a file again, from the data folder as it now is where it came from there."""
    with caught(partial(_complain, place, file.name)):
        data = local_folder.opened(file.local) if file.local else file.data
        _read(place, replace(file, data=data))


def rename(place: Place, number: int, field: str, widget: str) -> None:
    """Give a file the condition, or the seed, just typed; an empty condition keeps the old one."""
    typed, one = state.answer(widget).strip(), _file(place, number)
    if one is not None and (typed or field == "seed"):
        _put(place, replace(one, **{field: typed}))


def take_out(place: Place, number: int) -> None:
    """Take a file off the page."""
    kept = tuple(one for one in _held(place) if one.number != number)
    state.set_conditions(**{place: kept if place in _LISTS else None}, failure="")


def set_way(widget: str) -> None:
    """Compare conditions under one A or each under its own, or the layers of two stacks."""
    way = state.answer(widget)
    if way is not None:  # of a box that a failed run had not drawn
        state.set_conditions(way=way, failure="", problems=())


def load_precisions() -> None:
    """Load four precisions of one encoder and compare them."""
    state.set_conditions(way="one_a", a=None, several=(), problems=())
    _load("a", "minilm_precision/fp32.npy")
    for name in ("bf16", "int8_per_channel", "int8_per_tensor"):
        _load("several", f"minilm_precision/{name}.npy")
    start()


def load_layers() -> None:
    """Load the layers of one encoder and compare them."""
    state.set_conditions(way="layers", stack_a=None, stack_b=None, problems=())
    _load("stack_a", "minilm_layers/a.npy")
    _load("stack_b", "minilm_layers/b.npy")
    start()


def start() -> None:
    """Submit a comparison of the files in use; a running one of this page gives way."""
    page = state.conditions()
    if page.missing:
        return
    cancel()
    state.set_conditions(failure="")
    with caught(_failed):
        work = _work(page.runs(), page.effective, layers=page.layers)
        job = cache.runner().submit(work, cache.tab())
        state.set_conditions(pending=PendingComparison(job=job, key=page.key))
        job.wait(run.QUICK_SECONDS)


def cancel() -> None:
    """Give up the running comparison of this page, if there is one."""
    pending = state.conditions().pending
    if pending is not None:
        pending.job.cancel()
        state.set_conditions(pending=None)


def keep_alive() -> None:
    """Tell a running comparison that its page is open; called on every run of any page."""
    pending = state.conditions().pending
    if pending is not None:
        pending.job.tab = cache.tab()


def collect() -> None:
    """Take in what an ended comparison leaves: its result, or why there is none."""
    pending = state.conditions().pending
    if pending is None or pending.job.live:
        return
    state.set_conditions(pending=None)
    job = pending.job
    if job.phase is Phase.DONE and job.outcome is not None:
        found = job.outcome
        files = frozenset(side.sha256 for run in found.runs for side in (run.audit.a, run.audit.b))
        looked = state.declared_after_look(("conditions", files), found.settings.margin)
        found = replace(found, margin_after_look=looked)
        state.set_conditions(result=ComparedResult(comparison=found, key=pending.key))
    elif job.error is not None:
        with caught(_failed):
            raise job.error


def _work(runs: Any, settings: ComparisonSettings, *, layers: bool) -> Any:
    def work(progress: Progress) -> Comparison:
        return compare(runs, settings=settings, layers=layers, progress=progress)

    return work


def _failed(error: AuditError) -> None:
    state.set_conditions(failure=sentence(error))


def _complain(place: Place, name: str, error: AuditError) -> None:
    told = sentence(error)
    known = state.conditions().problems
    state.set_conditions(problems=(*known, (place, told if name in told else f"{name}: {told}")))


def _forget_problems(place: Place) -> None:
    """No old complaint of this place; those of another stand until it is used again."""
    kept = tuple(problem for problem in state.conditions().problems if problem[0] != place)
    state.set_conditions(problems=kept, failure="")


def _numbered(name: str, data: memoryview) -> Given:
    number = state.conditions().numbered + 1
    state.set_conditions(numbered=number)
    label, seed = condition_of(PurePath(name).stem)
    return Given(number=number, name=name, data=data, label=label, seed=seed or "")


def _load(place: Place, sample: str) -> None:
    data = memoryview((_SAMPLES / sample).read_bytes())
    _read(place, _numbered(PurePath(sample).name, data))


def _read(place: Place, file: Given) -> None:
    """Read a file and put it in its place; one that needs a word from its owner waits there."""
    with caught(partial(_refuse, place, file)):
        _put(place, replace(file, found=_inspected(place, file), asked=None))


def _refuse(place: Place, file: Given, error: AuditError) -> None:
    if isinstance(error, ChoiceNeeded):
        _put(place, replace(file, found=(), asked=error))
    else:
        _complain(place, file.name, error)


def _inspected(place: Place, file: Given) -> Any:
    with reading(file.name, len(file.data)):
        if place in _STACKS:
            return tuple(inspect(layer) for layer in read_stack(file.data, file.name, file.choices))
        return (inspect(read_array(file.data, file.name, file.choices)),)


def _put(place: Place, file: Given) -> None:
    """Put a file in its place, or over its own earlier self."""
    held = _held(place)
    if place not in _LISTS:
        state.set_conditions(**{place: file})
    elif any(one.number == file.number for one in held):
        state.set_conditions(**{place: tuple(file if one.number == file.number else one for one in held)})
    else:
        state.set_conditions(**{place: (*held, file)})


def _file(place: Place, number: int) -> Given | None:
    return next((one for one in _held(place) if one.number == number), None)


def _held(place: Place) -> tuple[Given, ...]:
    """The files of a place."""
    held = getattr(state.conditions(), place)
    if place in _LISTS:
        return tuple(held)
    return () if held is None else (held,)
