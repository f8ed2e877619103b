// SPDX-License-Identifier: Apache-2.0
//! Closed load against a real server: who asks what, when, over which connection.

mod support;

use serde_json::json;
use support::engine::{Upstream, record};
use support::order::{MS, S, duration, get, iterations, order, with, with_samples};
use support::rows;
use support::server::{Act, Server, always, answer};

#[test]
fn each_user_walks_through_the_operations_in_order_on_one_connection() {
    let server = always("hello");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let operations =
        json!([get("first", "/first"), get("second", "/second"), get("third", "/third/{{user}}/{{iteration}}")]);
    let order = with(order(server.address, &iterations(4, 5)), "operations", operations);
    let record = record(&with_samples(with(order, "workers", json!(2)), &path));

    assert_eq!((record.requests, record.connections_opened, record.unsent), (60, 4, 0));
    assert!(record.failures.0.is_empty() && !record.stopped_early);
    assert_eq!(
        record.operations.iter().map(|o| (o.name.as_str(), o.requests)).collect::<Vec<_>>(),
        [("first", 20), ("second", 20), ("third", 20)]
    );
    let seen = server.seen();
    for connection in 0..4 {
        let paths: Vec<_> =
            seen.iter().filter(|seen| seen.connection == connection).map(support::server::Seen::path).collect();
        let user = paths[2].split('/').nth(2).unwrap();
        let walk = (0..5).flat_map(|i| ["/first".to_owned(), "/second".to_owned(), format!("/third/{user}/{i}")]);
        assert_eq!(paths, walk.collect::<Vec<_>>());
    }

    let rows = rows::read(&path);
    assert_eq!(rows.len(), 60);
    assert_eq!(rows.iter().filter(|row| row.new_connection).count(), 4);
    for user in 0..4 {
        let of_user: Vec<_> = rows.iter().filter(|row| row.user == user).collect();
        assert_eq!(
            of_user.iter().map(|row| row.iteration).collect::<Vec<_>>(),
            (0..5).flat_map(|i| [i; 3]).collect::<Vec<_>>()
        );
        // The next request is intended when the last one was done.
        assert!(of_user.windows(2).all(|pair| pair[1].intended_ns == pair[0].done_ns));
    }
}

#[test]
fn rows_say_what_went_over_the_wire() {
    let server = always("hello");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let record = record(&with_samples(order(server.address, &iterations(1, 3)), &path));
    let rows = rows::read(&path);
    let sent = server.seen()[0].head.len();
    for row in &rows {
        assert_eq!((row.status, row.failure.as_deref(), row.operation.as_str()), (Some(200), None, "home"));
        assert_eq!((row.bytes_in, row.body_bytes), (answer(200, "hello").len() as u64, 5));
        assert_eq!(row.bytes_out, sent as u64);
        assert!(row.intended_ns <= row.sent_ns && row.sent_ns < row.first_byte_ns.unwrap());
        assert!(row.first_byte_ns.unwrap() <= row.done_ns);
        // Only where a connection was opened, after it was begun and before anything was answered.
        assert_eq!(row.connected_ns.is_some(), row.new_connection);
        assert!(row.connected_ns.is_none_or(|at_ns| row.sent_ns < at_ns && Some(at_ns) < row.first_byte_ns));
    }
    let total = |column: fn(&rows::Sample) -> u64| rows.iter().map(column).sum::<u64>();
    assert_eq!((record.bytes_in, record.bytes_out), (total(|row| row.bytes_in), total(|row| row.bytes_out)));
    assert_eq!(record.elapsed_ns, rows.iter().map(|row| row.done_ns).max());
    assert_eq!(record.latency_ns.max, rows.iter().map(|row| row.done_ns - row.intended_ns).max());
    let columns = "intended_ns sent_ns done_ns first_byte_ns connected_ns user iteration operation status failure \
                   bytes_in bytes_out body_bytes new_connection";
    assert_eq!(rows::columns(&path).join(" "), columns);
}

