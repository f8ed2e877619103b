#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make a small base image from this host's own files, for machines without a registry and for the tests: C library,
# libz, libstdc++ and, if JAVA_HOME is given, a Java runtime in /opt/java/openjdk. Nothing is fetched.
#
#   scripts/base-image.sh ENGINE NAME [JAVA_HOME]
#   scripts/base-image.sh podman localhost/bancada/base:java /usr/lib/jvm/some-jdk-25
set -eu

[ $# -eq 2 ] || [ $# -eq 3 ] || { sed -n 's/^# \{0,1\}//; 3,7p' "$0" >&2 && exit 2; }
engine=$1 name=$2 java_home=${3:-}

libraries="libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2 libnss_dns.so.2 libnss_files.so.2
    libz.so.1 libstdc++.so.6 libgcc_s.so.1"
# Those of a Java runtime as it is usually shipped: all of Java SE, and what servers use beside it.
modules='java\..*|jdk\.(charsets|crypto\.cryptoki|crypto\.ec|dynalink|httpserver|jdwp\.agent|jfr|jsobject|localedata'\
'|management|management\.agent|management\.jfr|naming\.dns|naming\.rmi|net|nio\.mapmode|sctp|security\.auth'\
'|security\.jgss|unsupported|xml\.dom|zipfs)'

say() { printf '%s\n' "$*" >&2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
root=$work/root

copy() { mkdir -p "$root$(dirname "$1")" && cp -L "$1" "$root$1"; }

copy_libraries() {
    needed=$(ldd "$(command -v sh)")
    libc=$(printf '%s\n' "$needed" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
    loader=$(printf '%s\n' "$needed" | sed -n 's/^[[:space:]]*\(\/[^ ]*\/ld-[^ ]*\) .*/\1/p')
    if [ -z "$libc" ] || [ -z "$loader" ]; then
        say "this host's programs do not use the GNU C library"
        exit 6
    fi
    copy "$loader"
    for library in $libraries; do
        if [ -e "$(dirname "$libc")/$library" ]; then
            copy "$(dirname "$libc")/$library"
        else
            say "left out, because this host does not have it: $library"
        fi
    done
}

add_java() {
    wanted=$("$java_home/bin/java" --list-modules | sed 's/@.*//' | grep -xE "$modules" | paste -sd, -)
    mkdir -p "$root/opt/java"
    "$java_home/bin/jlink" --add-modules "$wanted" --strip-debug --no-header-files --no-man-pages \
        --generate-cds-archive --output "$root/opt/java/openjdk" >&2
}

mkdir -p "$root/etc" "$root/tmp"
chmod 1777 "$root/tmp"
echo 'root:x:0:0:root:/root:/sbin/nologin' >"$root/etc/passwd"
echo 'root:x:0:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
copy_libraries
path=/usr/local/bin:/usr/bin:/bin
if [ -n "$java_home" ]; then
    add_java
    path=/opt/java/openjdk/bin:$path
fi
tar -C "$root" --owner=0 --group=0 --numeric-owner -c . |
    "$engine" import --change "ENV PATH=$path" --change "ENV LANG=C.UTF-8" - "$name" >&2
say "made $name"
