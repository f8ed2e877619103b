# SPDX-License-Identifier: Apache-2.0
# The words of development; `make` alone lists them.

CACHE := $(or $(BANCADA_CACHE),.bancada)
BIN := $(CACHE)/venv/bin
UV := $(or $(shell command -v uv),$(CACHE)/uv/bin/uv)
LOCK := --quiet pip compile pyproject.toml --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11

.DEFAULT_GOAL := help
.PHONY: help setup fmt check test test-native quick demo lock release

help:     ## list these words
	@sed -n 's/^\([a-z-]*\): *.*## /  make \1	/p' Makefile | expand -t 20

setup:    ## set up .bancada/ with the tools of development
	BANCADA_DEV=1 scripts/setup.sh

fmt: setup    ## put all sources into their form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	scripts/with-cargo.sh cargo fmt

check:    ## formatting, lint, types and layers
	scripts/test.sh check

test:     ## check, and run every test; sets up a fresh machine first
	scripts/test.sh all

test-native:   ## the native executables that take ten minutes and ten gigabytes to build
	scripts/test.sh native

quick:    ## check, and run the tests that need neither builds nor minutes
	scripts/test.sh quick

demo:     ## the first study: build two stacks, load them, print the verdict
	./bancada run quickstart

lock: setup    ## take new versions of the Python packages into requirements*.txt
	$(UV) $(LOCK) --upgrade --group build --output-file requirements.txt
	$(UV) $(LOCK) --upgrade --group build --group dev --output-file requirements-dev.txt

release: test    ## test, then build both wheels into target/dist
	rm -rf target/dist
	for folder in . crates/bancada-engine; do \
		PATH="$(abspath $(BIN)):$$PATH" scripts/with-cargo.sh $(UV) build --wheel --no-build-isolation \
			--python $(BIN)/python --out-dir target/dist $$folder || exit; \
	done
