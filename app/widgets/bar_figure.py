"""A figure of few bars, with outlines of histograms below them, drawn by the browser itself.

One drawing stays in place and takes its new lengths, which is what makes it fast. Words are
set as text, never as HTML. Under the pointer the histograms say what they hold.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

__all__ = ["bar_figure"]

_HTML = """
<div class="figure" role="img">
  <div class="names"></div>
  <div class="plot"><div class="bars"></div><svg preserveAspectRatio="none" viewBox="0 0 1 1"></svg>
    <div class="mark"><span></span></div><div class="read"></div></div>
  <div class="ticks"></div>
</div>
"""

_CSS = """
.figure {
  display: grid; grid-template: minmax(0, 1fr) 1.7rem / max-content minmax(0, 1fr); column-gap: .6rem; height: 12rem;
  padding-right: .8rem; box-sizing: border-box; font-size: 1.125rem; line-height: 1; color: var(--st-text-color);
  font-family: var(--st-font); --rule: rgba(139, 147, 161, .28);
}
.plot { position: relative; z-index: 1; display: flex; flex-direction: column; min-width: 0; }
.names { display: flex; flex-direction: column; min-width: 0; }
.names, .bars { box-sizing: border-box; }
.names span { flex: 1; display: flex; align-items: center; justify-content: end; white-space: nowrap; }
.bars { position: relative; display: flex; flex-direction: column; }
.names, .bars { height: 100%; padding: 1.6rem 0 .3rem; }
.curved .names, .curved .bars { height: 38%; padding: 0 0 .5rem; }
.bars div { flex: 1; position: relative; }
.bars i { position: absolute; top: 14%; bottom: 14%; border-radius: 2px; }
svg { display: none; flex: 1 1 0; width: 100%; height: 0; overflow: visible; }
.curved svg { display: block; }
path { stroke-width: 2; vector-effect: non-scaling-stroke; fill-opacity: .45; stroke-linejoin: round; }
.mark { display: none; position: absolute; top: 0; bottom: 0; border-left: 3px dotted; }
.marked .mark { display: block; }
.mark span { position: absolute; left: .3rem; top: .1rem; white-space: nowrap; color: var(--st-text-color); }
.ticks { grid-column: 2; position: relative; }
.ticks span { position: absolute; top: .5rem; transform: translateX(-50%); }
.ticks span::before {
  content: ""; position: absolute; left: 50%; bottom: 1.6rem; height: 10.3rem; border-left: 1px solid var(--rule);
}
.ticks span.zero::before { border-left-color: rgba(139, 147, 161, .8); }
.read {
  position: absolute; left: 0; bottom: .3rem; padding: .25rem .4rem; white-space: pre-line; line-height: 1.3;
  font-size: .9rem; background: var(--st-background-color); border-radius: .25rem; pointer-events: none;
}
.read:empty { display: none; }
"""

_JS = """
const SVG = 'http://www.w3.org/2000/svg';

/** The place's child of that number, made if it is not there yet. */
function child(place, number, tag) {
  return place.children[number] ?? place.appendChild(
    tag === 'path' ? document.createElementNS(SVG, tag) : document.createElement(tag));
}

function trim(place, count) { while (place.children.length > count) place.lastChild.remove(); }

function write(element, text) { if (element.textContent !== text) element.textContent = text; }

function outline({ left, width, shares }, across, top) {
  const steps = shares.map((share, bin) => `V${1 - share / top}H${across(left + (bin + 1) * width)}`);
  return `M${across(left)} 1${steps.join('')}V1Z`;
}

/** What the histograms hold at one place of the axis. */
function held(curves, value) {
  const lines = curves.map(({ name, left, width, shares }) => {
    const share = shares[Math.floor((value - left) / width)] ?? 0;
    return `${name}: ${(100 * share).toFixed(1)}%`;
  });
  const about = (Math.round(100 * value) / 100 || 0).toFixed(2).replace('-', '\\u2212');
  return `cosine about ${about}\\n${lines.reverse().join('\\n')}`;
}

export default function ({ parentElement, data }) {
  const { low, high, ticks, bars, curves, mark, alt } = data;
  const across = (value) => (value - low) / (high - low);
  const figure = parentElement.querySelector('.figure');
  const part = (name) => figure.querySelector(name);
  figure.setAttribute('aria-label', alt);
  figure.classList.toggle('curved', curves.length > 0);
  figure.classList.toggle('marked', mark !== null);
  bars.forEach(({ name, value, says, colour }, number) => {
    write(child(part('.names'), number, 'span'), name);
    const bar = child(child(part('.bars'), number, 'div'), 0, 'i');
    const from = Math.max(across(Math.min(0, value)), 0);
    bar.style.left = `${100 * from}%`;
    bar.style.width = `${100 * (across(Math.max(0, value)) - from)}%`;
    bar.style.background = colour;
    bar.title = `${name}: ${says}`;
  });
  ticks.forEach(([value, label], number) => {
    const tick = child(part('.ticks'), number, 'span');
    tick.style.left = `${100 * across(value)}%`;
    tick.className = value === 0 ? 'zero' : '';
    write(tick, label);
  });
  const top = Math.max(...curves.flatMap(({ shares }) => shares));
  curves.forEach((curve, number) => {
    const path = child(part('svg'), number, 'path');
    path.setAttribute('d', outline(curve, across, top));
    path.setAttribute('fill', curve.colour);
    path.setAttribute('stroke', curve.colour);
  });
  trim(part('.names'), bars.length);
  trim(part('.bars'), bars.length);
  trim(part('svg'), curves.length);
  if (mark !== null) {
    part('.mark').style.left = `${100 * across(mark.value)}%`;
    part('.mark').style.borderLeftColor = mark.colour;
    write(part('.mark span'), mark.label);
  }
  const plot = part('.plot');
  const read = part('.read');
  plot.onpointermove = curves.length === 0 ? null : (event) => {
    const box = plot.getBoundingClientRect();
    write(read, held(curves, low + (high - low) * (event.clientX - box.left) / box.width));
  };
  plot.onpointerleave = () => write(read, '');
}
"""

_component = st.components.v2.component("bar_figure", html=_HTML, css=_CSS, js=_JS)


def bar_figure(drawn: dict[str, Any], *, key: str) -> None:
    """Draw what a function of `app.plots.demo` returns; its ``alt`` is what a screen reader says."""
    _component(data=drawn, key=key)
