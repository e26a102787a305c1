"""How our own words look in text that is copied, written out by hand."""

SIGNS = (("−", "-"), ("–", "-"), ("“", '"'), ("”", '"'), ("’", "'"), ("×", "x"), ("±", "+/-"), ("…", "..."))


def as_copied(text):
    for typographic, plain in SIGNS:
        text = text.replace(typographic, plain)
    return text
