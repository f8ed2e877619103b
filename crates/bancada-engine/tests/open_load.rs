// SPDX-License-Identifier: Apache-2.0
//! Open load: requests at their intended instants whatever the server does, and the wait counts.

mod support;

use std::thread::sleep;
use std::time::Duration;

use bancada_engine::delay::{Freeze, departure_ns};
use bancada_engine::event::Event;
use serde_json::json;
use support::engine::{Drive, Upstream, record};
use support::order::{MS, S, constant_rate, get, order, with, with_samples};
use support::rows;
use support::server::{Act, Server, always, answer};

#[test]
fn requests_are_intended_at_the_schedules_instants_and_operations_taken_in_turn() {
    let server = always("");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let operations = json!([get("a", "/a/{{iteration}}"), get("b", "/b/{{iteration}}")]);
    let order = with(order(server.address, &constant_rate(100, 500 * MS, 8)), "operations", operations);
    let record = record(&with_samples(with(order, "workers", json!(2)), &path));
    assert_eq!((record.kind.as_str(), record.requests, record.unsent), ("open", 50, 0));
    let mut rows = rows::read(&path);
    rows.sort_by_key(|row| row.intended_ns);
    let intended: Vec<_> = rows.iter().map(|row| row.intended_ns).collect();
    assert_eq!(intended, (0..50).map(|k| k * 10 * MS).collect::<Vec<_>>());
    assert!(rows.iter().enumerate().all(|(k, row)| row.operation == if k % 2 == 0 { "a" } else { "b" }));
    let mut paths: Vec<_> = server.seen().iter().map(|seen| seen.path().to_owned()).collect();
    paths.sort();
    let mut expected: Vec<_> = (0..25).flat_map(|i| [format!("/a/{i}"), format!("/b/{i}")]).collect();
    expected.sort();
    assert_eq!(paths, expected); // what templates fill in does not depend on the connection
}

#[test]
fn at_most_the_given_connections_are_used_and_waiting_for_one_counts() {
    let upstream = Upstream::start(&["--delay", "100ms"]);
    for workers in [1, 2] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("samples.parquet");
        // 20 requests within 0.2 s over 4 connections of 100 ms each: five rounds.
        let order = with(order(upstream.address, &constant_rate(100, 200 * MS, 4)), "workers", json!(workers));
        let record = record(&with_samples(order, &path));
        assert_eq!((record.requests, record.connections_opened, record.engine.workers), (20, 4, workers));
        let rows = rows::read(&path);
        let under_way = |at: u64| rows.iter().filter(|row| row.sent_ns <= at && at < row.done_ns).count();
        assert!(rows.iter().all(|row| under_way(row.sent_ns) <= 4));
        // The last one is intended at 190 ms and begun when the fourth round ends, at 430 ms at the earliest.
        let last = rows.iter().max_by_key(|row| row.intended_ns).unwrap();
        assert!(last.sent_ns >= 429 * MS, "{last:?}");
        assert!(record.latency_ns.max.unwrap() >= 339 * MS, "{:?}", record.latency_ns);
        // Waiting for a connection is the server's affair, not the engine's lateness.
        assert!(record.lateness_ns.mean.unwrap() < record.latency_ns.mean.unwrap() / 2, "{record:?}");
    }
}

#[test]
fn a_free_connection_of_one_worker_serves_a_request_that_waits_at_another() {
    // Two workers with one connection each. The first one is busy until 1.5 s when its next request comes at 1 s;
    // by then the second one, which has no request of its own any more, is free.
    let server = Server::start(|seen| {
        if seen.path() == "/slow" {
            sleep(Duration::from_millis(1500));
        }
        Act::Write(answer(200, ""))
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let operations = json!([get("slow", "/slow"), get("fast", "/fast")]);
    let order = with(order(server.address, &constant_rate(2, 1500 * MS, 2)), "operations", operations);
    record(&with_samples(with(order, "workers", json!(2)), &path));
    let rows = rows::read(&path);
    let last = rows.iter().max_by_key(|row| row.intended_ns).unwrap();
    assert_eq!((last.operation.as_str(), last.intended_ns, last.user), ("slow", S, 1), "{rows:?}");
}

#[test]
fn a_stalled_server_shows_in_the_latencies() {
    // 500/s for 4 s at a server that stands still for 0.5 s from its second second on: with the wait counted, an
    // eighth of the requests wait, evenly from 0 to 500 ms. An engine that waits for answers would hide nearly all.
    let freeze = Freeze { length_ns: 500 * MS, every_ns: 2 * S };
    let upstream = Upstream::start(&["--delay", "1ms", "--freeze", "500ms", "--every", "2s"]);
    let listening_ns = upstream.listening["monotonic_ns"].as_u64().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let record = record(&with_samples(order(upstream.address, &constant_rate(500, 4 * S, 64)), &path));
    assert_eq!((record.requests, record.latency_ns.count), (2000, 2000));

    let zero_ns = record.started_monotonic_ns - listening_ns;
    let truth = |intended_ns: u64| departure_ns(zero_ns + intended_ns, MS, Some(freeze)) - (zero_ns + intended_ns);
    for row in rows::read(&path) {
        assert!(row.done_ns - row.intended_ns >= truth(row.intended_ns), "no answer comes before the truth: {row:?}");
    }
    let mut truths: Vec<u64> = (0..2000).map(|k| truth(k * 2 * MS)).collect();
    truths.sort_unstable();
    assert!(truths[1899] > 250 * MS, "the truth itself has the stall: {}", truths[1899]);
    // On a quiet machine the quantiles are within 2 % of the truth; a busy one makes both programs late, as they say.
    let of_upstream = upstream.stop();
    let late_ns = record.lateness_ns.max.unwrap() + of_upstream["lateness_ns"]["max"].as_u64().unwrap();
    let summary = &record.latency_ns;
    for (seen, truth) in [(summary.p50, truths[999]), (summary.p95, truths[1899]), (summary.max, truths[1999])] {
        assert!(seen.unwrap() * 1000 >= truth * 999, "seen {seen:?}, truth {truth}");
        assert!(seen.unwrap() < truth + 60 * MS + 2 * late_ns, "seen {seen:?}, truth {truth}, late {late_ns}");
    }
}

#[test]
fn poisson_arrivals_are_those_of_the_seed() {
    let server = always("");
    let intended = |seed: u64| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("samples.parquet");
        let load = with(constant_rate(200, 500 * MS, 16), "spacing", json!("poisson"));
        let order = with(order(server.address, &load), "seed", json!(seed));
        let record = record(&with_samples(with(order, "workers", json!(2)), &path));
        let mut intended: Vec<_> = rows::read(&path).iter().map(|row| row.intended_ns).collect();
        assert_eq!(intended.len() as u64, record.requests);
        intended.sort_unstable();
        intended
    };
    assert_eq!(intended(1), intended(1));
    assert_ne!(intended(1), intended(2));
}

#[test]
fn progress_tells_how_far_the_load_is() {
    let upstream = Upstream::start(&["--delay", "20ms"]);
    let (events, code) = Drive::start(&order(upstream.address, &constant_rate(100, S, 8))).finish();
    assert_eq!(code, 0);
    let mut last = 0;
    let mut lines = 0;
    for event in &events {
        if let Event::Progress { elapsed_ns, requests, failures, active_users, expected_requests } = event {
            assert!(*requests >= last && *requests <= 100 && *active_users <= 8 && *elapsed_ns > 0);
            assert_eq!((*failures, *expected_requests), (0, Some(100)));
            (last, lines) = (*requests, lines + 1);
        }
    }
    assert!(last > 0 && lines >= 2, "{last} {lines}");
}
