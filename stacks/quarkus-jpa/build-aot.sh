# SPDX-License-Identifier: Apache-2.0
# sh build-aot.sh MVN JAVA SQL: build one jar of everything in target/aot, and make the AOT cache of a start beside it.
set -eu
mvn=$1
java=$2
sql=$3

"$mvn" --batch-mode --no-transfer-progress package -DskipTests \
    "-Dquarkus.datasource.db-kind=$sql" -Dquarkus.package.jar.type=uber-jar
rm -rf target/aot
mkdir target/aot
cp target/quarkus-jpa-1-runner.jar target/aot/quarkus-jpa.jar

# The start that is recorded connects to no database: Hibernate ORM starts offline, and the pool is filled on demand. The
# cache is good only for the same JVM settings and the same relative path of the jar as in stack.toml.
PORT=0 HOST=127.0.0.1 SQL_URL="$sql://127.0.0.1:1/none" SQL_USER=none SQL_PASSWORD=none \
    QUARKUS_HIBERNATE_ORM_DATABASE_START_OFFLINE=true \
    "$java" -Xmx1g -XX:+UseG1GC -XX:AOTCacheOutput=target/aot/quarkus-jpa.aot \
    -jar target/aot/quarkus-jpa.jar > target/training.log 2>&1 &
pid=$!
until grep -q "Listening on" target/training.log; do
    kill -0 "$pid" || { cat target/training.log; exit 1; }
    sleep 0.1
done
kill "$pid"
# 143: ended by SIGTERM, as asked.
wait "$pid" || test $? = 143
cat target/training.log
test -s target/aot/quarkus-jpa.aot
