"""Names numbered without a gap: ``emb_0 … emb_767``, ``0 … 767``, ``e[0] … e[7]``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

#: ``emb_0``, ``0``, ``emb[0]``.
_NUMBERED = re.compile(r"(?P<stem>.*?)(?P<index>\d{1,9})(?P<tail>[\])}]{0,2})", re.DOTALL)

#: 0.1, 0.2 and 0.3 are values, not counts.
_DECIMAL = re.compile(r"[-+]?\d*[.,]")

#: The run of names that are numbers and nothing else.
BARE = "*"


def runs_of(names: Mapping[int, str]) -> dict[str, list[int]]:
    """``emb_*`` -> positions in numeric order, for names numbered without a gap.

    Two columns of one number are two runs that cannot be told apart, so none.

    Parameters
    ----------
    names
        Position -> name.
    """
    globs: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for position, name in names.items():
        match = _NUMBERED.fullmatch(name)
        if match and not _DECIMAL.fullmatch(match["stem"]):
            globs[f"{match['stem']}*{match['tail']}"].append((int(match["index"]), position))
    runs = {}
    for glob, members in globs.items():
        members.sort()
        first, size = members[0][0], len(members)
        # Two alone that do not begin the count are years or versions rather than coordinates.
        enough = size > (1 if first in (0, 1) else 2)
        if enough and [index for index, _ in members] == list(range(first, first + size)):
            runs[glob] = [position for _, position in members]
    return runs
