# SPDX-License-Identifier: Apache-2.0
# Every task of the project. CMake does the building; this file names the tasks and sees to the packages.
.DEFAULT_GOAL := help
.PHONY: help setup build run test prove bench clang asan check format format-check lint install clean
PREFIX ?= /usr/local
SAMPLE := examples/data/minilm-l6-ffn.safetensors
REPORT := build/report

jobs := $(shell nproc)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(jobs)
export CTEST_PARALLEL_LEVEL ?= $(jobs)
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## installs the missing Debian packages (as root; otherwise names them)
	@tools/setup

build: build/CMakeCache.txt ## builds the library and the tool, build/gelu
	@cmake --build build

build/CMakeCache.txt:
	@cmake --preset release

run: ## sets up, builds, and reports on a real tensor: the report is build/report/report.html
	@tools/setup build run
	@$(MAKE) build
	@build/gelu report $(SAMPLE) -o $(REPORT)

# Cheap checks first. Each line is a make of its own, so that the generator is chosen once the packages are there.
test: ## sets up, builds by g++ and clang, runs all tests, also under sanitizers, checks format and lint
	@tools/setup build run test
	@$(MAKE) format-check
	@$(MAKE) check
	@$(MAKE) clang
	@$(MAKE) lint
	@$(MAKE) asan
	@echo "make test: passed; what a step could not check on this system it has said above"

check: ## builds and tests, nothing else
	@cmake --preset test
	@cmake --build --preset test
	@ctest --preset test

prove: ## the proof on every f32 input; takes hours, can be stopped and resumed
	@tools/setup build test
	@cmake --preset test
	@cmake --build build --target prove
	@build/proof/prove

bench: ## times this library beside others, which it downloads (1 GB); the tables also go to build/bench/
	@tools/setup build test bench
	@cmake --preset bench
	@cmake --build build --target gelu_bench gelu_cli
	@bench/run build

clang: ## builds and tests by clang, in build-clang/
	@cmake --preset clang
	@cmake --build --preset clang
	@ctest --preset clang

asan: ## builds and tests under AddressSanitizer and UndefinedBehaviorSanitizer, in build-asan/
	@cmake --preset asan
	@cmake --build --preset asan
	@ctest --preset asan

format: ## formats the sources
	@tools/format

format-check: ## tells whether the sources are formatted
	@tools/format --check

lint: ## clang-tidy; needs the compile commands of make clang
	@tools/lint build-clang

install: build ## installs to PREFIX (/usr/local)
	@cmake --install build --prefix $(PREFIX)

clean: ## removes what was built
	@rm -rf build build-clang build-asan
