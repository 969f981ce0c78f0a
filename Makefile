# Everything a developer runs. `make help` lists it. CI runs the same: .ci/run.

VENV ?= .venv
#: What is installed: everything for development, or requirements.lock for what production needs.
LOCK ?= requirements-dev.lock
#: How the project itself is installed: in place, or `.` for a copy.
PROJECT ?= --editable .
#: Modules are compiled when they are first imported; an image, which can't keep them then, compiles all with --compile.
COMPILE ?= --no-compile
#: The first Python on PATH that is new enough and can make virtual environments.
PYTHON ?= $(firstword $(foreach candidate,python3.11 python3.12 python3.13 python3,$(shell \
	$(candidate) -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(candidate))))
#: Processes that `make test` spreads the tests over.
TEST_PROCESSES ?= 2

RUN := $(VENV)/bin/python
BENCHMARKS ?= readers floods chunk_speed term_index retrieve ingest offline

.PHONY: help setup demo serve test check fuzz format bench openapi lock

help: ## List the targets.
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: $(VENV)/.installed ## Make the virtual environment and install everything from the lock.

$(VENV)/.installed: $(LOCK) pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later with its venv module is needed and was not found on PATH." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install $(COMPILE) --require-hashes --requirement $(LOCK)
	$(VENV)/bin/python -m pip install $(COMPILE) --no-deps --no-build-isolation $(PROJECT)
	@touch $@

demo: setup ## Run everything once: documents in, questions answered, stopped again.
	$(VENV)/bin/context-atlas demo

serve: setup ## Run everything on this machine until Ctrl-C. Options: make serve ARGS="--port 9000"
	$(VENV)/bin/context-atlas serve $(ARGS)

test: setup ## Run the tests. Some only: make test ARGS="tests/unit -k bm25"
	$(RUN) -m pytest --numprocesses $(TEST_PROCESSES) --dist loadgroup $(ARGS)

check: setup ## Formatting, lint, types, import rules, and whether spec/ is up to date.
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/ruff check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(RUN) -m app.api.openapi --check
	$(RUN) -m app.adapters.decisions.questions_table --check

fuzz: setup ## Feed mutilated documents to every reader for some ten minutes.
	FUZZ_EXAMPLES=1500 $(RUN) -m pytest tests/fuzz --timeout 3600 --numprocesses $(TEST_PROCESSES) $(ARGS)

format: setup ## Put the code into the agreed form.
	$(VENV)/bin/ruff format
	$(VENV)/bin/ruff check --fix

bench: setup ## Measure, and print the figures. Some only: make bench BENCHMARKS=retrieve
	@set -e; for name in $(BENCHMARKS); do echo "== $$name"; $(RUN) -m benchmarks.$$name $(ARGS); done

openapi: setup ## Write spec/ anew from the code.
	$(RUN) -m app.api.openapi
	$(RUN) -m app.adapters.decisions.questions_table

LOCKING := --quiet --generate-hashes --strip-extras --allow-unsafe --no-header --build-deps-for wheel \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links
lock: setup ## Write the lock files anew after a change of pyproject.toml. Newer versions: make lock ARGS=--upgrade
	$(VENV)/bin/pip-compile $(LOCKING) $(ARGS) --output-file requirements.lock pyproject.toml
	$(VENV)/bin/pip-compile $(LOCKING) $(ARGS) --extra embedded --extra dev --constraint requirements.lock \
		--output-file requirements-dev.lock pyproject.toml
	$(VENV)/bin/pip-compile $(LOCKING) $(ARGS) --extra bench --constraint requirements.lock \
		--output-file requirements-bench.lock pyproject.toml
