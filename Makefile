# Everything is installed into .venv. The stamps below make a second call cheap. PYTHON=... names another interpreter;
# LOCKED=1 installs exactly what requirements/dev.txt lists, hashes compared, where pyproject.toml gives ranges.
VENV := .venv
BIN := $(VENV)/bin
# Draws the code that phones scan; all else of the extra `paper` is for printing.
CODES := 'segno>=1.6,<2'
PYTEST := $(BIN)/python -m pytest
LOCKING := --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
  --custom-compile-command 'make lock'
# The files with tests that run alone: to read all others for these took ten seconds.
ALONE := $$(grep -l 'mark.alone' tests/test_*.py)
# From the errors to the contract of the page: what most changes can break, in a minute. tests/test_NAME.py for each.
QUICK := architecture cards claims code doors goal_and_mat limits manners outlook page_contract permutation plan planner \
  public_names randomness rank recipes slips trust weight
# A test that fails while others run, or another program does, is run once more by itself; only a second failure counts.
# Not selected by marks again: which cases of a test are long depends on all that are collected.
AGAIN := $(PYTEST) --last-failed --last-failed-no-failures none

# Python keeps what it compiled, whatever the environment says: the tests start a thousand processes.
unexport PYTHONDONTWRITEBYTECODE

# Targets run one after another, also with -j: two installations at once disturb each other, and other work disturbs
# the tests that measure time.
.NOTPARALLEL:
.PHONY: help all install run quick test long check weight bench peers battery exactness mutants calibration scoreboard rivals libraries pictures looks letters voices docs reference \
  build pyz sbom notes alone pythons lock fuzz clean FORCE

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

all: test docs long  ## everything that is checked before a release

install: $(VENV)/run.stamp  ## set up what fairdeck itself needs

run: $(VENV)/run.stamp  ## set up, then serve the dealing page and open it in a browser, if there is one
	$(BIN)/fairdeck serve --open

quick: $(VENV)/dev.stamp  ## set up; then run the tests of the core: a minute
	$(PYTEST) -n 2 --dist worksteal -m "not alone and not long" $(QUICK:%=tests/test_%.py)

test: $(VENV)/programs.stamp $(VENV)/dev.stamp  ## set up, programs included; then lint, check types and test
	@# Beside the checks, two cores have time to compile what each worker would compile for itself: kernels, and tests.
	$(BIN)/python tests/compile_kernels.py & kernels=$$!; $(PYTEST) --collect-only -qq -p no:cacheprovider >/dev/null & \
	  $(MAKE) --no-print-directory check && wait $$kernels && wait
	$(PYTEST) $(ALONE) -m "alone and not long" || $(AGAIN)
	$(PYTEST) -n 4 --dist worksteal -m "not alone and not long" || $(AGAIN)

long: $(VENV)/programs.stamp $(VENV)/engines.stamp $(VENV)/dev.stamp  ## run the tests that take minutes, and the other cases of those in make test (PART=0/3: a third of them)
	$(PYTEST) $(ALONE) -m "alone and long" || $(AGAIN)
	$(PYTEST) -n 4 --dist worksteal -m "long and not alone" || $(AGAIN)

check: $(VENV)/dev.stamp  ## check lint and types only; also of the page's scripts, if tsc and eslint are installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@sh tests/check_scripts.sh

weight: $(VENV)/run.stamp  ## print what each room weighs, for whom it is there, and the ceilings
	$(BIN)/python -m tests.weight

docs: $(VENV)/dev.stamp  ## build the documents as a site, and check its links: build/docs/index.html
	$(BIN)/python docs/site/build.py build/docs

reference: $(VENV)/run.stamp  ## write docs/reference/cli.md again, from the help of the commands
	$(BIN)/python -m release.reference

bench: $(VENV)/dev.stamp  ## measure, and write bench/results.json and docs/reference/measured/speed.md
	$(BIN)/python -m bench

peers: $(VENV)/dev.stamp  ## compare speed with C++, Rust and NumPy: bench/peers.json and docs/reference/measured/kernels.md (ten minutes)
	$(BIN)/python -m bench.peers

exactness: $(VENV)/dev.stamp  ## compare a billion decks of the kernels with even counts: docs/reference/measured/exactness.md (five minutes)
	$(BIN)/python -m bench.exactness

battery: $(VENV)/dev.stamp  ## measure the time of each statistic: docs/reference/measured/battery.md (ten minutes)
	$(BIN)/python -m bench.battery

mutants: $(VENV)/dev.stamp  ## put small faults into the core, and see whether the tests find them: docs/reference/measured/mutants.md (half an hour)
	$(BIN)/python -m bench.mutants

calibration: $(VENV)/dev.stamp  ## check the p-values of perfect decks: docs/reference/measured/calibration.md (an hour and a half)
	$(BIN)/python -m bench.calibration

