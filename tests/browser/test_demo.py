"""The demo page in a real browser: for a room, on a laptop, on a phone; with mouse and keyboard."""

import pytest

CARDS = ("raw", "centred", "found")
LARGE = ("demo_raw", "demo_centred", "demo_found")


def numbers(board):
    """The two large numbers of each card."""
    cards = {card: board.tab.locator(f".st-key-{card}") for card in LARGE}
    return {card: place.get_by_test_id("stMetricValue").all_inner_texts() for card, place in cards.items()}


def said(board):
    return board.tab.locator(".st-key-demo_happened").get_by_role("status").inner_text()


def wait_until_said(board, words):
    board.tab.locator(".st-key-demo_happened").get_by_role("status").filter(has_text=words).wait_for()
    board.settle()


def drawn(board):
    for name in CARDS:
        board.tab.locator(f".st-key-demo_{name}_figure [role=img]").first.wait_for()
    board.settle()


def bars(board, name):
    """How long the two bars are on the screen, as shares of the way from 0 to 1 on their axis."""
    place = board.tab.locator(f".st-key-demo_{name}_figure")
    ticks = {tick.inner_text(): centre(tick) for tick in place.locator(".ticks span").all()}
    one = ticks.get("1", ticks.get("100%"))
    zero = ticks.get("0", ticks.get("0%"))
    return [bar.bounding_box()["width"] / (one - zero) for bar in place.locator(".bars i").all()]


def centre(element):
    box = element.bounding_box()
    return box["x"] + box["width"] / 2


def below_the_fold(board):
    """Pixels of the page that a room does not see without scrolling."""
    return board.tab.evaluate("(m => m.scrollHeight - m.clientHeight)(document.querySelector('[data-testid=stMain]'))")


def one_screen(board):
    if board.tab.viewport_size["width"] >= 1920:
        assert below_the_fold(board) <= 0


def in_sight(board):
    """What a control answers stands where it was used, without scrolling: on a phone at the lower edge."""
    place = board.tab.locator(".st-key-demo_happened").bounding_box()
    assert 0 <= place["y"] <= place["y"] + place["height"] <= board.tab.viewport_size["height"]


@pytest.mark.parametrize(
    ("scheme", "width", "height"),
    [("light", 1366, 900), ("dark", 390, 900), ("light", 1920, 1080), ("dark", 1920, 1080)],
)
def test_the_three_controls_tell_their_story(open_dashboard, scheme, width, height):
    board = open_dashboard(scheme, width, height)
    board.open("Why 0.9 means little")
    drawn(board)
    start = numbers(board)
    assert start["demo_raw"] == ["0.8989", "0.8176"]
    one_screen(board)
    board.picture("demo-1-claim")

    board.press("demo_shuffle")
    wait_until_said(board, "stands beside a stranger")
    shuffled = numbers(board)
    assert shuffled["demo_raw"][0] == "0.8173"
    assert shuffled["demo_found"] == ["0.25%", "0.50%"]
    one_screen(board)
    board.picture("demo-2-shuffled")

    in_sight(board)

    shown = bars(board, "raw")
    assert shown[0] == pytest.approx(shown[1], abs=0.002), "raw, strangers score as all others do"
    assert bars(board, "found")[0] == pytest.approx(0.0025, abs=0.001)

    board.press("demo_put_back")
    wait_until_said(board, "its own second half again")
    assert numbers(board) == start
    assert bars(board, "found")[0] == pytest.approx(0.7, abs=0.01)

    board.tab.get_by_text("MiniLM 0.16").click()
    wait_until_said(board, "all-MiniLM-L6-v2")
    before = numbers(board)
    assert before["demo_raw"] == ["0.6185", "0.1516"]
    slider = board.tab.get_by_role("slider")
    slider.focus()
    slider.press("End")
    wait_until_said(board, "size 5.0")
    lifted = numbers(board)
    assert lifted["demo_raw"] == ["0.9853", "0.9674"]
    assert {card: lifted[card] for card in LARGE[1:]} == {card: before[card] for card in LARGE[1:]}
    assert "0.6185 to 0.9853" in said(board)
    one_screen(board)
    board.picture("demo-3-direction")


def test_the_whole_demo_works_from_the_keyboard(open_dashboard):
    board = open_dashboard()
    board.open("Why 0.9 means little")
    drawn(board)
    for _ in range(40):
        board.tab.keyboard.press("Tab")
        if board.tab.locator(".st-key-demo_shuffle button:focus").count():
            break
    board.tab.keyboard.press("Enter")
    wait_until_said(board, "stands beside a stranger")
    board.tab.keyboard.press("Tab")
    assert board.tab.locator(".st-key-demo_put_back button:focus").count() == 1
    board.tab.keyboard.press("Enter")
    wait_until_said(board, "its own second half again")
    assert board.tab.locator(".st-key-demo_put_back button:focus").count() == 1, "the focus is lost"
    for _ in range(6):
        board.tab.keyboard.press("Tab")
        if board.tab.locator(".st-key-demo_encoder :focus").count():
            break
    for _ in range(3):
        if "GloVe" in board.tab.locator(".st-key-demo_encoder :focus").inner_text():
            break
        board.tab.keyboard.press("ArrowRight")
    board.tab.keyboard.press("Enter")
    wait_until_said(board, "GloVe")
    for _ in range(6):
        board.tab.keyboard.press("Tab")
        if board.tab.locator(".st-key-demo_size :focus").count():
            break
    board.tab.keyboard.press("ArrowRight")
    wait_until_said(board, "size 0.1")


def test_on_a_laptop_bars_and_histograms_stand_in_sight_and_no_sentence_moves_them(open_dashboard):
    board = open_dashboard(height=768)
    board.open("Why 0.9 means little")
    drawn(board)
    figure = board.tab.locator(".st-key-demo_raw_figure")
    start = figure.bounding_box()
    assert start["y"] + 0.7 * start["height"] < 768
    board.press("demo_shuffle")
    wait_until_said(board, "stands beside a stranger")
    assert figure.bounding_box()["y"] == start["y"]


def test_three_cards_are_built_alike_at_every_width(open_dashboard):
    for width in (1280, 1366, 1440, 1920):
        board = open_dashboard(width=width)
        board.open("Why 0.9 means little")
        drawn(board)
        heights = {board.tab.locator(f".st-key-demo_{name}_figure").bounding_box()["y"] for name in CARDS}
        assert max(heights) - min(heights) < 1, f"at {width} pixels the figures stand at {heights}"


def test_under_the_pointer_a_histogram_says_what_it_holds(open_dashboard):
    board = open_dashboard()
    board.open("Why 0.9 means little")
    drawn(board)
    plot = board.tab.locator(".st-key-demo_centred_figure .plot")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    plot.hover(position={"x": box["width"] * 0.6 / 1.61, "y": box["height"] * 0.8})
    said = board.tab.locator(".st-key-demo_centred_figure .read").inner_text()
    assert said.splitlines()[0] in ("cosine about 0.00", "cosine about 0.01", "cosine about −0.01")
    assert [line.split(":")[0] for line in said.splitlines()[1:]] == ["matched", "all others"]


def test_the_page_ends_at_the_audit(open_dashboard):
    board = open_dashboard()
    board.open("Why 0.9 means little")
    drawn(board)
    board.tab.get_by_role("link", name="Audit your own two files").click()
    board.tab.get_by_role("heading", level=1).filter(has_text="Cosine Floor").wait_for()
    board.settle()
