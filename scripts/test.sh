#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything that must be right before a change goes in. Stops at the first part that fails.
#
#   scripts/test.sh check    formatting, lint, types, layers; no test is run
#   scripts/test.sh quick    that, and the tests that need neither builds nor minutes
#   scripts/test.sh all      that, and every other test but the heaviest
#   scripts/test.sh native   only those: the native executables that take ten minutes and ten gigabytes to build
set -eu

home=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd)
cache=${BANCADA_CACHE:-$home/.bancada}
bin=$cache/venv/bin
began=$(date +%s)
times=
cd "$home"

# part NAME COMMAND…
part() {
    name=$1 part_began=$(date +%s)
    shift
    printf '\n=== %s\n' "$name"
    "$@" || {
        code=$?
        printf '\n=== stopped: %s failed with exit code %s after %s s\n' "$name" "$code" "$(($(date +%s) - began))" >&2
        exit "$code"
    }
    times="$times$(printf '%5d s  %s' "$(($(date +%s) - part_began))" "$name")
"
}

shell_checks() {
    for script in bancada scripts/*.sh; do
        dash -n "$script" || return
    done
    shellcheck -x bancada scripts/*.sh .ci/run
}

debian_packages() {
    missing=
    for program in shellcheck dash; do
        command -v "$program" >/dev/null || missing="$missing $program"
    done
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        printf 'needed by the checks, and not here:%s\n' "$missing" >&2
        return 6
    fi
    printf 'installing with apt-get:%s\n' "$missing"
    # shellcheck disable=SC2086  # a list of names
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing; } \
        >"$cache/packages.log" 2>&1 || { tail -n 15 "$cache/packages.log" >&2 && return 6; }
}

part "setting up" env BANCADA_DEV=1 scripts/setup.sh
part "programs for the checks" debian_packages
part "Python: formatting" "$bin/ruff" format --check .
part "Python: lint" "$bin/ruff" check .
part "Python: types" "$bin/mypy"
part "Python: layers" "$bin/lint-imports"
part "shell" shell_checks
part "Rust: formatting" scripts/with-cargo.sh cargo fmt --check
part "Rust: lint" scripts/with-cargo.sh cargo clippy --all-targets --locked -- -D warnings
if [ "$1" = all ] || [ "$1" = native ]; then
    part "programs for the tests" "$bin/python" scripts/tools_for_tests.py
fi
if [ "$1" != check ]; then
    part "Rust: tests" scripts/with-cargo.sh cargo test --locked
fi

printf '\n=== times so far\n%s' "$times"
case $1 in
    check) exit 0 ;;
    quick) set -- -m "not slow and not heavy" ;;
    native) set -- -m heavy ;;
    *) set -- -m "not heavy" ;;
esac
printf '\n=== Python: tests\n'
BANCADA_HOME=$home exec "$bin/pytest" "$@"
