# Every target sets up what it needs: a fresh clone needs python3 (3.11 or newer), make and git.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check --no-input
PEERS_PIP := .venv-peers/bin/python -m pip --quiet --quiet --disable-pip-version-check --no-input

# One thread a process: tests run two processes, and the nets are small.
TEST_ENV := OMP_NUM_THREADS=1

DEMO_ARGS ?=
TEST_ARGS ?=
BENCH_ARGS ?=
GUARD_ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check format bench guard clean

help: ## Show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

demo: .venv/ready ## Train a small player and play it against the fixed ones (DEMO_ARGS=--quick for a short run)
	@$(BIN)/python scripts/demo.py $(DEMO_ARGS)

test: .venv/ready ## Run the tests, then the engine's again uncompiled and bounds-checked
	@echo "== tests, compiled"
	@$(TEST_ENV) $(BIN)/python -m pytest -q -n 2 $(TEST_ARGS)
	@echo "== engine tests, uncompiled"
	@$(TEST_ENV) NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n 2 -m modes
	@echo "== engine tests, bounds-checked"
	@$(TEST_ENV) NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q -n 2 -m modes

check: .venv/ready ## Format, lint, types and import contract, then all tests
	@echo "== format"
	@$(BIN)/ruff format --check --quiet --output-format concise . || { echo "run 'make format'"; exit 1; }
	@echo "== lint"
	@$(BIN)/ruff check --quiet --output-format concise .
	@echo "== types"
	@$(BIN)/mypy
	@echo "== import contract"
	@$(BIN)/lint-imports --no-logo
	@$(MAKE) --no-print-directory test

format: .venv/ready ## Format the code and apply safe lint fixes
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format --quiet .

bench: .venv/ready .venv-peers/ready ## Measure speed, beside other libraries from scripts/peers.txt
	@$(TEST_ENV) $(BIN)/python scripts/bench.py $(BENCH_ARGS)

guard: .venv/ready ## Report what has become slower than docs/speed.json says (GUARD_ARGS=--write renews it)
	@$(TEST_ENV) $(BIN)/python scripts/guard.py $(GUARD_ARGS)

clean: ## Remove environments, caches and builds; runs/ stays
	@rm -rf .venv .venv-peers dist build .pytest_cache .ruff_cache .mypy_cache .import_linter_cache .hypothesis
	@find sorry_env agents scripts tests -name __pycache__ -type d -prune -exec rm -rf {} +

# torch goes in first and by its exact version: a later step then finds it already there.
.venv/ready: pyproject.toml constraints.txt
	@echo "== setting up .venv"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) install -c constraints.txt torch
	@$(PIP) install -c constraints.txt -e '.[train,render,dev]'
	@touch $@

.venv-peers/ready: scripts/peers.txt
	@echo "== setting up .venv-peers"
	@test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	@$(PEERS_PIP) install --no-deps -r scripts/peers.txt
	@touch $@
