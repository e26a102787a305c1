"""Uploaded bytes, kept once: in memory while small, in a mapped nameless file when large.

`st.file_uploader` keeps every file whole and copies it again on each run of the page.
So the bytes are taken over when they arrive and Streamlit's own copy is dropped.
"""

from __future__ import annotations

import mmap
import tempfile

from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import LimitError

__all__ = ["SPOOL_BYTES", "drop_upload", "hold"]

#: Files from this size on leave memory for a temporary file. Below, a file costs little.
SPOOL_BYTES = 4 * 2**20


def hold(data: bytes, *, spool_bytes: int = SPOOL_BYTES) -> memoryview:
    """Keep the bytes of a file for as long as the result is referred to.

    Parameters
    ----------
    data : bytes
        Whole content; shared, not copied, when small.
    spool_bytes : int
        Size from which they go to a temporary file instead. The file has no name, so
        nothing is left behind however the process ends.

    Raises
    ------
    LimitError
        The folder for temporary files has no room.
    """
    if len(data) < spool_bytes:
        return memoryview(data)
    try:
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise LimitError(
            f"the machine has no room for a temporary file of {len(data) / 1e6:,.0f} MB",
            remedy="Free some disk space, or point TMPDIR at a larger disk before starting the dashboard",
        ) from error


def drop_upload(file_id: str) -> None:
    """Make Streamlit forget an uploaded file; without this it keeps the bytes.

    The one use of an internal interface in this project, the same call that
    `st.chat_input` makes.
    """
    context = get_script_run_ctx()
    if context is not None:
        context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=file_id)
