# Two commands: `make app` opens the dashboard, `make test` runs every check.
# Each sets up its own virtual environment in .venv on first use.
# `COSINE_FLOOR_DATA_DIR=/path/to/folder make app` also offers the files of that folder, in place.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: app test clean

app: $(VENV)/app.stamp
	$(BIN)/streamlit run app/main.py

test: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile --ignore=tests/browser
	$(BIN)/pytest tests/browser

# Python 3.11 or newer, or one sentence that says so.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; found `$(PYTHON) --version`. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/app.stamp: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/dev.stamp: requirements.txt requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean:
	rm -rf $(VENV)
