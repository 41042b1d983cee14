# Everything lives in .venv; the stamps below make a second call cheap. PYTHON=... names another interpreter for it.
VENV := .venv
BIN := $(VENV)/bin

# With -j as without: two installations at once get into each other's way, and so do tests that mind the clock.
.NOTPARALLEL:
.PHONY: run test long check bench peers battery exactness calibration scoreboard pictures voices clean FORCE

run: $(VENV)/run.stamp  ## set up, then serve the dealing page
	$(BIN)/fairdeck serve

test: $(VENV)/programs.stamp check  ## set up, programs included, then lint, type-check and test
	$(BIN)/python -m pytest -m alone
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "not alone and not long"

long: $(VENV)/dev.stamp  ## the tests that take minutes by themselves
	$(BIN)/python -m pytest -n 2 -m long

check: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@sh tests/check_scripts.sh

bench: $(VENV)/dev.stamp  ## measure, and write bench/results.json and docs/speed.md
	$(BIN)/python -m bench

peers: $(VENV)/dev.stamp  ## shuffling beside C++, Rust and NumPy: bench/peers.json and docs/kernels.md (ten minutes)
	$(BIN)/python -m bench.peers

exactness: $(VENV)/dev.stamp  ## a billion decks of the kernels against even counts: docs/exactness.md (five minutes)
	$(BIN)/python -m bench.exactness

battery: $(VENV)/dev.stamp  ## what each statistic costs beside the shuffle: docs/battery.md (ten minutes)
	$(BIN)/python -m bench.battery

calibration: $(VENV)/dev.stamp  ## whether p-values of perfect decks are what they say (half an hour)
	$(BIN)/python -m bench.calibration

scoreboard: $(VENV)/dev.stamp  ## how soon each faulty shuffle is found, and no fair one (two hours)
	$(BIN)/python -m bench.scoreboard

pictures: $(VENV)/dev.stamp $(VENV)/programs.stamp  ## take the screenshots in docs/images
	$(BIN)/python docs/pictures.py

voices: $(VENV)/dev.stamp  ## build the spoken labels anew (needs espeak-ng)
	$(BIN)/fairdeck voices src/fairdeck/page/voices

clean:
	rm -rf $(VENV) build dist bench/peers/build .pytest_cache .mypy_cache .ruff_cache

$(VENV)/made: FORCE
	@sh venv.sh $(if $(PYTHON),"$(PYTHON)")

$(VENV)/run.stamp: pyproject.toml $(VENV)/made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/dev.stamp: pyproject.toml $(VENV)/made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/run.stamp

$(VENV)/programs.stamp: $(VENV)/made
	@sh tests/install_programs.sh
	@touch $@
