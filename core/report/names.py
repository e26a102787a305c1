"""File names as a person may safely read them: hostile text, shown literally.

A name comes from whoever made the file. It may hold characters that turn the reading
direction, hide, or break lines; these are written out as ``\\u202e``. Everything else
stays as it is. Escaping for a format (Markdown, LaTeX, HTML) is that format's own work.
"""

from __future__ import annotations

import unicodedata

__all__ = ["SHOWN_CHARACTERS", "shown_name", "visible"]

#: A name is cut to this many characters, so that a table keeps its shape.
SHOWN_CHARACTERS = 80

#: Unicode categories with nothing to see: control, format (direction, zero width),
#: surrogate, private, unassigned, line and paragraph separators.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str) -> str:
    """The text with control and direction characters written out, and nothing cut."""
    return "".join(map(_seen, text))


def shown_name(name: str) -> str:
    """A file name fit to show: as `visible`, at most `SHOWN_CHARACTERS` long.

    A longer one ends in "…"; a character that is written out is never cut in two.
    """
    whole = visible(name)
    if len(whole) <= SHOWN_CHARACTERS:
        return whole
    kept: list[str] = []
    room = SHOWN_CHARACTERS - 1
    for piece in map(_seen, name):
        if len(piece) > room:
            break
        kept.append(piece)
        room -= len(piece)
    return "".join(kept) + "…"


def _seen(character: str) -> str:
    if unicodedata.category(character) not in _UNSEEN:
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
