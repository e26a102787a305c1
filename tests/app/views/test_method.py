from pathlib import Path

import core
from core.glossary import GLOSSARY


def test_the_method_page_holds_every_section_of_the_methods(page):
    page.open("method.py")
    assert page.app.title[0].value == "Method"
    text = (Path(core.__file__).parent / "METHODS.md").read_text(encoding="utf-8")
    headings = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert len(headings) > 5
    assert [heading.value for heading in page.app.subheader] == headings


def test_the_method_page_explains_every_term_of_the_glossary(page):
    page.open("method.py")
    rows = page.app.table[0].value.to_numpy().tolist()
    for (term, entry), (shown, meaning) in zip(GLOSSARY.items(), rows, strict=True):
        assert term in shown.replace("\\", "")
        assert entry.sentence in meaning.replace("\\", "").replace("`", "").replace("\u2060", "")
