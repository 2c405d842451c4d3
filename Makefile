# EmailCheck. `make run` and `make test` are all that a newcomer needs; `make help` lists the rest.
SHELL := /bin/bash
# Debian's interpreter, where there is one: built in one piece, it starts a process in three quarters of the time of others.
PYTHON := $(shell /usr/bin/python3.11 -c 'import ensurepip, sys; print(sys.executable)' 2>/dev/null || echo python3)
PY := .venv/bin/python
NPM := npm --prefix frontend
SOURCES := $(shell find frontend/src frontend/build.mjs -type f -not -name islands.gen.ts 2>/dev/null)

ADMIN := $(PY) manage.py shell --no-imports -c "from benchmarks import admin; admin.main()"
PAGES := $(PY) manage.py shell --no-imports -c "from benchmarks.scale import pages; pages.main()"
MONEY := $(PY) manage.py shell --no-imports -c "from benchmarks import money; money.main()"
# A line for each value: the differences of two versions can be read.
AS_JSON := import json, sys, yaml; print(json.dumps(yaml.load(sys.stdin, yaml.CSafeLoader), ensure_ascii=False, indent=0, separators=(",", ":")))

.PHONY: help client client-readme demo-cluster release-schema run setup setup-tests test test-app lint types fix api bench bench-abuse bench-admin bench-api bench-client bench-cluster bench-engine bench-idle bench-lists bench-login bench-money bench-pipeline bench-repair bench-costs bench-scale lighthouse screens soak soak-cluster trace pins clean clean-data
.DEFAULT_GOAL := help

help: ## List the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: setup ## Install, build, migrate, seed and serve on 127.0.0.1:8000 until Ctrl-C.
	@$(PY) manage.py migrate --no-input -v 0
	@if [ "$${EMAILCHECK_MODE:-sandbox}" = sandbox ]; then $(PY) manage.py seed_demo; fi
	@exec $(PY) manage.py serve

setup: .venv/.installed frontend/dist/manifest.json

.venv/.installed: requirements.txt
	$(PYTHON) -m venv .venv
	.venv/bin/pip install -q --disable-pip-version-check -r requirements.txt
	@touch $@

