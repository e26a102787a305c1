"""What the server loads before the first audit."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def in_a_fresh_process(code):
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_first_audit_finds_its_compiled_loops_loaded():
    code = (
        "import sys\n"
        "from app.warm_up import warm_up\n"
        "wanted = ['numba', 'core.sweep.tile_kernel', 'plotly.graph_objects', 'pandas']\n"
        "before = [name for name in wanted[:2] if name in sys.modules]\n"
        "warm_up()\n"
        "print(before, [name for name in wanted if name not in sys.modules])"
    )
    assert in_a_fresh_process(code) == "[] []"


def test_what_is_loaded_is_spared_by_the_garbage_collector():
    code = "import gc\nfrom app.warm_up import warm_up\nwarm_up()\nprint(gc.get_freeze_count() > 100_000)"
    assert in_a_fresh_process(code) == "True"
