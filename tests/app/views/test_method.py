from pathlib import Path

import core
from core.glossary import GLOSSARY


def test_the_method_page_holds_every_section_of_the_methods(page):
    page.open("method.py")
    assert page.app.title[0].value == "Method"
    text = (Path(core.__file__).parent / "METHODS.md").read_text(encoding="utf-8")
    headings = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert len(headings) > 5
    shown = "\n".join(str(markdown.value) for markdown in page.app.markdown)
    assert all(heading in shown for heading in headings)


def test_the_method_page_explains_every_term_of_the_glossary(page):
    page.open("method.py")
    shown = "\n".join(map(str, page.app.table[0].value.to_numpy().ravel()))
    assert all(term in shown for term in GLOSSARY)
