"""File names that would do something if a report did not show them literally."""

from __future__ import annotations

from dataclasses import replace

from core.errors import Notice

HOSTILE_NAMES = {
    "markdown": "**bold** _it_ `code` ~~gone~~ # head.npy",
    "link": "[click](javascript:alert(1)).npy",
    "picture": "![](http://evil.example/pixel.png)",
    "bare address": "see http://evil.example and www.evil.example now.npy",
    "mention": "@everyone #1 me@evil.example.npy",
    "emoji and icon": ":warning: :material/delete: :red[x].npy",
    "table": "a | b || c\\| d \\.npy",
    "html": "<img src=x onerror=alert(1)> &lt;b&gt; &amp;.npy",
    "maths": "$x^2$ $$y$$.npy",
    "latex": "\\input{/etc/passwd} {~^_%&#$} \\\\[2cm].npy",
    "bracket first": "[x] *y.npy",
    "list": "- item.npy",
    "number first": "1. item.npy",
    "heading": "# head.npy",
    "formula": "=cmd|' /C calc'!A0.npy",
    "formula by plus": "+1+1.npy",
    "formula by at": "@SUM(1;1).npy",
    "full-width formula": "＝1+1.npy",
    "quotes": "say \"hi\", it's 'me'.npy",
    "newline": "a.npy\n\n# Owned\n\n| x |",
    "carriage return": "a\r\nb.npy",
    "tab first": "\t=1+1.npy",
    "right to left": "evil\u202eyp.exe.npy",
    "invisible": "a\u200bb\ufeffc\u2066d\u2028e.npy",
    "surrogate": "caf\udce9.npy",
    "long": "x" * 300 + ".npy",
    "long and escaped": "*" * 300,
    "braces": "100%25 %s %d {0} {x}.npy",
}


def under_the_name(audit, name):
    """The same audit, as if A and its fit array had been files of this name."""
    notice = Notice(code="duplicate_rows", side="a", text=f"{name}: 2 of 60 rows are exact duplicates.")
    return replace(
        audit,
        a=replace(audit.a, name=name),
        fit_a=replace(audit.a, name=name),
        mean_a=replace(audit.mean_a, from_fit_file=True),
        notices=(notice,),
    )
