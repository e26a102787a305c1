"""Cosine Floor: does a matched cosine stand above what unrelated rows score?

    from pathlib import Path
    from core import AuditSettings, audit, load

    result = audit(load(Path("A.npy")), load(Path("B.npy")), settings=AuditSettings())

`load` reads one file and inspects its rows; `audit` compares two of them row by row;
`read_ids` reads which rows belong together.
`AuditError` is everything a user can cause. Reports are in `core.report`.
"""

from __future__ import annotations

from pathlib import Path

from core.audit import Audit, AuditSettings, audit
from core.errors import AuditError, Cancelled, ChoiceNeeded, Notice
from core.formats import LoadedArray, ReadChoices, read_array
from core.formats.ids import GroupIds, read_ids
from core.inspection import Inspection, inspect

__all__ = [
    "Audit",
    "AuditError",
    "AuditSettings",
    "Cancelled",
    "ChoiceNeeded",
    "GroupIds",
    "Inspection",
    "LoadedArray",
    "Notice",
    "ReadChoices",
    "audit",
    "inspect",
    "load",
    "read_array",
    "read_ids",
]


def load(source: bytes | Path | str, name: str | None = None, choices: ReadChoices | None = None) -> Inspection:
    """Read one file and inspect its rows.

    Parameters
    ----------
    source : bytes, Path or str
        The whole file, or where it is; a path is memory-mapped where its format allows.
    name : str, optional
        What to call it in messages; the base name of the path by default.
    choices : ReadChoices, optional
        What only the file's owner can know.

    Raises
    ------
    AuditError
        The file cannot be read as an (n, d) array of real numbers.
    """
    if isinstance(source, str):
        source = Path(source)
    if name is None:
        name = source.name if isinstance(source, Path) else "array"
    return inspect(read_array(source, name, choices or ReadChoices()))
