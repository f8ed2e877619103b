# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# home, cache, log, say, step and fail are those of setup.sh.
# Part of setup.sh: find uv, cargo and a linker, or install them, or say with which one command to install them.

can_install() { [ "$(id -u)" = 0 ] && [ -f /etc/debian_version ] && command -v apt-get >/dev/null; }

apt_install() {
    export DEBIAN_FRONTEND=noninteractive
    step "installing with apt-get: $*" 6 "apt-get install $*" "repair apt's sources or the network, and start again" \
        sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends "$@"' sh "$@"
}

# at_least VERSION LEAST: compares the first two numbers.
at_least() {
    major=${1%%.*} minor=${1#*.} least_major=${2%%.*} least_minor=${2#*.}
    minor=${minor%%[!0-9]*} least_minor=${least_minor%%[!0-9]*}
    [ "$major" -gt "$least_major" ] || { [ "$major" -eq "$least_major" ] && [ "$minor" -ge "$least_minor" ]; }
}

# install_command TOOL: the one command that installs it on this system.
install_command() {
    if command -v brew >/dev/null; then
        case $1 in
            linker) echo "xcode-select --install" ;;
            *) echo "brew install $1" ;;
        esac
    elif [ -f /etc/debian_version ]; then
        case $1 in
            python) echo "sudo apt-get install python3 python3-venv" ;;
            uv) echo "curl -LsSf https://astral.sh/uv/install.sh | sh" ;;
            rust) echo "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh" ;;
            linker) echo "sudo apt-get install gcc libc6-dev" ;;
        esac
    else
        case $1 in
            python | uv) echo "curl -LsSf https://astral.sh/uv/install.sh | sh" ;;
            rust) echo "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh" ;;
            linker) echo "install gcc with your system's packages" ;;
        esac
    fi
}

find_uv() {
    for uv in uv "$cache/uv/bin/uv" "${HOME:-/nonexistent}/.local/bin/uv"; do
        # A name on the PATH is not enough: version managers leave stand-ins that cannot run.
        "$uv" --version >/dev/null 2>&1 && return 0
    done
    return 1
}

install_uv() {
    if can_install && ! python3 -c 'import ensurepip' 2>/dev/null; then
        apt_install python3 python3-venv
    fi
    rm -rf "$cache/uv"
    step "installing uv in $cache/uv" 6 "$cache/uv" \
        "look at the network or a proxy, or install uv yourself, and start again: $(install_command uv)" \
        uv_by_pip "$home/scripts/uv.txt"
    uv=$cache/uv/bin/uv
}

# pip alone is enough for a folder of packages; without pip, Python's own venv brings one.
uv_by_pip() {
    python3 -m pip install --quiet --target "$cache/uv" --require-hashes --requirement "$1" ||
        { rm -rf "$cache/uv" && python3 -m venv "$cache/uv" &&
            "$cache/uv/bin/pip" install --quiet --require-hashes --requirement "$1"; }
}

cargo_least() { sed -n 's/^rust-version *= *"\(.*\)"/\1/p' "$home/Cargo.toml"; }

find_cargo() {
    least=$(cargo_least)
    seen=
    for cargo in "$(command -v cargo || true)" "${CARGO_HOME:-${HOME:-/nonexistent}/.cargo}/bin/cargo" /usr/bin/cargo; do
        [ -x "$cargo" ] || continue
        find_rustup_home "$cargo"
        version=$("$cargo" --version 2>/dev/null | sed -n 's/^cargo \([0-9.]*\).*/\1/p')
        seen="$seen $cargo (${version:-does not run}),"
        [ -n "$version" ] && at_least "$version" "$least" && return 0
    done
    return 1
}

# rustup's cargo finds its compilers in HOME; with another HOME they are still beside the cargo that was found.
find_rustup_home() {
    beside=$(dirname "$(dirname "$(dirname "$1")")")/.rustup
    if [ -z "${RUSTUP_HOME:-}" ] && [ ! -d "${HOME:-/nonexistent}/.rustup" ] && [ -d "$beside" ]; then
        export RUSTUP_HOME="$beside"
    fi
}

# Debian keeps a recent Rust beside the release's own for its browsers' sake: cargo-web.
install_cargo() {
    if can_install; then
        say "looking for Rust $least or newer in Debian's packages"
        apt-get update -q >"$log" 2>&1 || true
        for package in cargo cargo-web; do
            candidate=$(apt-cache policy "$package" | sed -n 's/^ *Candidate: \([0-9.]*\).*/\1/p')
            # Before 1.75 Debian counted cargo from 0: cargo 0.66 came with Rust 1.65.
            if [ -n "$candidate" ] && at_least "$candidate" "$least"; then
                apt_install "$package" gcc libc6-dev ca-certificates
                find_cargo && return 0
            fi
        done
    fi
    fail 6 "Rust $least or newer is needed to build the load engine" "searched:${seen:- PATH, ~/.cargo/bin,} /usr/bin" \
        "install it, and start again: $(install_command rust)"
}

find_linker() { command -v cc >/dev/null; }

install_linker() {
    can_install && apt_install gcc libc6-dev && return 0
    fail 6 "a C compiler is needed to link the load engine" "searched: cc on the PATH" \
        "install it, and start again: $(install_command linker)"
}
