"""A figure as SVG: inside an HTML page, or as a file of its own.

Text takes the colour of its surroundings (``currentColor``). Every coloured element has a
class named after its role, so that a page can theme it, and its plain colour beside it for
programs that read no style sheet. Texts are few and short and have room around them: a page
may enlarge them on a narrow screen. Nothing is fetched and nothing runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from html import escape

from core.report.figures import Bar, BarChart, Bins, Figure, Histogram, Intervals, Mark, Panel, Point, Role
from core.report.names import visible

__all__ = ["COLOURS", "to_svg"]

#: Mid tones that stand on white and on near-black, and differ for every kind of colour vision.
COLOURS: dict[Role, str] = {
    "matched": "#3B82F6",
    "floor": "#E07B39",
    "raw": "#8B93A1",
    "centred": "#3B82F6",
    "line": "#8B93A1",
}

WIDTH = 640
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_FONT_SIZE = 12.5

#: Around the axes of a histogram: room for shares at the left, a panel's own head, ticks below.
_LEFT, _RIGHT, _LEGEND, _HEAD, _PLOT, _FOOT, _AXIS = 56, 12, 34, 38, 150, 40, 20

#: Letters of a panel's title beside which the names of its marks have room; else they get a line.
_BESIDE, _LINE = 21, 24

#: Of a bar chart: room for figures at the right, and the bars.
_FIGURES, _BAR, _BETWEEN, _APART = 96, 22, 4, 20

#: Width of a letter where a page enlarges the texts, and bounds of the room for labels.
_LETTER, _FEWEST, _MOST = 11.5, 116, 280

#: Of points with intervals: room for names at the left, and between two points and two groups.
_NAMES, _POINT, _GROUP = 190, 18, 46

_ALONE = (
    "<style>svg{color:#1c2430;background:#fff}"
    "@media (prefers-color-scheme:dark){svg{color:#e6e9ef;background:#12161d}}</style>"
)


def to_svg(figure: Figure, *, alone: bool = False) -> str:
    """A figure as one ``svg`` element; `alone` makes it a file that stands by itself."""
    if isinstance(figure, Histogram):
        drawn, height = _histogram(figure)
    elif isinstance(figure, BarChart):
        drawn, height = _bar_chart(figure)
    else:
        drawn, height = _intervals(figure)
    name = escape(figure.name)
    space, style = (' xmlns="http://www.w3.org/2000/svg" color="#1c2430"', _ALONE) if alone else ("", "")
    head = (
        f'<svg{space} viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc" font-family="{escape(_FONT)}" font-size="{_FONT_SIZE}" '
        'fill="currentColor">'
        f'<title id="{name}-title">{_safe(figure.title)}</title>'
        f'<desc id="{name}-desc">{_safe(figure.description)}</desc>{style}'
    )
    return "\n".join([head, *drawn, "</svg>"]) + ("\n" if alone else "")


# ---------------------------------------------------------------- histograms


def _histogram(figure: Histogram) -> tuple[list[str], int]:
    x = _scale(figure.low, figure.high, _LEFT, WIDTH - _RIGHT)
    beside = max(len(panel.title) for panel in figure.panels) <= _BESIDE
    head = _HEAD if beside else _HEAD + _LINE
    each = head + _PLOT + _FOOT
    entries = [(bins.role, bins.label) for bins in reversed(figure.panels[0].bins)]
    drawn = [_legend(entries, note="dotted: mean")]
    for place, panel in enumerate(figure.panels):
        drawn += _panel(panel, x, figure, top=_LEGEND + place * each, head=head)
    bottom = _LEGEND + len(figure.panels) * each
    drawn.append(_text(figure.axis, (_LEFT + WIDTH - _RIGHT) / 2, bottom + 6, anchor="middle"))
    return drawn, bottom + _AXIS


def _panel(panel: Panel, x: Callable[[float], float], figure: Histogram, *, top: int, head: int) -> list[str]:
    base = top + head + _PLOT
    highest = max(max(bins.shares) for bins in panel.bins)
    y = _scale(0.0, highest, base, top + head)
    drawn = [
        _text(panel.title, 0, top + 20, weight="600"),
        *_mark_texts(panel.marks, top + head - 18),
        *(_share_line(tick, y(tick)) for tick in _ticks(0.0, highest, about=4)),
        *(_area(bins, x, y) for bins in panel.bins),
        *(_vertical(mark, x(mark.value), top + head, base) for mark in panel.marks),
        *(_below(tick, x(tick), base) for tick in _ticks(figure.low, figure.high, about=8)),
    ]
    return [f'<g class="panel" id="{escape(figure.name)}-{escape(panel.name.lower())}">', *drawn, "</g>"]


def _mark_texts(marks: tuple[Mark, ...], y: int) -> Iterable[str]:
    """Names of the marks from the right edge, each in its colour."""
    for place, mark in enumerate(marks):
        yield _text(mark.text, WIDTH - _RIGHT - 180 * place, y, anchor="end", role=mark.role)


def _area(bins: Bins, x: Callable[[float], float], y: Callable[[float], float]) -> str:
    """One outline over all bins: bars side by side would show seams."""
    edges = (x(bins.start + place * bins.width) for place in range(1, len(bins.shares) + 1))
    steps = "".join(f"V{y(share):.3f}H{edge:.3f}" for share, edge in zip(bins.shares, edges, strict=True))
    colour = COLOURS[bins.role]
    return (
        f'<path class="{bins.role} area" d="M{x(bins.start):.3f} {y(0):.3f}{steps}V{y(0):.3f}Z" fill="{colour}" '
        f'fill-opacity="0.4" stroke="{colour}" stroke-width="1.2"/>'
    )


def _share_line(tick: float, y: float) -> str:
    """A line across at a share, and its label."""
    opacity = "0.55" if tick == 0 else "0.14"
    return (
        f'<path d="M{_LEFT} {y:.2f}H{WIDTH - _RIGHT}" stroke="currentColor" stroke-opacity="{opacity}" fill="none"/>'
        + _text(f"{100 * tick:g}%", _LEFT - 8, y + 4, anchor="end", muted=True)
    )


# ---------------------------------------------------------------- bars


def _bar_chart(figure: BarChart) -> tuple[list[str], int]:
    room = min(max(12 + _LETTER * max(len(group.label) for group in figure.groups), _FEWEST), _MOST)
    x = _scale(figure.low, 1.0, room, WIDTH - _FIGURES)
    drawn = [_legend(figure.legend, note=f"dotted: {figure.mark.text}" if figure.mark else "")]
    top = _LEGEND + 4
    for group in figure.groups:
        high = len(group.bars) * (_BAR + _BETWEEN) - _BETWEEN
        drawn.append(_text(group.label, room - 12, top + high / 2 + 5, anchor="end"))
        drawn += [_bar(bar, x, top + place * (_BAR + _BETWEEN)) for place, bar in enumerate(group.bars)]
        top += high + _APART
    base = top - _APART + 8
    drawn.append(_line_of(x(0), _LEGEND, base))
    if figure.mark:
        drawn.append(_vertical(figure.mark, x(figure.mark.value), _LEGEND, base))
    drawn += [_below(tick, x(tick), base) for tick in (0.0, 0.25, 0.5, 0.75, 1.0)]
    return drawn, base + 34


def _bar(bar: Bar, x: Callable[[float], float], top: float) -> str:
    if bar.value is None:
        return _text(bar.text, x(0) + 8, top + _BAR / 2 + 4.5, muted=True)
    left, right = sorted((x(0), x(bar.value)))
    return (
        f'<rect class="{bar.role} bar" x="{left:.3f}" y="{top:.2f}" width="{right - left:.3f}" height="{_BAR}" '
        f'fill="{COLOURS[bar.role]}"/>' + _text(bar.text, right + 8, top + _BAR / 2 + 4.5)
    )


# ---------------------------------------------------------------- points with intervals


def _intervals(figure: Intervals) -> tuple[list[str], int]:
    x = _scale(figure.low, figure.high, _NAMES, WIDTH - _RIGHT)
    base = _LEGEND + 8 + _GROUP * len(figure.groups)
    drawn = [_legend(figure.legend, note="bars: 95% intervals")]
    if figure.band:
        left, right = (x(min(max(end, figure.low), figure.high)) for end in figure.band)
        drawn.append(
            f'<rect x="{left:.2f}" y="{_LEGEND}" width="{right - left:.2f}" height="{base - _LEGEND}" '
            'fill="currentColor" fill-opacity="0.08"/>'
        )
    drawn.append(_vertical(Mark(role="line", value=0.0, text="0"), x(0), _LEGEND, base))
    for place, group in enumerate(figure.groups):
        middle = _LEGEND + 4 + _GROUP * (place + 0.5)
        first = middle + 4.5 - 8 * (len(group.label) - 1)
        drawn += [_text(line, _NAMES - 12, first + 16 * k, anchor="end") for k, line in enumerate(group.label)]
        start = middle - _POINT * (len(group.points) - 1) / 2
        drawn += [_point(point, x, start + _POINT * k) for k, point in enumerate(group.points)]
    drawn += [_below(tick, x(tick), base) for tick in _ticks(figure.low, figure.high, about=5)]
    drawn.append(_text(figure.axis, (_NAMES + WIDTH - _RIGHT) / 2, base + 42, anchor="middle", muted=True))
    return drawn, base + 50


def _point(point: Point, x: Callable[[float], float], y: float) -> str:
    colour = COLOURS[point.role]
    line = ""
    if point.low is not None and point.high is not None:
        low, high = x(point.low), x(point.high)
        ends = f"M{low:.2f} {y - 4:.2f}v8M{high:.2f} {y - 4:.2f}v8"
        line = (
            f'<path class="{point.role} mark" d="M{low:.2f} {y:.2f}H{high:.2f}{ends}" stroke="{colour}" '
            'stroke-width="2" fill="none"/>'
        )
    return f'{line}<circle class="{point.role}" cx="{x(point.value):.2f}" cy="{y:.2f}" r="4.5" fill="{colour}"/>'


# ---------------------------------------------------------------- what all are drawn with


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """From units of the data to places."""
    return lambda value: start + (value - low) / (high - low) * (end - start)


def _ticks(low: float, high: float, *, about: int) -> list[float]:
    """Round numbers in [low, high], steps of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 12) + 0.0 for place in range(first, last + 1)]


