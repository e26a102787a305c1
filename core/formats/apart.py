"""Run a reader in a process of its own, with a bound on its memory and its time.

For readers that hand untrusted bytes to a large native library: damaged Parquet can end
the process that reads it (an exception nobody catches in C++), and a few bytes can ask for
any amount of memory. Here that ends a child, and the person gets a sentence.

Two unlinked temporary files carry the data, each a length, a JSON head and raw bytes:
request (name, choices, the file) and reply (an error in words, or type, shape, words and the
numbers). The reply is memory-mapped, so the array costs no second copy. Nothing is pickled.

Cost: starting Python and importing the library, about half a second.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import numpy as np

from core import limits
from core.errors import AuditError, ChoiceNeeded, FormatError, LimitError
from core.formats.loaded import Decoded, ReadChoices, RowIds, Word

Reader = Callable[[memoryview, str, ReadChoices], Decoded]

#: Errors that may cross, by name.
_ERRORS: dict[str, type[AuditError]] = {"FormatError": FormatError, "LimitError": LimitError}

_LENGTH_BYTES = 8

#: Every thread reserves addresses, which the bound on memory counts.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}

_ROOT = str(Path(__file__).resolve().parents[2])


def read_apart(module: str, function: str, buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Call ``module.function(buffer, name, choices)`` in a child process.

    Raises
    ------
    FormatError
        The child ended without an answer: the bytes are damaged beyond what the library checks.
    LimitError
        It took longer than `limits.READER_SECONDS`, or more memory than it was given.
    AuditError
        Whatever the reader itself raised.
    """
    start = f"import sys; sys.path.insert(0, sys.argv[1]); from core.formats.apart import serve; import {module};"
    command = [sys.executable, "-c", f"{start} serve({module}.{function})", _ROOT]
    try:
        return _answer(command, buffer, name, choices)
    except subprocess.TimeoutExpired as error:
        raise LimitError(
            f"{name} was not read within {limits.READER_SECONDS} seconds", remedy="Save the array with np.save."
        ) from error
    except OSError as error:
        raise AuditError(
            f"{name} could not be read: {error.strerror}", remedy="Free some disk space, then try again."
        ) from error


def _answer(command: list[str], buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    with tempfile.TemporaryFile() as request, tempfile.TemporaryFile() as reply:
        _write(request, {"name": name, "choices": asdict(choices)}, buffer)
        done = subprocess.run(  # noqa: S603 - our own interpreter; the names are constants of the callers
            command,
            stdin=request,
            stdout=reply,
            stderr=subprocess.DEVNULL,
            timeout=limits.READER_SECONDS,
            env=os.environ | _ONE_THREAD,
        )
        if done.returncode or os.fstat(reply.fileno()).st_size == 0:
            raise FormatError(
                f"{name} could not be read: the library that reads it gave up, so it is damaged or not what it claims",
                remedy="Write it again, or save the array with np.save.",
            )
        return _decoded(*_read(reply.fileno()))


def serve(reader: Reader) -> None:
    """The child's side: read the request from stdin, write the reply to stdout."""
    head, data = _read(0)
    _bound_memory(len(data))
    try:
        decoded = reader(data, head["name"], ReadChoices(**head["choices"]))
    except AuditError as error:
        options = error.options if isinstance(error, ChoiceNeeded) else None
        choice = error.choice if isinstance(error, ChoiceNeeded) else None
        kind = type(error).__name__
        answer = {"kind": kind, "problem": str(error), "remedy": error.remedy, "choice": choice, "options": options}
        _write(sys.stdout.buffer, {"error": answer}, b"")
    except MemoryError:
        problem = f"{head['name']} needs more memory to be read than a file of its size should"
        answer = {"kind": "LimitError", "problem": problem, "remedy": "Save the array with np.save."}
        _write(sys.stdout.buffer, {"error": answer}, b"")
    else:
        numbers = np.ascontiguousarray(decoded.array).view(np.uint8).data
        _write(sys.stdout.buffer, _described(decoded), numbers, *(ids.values.data for ids in decoded.row_ids))


def _bound_memory(file_bytes: int) -> None:
    """Bound this process's memory by the file's size, where the system can (not on Windows)."""
    if sys.platform == "win32":
        return
    import resource

    room = limits.READER_BASE_BYTES + limits.READER_MEMORY_PER_BYTE * file_bytes
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash here is expected, not news


def _described(decoded: Decoded) -> dict[str, Any]:
    return {
        "stored": decoded.array.dtype.str,
        "shape": decoded.array.shape,
        "dtype": decoded.dtype,
        "words": [asdict(word) for word in decoded.words],
        "row_ids": [
            {
                **{name: getattr(ids, name) for name in ("name", "is_text", "is_index", "is_declared")},
                "rows": len(ids.values),
            }
            for ids in decoded.row_ids
        ],
        "columns": decoded.columns,
    }


def _decoded(head: dict[str, Any], data: memoryview) -> Decoded:
    if error := head.get("error"):
        if error["kind"] == "ChoiceNeeded":
            raise ChoiceNeeded(
                error["problem"], choice=error["choice"], options=tuple(error["options"]), remedy=error["remedy"]
            )
        raise _ERRORS.get(error["kind"], AuditError)(error["problem"], remedy=error["remedy"])
    stored, size = np.dtype(head["stored"]), math.prod(head["shape"])
    flat = np.frombuffer(data, stored, size) if size else np.empty(0, stored)
    words = tuple(Word(**word) for word in head["words"])
    row_ids = tuple(_row_ids(head["row_ids"], data[size * stored.itemsize :]))
    array, columns = flat.reshape(head["shape"]), tuple(head["columns"])
    return Decoded(array=array, dtype=head["dtype"], words=words, row_ids=row_ids, columns=columns)


def _row_ids(described: list[dict[str, Any]], data: memoryview) -> Iterator[RowIds]:
    """The ids that follow the numbers, copied: they would keep all of the reply."""
    for entry in described:
        rows = entry.pop("rows")
        values = np.frombuffer(bytes(data[: 8 * rows]), np.int64)
        data = data[8 * rows :]
        yield RowIds(values=values, **entry)


def _write(stream: IO[bytes], head: dict[str, Any], *data: memoryview | bytes) -> None:
    text = json.dumps(head).encode()
    text += b" " * (-(len(text) + _LENGTH_BYTES) % 64)  # the numbers begin aligned
    stream.write(len(text).to_bytes(_LENGTH_BYTES, "little") + text)
    for piece in data:
        stream.write(piece)
    stream.flush()


def _read(descriptor: int) -> tuple[dict[str, Any], memoryview]:
    mapped = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
    start = _LENGTH_BYTES + int.from_bytes(mapped[:_LENGTH_BYTES], "little")
    return json.loads(bytes(mapped[_LENGTH_BYTES:start])), mapped[start:]
