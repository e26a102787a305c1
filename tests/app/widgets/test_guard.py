import pytest

from app.widgets.guard import caught, sentence
from core.errors import AuditError, FormatError


def test_what_a_user_caused_is_handed_over():
    seen = []
    with caught(seen.append):
        raise FormatError("a.npy is empty")
    assert [str(error) for error in seen] == ["a.npy is empty"]


def test_running_out_of_memory_has_its_own_sentence():
    seen = []
    with caught(seen.append):
        raise MemoryError
    assert "memory" in str(seen[0])
    assert seen[0].remedy


@pytest.mark.parametrize("bug", [ValueError("x"), KeyError("x"), ZeroDivisionError()])
def test_a_bug_of_ours_is_never_swallowed(bug):
    with pytest.raises(type(bug)), caught(lambda error: None):
        raise bug


@pytest.mark.parametrize(
    ("problem", "remedy", "shown"),
    [
        ("a.npy is empty", "Write it again", "a.npy is empty. Write it again."),
        ("there is 1 pair", "Bring more", "There is 1 pair. Bring more."),
        ("a.npy has 2 rows", "b.npy has 2 for each", "a.npy has 2 rows. b.npy has 2 for each."),
        ("then has 2 rows", "", "then has 2 rows."),
        ("a.npy is empty.", "Write it again.", "a.npy is empty. Write it again."),
        ("a.npy is empty", "", "a.npy is empty."),
        ("Which layer?", "", "Which layer?"),
    ],
)
def test_problem_and_remedy_are_sentences(problem, remedy, shown):
    assert sentence(AuditError(problem, remedy=remedy)) == shown
