"""File names as a person may safely see them. A name is hostile text.

Nothing is altered except characters that would act instead of being seen: control and
direction characters are written out, ``\\u202e``. Each report format escapes the rest.
"""

from __future__ import annotations

import unicodedata

__all__ = ["NAME_LENGTH", "shown_name", "visible"]

#: Longest name in a table or on a card; JSON holds the whole.
NAME_LENGTH = 80

#: Unicode categories that act on their surroundings instead of being seen: control,
#: format (direction marks among them), surrogate, private use, line and paragraph separators.
_ACTING = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def visible(text: str) -> str:
    """The text with control and direction characters written out as ``\\u202e``."""
    return "".join(_written_out(c) if unicodedata.category(c) in _ACTING else c for c in text)


def shown_name(name: str) -> str:
    """A file name for a table or a card: visible, and cut to `NAME_LENGTH` with an ellipsis."""
    shown = visible(name)
    return shown if len(shown) <= NAME_LENGTH else shown[: NAME_LENGTH - 1] + "…"


def _written_out(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
