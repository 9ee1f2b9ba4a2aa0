# Everything runs in its own virtual environment; `make demo` and `make test` set it up on a fresh machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml CMakeLists.txt $(shell find src -type f -not -name '*.so' -not -name '*.pyi' -not -name '*.pyc')
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check -C cmake.define.BNFUSE_WERROR=ON

.PHONY: demo test bench lint sanitize fuzz clean

demo: $(VENV)/core
	sh examples/demo.sh $(BIN)

test: $(VENV)/test
	$(BIN)/python -c "from bnfuse import networks; networks.fetch()" || echo "tests on benchmark networks will be skipped"
	@command -v chromium >/dev/null || echo "tests of the report in a browser will be skipped: apt-get install chromium"
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

bench: $(VENV)/test
	$(BIN)/python bench/bench.py

fuzz: $(VENV)/test
	$(BIN)/python tests/fuzz.py

lint: $(VENV)/lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@mkdir -p build
	$(BIN)/python -m pytest --collect-only -q --override-ini addopts= | sed 's/ in [0-9.]*s.*//' >build/collected-1
	sleep 1
	PYTHONHASHSEED=1 $(BIN)/python -m pytest --collect-only -q --override-ini addopts= | sed 's/ in [0-9.]*s.*//' >build/collected-2
	cmp build/collected-1 build/collected-2  # workers that collect in different seconds must find the same tests
	$(BIN)/clang-format --dry-run --Werror $(shell find src tests -name '*.hpp' -o -name '*.cpp')

# The kernel's own test program, without Python, under AddressSanitizer and UBSan.
sanitize:
	cmake -S . -B build/sanitize -DBNFUSE_SANITIZE=ON -DBNFUSE_WERROR=ON
	cmake --build build/sanitize
	build/sanitize/kernel_test

clean:
	rm -rf $(VENV) build

$(VENV)/core: $(SOURCES) | $(VENV)/bin/python
	$(INSTALL) .
	touch $@

$(VENV)/test: $(SOURCES) | $(VENV)/bin/python
	$(INSTALL) ".[test]"
	touch $@ $(VENV)/core

$(VENV)/lint: $(SOURCES) | $(VENV)/bin/python
	$(INSTALL) ".[test,lint]"
	touch $@ $(VENV)/test $(VENV)/core

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