#[test]
fn users_start_over_the_ramp_up() {
    let server = always("");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let load = with(iterations(10, 1), "ramp_up_ns", json!(S));
    record(&with_samples(order(server.address, &load), &path));
    let mut rows = rows::read(&path);
    rows.sort_by_key(|row| row.user);
    let intended: Vec<_> = rows.iter().map(|row| row.intended_ns).collect();
    assert_eq!(intended, (0..10).map(|user| user * 100 * MS).collect::<Vec<_>>());
    assert!(rows.iter().all(|row| row.sent_ns >= row.intended_ns));
}

#[test]
fn users_think_between_an_answer_and_the_next_request() {
    let server = always("");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let load = with(iterations(1, 5), "think_ns", json!(30 * MS));
    let record = record(&with_samples(order(server.address, &load), &path));
    let rows = rows::read(&path);
    assert!(rows.windows(2).all(|pair| pair[1].intended_ns == pair[0].done_ns + 30 * MS));
    assert!(record.elapsed_ns.unwrap() >= 120 * MS);
    // Thinking is not waiting for the server.
    assert_eq!(record.latency_ns.max, rows.iter().map(|row| row.done_ns - row.intended_ns).max());
}

#[test]
fn no_request_is_begun_after_the_duration_and_those_under_way_are_finished() {
    let upstream = Upstream::start(&["--delay", "80ms"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let record = record(&with_samples(order(upstream.address, &duration(3, 200 * MS, 0)), &path));
    let rows = rows::read(&path);
    assert!(rows.iter().all(|row| row.sent_ns < 200 * MS && row.failure.is_none()));
    for user in 0..3 {
        let last = rows.iter().filter(|row| row.user == user).map(|row| row.done_ns).max();
        assert!(last.unwrap() >= 200 * MS, "a user ends only when the time is over");
    }
    assert_eq!(record.requests, rows.len() as u64);
    assert!(record.requests <= 9, "each begins at 0, 80 and 160 ms, or later");
}

#[test]
fn an_answer_in_chunks_and_one_until_the_connection_closes_are_whole() {
    let server = Server::start(|seen| match seen.number {
        0 => Act::Write(
            b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: x\r\n\r\n"
                .to_vec(),
        ),
        1 => Act::Write(
            b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nabcde".to_vec(),
        ),
        _ => Act::WriteAndClose(b"HTTP/1.1 200 X\r\n\r\nabcde".to_vec()),
    });
    let order =
        support::order::with_check(order(server.address, &iterations(1, 6)), json!({"status": [200], "size_bytes": 5}));
    let record = record(&order);
    assert_eq!((record.requests, record.connections_opened), (6, 2));
    assert!(record.failures.0.is_empty(), "{:?}", record.failures);
}

#[test]
fn the_upstream_counts_what_the_engine_counts() {
    let upstream = Upstream::start(&["--delay", "5ms", "--body-bytes", "6600"]);
    let check = json!({"status": [200], "size_bytes": 6600});
    let record = record(&support::order::with_check(order(upstream.address, &iterations(50, 20)), check));
    let of_upstream = upstream.stop();
    assert!(record.failures.0.is_empty(), "{:?}", record.failures);
    assert_eq!((of_upstream["requests"].as_u64(), of_upstream["connections"].as_u64()), (Some(1000), Some(50)));
    assert_eq!((record.requests, record.connections_opened), (1000, 50));
    assert!(record.latency_ns.min.unwrap() >= 5 * MS);
}

#[test]
fn templates_send_the_same_bytes_for_the_same_seed_and_others_for_another() {
    let bodies = |seed: u64| {
        let server = always("");
        let mut order = with(order(server.address, &iterations(3, 2)), "seed", json!(seed));
        order["operations"][0]["method"] = json!("POST");
        order["operations"][0]["body"] = json!({"template": "{{user}}:[{{random_ints:5:1:1000}}]"});
        record(&order);
        let mut bodies: Vec<_> = server.seen().into_iter().map(|seen| String::from_utf8(seen.body).unwrap()).collect();
        bodies.sort();
        bodies
    };
    assert_eq!(bodies(1), bodies(1));
    assert_ne!(bodies(1), bodies(2));
}
