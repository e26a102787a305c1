"""How a case of the corpus is held against what the readers do."""

from __future__ import annotations

import os
import re

import numpy as np

from core.errors import AuditError, ChoiceNeeded
from core.formats import read_array
from tests.hostile import MARKER, Case


def check(name: str, case: Case) -> None:
    """Read the case and compare the decision, the words, the numbers and what the disk shows."""
    decision, said, array = outcome(case.build(), name)
    assert decision == case.decision, said
    # The name itself must not be what satisfies the words.
    said = said.replace(name, "").lower()
    for group in case.say:
        assert any(word.lower() in said for word in group), (group, said)
    if case.array is not None:
        assert array is not None
        np.testing.assert_array_equal(array, case.array)
        assert not array.flags.writeable
    assert not os.path.exists(MARKER)


def outcome(data: bytes, name: str) -> tuple[str, str, np.ndarray | None]:
    """("take", "refuse" or "ask"), every word meant for a person, and the array if there is one."""
    refusal: AuditError
    try:
        loaded = read_array(data, name)
    except AuditError as error:
        refusal = error
    else:
        return "take", " ".join(word.text for word in loaded.words), loaded.array
    assert str(refusal).startswith(name), "every refusal names the file"
    said = f"{refusal} {refusal.remedy}"
    assert not str(refusal).endswith("."), said
    assert re.fullmatch(r"(?s)[A-Z].*\.", refusal.remedy), "every refusal says what to do, in a sentence"
    assert len(said) < 3_000, "a sentence ends"
    assert "allow_pickle" not in said, "never advise to load unsafely"
    assert "Error" not in said, "no class names"
    if isinstance(refusal, ChoiceNeeded):
        assert all(refusal.options)
        return "ask", said, None
    return "refuse", said, None
