"""The order that pairs the rows, to download; the way to Two models where axes differ."""

import io

import numpy as np
import pytest


@pytest.fixture
def linked():
    """Two clearly linked sides of 120 rows."""
    rng = np.random.default_rng(5)
    a = rng.standard_normal((120, 16))
    return a, a + 0.3 * rng.standard_normal((120, 16))


def links(page):
    return [link.proto.label for link in page.app.get("page_link")]


def downloads(page):
    return [button.proto.label for button in page.app.get("download_button")]


def test_an_ordinary_pair_has_no_such_card(page):
    page.drop_pair().press("run")
    assert "The order that pairs the rows" not in page.text
    assert "Download the order (.npy)" not in downloads(page)
    assert "Read these files on Two models" not in links(page)


@pytest.mark.parametrize("how", ["permuted", "shifted"])
def test_the_order_can_be_downloaded_and_pairs_the_rows(page, linked, how, monkeypatch):
    a, b = linked
    true = np.random.default_rng(1).permutation(120) if how == "permuted" else np.roll(np.arange(120), 3)
    held = []
    from app.widgets import pairing_card

    original = pairing_card.npy_bytes
    monkeypatch.setattr(pairing_card, "npy_bytes", lambda order: held.append(original(order)) or held[-1])
    page.drop("a", a).drop("b", b[true], name="b_*mixed*.npy").press("run")
    assert "The order that pairs the rows" in page.text
    assert "b_*mixed*.npy" in page.text
    assert "Download the order (.npy)" in downloads(page)
    order = np.load(io.BytesIO(held[-1]), allow_pickle=False)
    assert order.dtype == np.int64
    assert np.mean(true[order] == np.arange(120)) > 0.97


def test_other_axes_lead_to_two_models_which_holds_the_files(page, linked):
    a, b = linked
    turn = np.linalg.qr(np.random.default_rng(2).standard_normal((16, 16)))[0]
    page.drop("a", a).drop("b", b @ turn).press("run")
    assert "different coordinate systems" in page.text
    assert "Read these files on Two models" in links(page)
    assert "Download the order (.npy)" not in downloads(page)
    page.open("two_models.py")
    assert "b.npy" in page.text
