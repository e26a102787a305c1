"""How an HTML report looks: on a light or dark screen, on a phone, and on A4 paper."""

from __future__ import annotations

__all__ = ["STYLE"]

_LIGHT = """\
--paper: #ffffff; --card: #f6f8fb; --ink: #1c2430; --soft: #56606f; --rule: #d9dfe8;
--accent: #1f5fd6; --warn: #9a4a06; --warn-card: #fdf3e7;
--matched: #2563eb; --floor: #b9560f; --raw: #858e9e; --centred: #2563eb; --line: #4b5563;"""

_DARK = """\
--paper: #12161d; --card: #1a2029; --ink: #e6e9ef; --soft: #a3adbc; --rule: #303947;
--accent: #86b3ff; --warn: #f3b06a; --warn-card: #2b2117;
--matched: #74a9ff; --floor: #f0a05a; --raw: #97a1b0; --centred: #74a9ff; --line: #c3cad5;"""

STYLE = f"""
:root {{ color-scheme: light dark; {_LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}
* {{ box-sizing: border-box; }}
html {{ -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }}
body {{
  margin: 0; background: var(--paper); color: var(--ink); line-height: 1.55;
  overflow-wrap: break-word;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}}
header, main, footer {{ max-width: 54rem; margin: 0 auto; padding: 0 1.25rem; }}
header {{ padding-top: 2.5rem; }}
h1 {{ font-size: 1.85rem; line-height: 1.2; letter-spacing: -.015em; margin: 0 0 .4rem; }}
h2 {{ font-size: 1.2rem; line-height: 1.3; margin: 2.75rem 0 .9rem; }}
h3 {{ font-size: 1rem; line-height: 1.35; margin: 0 0 .6rem; }}
p, ul {{ margin: 0 0 .8rem; }}
.kicker {{ color: var(--accent); font-size: .8rem; font-weight: 650; letter-spacing: .06em; margin: 0 0 .5rem; }}
.subject {{ color: var(--soft); overflow-wrap: anywhere; margin: 0; }}
.finding {{
  background: var(--card); border: 1px solid var(--rule); border-left: 4px solid var(--accent);
  border-radius: 8px; margin-top: 1.6rem; padding: 1.1rem 1.3rem .5rem;
}}
.finding h2 {{ margin: 0 0 .5rem; color: var(--soft); font-size: .85rem; font-weight: 600; }}
.reading {{ font-size: 1.12rem; line-height: 1.5; }}
.headline {{ font-size: 1.14rem; line-height: 1.45; font-weight: 650; }}
.warning {{ background: var(--warn-card); border-left: 4px solid var(--warn); border-radius: 6px; }}
.warning, .note {{ margin: .9rem 0 0; padding: .7rem 1rem; }}
.note {{ border-left: 4px solid var(--rule); }}
.warning strong {{ color: var(--warn); }}
figure {{ margin: 0 0 1.4rem; border: 1px solid var(--rule); border-radius: 8px; padding: 1rem 1.2rem .8rem; }}
figcaption {{ font-weight: 600; margin-bottom: .6rem; }}
svg {{ display: block; width: 100%; height: auto; }}
.matched {{ fill: var(--matched); }} .floor {{ fill: var(--floor); }}
.raw {{ fill: var(--raw); }} .centred {{ fill: var(--centred); }}
.area.matched {{ stroke: var(--matched); }} .area.floor {{ stroke: var(--floor); }}
.mark {{ fill: none; }}
.mark.matched {{ stroke: var(--matched); }} .mark.floor {{ stroke: var(--floor); }}
.mark.line {{ stroke: var(--line); }}
/* What is cut off at an edge casts a shadow there: the covers scroll along, the shadows stay. */
.wide {{
  overflow-x: auto; margin: 0 0 1.6rem;
  background: linear-gradient(90deg, var(--paper) 60%, transparent) left / 2.5rem 100% local no-repeat,
    linear-gradient(270deg, var(--paper) 60%, transparent) right / 2.5rem 100% local no-repeat,
    linear-gradient(90deg, var(--rule), transparent) left / .9rem 100% no-repeat,
    linear-gradient(270deg, var(--rule), transparent) right / .9rem 100% no-repeat;
}}
.below {{ color: var(--soft); font-size: .88rem; margin: -1rem 0 1.6rem; }}
.wide:focus-visible {{ outline: 2px solid var(--accent); outline-offset: 3px; }}
table {{ border-collapse: collapse; width: 100%; font-size: .92rem; }}
th, td {{ padding: .42rem .7rem; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; }}
th {{ font-weight: 500; }}
thead th, thead td {{ color: var(--soft); font-size: .85rem; vertical-align: bottom; }}
thead th, thead td {{ border-bottom: 1px solid var(--soft); }}
th:first-child, td:first-child {{ padding-left: 0; }}
.number {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
thead .number {{ white-space: normal; min-width: 5rem; }}
.words td {{ overflow-wrap: break-word; min-width: 5.5em; }}
.words td:last-child {{ overflow-wrap: anywhere; }}
.words tbody th {{ white-space: normal; min-width: 9em; max-width: 20em; }}
tbody th {{ white-space: nowrap; padding-right: 1.5rem; }}
pre {{
  background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: .9rem 1.1rem;
  white-space: pre-wrap; overflow-wrap: anywhere; font-size: .88rem; margin: 0 0 1rem;
}}
code, .digest {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 0 0 1rem; font-size: .88rem; }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
footer {{ color: var(--soft); font-size: .85rem; padding-top: 1.6rem; padding-bottom: 3rem; }}
/* A table wider than the text may use the room beside it before anything of it is cut off. */
@media screen and (min-width: 64rem) {{
  .wide {{ width: max-content; min-width: 100%; max-width: calc(50vw + 23.75rem); }}
}}
@media (max-width: 40rem) {{
  h1 {{ font-size: 1.5rem; }}
  figure {{ padding: .8rem .7rem .5rem; }}
  svg text {{ font-size: 20.5px; }}
  .wide {{ margin-bottom: 2rem; }}
  .words tbody th {{ min-width: 6.5em; }}
  .figures tbody th {{ white-space: normal; padding-right: .6rem; }}
}}
@page {{ size: A4; margin: 16mm 15mm 18mm; }}
@media print {{
  :root {{ color-scheme: light; {_LIGHT} }}
  * {{ print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
  /* A ligature is one character in a PDF: "floor" could not be found in it. */
  body {{ font-size: 9.5pt; line-height: 1.45; font-variant-ligatures: none; }}
  header, main, footer {{ max-width: none; padding-left: 0; padding-right: 0; }}
  header {{ padding-top: 0; }}
  h1 {{ font-size: 17pt; }}
  h2 {{ font-size: 12pt; margin: 1.6rem 0 .6rem; break-after: avoid; }}
  h3 {{ font-size: 9.5pt; margin-bottom: .35rem; }}
  .reading {{ font-size: 11pt; }} .headline {{ font-size: 10.5pt; }}
  .finding, .warning, .note, figure, tr, pre, dl, .wide.short:has(.figures) {{ break-inside: avoid; }}
  h3, thead {{ break-after: avoid; }}
  figure {{ padding: .7rem 1rem .4rem; margin-bottom: .9rem; }}
  svg {{ max-width: 148mm; }}
  /* Two small figures side by side go first: they fill the sheet of the verdict, where a large one has no room. */
  .figures-board {{ display: grid; grid-template-columns: 1fr 1fr; gap: .9rem; }}
  .figures-board figure {{ grid-column: span 2; margin: 0; }}
  .figures-board .bars:has(~ .bars), .figures-board .bars ~ .bars {{ grid-column: span 1; order: -1; }}
  .wide {{ overflow: visible; margin-bottom: 1.2rem; background: none; }}
  .words td {{ min-width: 0; overflow-wrap: anywhere; }}
  table, .below {{ font-size: 8.5pt; }}
  thead th, thead td {{ font-size: 8pt; }}
  .figures tbody th {{ white-space: normal; min-width: 7em; padding-right: .5rem; }}
  thead .number {{ min-width: 0; hyphens: auto; }}
  th, td {{ padding: .28rem .5rem; }}
  svg text {{ font-size: 12.5px; }}
  .figures-board .bars:has(~ .bars) text, .figures-board .bars ~ .bars text {{ font-size: 20.5px; }}
  p, li {{ orphans: 3; widows: 3; }}
  footer {{ padding: .4rem 0 0; break-before: avoid; }}
}}
"""
