"""File names as a person may safely see them. A name is hostile text.

Nothing is altered except characters that would act instead of being seen: control and
direction characters are written out, ``\\u202e``. Each report format escapes the rest.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["NAME_LENGTH", "encodable", "shown_name", "visible"]

#: Longest name in a table or on a card; JSON holds the whole.
NAME_LENGTH = 80

#: Unicode categories that act on their surroundings instead of being seen: control,
#: format (direction marks among them), surrogate, private use, line and paragraph separators.
_ACTING = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


#: Between characters beyond ASCII they join an emoji of several, or part the letters of a Persian or Indic word.
_BESIDE_JOINERS = r"[^\x00-\x7f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
_JOINERS = re.compile(rf"(?<={_BESIDE_JOINERS})[\u200c\u200d](?={_BESIDE_JOINERS})")


def visible(text: str) -> str:
    """The text with control and direction characters written out as ``\\u202e``, except joiners where they belong."""
    if text.isprintable():
        return text
    joined = {found.start() for found in _JOINERS.finditer(text)}
    return "".join(
        _written_out(c) if unicodedata.category(c) in _ACTING and at not in joined else c for at, c in enumerate(text)
    )


def encodable(text: str) -> str:
    """The text with lone surrogates, as in a file name that is no UTF-8, written out as ``\\udcff``."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def shown_name(name: str) -> str:
    """A file name for a table or a card: visible, and cut to `NAME_LENGTH` with an ellipsis."""
    shown = visible(name)
    return shown if len(shown) <= NAME_LENGTH else shown[: NAME_LENGTH - 1] + "…"


def _written_out(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
