import pytest
import streamlit as st

from app.widgets.slot import size_rule
from app.widgets.welcome import file_rules


@pytest.mark.parametrize(
    ("megabytes", "sentence"),
    [
        (1024, "up to 1,024 MB each (text, as in .json and .csv, up to 256 MB)"),
        (300, "up to 300 MB each (text, as in .json and .csv, up to 256 MB)"),
        (200, "up to 200 MB each"),
    ],
)
def test_both_limits_of_size_are_said_where_they_differ(monkeypatch, megabytes, sentence):
    monkeypatch.setattr(st, "get_option", {"server.maxUploadSize": megabytes}.__getitem__)
    assert size_rule() == sentence
    assert f"files of {sentence}. They stay" in file_rules()
