# SPDX-License-Identifier: Apache-2.0
# sh build-aot.sh MVN JAVA: build the jar, unpack it to target/aot, and make the AOT cache of a start beside it.
set -eu
mvn=$1
java=$2

"$mvn" --batch-mode --no-transfer-progress package -DskipTests
rm -rf target/aot
"$java" -Djarmode=tools -jar target/spring-jpa.jar extract --destination target/aot

# The start that is recorded needs no database and ends by itself before it listens. The cache is good only for the same
# JVM settings and the same relative path of the jar as in stack.toml.
unset SQL_URL
PORT=0 "$java" -Xmx1g -XX:+UseG1GC -XX:AOTCacheOutput=target/aot/spring-jpa.aot \
    -Dspring.context.exit=onRefresh -jar target/aot/spring-jpa.jar
test -s target/aot/spring-jpa.aot
