# The commands of a working day. CMakePresets.json says how the two builds differ.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

BUILD = cmake --build $(1) --parallel $(JOBS)
TEST = ctest --test-dir $(1) --parallel $(JOBS) --output-on-failure --no-tests=error

.PHONY: build demo python test test-interop test-wasm asan bench bench-peers validate validation-pictures lint format install clean bootstrap
.DEFAULT_GOAL := build

build: build/build.ninja
	@$(call BUILD,build) --target thigmo_cli

demo: build
	@tools/demo

# The Python module, where it can be imported from.
python: build/build.ninja
	@$(call BUILD,build) --target thigmo_python
	@echo 'python: PYTHONPATH=$(CURDIR)/build/python /usr/bin/python3 -c "import thigmo; help(thigmo)"'
	@echo 'python: docs/python.md has a tour; `pip install .` makes it part of an environment'

# Both builds come first, so that the run ends with the two summaries of ctest.
test: build/build.ninja build-asan/build.ninja
	@$(call BUILD,build)
	@$(call BUILD,build-asan)
	@status=0; $(call TEST,build) || status=1; $(call TEST,build-asan) || status=1; exit $$status

# What takes programs too large for every test run: Blender.
test-interop: build
	@tools/bootstrap --interop
	@tools/test_interop

# The core as WebAssembly under Node, for which Debian's emscripten must be installed.
test-wasm:
	@tools/wasm
	@node --no-experimental-fetch tests/wasm/step_oak.cjs build-wasm/thigmo.js gallery/plants/oak.lsys

asan: build-asan/build.ninja
	@$(call BUILD,build-asan)
	@$(call TEST,build-asan)

bench: build
	@build/thigmo bench

# The same trees in DART and MuJoCo, which are installed for it.
bench-peers:
	@tools/bootstrap --peers
	@cmake --preset release -DTHIGMO_PEERS=ON
	@$(call BUILD,build) --target thigmo_bench_peers
	@build/thigmo_bench_peers

validate: build
	@build/thigmo validate

# Those of docs/validation.md; CASE=NAME draws those of one case.
validation-pictures: build
	@tools/validation_pictures $(CASE)

# SINCE=COMMIT looks only at files changed since then.
lint: bootstrap
	@tools/check_layers
	@tools/check_shape
	@tools/format --check
	@tools/lint $(SINCE)

format: bootstrap
	@tools/format

install: build
	@$(call BUILD,build) --target thigmo_c
	@cmake --install build --prefix $(PREFIX)

clean:
	@rm -rf build build-asan build-core build-lint build-pip out

bootstrap:
	@tools/bootstrap

build/build.ninja: CMakePresets.json | bootstrap
	@cmake --preset release && touch $@

build-asan/build.ninja: CMakePresets.json | bootstrap
	@cmake --preset asan && touch $@
