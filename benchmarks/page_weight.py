"""What the audit page loads, and how long the example takes to its first result.

    python benchmarks/page_weight.py --times 5

Starts the real server and opens the page in a browser: once with an empty cache, once with
the cache that this leaves, and then runs the example. Bytes on the wire are those of the
network, headers included; unpacked is what the browser gets out of them. The clock of the
example runs in the page, from the click to the first frame that shows the verdict; the first
run of a server also imports what an audit needs and is given apart.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))

from demo_latency import server

LARGEST = 6
EXAMPLE = "Try it with real embeddings"
HEADLINE = ".st-key-headline"

#: Starts a clock at the next click; the promise ends at the first frame with a headline.
CLOCK = f"""
() => {{
  window.answered = new Promise((resolve) => document.addEventListener('pointerup', () => {{
    const start = performance.now();
    const look = () => {{
      if (document.querySelector('{HEADLINE}')?.textContent) {{
        requestAnimationFrame(() => resolve(performance.now() - start));
      }} else setTimeout(look, 5);
    }};
    look();
  }}, {{capture: true, once: true}}));
}}
"""


class Loads:
    """Every request of one page, by the browser's own count."""

    def __init__(self, page: Any) -> None:
        self.session = page.context.new_cdp_session(page)
        self.session.send("Network.enable")
        self.requests: dict[str, dict[str, Any]] = defaultdict(
            lambda: {"wire": 0, "unpacked": 0, "kind": "", "name": "", "cached": False}
        )
        self.messages = [0, 0]
        self.session.on("Network.responseReceived", self._response)
        self.session.on("Network.dataReceived", self._data)
        self.session.on("Network.loadingFinished", self._finished)
        self.session.on("Network.requestServedFromCache", lambda event: self._cached(event["requestId"]))
        self.session.on("Network.webSocketFrameReceived", self._message)

    def _response(self, event: dict[str, Any]) -> None:
        one, response = self.requests[event["requestId"]], event["response"]
        one["kind"], one["name"] = event["type"], Path(urlsplit(response["url"]).path).name or "/"
        one["cached"] |= bool(response.get("fromDiskCache"))

    def _data(self, event: dict[str, Any]) -> None:
        self.requests[event["requestId"]]["unpacked"] += event["dataLength"]

    def _finished(self, event: dict[str, Any]) -> None:
        self.requests[event["requestId"]]["wire"] = event["encodedDataLength"]

    def _cached(self, request: str) -> None:
        self.requests[request]["cached"] = True

    def _message(self, event: dict[str, Any]) -> None:
        response = event["response"]
        text = response["payloadData"]
        self.messages[0] += 1
        self.messages[1] += len(text) * 3 // 4 if response["opcode"] == 2 else len(text)

    def told(self, title: str) -> None:
        """Print the sums, by kind, and the largest."""
        every = [one for one in self.requests.values() if one["kind"]]
        kinds: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for one in every:
            kinds[one["kind"]].append(one)
        print(f"\n{title}: {_sums(every)}")
        for kind, ones in sorted(kinds.items(), key=lambda item: -sum(one["wire"] for one in item[1])):
            print(f"  {kind:12} {_sums(ones)}")
        for one in sorted(every, key=lambda one: -one["wire"])[:LARGEST]:
            print(f"    {one['name'][:44]:44} {_kb(one['wire'])} on the wire, {_kb(one['unpacked'])} unpacked")
        print(f"  messages     {self.messages[0]}, {_kb(self.messages[1])}")


def _sums(requests: list[dict[str, Any]]) -> str:
    cached = sum(one["cached"] for one in requests)
    wire, unpacked = (sum(one[what] for one in requests) for what in ("wire", "unpacked"))
    kept = f" ({cached} from the cache)" if cached else ""
    return f"{len(requests)} requests{kept}, {_kb(wire)} on the wire, {_kb(unpacked)} unpacked"


def _kb(size: float) -> str:
    return f"{size / 1000:,.0f} kB"


def opened(page: Any, address: str) -> float:
    """Milliseconds until the example can be pressed."""
    start = time.perf_counter()
    page.goto(address)
    page.get_by_text(EXAMPLE).first.wait_for(timeout=60_000)
    passed = 1000 * (time.perf_counter() - start)
    page.wait_for_load_state("networkidle")
    time.sleep(2)
    return passed


def example(page: Any) -> float:
    """Milliseconds from the click to the first result."""
    page.evaluate(CLOCK)
    page.get_by_text(EXAMPLE).first.click()
    passed: float = page.evaluate("() => window.answered")
    page.locator(".js-plotly-plot").first.wait_for(timeout=60_000)
    page.wait_for_load_state("networkidle")
    time.sleep(2)  # what comes after the first result: figures, tables
    return passed


def measure(address: str, times: int) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"))
        context = browser.new_context(viewport={"width": 1366, "height": 900})
        with_nothing = context.new_page()
        loads = Loads(with_nothing)
        first = opened(with_nothing, address)
        loads.told(f"Empty cache, page there after {first:.0f} ms")
        loads = Loads(with_nothing)
        cold = example(with_nothing)
        loads.told(f"First run of the example, result after {cold:.0f} ms")
        with_nothing.close()
        taken = []
        for turn in range(times):
            page = context.new_page()
            loads = Loads(page)
            again = opened(page, address)
            if turn == 0:
                loads.told(f"Warm cache, page there after {again:.0f} ms")
            taken.append(example(page))
            page.close()
        browser.close()
    shown = ", ".join(f"{milliseconds:.0f}" for milliseconds in taken)
    print(f"\nExample, click to first result, later runs: median {statistics.median(taken):.0f} ms of {shown}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=5, help="runs of the example after the first")
    times = parser.parse_args().times
    load = ", ".join(f"{part:.1f}" for part in os.getloadavg())
    print(f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores, load {load}")
    with server() as address:
        measure(address, times)
    return 0


if __name__ == "__main__":
    sys.exit(main())
