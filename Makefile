# make verify   install, then check every claim at the quick budget
# make test     install, then run the tests
# make lint     formatting, lint and types
# make bench    speed, as ratios in one run

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed

.PHONY: install verify test lint bench clean

install: $(INSTALLED)

$(INSTALLED): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

verify: $(INSTALLED)
	$(BIN)/implicitbias verify

test: $(INSTALLED)
	$(BIN)/pytest --numprocesses auto --dist loadfile

lint: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
