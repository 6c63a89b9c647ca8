# make verify   install, then check every claim at the quick budget
# make test     install, then run the tests
# make lint     formatting, lint and types
# make formal   have Coq check the theorems, if it is there
# make bench    speed, as ratios in one run
# make docs     the documentation as a site, in build/site
# make dist     sdist and wheel, built twice and tried in an empty environment
# make snapshot pack what verify recorded, to be shown on machines where nothing has run yet
# make nightly  campaigns: forgeries, strange input, kills, stale results, seeds, all attacks on theorems; hours

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
SEED ?= 0
unexport PYTHONDONTWRITEBYTECODE  # thousands of short processes import the same sources

.PHONY: install verify test lint formal bench docs dist snapshot nightly clean

install: $(INSTALLED)

# Modules are compiled when they are imported: all 15,000 at once take a minute, and most are never asked for.
$(INSTALLED): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --editable '.[dev]'
	touch $@

verify: $(INSTALLED)
	$(BIN)/implicitbias verify

test: $(INSTALLED)
	$(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

lint: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

formal: $(INSTALLED)
	@command -v coqc > /dev/null || { echo "coqc is not there: apt-get install coq libcoq-coquelicot libcoq-interval" >&2; exit 2; }
	$(BIN)/pytest tests/formal
	$(BIN)/implicitbias verify --kind proof --formal

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

docs: $(INSTALLED)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

dist: $(INSTALLED)
	$(BIN)/python .ci/dist

snapshot: verify
	$(BIN)/python docs/shipped.py

nightly: $(INSTALLED)
	$(BIN)/python -m benchmarks.campaigns certificates --count 1000000 --seed $(SEED)
	$(BIN)/python -m benchmarks.campaigns inputs --count 100000 --seed $(SEED)
	$(BIN)/python -m benchmarks.campaigns kills --count 200 --seed $(SEED)
	$(BIN)/python -m benchmarks.campaigns stale --count 1000 --seed $(SEED)
	$(BIN)/python -m benchmarks.campaigns cluster --count 40 --seed $(SEED)
	$(BIN)/python -m benchmarks.campaigns soak --count 20000 --seed $(SEED)
	$(BIN)/python -m benchmarks.campaigns seeds --count 10 --seed $(SEED)
	IMPLICITBIAS_ATTACKS=all $(BIN)/pytest tests/contracts/test_every_theorem.py

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
