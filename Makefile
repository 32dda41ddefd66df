# The front door: `make try` answers a question, `make test` runs every check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: try test slow lint types bench catalogs clean

try: $(VENV)/.try
	$(BIN)/gpuadvisor recommend --workload ocr --budget 5000

test: $(VENV)/.dev lint types
	$(BIN)/python -m pytest -n auto

# What takes minutes or measures time: Terraform against a simulated cloud, parser speed.
slow: $(VENV)/.dev
	$(BIN)/python -m pytest -m slow

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.dev
	$(BIN)/mypy

bench: $(VENV)/.dev
	$(BIN)/python -m tests.benchmarks

catalogs: $(VENV)/.try
	$(BIN)/gpuadvisor catalog validate

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "gpuadvisor needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Each stamp depends on pyproject.toml, so a changed dependency is installed anew. An editable install
# leaves our modules uncompiled, and with PYTHONDONTWRITEBYTECODE every run would compile them again.
$(VENV)/.try: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	$(BIN)/python -m compileall -q gpuadvisor
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	$(BIN)/python -m compileall -q gpuadvisor
	@touch $@ $(VENV)/.try
