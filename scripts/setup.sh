#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sets up .bancada/ in the project's folder, or the folder that BANCADA_CACHE names: uv, a Python environment, Bancada
# itself and its load engine.
#
#   scripts/setup.sh                  set up whatever is missing or older than its sources; else do nothing
#   BANCADA_DEV=1 scripts/setup.sh    the tools of development too; they stay until .bancada/ is removed
#
# Says each step on stderr. Exit codes are Bancada's own: 6 a tool is missing, 12 the folder cannot be written,
# 13 the load engine could not be built.
set -eu

home=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd)
cache=${BANCADA_CACHE:-$home/.bancada}
venv=$cache/venv
made_of=$venv/made-of      # the requirements file, and the folders: an environment cannot be moved
ready=$cache/ready         # dated before the sources of the last finished set-up were read
pending=$cache/setting-up  # becomes `ready`; if it is there at the start, a set-up was killed half-way
lock=$cache/lock           # a symbolic link to the number of the process that holds it: made and filled in one step
log=$cache/setup.log
folders="$home, $cache"

say() { printf 'bancada: %s\n' "$*" >&2; }

# fail CODE WHAT WHERE ADVICE
fail() {
    [ -z "${holding:-}" ] || rm -f "$pending"
    printf 'bancada: %s\n  where:  %s\n  advice: %s\n' "$2" "$3" "$4" >&2
    exit "$1"
}

# step TEXT CODE WHERE ADVICE COMMAND…: say TEXT and run the command; if it fails, show the end of what it said.
step() {
    text=$1 code=$2 where=$3 advice=$4 began=$(date +%s)
    shift 4
    say "$text"
    if "$@" >"$log" 2>&1; then
        say "  done in $(($(date +%s) - began)) s"
    else
        tail -n 15 "$log" | sed 's/^/  | /' >&2
        fail "$code" "this did not work: $text" "$where (all of its output: $log)" "$advice"
    fi
}

# What the environment is to be made of; tools of development are kept once they are there.
wanted() {
    if [ "${BANCADA_DEV:-}" = 1 ] || grep -qs '^requirements-dev' "$made_of"; then
        requirements='requirements-dev.txt'
    else
        requirements='requirements.txt'
    fi
    printf '%s\n%s\n' "$requirements" "$folders"
}

# Succeeds if the last set-up was finished and no source is newer than it.
is_ready() {
    [ -f "$ready" ] && [ -x "$venv/bin/bancada" ] && [ -x "$venv/bin/bancada-engine" ] || return 1
    [ "$(cat "$made_of" 2>/dev/null)" = "$(wanted)" ] || return 1
    newer=$(cd "$home" && find requirements.txt requirements-dev.txt pyproject.toml scripts Cargo.toml Cargo.lock crates \
        -newer "$ready" -print 2>/dev/null | head -n 1)
    [ -z "$newer" ]
}

is_running() { kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ]; }

# Wait until no other set-up is at work in this folder, and keep others out until this one ends.
take_lock() {
    if ! mkdir -p "$cache" 2>/dev/null || [ ! -w "$cache" ]; then
        fail 12 "Bancada's cache cannot be written" "$cache" "make it writable, or name another folder in BANCADA_CACHE"
    fi
    waiting='' tries=0
    until ln -s "$$" "$lock" 2>/dev/null; do
        if ! holder=$(readlink "$lock"); then
            # Released just now; or the file system is full, or has no symbolic links.
            tries=$((tries + 1))
            [ "$tries" -lt 20 ] || fail 12 "no lock can be made" "$lock" "remove it, free some space, or set BANCADA_CACHE"
            sleep 0.1
            continue
        fi
        if ! is_running "$holder"; then
            # Of several that find the holder gone, one renames its lock; a younger lock caught so is put back.
            mv "$lock" "$lock.$$" 2>/dev/null || continue
            [ "$(readlink "$lock.$$")" = "$holder" ] || mv "$lock.$$" "$lock"
            rm -f "$lock.$$"
            continue
        fi
        [ -n "$waiting" ] || say "waiting for another start that is setting up (process $holder)"
        waiting=yes
        sleep 0.2
    done
    holding=yes
    trap 'rm -f "$lock"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

python_environment() {
    made_now=$(wanted)
    requirements=$home/$(printf '%s' "$made_now" | head -n 1)
    # An environment that was being filled when its set-up was killed may hold half a package.
    if [ -e "$pending" ] || [ "$(sed -n 2p "$made_of" 2>/dev/null)" != "$folders" ] || ! "$venv/bin/python" -c '' 2>/dev/null
    then
        rm -rf "$venv"
    fi
    rm -f "$ready"
    : >"$pending"
    if [ ! -d "$venv" ]; then
        step "making a Python environment (Python 3.11 or newer)" 6 "$venv" \
            "install Python 3.11 or newer: $(install_command python)" \
            "$uv" venv --quiet --python '>=3.11' "$venv"
    fi
    printf '%s\n' "$made_now" >"$made_of"
    step "fetching the Python packages of ${requirements##*/}" 6 "$requirements" \
        "packages are fetched once, so look at the network, a proxy or UV_DEFAULT_INDEX, and start again" \
        "$uv" pip sync --python "$venv/bin/python" --require-hashes "$requirements"
    step "installing Bancada into its environment" 6 "$home/pyproject.toml" "repair pyproject.toml, and start again" \
        "$uv" pip install --quiet --python "$venv/bin/python" --no-deps --no-build-isolation --editable "$home"
}

load_engine() {
    # --reinstall-package: uv's own cache looks at pyproject.toml only, and would miss a change of the Rust sources.
    step "building the load engine with $cargo (the first time about two minutes)" 13 "$home/crates/bancada-engine" \
        "crates are fetched once, so look at the network or a proxy; if it is a compiler's message, repair the source" \
        env PATH="$(dirname "$cargo"):$venv/bin:$PATH" \
        "$uv" pip install --python "$venv/bin/python" --no-deps --no-build-isolation \
        --reinstall-package bancada-engine "$home/crates/bancada-engine"
}

set_up() {
    [ -d "$venv" ] || say "first start: setting up in $cache"
    find_cargo || install_cargo
    find_linker || install_linker
    find_uv || install_uv
    python_environment
    load_engine
    mv "$pending" "$ready"
}

case $cache in
    /*) ;;
    *) fail 3 "BANCADA_CACHE must be an absolute path" "$cache" "write it from / on, as in $PWD/$cache" ;;
esac
if ! is_ready; then
    # shellcheck source=scripts/setup-tools.sh
    . "$home/scripts/setup-tools.sh"
    take_lock
    is_ready || set_up
fi
