# Everything a person or a developer does with Famulus. Without make: see README, "Without make".
SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
WORKERS ?= 2
TESTS ?= not slow
SLOW ?= slow

.PHONY: help env env-test run test test-slow bench lint package docs screenshots lock clean

help:
	@echo "make run        prepare everything and start Famulus"
	@echo "make test       prepare everything and run the tests"
	@echo "make env        only prepare: leaves .venv/bin/famulus"
	@echo "make test-slow  the long tests     make bench   the benchmarks (docs/benchmarks.md)"
	@echo "make lint       all checks         make package a wheel and a stand-alone folder (dist/)"
	@echo "make docs       reference pages    make screenshots  docs/screenshots   make lock  the lock files"

env:
	@sh packaging/debian/install-system-packages.sh run
	@$(PYTHON) packaging/environment.py run

env-test:
	@sh packaging/debian/install-system-packages.sh test
	@$(PYTHON) packaging/environment.py test

run: env
	@$(BIN)/famulus

test: env-test
	$(PYTEST) -n $(WORKERS) --dist worksteal -m "$(TESTS)"

test-slow: env-test
	$(PYTEST) -n $(WORKERS) --dist worksteal -m "$(SLOW)"

bench: env-test
	$(BIN)/python -m tests.bench

lint: env-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python packaging/docs/generate.py --check

docs: env-test
	$(BIN)/python packaging/docs/generate.py
	$(BIN)/python packaging/docs/answers.py

screenshots: env-test
	$(BIN)/python packaging/screenshots/take.py

package: env-test
	$(BIN)/python packaging/package.py

# No URL of an index, and every file's hash: pip installs exactly these bytes or nothing.
UV_COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
  --no-emit-package evdev --extra desktop --extra models --group build
lock: env-test
	$(UV_COMPILE) pyproject.toml -o requirements/run.lock
	$(UV_COMPILE) --group dev -c requirements/run.lock pyproject.toml -o requirements/dev.lock

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
