#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds made/sorter.jar with the JDK that JAVA_HOME names.
set -eu
mkdir -p classes made
"$JAVA_HOME/bin/javac" -d classes Sorter.java
"$JAVA_HOME/bin/jar" --create --file made/sorter.jar --main-class Sorter -C classes .