def _legend(entries: Iterable[tuple[Role, str]], *, note: str) -> str:
    """One line of text, so that it flows at any size: a coloured square and a word each."""
    parts = []
    for place, (role, label) in enumerate(entries):
        gap = ' dx="16"' if place else ""
        parts.append(f'<tspan class="{role}" fill="{COLOURS[role]}"{gap}>■</tspan><tspan dx="5">{_safe(label)}</tspan>')
    if note:
        parts.append(f'<tspan class="muted" dx="16" fill-opacity="0.75">{_safe(note)}</tspan>')
    return f'<text x="0" y="16">{"".join(parts)}</text>'


def _vertical(mark: Mark, x: float, top: float, base: float) -> str:
    return (
        f'<path class="{mark.role} mark" d="M{x:.3f} {top:.2f}V{base:.2f}" stroke="{COLOURS[mark.role]}" '
        'stroke-width="2" stroke-dasharray="2 3" fill="none"/>'
    )


def _line_of(x: float, top: float, base: float) -> str:
    return f'<path d="M{x:.2f} {top}V{base:.2f}" stroke="currentColor" stroke-opacity="0.55" fill="none"/>'


def _below(tick: float, x: float, base: float) -> str:
    """A tick and its number under an axis, with a true minus sign."""
    return f'<path d="M{x:.2f} {base:.2f}v5" stroke="currentColor" stroke-opacity="0.55" fill="none"/>' + _text(
        f"{tick:g}".replace("-", "−"), x, base + 22, anchor="middle", muted=True
    )


def _text(
    text: str,
    x: float,
    y: float,
    *,
    anchor: str = "start",
    weight: str = "400",
    role: Role | None = None,
    muted: bool = False,
) -> str:
    look = f' class="{role}" fill="{COLOURS[role]}"' if role else ""
    look += ' class="muted" fill-opacity="0.75"' if muted else ""
    look += "" if weight == "400" else f' font-weight="{weight}"'
    return f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}"{look}>{_safe(text)}</text>'


def _safe(text: str) -> str:
    """Text that no XML reader takes for anything else."""
    return escape(visible(text))
