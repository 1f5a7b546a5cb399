# Two commands do everything: `make crawl` shows it, `make test` proves it.
# A Python from 3.11 to 3.13; without it, the first that is found.
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: -c constraints.txt
SEED ?=
OUT ?=
VERSION ?=
ARGS ?=
# Processes that share the tests: more than a small machine has cores, as many tests wait for something.
WORKERS ?= 3
# Each process that a test starts would compile the sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: ray test-ray crawl test lint types contracts unit shuffle alone soak coverage docs bench changelog release clean

crawl: $(VENV)/.run
	@$(BIN)/python -m gossamer.cli.demo --seed "$(SEED)" --out "$(OUT)" -- $(ARGS)

# mypy needs one core for half a minute when it has no cache: the tests use the others meanwhile.
# Ray's tests wait most of the time. It is installed before, so that nothing changes while tests run.
test: lint $(VENV)/.ray
	@$(MAKE) --no-print-directory -j4 -o $(VENV)/.ray types contracts unit ray

lint: $(VENV)/.dev
	$(BIN)/ruff check src tests benchmarks tools
	$(BIN)/ruff format --check src tests benchmarks tools

types: $(VENV)/.dev
	$(BIN)/mypy

contracts: $(VENV)/.dev
	$(BIN)/lint-imports

# The many small crawls of tests touch little of their large tables. In huge pages each touch would clear two megabytes, and
# memory that is used again would be cleared as a whole.
unit shuffle alone: export NUMPY_MADVISE_HUGEPAGE := 0
unit shuffle alone: export MALLOC_MMAP_THRESHOLD_ := 1048576
unit shuffle alone: export OPENBLAS_NUM_THREADS := 1
RAY_TESTS := tests/cluster/remote/test_ray.py tests/cluster/remote/test_ray_cuts.py
# `make ray` runs those of Ray.
UNIT := --workers=$(WORKERS) $(RAY_TESTS:%=--ignore=%)
unit: $(VENV)/.dev
	$(BIN)/pytest $(UNIT)

# The same in a random order, which the seed tells again: make shuffle SEED=7.
shuffle: $(VENV)/.dev
	$(BIN)/pytest $(UNIT) --shuffle="$(SEED)"

# Each test in a process of its own, or one part of them: make alone SHARD=2/5.
SHARD ?= 1/1
alone: $(VENV)/.dev
	$(BIN)/pytest $(UNIT) --alone --shard=$(SHARD)

# Ray listens on every network, whatever address it is given: here it has none but loopback. Where there is no Ray, or
# no network can be left out, its tests are skipped and say why.
FAR ?= all
LOOPBACK_ONLY := $(BIN)/python -m tools.loopback_only
ray: $(VENV)/.ray
	$(LOOPBACK_ONLY) $(BIN)/pytest -rs $(ARGS) $(RAY_TESTS)

# The same, and all that waits for leases to run out; larger: GOSSAMER_RAY_PAGES, GOSSAMER_RAY_KILLS.
test-ray: $(VENV)/.ray
	$(LOOPBACK_ONLY) env GOSSAMER_FAR=$(FAR) $(BIN)/pytest -s $(ARGS) tests/cluster/remote

# Twenty crawls killed ten times each, two hundred failing disks: about half an hour.
# Every damage of every file of five crawls: about two hours.
# Two thousand simulated crawls, and faults in the code on purpose: about two hours.
# Larger crawls, and ten times new examples of whatever is told as a property: about half an hour.
LARGER := tests/search/build/test_build_beside.py tests/engine/control/test_control_killed.py tests/engine/test_inbox.py tests/engine/test_engine_politeness.py tests/engine/test_engine_redundant.py
soak: $(VENV)/.dev
	GOSSAMER_SEEDS=2000 GOSSAMER_MUTATIONS=all $(BIN)/pytest -s tests/lab/simulator
	GOSSAMER_KILLED_CRAWLS=10 GOSSAMER_FAULTS=100 $(BIN)/pytest tests/engine/test_kill.py tests/engine/test_partitions_killed.py tests/engine/test_engine_faults.py
	GOSSAMER_DAMAGES=all $(BIN)/pytest -s tests/engine/test_engine_damage.py tests/engine/test_damage_of_output.py
	GOSSAMER_WARM=all $(BIN)/pytest tests/engine/test_warm.py
	GOSSAMER_DOCUMENTATION=all $(BIN)/pytest tests/pipeline/parse/test_lexbor.py tests/engine/test_documentation_sites.py
	GOSSAMER_EXAMPLES=new $(BIN)/pytest tests/analyzers/duplicates/test_file_compaction.py tests/analyzers/duplicates/test_labelled.py tests/analyzers/duplicates/test_sketch.py $(LARGER)
	GOSSAMER_PAGES=20000 $(BIN)/pytest tests/engine/test_truth.py tests/engine/test_partitions.py
	GOSSAMER_RAY_PAGES=20000 GOSSAMER_RAY_KILLS=10 $(MAKE) --no-print-directory test-ray FAR=long
	for round in 1 2 3 4 5 6 7 8 9 10; do GOSSAMER_EXAMPLES=new $(BIN)/pytest -n $(WORKERS) -m hypothesis || exit 1; done

# Which lines the tests come by, without those that kill, damage and simulate crawls by the hundred.
SLOW := tests/lab/simulator tests/engine/test_kill.py tests/engine/test_partitions_killed.py tests/engine/test_engine_faults.py tests/engine/test_engine_damage.py
coverage: $(VENV)/.dev
	rm -rf build/coverage && mkdir -p build/coverage
	$(BIN)/coverage run -m pytest -n 2 $(SLOW:%=--ignore=%)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --sort=cover

docs: $(VENV)/.dev
	$(BIN)/python -m tools.reference docs

changelog: $(VENV)/bin/python
	@$(BIN)/python -m tools.changelog

# The version, the changelog, a commit with a tag, a wheel; nothing leaves this machine.
release: $(VENV)/.dev
	@git diff --quiet HEAD || { echo "commit or stash what is changed first"; exit 1; }
	$(BIN)/python -m tools.changelog "$(VERSION)"
	git commit -qam "Version $(VERSION)"
	git tag -a "v$(VERSION)" -m "Version $(VERSION)"
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks --keep $(or $(OUT),build/bench)

clean:
	rm -rf $(VENV) crawls .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/bin/python:
	@python=$$($(SHELL) tools/find_python.sh $(PYTHON)) && echo "$$python -m venv $(VENV)" && "$$python" -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e '.[serve,tools]'
	@$(BIN)/python -m tools.kernels || echo "kernels are compiled at their first call"
	@$(BIN)/python -m gossamer.engine.warm
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	$(PIP) -e '.[dev]'
	@touch $@

# 240 MB of a wheel that few need: where it cannot be had, everything else goes on.
$(VENV)/.ray: $(VENV)/.dev
	@$(PIP) --retries 1 ray 2> /dev/null && touch $@ || echo "Ray cannot be installed here; its tests are skipped"

$(VENV)/.bench: $(VENV)/.dev
	$(PIP) -e '.[dev,bench]'
	@touch $@
