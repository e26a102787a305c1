import tomllib
from pathlib import Path

import pytest

from app.registry import ICON, PAGES
from core import limits

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.script)
@pytest.mark.parametrize("loaded", [False, True], ids=["empty", "loaded"])
def test_every_page_opens(page, entry, loaded):
    if loaded:
        page.press("example")
    page.open(entry.script)
    assert page.app.title


def test_the_server_lets_through_exactly_what_the_page_promises():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxUploadSize"] == limits.MAX_UPLOAD_MB
    assert config["server"]["address"] == "localhost"
    assert config["browser"]["gatherUsageStats"] is False


def test_the_icon_of_the_page_is_a_file_and_no_request_to_the_net():
    assert Path(ICON).is_file()