scoreboard: $(VENV)/dev.stamp  ## measure how soon each faulty shuffle fails, and that no fair one does: docs/reference/measured/scoreboard.md (two hours)
	$(BIN)/python -m bench.scoreboard

rivals: $(VENV)/dev.stamp  ## compare with other ways to test a shuffle: docs/reference/measured/rivals.md (half an hour)
	$(BIN)/python -m bench.rivals

libraries: $(VENV)/dev.stamp  ## test the shuffles of languages and packages: docs/reference/measured/libraries.md (half an hour)
	$(BIN)/python -m bench.libraries

fuzz: $(VENV)/fuzz.stamp  ## give the readers of what others send inputs that no person would write: READERS, SECONDS (Linux)
	for reader in $(or $(READERS),$(basename $(notdir $(wildcard tests/fuzz/corpora/*.json)))); do \
	  nice -n 10 $(BIN)/python -m tests.fuzz $$reader -max_total_time=$(or $(SECONDS),10) || exit 1; done

pictures: $(VENV)/dev.stamp $(VENV)/programs.stamp  ## take the screenshots in docs/images, and draw the figures there
	$(BIN)/python docs/figures.py
	$(BIN)/python docs/pictures.py

looks: $(VENV)/dev.stamp $(VENV)/programs.stamp  ## show which pages look different since a commit: BASE=main~1, build/looks/index.html
	$(BIN)/python -m tests.looks $(or $(BASE),HEAD~1)

letters: $(VENV)/dev.stamp  ## build the letters of headings and labels again (needs npm)
	npm ci --prefix release/font --silent && $(BIN)/python -m pip install --quiet 'fonttools>=4,<5' 'brotli>=1,<2' && $(BIN)/python -m release.font

voices: $(VENV)/dev.stamp  ## build the spoken labels again (needs espeak-ng)
	$(BIN)/python -m release.voices

build: $(VENV)/build.stamp  ## build the wheel and the source archive of the last commit: dist/
	$(BIN)/python -m release.build

pyz: $(VENV)/build.stamp  ## build fairdeck in one file, from the last commit: dist/fairdeck.pyz
	$(BIN)/python -m release.pyz

sbom: build pyz  ## list what a release holds and asks for: dist/fairdeck.cdx.json
	$(BIN)/python -m release.sbom

notes: sbom  ## build everything of a release, and its notes with every SHA-256: dist/NOTES.md
	$(BIN)/python -m release.notes

alone: build  ## install the wheel with each extra by itself, and use it (five minutes)
	$(BIN)/python -m release.alone

pythons: $(VENV)/dev.stamp  ## run the tests of the core on every Python of this machine
	$(BIN)/python -m release.pythons

lock: $(VENV)/dev.stamp  ## resolve the packages for development again: requirements/*.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1'
	$(BIN)/uv pip compile $(LOCKING) --upgrade --extra dev pyproject.toml --output-file requirements/dev.txt
	$(BIN)/uv pip compile $(LOCKING) --constraint requirements/dev.txt requirements/core.in --output-file requirements/core.txt
	$(BIN)/uv pip compile $(LOCKING) --constraint requirements/dev.txt --extra lab pyproject.toml --output-file requirements/lab.txt
	echo hatchling | $(BIN)/uv pip compile $(LOCKING) --constraint requirements/dev.txt --extra cluster pyproject.toml - \
	  --output-file requirements/cluster.txt

clean:  ## delete what is installed and built here
	rm -rf $(VENV) build dist bench/peers/build .pytest_cache .mypy_cache .ruff_cache

$(VENV)/made: FORCE
	@sh venv.sh $(if $(PYTHON),"$(PYTHON)")

$(VENV)/run.stamp: Makefile pyproject.toml $(VENV)/made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . $(CODES)
	touch $@

# To build takes little. The packages of the tests, which it does not need, take minutes.
$(VENV)/build.stamp: pyproject.toml requirements/core.txt $(VENV)/made
ifdef LOCKED
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/core.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . 'hatchling>=1.27,<2' $(CODES)
endif
	touch $@ $(VENV)/run.stamp

$(VENV)/dev.stamp: pyproject.toml requirements/dev.txt $(VENV)/made
ifdef LOCKED
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
else
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --editable '.[dev]'
endif
	@# pip compiles on one core, and what no test loads as well.
	@$(BIN)/python -m compileall -q -j 0 -x 'site-packages/(.*/tests|babel|docutils|mypyc?|pygments|sphinx)/' $(VENV)/lib || true
	touch $@ $(VENV)/run.stamp

# Atheris has no wheel for every Python and system, so it is not in the extra dev.
$(VENV)/fuzz.stamp: $(VENV)/dev.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'atheris>=3,<4'
	touch $@

$(VENV)/programs.stamp: $(VENV)/made
	@sh tests/install_programs.sh
	@touch $@

$(VENV)/engines.stamp: $(VENV)/made
	@sh tests/install_programs.sh engines
	@touch $@
