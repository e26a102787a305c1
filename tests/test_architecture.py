"""The house rules that a machine can check; DESIGN by import."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = sorted((ROOT / "core").rglob("*.py"))
APP = sorted((ROOT / "app").rglob("*.py"))
PLOTS = sorted((ROOT / "app" / "plots").glob("*.py"))
VIEWS = sorted((ROOT / "app" / "views").glob("*.py"))
FORMATS = sorted((ROOT / "core" / "formats").glob("*.py"))
REPORT = sorted((ROOT / "core" / "report").glob("*.py"))

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60

#: Measures and machinery that a report has no business with: it words results.
NOT_FOR_REPORTS = {"core.sweep", "core.floor", "core.rows", "core.means", "core.pairs", "core.formats"}


def name_of(path):
    return str(path.relative_to(ROOT))


def imported_modules(path):
    """Full names of what a file imports anywhere in it; relative imports start with a dot."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def within(module, package):
    return module == package or module.startswith(f"{package}.")


def roots(path):
    return {module.split(".")[0] for module in imported_modules(path)}


def functions(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_the_core_knows_no_screen(path):
    assert not roots(path) & {"streamlit", "plotly", "app", "altair", "matplotlib"}


@pytest.mark.parametrize("path", PLOTS, ids=name_of)
def test_figures_know_no_streamlit_and_nothing_else_of_the_app(path):
    assert "streamlit" not in roots(path)
    assert all(within(m, "app.plots") for m in imported_modules(path) if within(m, "app"))


@pytest.mark.parametrize("path", FORMATS, ids=name_of)
def test_readers_know_only_errors_limits_and_their_own_contract(path):
    allowed = ("core.errors", "core.limits", "core.prose", "core.formats")
    for module in imported_modules(path):
        if within(module, "core") and module != "core":
            assert any(within(module, package) for package in allowed), module


@pytest.mark.parametrize("path", REPORT, ids=name_of)
def test_reports_word_results_and_measure_nothing(path):
    used = {bad for module in imported_modules(path) for bad in NOT_FOR_REPORTS if within(module, bad)}
    assert not used


@pytest.mark.parametrize("path", VIEWS, ids=name_of)
def test_a_page_is_a_script_without_functions_or_numbers(path):
    assert list(functions(path)) == []
    assert not roots(path) & {"numpy", "pandas", "plotly"}


@pytest.mark.parametrize("path", APP, ids=name_of)
def test_the_app_is_imported_by_its_full_name_only(path):
    """A bare ``import widgets`` would be a second copy of the module with its own state."""
    own = {p.stem for p in (ROOT / "app").iterdir() if p.stem != "app"}
    assert not roots(path) & own
    assert not any(module.startswith(".") for module in imported_modules(path))


@pytest.mark.parametrize("path", APP, ids=name_of)
@pytest.mark.parametrize(
    ("word", "home"),
    [
        ("session_state", "app/state.py"),
        ("st.cache_", "app/cache.py"),
        ("query_params", "app/shared_link.py"),
        ("get_script_run_ctx", "app/spool.py"),
        ("sys.path", "app/main.py"),
        ("except AuditError", "app/widgets/guard.py"),
    ],
)
def test_each_mechanism_has_one_home(path, word, home):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if word in line]
    in_code = [line for line in lines if not line.lstrip().startswith(("#", '"""')) and "`" not in line]
    assert name_of(path) == home or not in_code


@pytest.mark.parametrize("home", ["app/state.py", "app/cache.py"])
def test_the_homes_are_where_they_are_said_to_be(home):
    assert (ROOT / home) in APP


@pytest.mark.parametrize("path", APP, ids=name_of)
def test_no_html_is_made_from_data(path):
    text = path.read_text(encoding="utf-8")
    assert "unsafe_allow_html" not in text
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "html":
            assert all(isinstance(argument, ast.Constant) for argument in node.args)


@pytest.mark.parametrize("path", CORE + APP, ids=name_of)
def test_nothing_is_unpickled_or_evaluated(path):
    assert not roots(path) & {"pickle", "marshal", "shelve", "dill", "joblib"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            assert getattr(node.func, "id", "") not in {"eval", "exec"}
            assert not any(word.arg == "allow_pickle" and getattr(word.value, "value", True) for word in node.keywords)


@pytest.mark.parametrize("path", CORE + APP, ids=name_of)
def test_files_and_functions_stay_small(path):
    assert path.read_text(encoding="utf-8").count("\n") <= MAX_FILE_LINES
    for node in functions(path):
        docstring = len((ast.get_docstring(node) or "").splitlines())
        assert node.end_lineno - node.lineno + 1 - docstring <= MAX_FUNCTION_LINES, node.name


def test_importing_the_core_stays_light():
    heavy = "scipy pyarrow safetensors streamlit plotly pandas"
    code = f"import sys, core; print([name for name in {heavy.split()} if name in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert loaded.stdout.strip() == "[]"
