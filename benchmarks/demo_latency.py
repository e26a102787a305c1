"""How long each control of the demo page takes to answer, in a real browser.

    python benchmarks/demo_latency.py --times 20

Starts the real server and uses every control at 1920 x 1080. The clock runs in the page, from
the input event to the first frame after the sentence *and* the raw figure are new (bound:
300 ms). The slider is moved with the keyboard: with the mouse it answers when it is let go.
"""

from __future__ import annotations

import argparse
import os
import platform
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BOUND_MS = 300

#: What the page shows, as one text: the live sentence and the raw figure's bars.
SHOWN = """
() => {
  const find = (root, what) => {
    for (const one of root.querySelectorAll('*')) {
      if (one.matches(what)) return one;
      const inner = one.shadowRoot && find(one.shadowRoot, what);
      if (inner) return inner;
    }
    return null;
  };
  const line = find(document.querySelector('.st-key-demo_happened'), '[role=status]');
  const bars = find(document.querySelector('.st-key-demo_raw_figure'), '.bars');
  return [line.textContent, bars.innerHTML];
}
"""

#: Starts a clock at the next click or key; the promise ends at the frame that shows both as new.
CLOCK = f"""
() => {{
  const shown = {SHOWN};
  const [line, bars] = shown();
  let start = null;
  const begin = () => {{ start ??= performance.now(); }};
  document.addEventListener('pointerup', begin, {{capture: true, once: true}});
  document.addEventListener('keydown', begin, {{capture: true, once: true}});
  window.answered = new Promise((resolve) => {{
    const look = () => {{
      const [newLine, newBars] = shown();
      if (start !== null && newLine !== line && newBars !== bars) {{
        requestAnimationFrame(() => resolve(performance.now() - start));
      }} else setTimeout(look, 2);  // frames can pause in a browser that nobody looks at
    }};
    look();
  }});
}}
"""


@contextmanager
def server() -> Iterator[str]:
    """The address of a running dashboard."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app/main.py", "--server.headless=true"]
    process = subprocess.Popen(
        [*command, f"--server.port={port}"], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
    address = f"http://localhost:{port}"
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()  # noqa: S310 - our own
                break
            except OSError:
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(20)


def measure(address: str, times: int) -> dict[str, list[float]]:
    """Milliseconds of each use of each control."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"))
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(f"{address}/demo")
        page.locator(".st-key-demo_found_figure [role=img]").first.wait_for(timeout=60_000)
        time.sleep(2)
        encoders = page.locator(".st-key-demo_encoder button")

        def answer(use) -> float:
            page.evaluate(CLOCK)
            use()
            milliseconds = page.evaluate("() => window.answered")
            time.sleep(0.5)
            return milliseconds

        taken: dict[str, list[float]] = {name: [] for name in ("Shuffle", "Put the pairs back", "encoder", "slider")}
        for turn in range(times):
            taken["Shuffle"].append(answer(page.locator(".st-key-demo_shuffle button").click))
            taken["Put the pairs back"].append(answer(page.locator(".st-key-demo_put_back button").click))
            taken["encoder"].append(answer(encoders.nth((0, 2, 1)[turn % 3]).click))
            page.get_by_role("slider").focus()
            taken["slider"].append(answer(lambda: page.keyboard.press("ArrowRight")))
        browser.close()
    return taken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=20, help="uses of each control")
    times = parser.parse_args().times
    print(f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores")
    with server() as address:
        taken = measure(address, times)
    for name, milliseconds in taken.items():
        middle, worst = statistics.median(milliseconds), max(milliseconds)
        print(f"{name:20} median {middle:4.0f} ms, worst {worst:4.0f} ms of {len(milliseconds)}")
    return 0 if max(map(max, taken.values())) <= BOUND_MS else 1


if __name__ == "__main__":
    sys.exit(main())
