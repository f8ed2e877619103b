#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a command with the cargo on its PATH that setup.sh would take, as in: scripts/with-cargo.sh cargo test
set -eu

home=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd)
# shellcheck disable=SC2034  # used by setup-tools.sh
cache=${BANCADA_CACHE:-$home/.bancada}
# shellcheck source=scripts/setup-tools.sh
. "$home/scripts/setup-tools.sh"

if ! find_cargo; then
    printf 'bancada: Rust %s or newer is needed\n  where:  searched:%s\n  advice: %s\n' \
        "$least" "${seen:- PATH, ~/.cargo/bin}" "install it: $(install_command rust)" >&2
    exit 6
fi
PATH=$(dirname "$cargo"):$PATH
export PATH
cd "$home"
exec "$@"
