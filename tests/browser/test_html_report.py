"""The HTML report as its receiver meets it: opened with no network, light, dark, narrow, and on paper."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from pypdf import PdfReader

from core.report import document, to_html
from tests.core.report.hostile_names import HOSTILE_NAMES, under_the_name

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "sample_data" / "glove_50d"
FILES = ["a.npy", "b.npy", "--fit-a", "fit_a.npy", "--fit-b", "fit_b.npy", "--seed", "7"]
EXAMPLE = [ROOT / "sample_data" / "e5_small" / name for name in ("a.npy", "b.npy")]

#: What a text would need to be read, by the rule of WCAG 2 (contrast of 4.5 to 1), of every text on the page.
FAINT_TEXTS = """() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => {
    const [r, g, b] = parts(colour).map(c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if ((parts(colour)[3] ?? 1) > 0) return colour;
    }
  };
  const faint = [];
  for (const element of document.querySelectorAll('body *')) {
    if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
    if (['TITLE', 'DESC', 'title', 'desc'].includes(element.tagName)) continue;
    const style = getComputedStyle(element), drawn = element instanceof SVGElement, back = parts(behind(element));
    const share = drawn ? Number(style.fillOpacity) : 1;
    const front = parts(drawn ? style.fill : style.color).slice(0, 3).map((c, i) => c * share + back[i] * (1 - share));
    const [a, b] = [light(`rgb(${front})`), light(behind(element))];
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (contrast < 4.5 && element.textContent.trim() !== '■')
      faint.push(`${element.textContent.trim().slice(0, 40)}: ${contrast.toFixed(2)}`);
  }
  return faint;
}"""


def command_line(*arguments, folder=ROOT):
    """What `python -m core` prints, in a process of its own."""
    command = [sys.executable, "-m", "core", *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=True, timeout=60
    )
    return done.stdout


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of an audit with fit arrays, as a file."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    command_line(*FILES, "--format", "html", "--output", path, folder=FOLDER)
    return path


@pytest.fixture(scope="module")
def said():
    """The same audit as JSON."""
    return json.loads(command_line(*FILES, folder=FOLDER))


@pytest.fixture
def opened(chromium, report):
    """`opened(scheme, width)`: the report in a browser without network; any complaint fails the test."""
    contexts, complaints = [], []

    def opener(scheme="light", width=1100):
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda line: complaints.append(line.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("request", lambda made: made.url == report.as_uri() or complaints.append(made.url))
        tab.goto(report.as_uri())
        return tab

    yield opener
    for context in contexts:
        context.close()
    assert complaints == []


def keep(tab, name):
    """A picture, if asked for."""
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        tab.screenshot(path=f"{folder}/report-{name}.png", full_page=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1366, 390])
def test_it_opens_without_a_network_and_can_be_read(opened, said, scheme, width):
    tab = opened(scheme, width)
    keep(tab, f"{scheme}-{width}")
    assert said["reading"].replace("-0.", "−0.") in tab.locator(".finding").inner_text()
    assert tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    paper = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 22, 29)"}[scheme]
    assert tab.evaluate(FAINT_TEXTS) == []


@pytest.fixture(scope="module")
def two_models(tmp_path_factory):
    """A report with longer labels beside its bars."""
    path = tmp_path_factory.mktemp("two_models") / "two_models.html"
    files = ROOT / "sample_data" / "minilm" / "a.npy", EXAMPLE[1]
    command_line("two-models", *files, "--format", "html", "--output", path)
    return path


@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.parametrize("kind", ["report", "two_models"])
def test_no_two_texts_of_a_figure_lie_on_each_other(chromium, request, width, kind):
    context = chromium.new_context(viewport={"width": width, "height": 900}, offline=True)
    tab = context.new_page()
    tab.goto(request.getfixturevalue(kind).as_uri())
    boxes = """figure => [...figure.querySelectorAll('text')].map(t => {
      const box = t.getBoundingClientRect(); return [t.textContent, box.left, box.right, box.top, box.bottom]; })"""
    for figure in tab.locator("figure").all():
        frame = figure.bounding_box()
        texts = figure.evaluate(boxes)
        assert len(texts) > 6
        for place, (text, left, right, top, bottom) in enumerate(texts):
            assert left >= frame["x"], text
            assert right <= frame["x"] + frame["width"], text
            for other, start, end, high, low in texts[place + 1 :]:
                apart = end <= left or right <= start
                # Boxes hold the leading as well; letters fill about the middle 70%.
                lines_apart = 0.7 * (bottom - top) <= abs((top + bottom) - (high + low)) / 2
                assert apart or lines_apart, (text, other)
    context.close()


def test_wide_tables_can_be_scrolled_by_keyboard_on_a_phone(opened):
    tab = opened(width=390)
    wide = tab.locator(".wide", has=tab.get_by_role("columnheader", name="Cohen's d")).first
    assert wide.evaluate("e => e.scrollWidth > e.clientWidth")
    wide.focus()
    tab.keyboard.press("ArrowRight")
    tab.wait_for_function("e => e.scrollLeft > 0", arg=wide.element_handle())


@pytest.mark.parametrize("width", [1366, 390])
def test_no_name_of_a_file_stretches_the_page_or_does_anything(chromium, ordinary, tmp_path, width):
    context = chromium.new_context(viewport={"width": width, "height": 900}, offline=True)
    tab = context.new_page()
    complaints = []
    tab.on("console", lambda line: complaints.append(line.text))
    tab.on("dialog", lambda dialog: complaints.append(dialog.message))
    tab.on("request", lambda made: made.url.startswith("file:") or complaints.append(made.url))
    for place, name in enumerate(HOSTILE_NAMES.values()):
        file = tmp_path / f"{place}.html"
        file.write_text(to_html(document(under_the_name(ordinary, name))), encoding="utf-8")
        tab.goto(file.as_uri())
        wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide == 0, name
    context.close()
    assert complaints == []


def squeezed(text):
    return "".join(text.split())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper_it_is_a4_light_and_complete(opened, said, report, scheme, tmp_path):
    tab = opened(scheme)
    paper = tmp_path / "report.pdf"
    tab.pdf(path=paper, prefer_css_page_size=True, print_background=True)
    if os.environ.get("SCREENSHOTS"):
        (Path(os.environ["SCREENSHOTS"]) / f"report-{scheme}.pdf").write_bytes(paper.read_bytes())
    sheets = PdfReader(paper).pages
    assert 2 <= len(sheets) <= 8
    assert "Partner ranked first" in sheets[0].extract_text(), "the sheet of the verdict has room for figures"
    for sheet in sheets:
        assert [float(side) for side in sheet.mediabox[2:]] == pytest.approx([595.3, 841.9], abs=1.5)
        assert len(sheet.extract_text().split()) > 20
    text = squeezed("".join(sheet.extract_text() for sheet in sheets))
    assert squeezed(said["reading"].replace("-0.", "−0.")) in text
    assert squeezed("python -m core a.npy b.npy --fit-a fit_a.npy --fit-b fit_b.npy --seed 7") in text
    for found in said["inputs"].values():
        assert found["sha256"] in text
    for name in ("raw", "centred"):
        for key in ("matched", "floor", "gap", "floor_sd"):
            assert f"{said[name][key]:.4f}".replace("-", "−") in text
    tab.emulate_media(media="print")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.evaluate(FAINT_TEXTS) == []


def test_the_page_gives_the_same_report_and_its_figures(open_dashboard):
    board = open_dashboard()
    board.press("example")
    board.drawn()
    board.tab.get_by_role("tab", name="Report (HTML)").click()
    board.picture("8-html")
    with board.tab.expect_download() as download:
        board.press("download_html")
    assert download.value.suggested_filename == "cosine_floor.html"
    assert Path(download.value.path()).read_text(encoding="utf-8") == command_line(*EXAMPLE, "--format", "html")
    with board.tab.expect_download() as download:
        board.press("download_matched_over_floor")
    assert download.value.suggested_filename == "cosine_floor_matched_over_floor.svg"
    assert ET.parse(download.value.path()).getroot().tag.endswith("}svg")  # noqa: S314 - our own output


def test_a_chart_saves_itself_as_png(open_dashboard):
    board = open_dashboard()
    board.press("example")
    board.drawn()
    chart = board.tab.locator(".st-key-histograms")
    chart.hover()
    with board.tab.expect_download() as download:
        chart.locator(".modebar-btn").click()
    assert download.value.suggested_filename == "cosine_floor.png"
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
