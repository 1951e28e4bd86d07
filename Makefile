# Start with `make demo` or `make test`; both install what they need into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# With bytecode files pytest and each `assay` of a test start faster.
unexport PYTHONDONTWRITEBYTECODE
C := $(wildcard src/assay/core/*.c)
H := $(wildcard src/assay/core/*.h)
TWIN := tests/core/test_reference.py tests/formats/ranked $(addprefix tests/formats/test_,ways_of_reading.py frames.py object_ids.py) \
	tests/tasks tests/resampling tests/scoring tests/table tests/test_bad_input.py \
	$(addprefix tests/stats/test_,bootstrap_intervals.py multiple_comparisons.py stability.py discriminative_power.py rank_overlap.py) \
	$(addprefix tests/analyses/,campaign comparison judges test_overlap.py reliability abstention/test_threshold.py suites/test_suite.py) \
	$(addprefix tests/cli/commands/test_,evaluate.py compare.py reliability.py report.py pool.py overlap.py trec_eval.py check.py) \
	tests/cli/test_output.py tests/cli/test_large_json.py tests/cli/test_report_options.py tests/cli/test_suites.py
STUB := -DASSAY_WITH_PYTHON -DASSAY_PYTHON_STUB -Itests/core/python_stub
STRICT := -g -O1 -std=c11 -ffp-contract=off -Wall -Wextra -Werror -fno-omit-frame-pointer $(STUB)
SANITIZE := $(STRICT) -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ := $(wildcard tests/core/fuzz*.c)
SECONDS := 60
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal
# Paths of a developer's machine; `make style` refuses them.
MACHINE := /(work|root|home)/[[:alnum:]_]
OLDEST := tests/formats tests/tasks tests/integrations tests/resampling tests/analyses/reliability tests/analyses/planning tests/cli/commands/test_evaluate.py tests/cli/commands/test_compare.py \
	tests/reports/test_report.py tests/reports/test_html.py tests/reports/test_pdf.py tests/reports/test_runtime.py \
	tests/test_front_door.py tests/test_pickling.py tests/table tests/scoring/test_score_files.py \
	tests/test_pytrec_eval.py

.PHONY: demo gallery pictures test style types twin slow oldest peers browser sanitize fuzz fuzz-core fuzz-readers cross wheels bench corpus docs site clean

demo: $(VENV)/demo
	$(BIN)/assay demo -o out/demo

# A finished report of every task, on generated data; docs/gallery.md shows them.
gallery: $(VENV)/demo
	$(BIN)/assay demo --gallery -o out/gallery

pictures: $(VENV)/dev browser
	$(BIN)/pip install --quiet --disable-pip-version-check pillow
	$(BIN)/assay demo --gallery -o out/gallery
	$(BIN)/python docs/pictures/make.py out/gallery

test: $(VENV)/dev browser
	$(MAKE) --no-print-directory --jobs 2 --output-sync style types
	$(PYTEST)
	$(MAKE) --no-print-directory twin

style: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	! git grep -nIE '$(MACHINE)' -- ':!Makefile' ':!*.svg'

types: $(VENV)/dev
	$(BIN)/pyright --pythonpath $(BIN)/python

# Tests marked `slow` or `peer`: every page of every task in a browser, notebooks, claims on public data, simulations, a cluster of
# processes, the core with several compiler options and sanitizers, other programs.
slow: $(VENV)/dev browser
	$(PYTEST) -m "slow or peer"
	$(PYTEST) -m "hypothesis and not slow and not peer" --hypothesis-profile=thorough

# The tests that reach the core, on the Python twin, which replaces the core where there is no C compiler. Without the public data,
# which take it minutes.
twin: $(VENV)/dev
	ASSAY_NATIVE=0 ASSAY_REQUIRE_NATIVE=0 ASSAY_DATA=none $(PYTEST) $(TWIN)

# The lowest versions that pyproject.toml declares, in a separate environment; two minutes on two cores.
oldest:
	test -x build/oldest/bin/python || $(PYTHON) -m venv build/oldest
	build/oldest/bin/pip install --quiet --disable-pip-version-check --editable . pytest pytest-xdist hypothesis \
		$$($(PYTHON) tests/support/oldest.py)
	ASSAY_DATA=none build/oldest/bin/python -m pytest -n 2 --dist worksteal $(OLDEST)

# Tests against peers that need a separate environment: the reader of Inspect logs, and assay's metrics inside Inspect and lm-eval.
peers:
	test -x build/inspect/bin/python || $(PYTHON) -m venv build/inspect
	build/inspect/bin/pip install --quiet --disable-pip-version-check --editable . inspect_ai pandas pyarrow pytest pytest-xdist hypothesis
	build/inspect/bin/python -m pytest -m peer -n 0 tests/peers/test_inspect_peer.py tests/peers/test_inspect_extension_peer.py \
		tests/peers/test_inspect_measures_peer.py
	test -x build/lm_eval/bin/python || $(PYTHON) -m venv build/lm_eval
	build/lm_eval/bin/pip install --quiet --disable-pip-version-check --editable . lm_eval pytest pytest-xdist hypothesis
	build/lm_eval/bin/python -m pytest -m peer -n 0 tests/peers/test_lm_eval_extension_peer.py

# The specifications of charts against Altair.
.PHONY: peers-charts
peers: peers-charts
peers-charts:
	test -x build/altair/bin/python || $(PYTHON) -m venv build/altair
	build/altair/bin/pip install --quiet --disable-pip-version-check --editable . altair pytest pytest-xdist hypothesis
	build/altair/bin/python -m pytest -m peer -n 0 tests/peers/test_altair_peer.py

# The drop-ins against what they replace, pytrec_eval and ir_measures, and within BEIR and PyTerrier. BEIR is installed without
# dependencies: its evaluator needs no model.
.PHONY: peers-drop-in peers-mteb
peers: peers-drop-in
peers-drop-in:
	test -x build/drop-in/bin/python || $(PYTHON) -m venv build/drop-in
	build/drop-in/bin/pip install --quiet --disable-pip-version-check --editable . pytrec-eval-terrier ir_measures cwl-eval python-terrier \
		pytest pytest-xdist hypothesis
	build/drop-in/bin/pip install --quiet --disable-pip-version-check --no-deps beir
	build/drop-in/bin/python -m pytest -m peer -n 0 tests/peers/test_pytrec_eval_peer.py tests/peers/test_ir_measures_peer.py

# The measures against the programs that define them; some are installed without their dependencies, such as torch or an old numpy,
# and only their source is read. The plugin of pytest that deepeval brings fails without them.
.PHONY: peers-measures
peers: peers-measures
peers-measures:
	test -x build/measures/bin/python || $(PYTHON) -m venv build/measures
	build/measures/bin/pip install --quiet --disable-pip-version-check --editable . pyndeval cwl-eval pyNTCIREVAL ir_measures relplot tqdm \
		uncertainty-calibration choix evalica girth scikit-learn krippendorff pandas pytrec-eval-terrier packaging ranx numba statsmodels pytest pytest-xdist hypothesis
	build/measures/bin/pip install --quiet --disable-pip-version-check --no-deps nuggetizer lm-polygraph mteb rbo irrCAC ppi-python \
		torchmetrics sentence-transformers lm_eval crfm-helm ragas deepeval inspect_ai
	ASSAY_REQUIRE_PEERS=1 build/measures/bin/python -m pytest -p no:deepeval -m peer -n 2 tests/peers/measures

# s3://, gs:// and hf://, against local servers. Not a part of `peers`: pip takes a minute or two. The extra of aiobotocore pins
# its boto3; without it pip takes many minutes.
.PHONY: peers-buckets
peers-buckets:
	test -x build/buckets/bin/python || $(PYTHON) -m venv build/buckets
	build/buckets/bin/pip install --quiet --disable-pip-version-check --editable '.[frames,remote]' 'aiobotocore[boto3]' 'moto[s3]' flask flask-cors \
		gcp-storage-emulator pytest pytest-xdist hypothesis
	ASSAY_REQUIRE_PEERS=1 build/buckets/bin/python -m pytest -m peer -n 0 tests/peers/test_buckets_peer.py

# The drop-ins within MTEB, which needs torch: 6 GB and some minutes. Not a part of `peers`.
peers-mteb:
	test -x build/mteb/bin/python || $(PYTHON) -m venv build/mteb
	build/mteb/bin/pip install --quiet --disable-pip-version-check --editable . pytrec-eval-terrier mteb pytest pytest-xdist hypothesis
	build/mteb/bin/python -m pytest -m peer -n 0 tests/peers/test_pytrec_eval_peer.py

# The measures against torchmetrics, which needs torch: 6 GB and some minutes. Not a part of `peers`.
.PHONY: peers-torchmetrics
peers-torchmetrics:
	test -x build/torchmetrics/bin/python || $(PYTHON) -m venv build/torchmetrics
	build/torchmetrics/bin/pip install --quiet --disable-pip-version-check --editable . torch torchmetrics pytest pytest-xdist hypothesis
	build/torchmetrics/bin/python -m pytest -m peer -n 0 tests/peers/test_torchmetrics_peer.py

# Install only what the demo needs.
$(VENV)/demo: pyproject.toml setup.py $(C) $(H)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[report]"
	touch $@

$(VENV)/dev: pyproject.toml setup.py $(C) $(H)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@ $(VENV)/demo

# Install a browser for the tests of reports where possible; otherwise they are skipped with a message.
browser:
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium poppler-utils; } >/dev/null 2>&1 \
		|| echo "no chromium here and none could be installed: the browser tests will be skipped"
	@command -v pdftotext >/dev/null || apt-get install -y -qq poppler-utils >/dev/null 2>&1 || true
	@test -d node_modules/axe-core || npm install --no-save --no-package-lock --silent axe-core >/dev/null 2>&1 \
		|| echo "axe-core could not be installed: the accessibility tests will be skipped"

# The C core under address and undefined-behaviour sanitizers and under the thread sanitizer, with a fuzzer that compares
# every function with plain loops. Failing inputs are kept in build/crashes.
sanitize: build/fuzz build/fuzz-threads
	mkdir -p build/crashes
	./build/fuzz 200000 1 build/crashes/sanitize
	TSAN_OPTIONS=halt_on_error=1 ./build/fuzz-threads 20000 1 build/crashes/sanitize-threads

build/fuzz: $(FUZZ) tests/core/fuzz.h tests/core/python_stub/Python.h $(C) $(H)
	mkdir -p build
	$(CC) $(SANITIZE) -o $@ $(FUZZ) $(C) -lm -pthread

build/fuzz-threads: $(FUZZ) tests/core/fuzz.h tests/core/python_stub/Python.h $(C) $(H)
	mkdir -p build
	$(CC) $(STRICT) -fsanitize=thread -o $@ $(FUZZ) $(C) -lm -pthread

# Coverage-guided fuzzing of the core and of the readers in Python, half of SECONDS each. Interesting inputs are kept in build/corpus,
# failing ones in build/crashes.
fuzz: fuzz-core fuzz-readers

# libFuzzer where clang can be installed; elsewhere random cases with a new seed each time.
fuzz-core: build/fuzz
	mkdir -p build/corpus/core build/crashes
	@command -v clang >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends clang && \
		apt-get install -y -qq libclang-rt-$$(clang -dumpversion | cut -d. -f1)-dev; } >/dev/null 2>&1 || true
	if clang $(SANITIZE) -fsanitize=fuzzer -DLIBFUZZER -o build/fuzz-core $(FUZZ) $(C) -lm -pthread; then \
		./build/fuzz-core -max_total_time=$$(($(SECONDS) / 2)) -max_len=4096 -timeout=20 -print_final_stats=1 \
			-artifact_prefix=build/crashes/core- build/corpus/core tests/core/seeds; \
	else \
		echo "no clang with libFuzzer here, and none could be installed: random cases only"; \
		stop=$$(($$(date +%s) + $(SECONDS) / 2)); \
		while [ $$(date +%s) -lt $$stop ]; do ./build/fuzz 5000 $$(date +%s%N) build/crashes/core || exit 1; done; \
	fi

fuzz-readers:
	mkdir -p build/corpus/readers build/crashes
	test -x build/fuzzing/bin/python || $(PYTHON) -m venv build/fuzzing
	build/fuzzing/bin/pip install --quiet --disable-pip-version-check --editable . atheris
	build/fuzzing/bin/python tests/support/fuzz_readers.py -max_total_time=$$(($(SECONDS) / 2)) -max_len=4096 -timeout=20 \
		-print_final_stats=1 -artifact_prefix=build/crashes/readers- build/corpus/readers

# The files of a release: the source archive and a wheel for each system, into dist. Each is checked, and run where this machine can:
# on Python 3.11 to 3.13, and under musl and an ARM emulator from Debian packages.
wheels: build/release/ready
	build/release/bin/python -m release.wheels dist
	test -d build/foreign || release/foreign.sh build/foreign || { rm -rf build/foreign; \
		echo "no packages of Debian here: the cores for musl and ARM are checked by their symbols only"; }
	ASSAY_DIST=dist ASSAY_FOREIGN=build/foreign PYTHONPATH=src build/release/bin/python -m pytest -n 0 -rs tests/release

# The core compiles for other systems too; PyPI's ziglang is the cross compiler.
cross: build/release/ready
	build/release/bin/python -m release.wheels --cores build/cross

build/release/ready:
	test -x build/release/bin/python || $(PYTHON) -m venv build/release
	build/release/bin/pip install --quiet --disable-pip-version-check "setuptools>=77" build twine ziglang lief \
		pytest pytest-xdist hypothesis numpy scipy msgspec narwhals zstandard
	touch $@

bench: $(VENV)/dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[bench]"
	for race in benchmarks/*.py; do $(BIN)/python $$race || exit 1; done

# The documentation as a static site with the finished reports: out/site/index.html.
site: $(VENV)/dev
	test -x build/zensical/bin/zensical || $(PYTHON) -m venv build/zensical
	build/zensical/bin/pip install --quiet --disable-pip-version-check zensical
	test -d node_modules/iframe-worker || npm install --no-save --no-package-lock --silent axe-core iframe-worker >/dev/null
	$(BIN)/python docs/site.py build/site/pages
	$(BIN)/assay demo --gallery -o build/site/pages/gallery >/dev/null 2>&1
	build/zensical/bin/zensical build --clean --strict --config-file mkdocs.yml
	$(BIN)/python docs/site.py --check out/site

# Update the golden numbers of a release.
corpus: $(VENV)/dev
	$(BIN)/python tests/support/corpus.py

docs: $(VENV)/dev
	$(BIN)/python docs/generate.py

# How many places public leaderboards have: the table, docs/boards.json, and the page and chart made from it. DIR holds a matrix for
# each board of docs/boards.toml. Minutes.
DIR := ../shared/data/boards
.PHONY: boards
boards: $(VENV)/dev
	$(BIN)/python docs/boards.py $(DIR)
	$(MAKE) --no-print-directory docs

clean:
	rm -rf build dist out .venv node_modules src/*.egg-info src/assay/core/_core.*