frontend/node_modules/.installed: frontend/package-lock.json
	$(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

frontend/dist/manifest.json: frontend/node_modules/.installed $(SOURCES)
	$(NPM) run --silent build

.venv/.installed-dev: .venv/.installed requirements-dev.txt
	.venv/bin/pip install -q --disable-pip-version-check -r requirements-dev.txt
	@touch $@

setup-tests: setup .venv/.installed-dev
	@tests/install_services.sh

test: setup-tests ## Lint, types, unit, integration and browser tests.
	@tests/run_all.sh

test-app: setup-tests ## The tests of one app on a database that is kept; APP=billing, or a package: APP=billing/ledger.
	@.venv/bin/pytest -q --reuse-db $(APP)

lint: .venv/.installed-dev frontend/node_modules/.installed ## Lint, import borders and formatting.
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/lint-imports --no-cache
	$(NPM) run --silent lint

types: .venv/.installed-dev frontend/node_modules/.installed ## mypy and tsc, both strict.
	.venv/bin/mypy .
	$(NPM) run --silent typecheck

fix: .venv/.installed-dev frontend/node_modules/.installed ## Format and mend what can be mended by a machine.
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	$(NPM) run --silent fix

api: .venv/.installed-dev frontend/node_modules/.installed ## Write openapi.yaml, the same as JSON, and the typed client from the code.
	$(PY) manage.py spectacular --file openapi.yaml --validate --fail-on-warn
	$(PY) -c '$(AS_JSON)' <openapi.yaml >openapi.json
	$(NPM) run --silent api
	$(PY) manage.py shell -v0 -c 'from emailcheck.public.documentation.generated_tables import write_tables; write_tables()'

client: .venv/.installed-dev ## Build wheel and sdist of the Python package into clients/python/dist.
	@rm -rf clients/python/dist
	@.venv/bin/python -m build --no-isolation clients/python

client-readme: client setup ## Every code block of the package's README, word for word, in a fresh environment, against a running product.
	@$(PY) -m clients.python.tests.readme_in_fresh_environment

bench: setup .venv/.installed-dev ## Every figure against its bar, into docs/figures.md; ARGS="api login".
	@$(PY) -m benchmarks $(ARGS)

bench-pipeline: setup .venv/.installed-dev ## Speed and memory of the engine, of the whole pipeline and of reports.
	@$(PY) -m benchmarks.pipeline
	@export VAR_DIR=$$(mktemp -d) && $(PY) manage.py migrate --no-input -v 0 && \
	  $(PY) manage.py shell --no-imports -c "from benchmarks import reports, writing; writing.main(); reports.main()"; \
	  ended=$$?; rm -rf "$$VAR_DIR"; exit $$ended

bench-lists: setup .venv/.installed-dev ## Long lists through the whole product; ARGS="--only cost", "--divide 10", "--help".
	@$(PY) -m benchmarks.lists $(ARGS)

soak: setup .venv/.installed-dev ## Lists under random faults, calls made up from the description; ROUNDS=20 SEED=… CASES=5000.
	@$(PY) -m tests.soak --rounds $(or $(ROUNDS),20) $(if $(SEED),--seed $(SEED))
	@FUZZ_CASES=$(or $(CASES),5000) LEDGER_EXAMPLES=200 LEDGER_SEED=$(or $(SEED),$$RANDOM) LIVES=40 EVERY=1 \
	  .venv/bin/pytest -q -n0 -p no:cacheprovider tests/test_schema_fuzz.py tests/test_stack.py tests/abuse billing/tests/credits/test_many_steps.py \
	  billing/subscriptions/lifecycle/tests/test_any_life.py

demo-cluster: setup-tests ## Several machines on this one: a list, a machine lost in the middle, until Ctrl-C; ARGS="--once".
	@$(PY) -m tests.cluster $(ARGS)

soak-cluster: setup-tests ## Several machines under random faults, and an upgrade in the middle; ROUNDS=10 SEED=… ARGS="--help".
	@$(PY) -m tests.cluster.soak --rounds $(or $(ROUNDS),10) $(if $(SEED),--seed $(SEED)) $(ARGS)

bench-engine: setup .venv/.installed-dev ## The engine beside two peers against one generated world; ARGS="--quick", "--help".
	@$(PY) -m benchmarks.engine $(ARGS)

bench-repair: setup .venv/.installed-dev ## How fast addresses are taken out of what stands around them.
	@$(PY) -m benchmarks.engine.repair

bench-money: setup .venv/.installed-dev ## What the safeguards of a debit cost, on SQLite and on PostgreSQL.
	@export VAR_DIR=$$(mktemp -d) && $(PY) manage.py migrate --no-input -v 0 && $(MONEY); rm -rf "$$VAR_DIR"
	@POSTGRES_FSYNC=on tests/with_postgres.sh bash -c '$(PY) manage.py migrate --no-input -v 0 && $(MONEY)'

bench-costs: setup .venv/.installed-dev ## What docs/scale.md multiplies: bytes, log, statements and time of a result; tasks of the queue.
	@POSTGRES_FSYNC=on tests/with_postgres.sh bash -c '$(PY) manage.py migrate --no-input -v 0 && \
	  $(PY) manage.py shell --no-imports -c "from benchmarks import costs; costs.main()"'

release-schema: setup .venv/.installed-dev ## After a release: record what it expects of database and queue, for the tests of the next.
	@tests/with_postgres.sh bash -c '$(PY) manage.py migrate --no-input -v 0 && \
	  $(PY) manage.py shell --no-imports -c "from tests import released_contract, released_schema; released_schema.write_release(); released_contract.write_release()"'

bench-admin: setup .venv/.installed-dev ## The staff dashboard with 100,000 accounts and 10,000,000 results; ADMIN_SCALE=0.01 for a glance.
	@export VAR_DIR=$$(mktemp -d) SITE_REQUESTS_PER_MINUTE=1000000 && $(PY) manage.py migrate --no-input -v 0 && \
	  $(ADMIN); ended=$$?; rm -rf "$$VAR_DIR"; exit $$ended
	@SITE_REQUESTS_PER_MINUTE=1000000 tests/with_postgres.sh bash -c '$(PY) manage.py migrate --no-input -v 0 && $(ADMIN)'

bench-scale: setup .venv/.installed-dev ## Reviews, four workers against one, every page's calls over 10,000,000 results; PAGES_SCALE=0.01.
	@$(PY) -m benchmarks.scale.reviews
	@POSTGRES_FSYNC=on tests/with_postgres.sh $(PY) -m benchmarks.scale.workers
	@export VAR_DIR=$$(mktemp -d) SITE_REQUESTS_PER_MINUTE=1000000 && tests/with_postgres.sh bash -c \
	  '$(PY) manage.py migrate --no-input -v 0 && $(PAGES)'; ended=$$?; rm -rf "$$VAR_DIR"; exit $$ended

bench-api: setup .venv/.installed-dev ## What a call with an API key costs: at 20 a second, and with 50 at once.
	@$(PY) -m benchmarks.api
	@$(PY) -m benchmarks.counting

bench-idle: setup .venv/.installed-dev ## Processes and memory of the product while nobody uses it.
	@$(PY) -m benchmarks.idle

bench-abuse: setup .venv/.installed-dev ## What a visitor notices of slow callers, and of five times the load.
	@$(PY) -m benchmarks.abuse

bench-client: setup .venv/.installed-dev ## What the Python package takes: import, memory, its own part of a run.
	@$(PY) -m benchmarks.client

bench-cluster: soak-cluster ## Ten rounds of the soak of several machines, and what a rolling upgrade costs.

trace: setup .venv/.installed-dev ## The files that an address, a list, a payment and a webhook walk through; ARGS="address".
	@export VAR_DIR=$$(mktemp -d) && $(PY) manage.py migrate --no-input -v 0 && \
	  $(PY) manage.py shell --no-imports -c "from benchmarks import trace; trace.main('$(ARGS)'.split())"; ended=$$?; rm -rf "$$VAR_DIR"; exit $$ended

bench-login: setup .venv/.installed-dev ## What signing in costs: one hash, and ten sign-ins a second.
	@$(PY) -m benchmarks.login

lighthouse: setup-tests frontend/lighthouse/node_modules/.installed ## Lighthouse for phones on every public page; PAGES="/ /about".
	@$(PY) -m tests.lighthouse $(PAGES)

frontend/lighthouse/node_modules/.installed: frontend/lighthouse/package-lock.json
	npm --prefix frontend/lighthouse ci --no-audit --no-fund --loglevel=error
	@touch $@

screens: setup-tests ## Photograph every screen into var/screens/index.html; ARGS="-g Upload" for some.
	@mkdir -p var/screens
	@tests/e2e/run.sh --config playwright.screens.config.ts $(ARGS)
	@echo "var/screens/index.html"

pins: .venv/.installed-dev ## Resolve requirements*.in to exact versions.
	for name in requirements requirements-dev; do \
	  .venv/bin/uv pip compile -q --upgrade --python-version 3.11 --custom-compile-command "make pins" $$name.in -o $$name.txt; done

clean-data: ## Remove what is stored in VAR_DIR (var/): accounts, lists, backups, logs. The next `make run` begins anew.
	rm -rf "$${VAR_DIR:-var}"

clean: ## Remove everything that was installed, built or stored.
	rm -rf .venv frontend/node_modules frontend/lighthouse/node_modules frontend/dist var
