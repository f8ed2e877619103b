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
        // The engine itself was not late, or the machine is not fit to run this test.
        assert!(record.lateness_ns.p50.unwrap() < 50 * MS, "{:?}", record.lateness_ns);
    }
}

#[test]
fn a_connection_of_one_worker_serves_a_request_of_another() {
    // Two workers with two connections each; all slow requests fall to the first worker, three at a time.
    let server = Server::start(|seen| {
        if seen.path() == "/slow" {
            sleep(Duration::from_millis(150));
        }
        Act::Write(answer(200, ""))
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let operations = json!([get("slow", "/slow"), get("fast", "/fast")]);
    let order = with(order(server.address, &constant_rate(40, S, 4)), "operations", operations);
    record(&with_samples(with(order, "workers", json!(2)), &path));
    let mut waits: Vec<_> = rows::read(&path).iter().map(|row| row.sent_ns - row.intended_ns).collect();
    waits.sort_unstable();
    // Over its own two connections the first worker would fall behind by 25 ms with each slow request.
    assert!(waits[35] < 60 * MS, "{waits:?}");
}

#[test]
fn a_stalled_server_shows_in_the_latencies() {
    // 500/s for 4 s at a server that stands still for 0.5 s from its second second on: with the wait counted, an
    // eighth of the requests wait, evenly from 0 to 500 ms. An engine that waits for answers would hide nearly all.
    let freeze = Freeze { length_ns: 500 * MS, every_ns: 2 * S };
    let upstream = Upstream::start(&["--delay", "1ms", "--freeze", "500ms", "--every", "2s"]);
    let mut drive = Drive::start(&order(upstream.address, &constant_rate(500, 4 * S, 64)));
    let Event::Started { monotonic_ns, .. } = drive.wait_for(|event| matches!(event, Event::Started { .. })) else {
        unreachable!()
    };
    let (events, _) = drive.finish();
    let Some(Event::Record(record)) = events.last() else { panic!("{events:?}") };

    let zero_ns = monotonic_ns - upstream.listening["monotonic_ns"].as_u64().unwrap();
    let mut truth: Vec<u64> = (0..2000)
        .map(|k| zero_ns + k * 2 * MS)
        .map(|intended_ns| departure_ns(intended_ns, MS, Some(freeze)) - intended_ns)
        .collect();
    truth.sort_unstable();
    let near = |seen: Option<u64>, truth: u64| {
        // The machine may be busy: a tenth of the truth, or 40 ms. Hiding the stall is off by hundreds.
        assert!(seen.unwrap().abs_diff(truth) < (truth / 10).max(40 * MS), "seen {seen:?}, truth {truth}");
    };
    assert_eq!((record.requests, record.latency_ns.count), (2000, 2000));
    near(record.latency_ns.p50, truth[999]);
    near(record.latency_ns.p95, truth[1899]);
    near(record.latency_ns.p99, truth[1979]);
    near(record.latency_ns.max, truth[1999]);
    assert!(truth[1899] > 250 * MS, "the truth itself has the stall: {}", truth[1899]);
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
    assert!(last > 50 && lines >= 5, "{last} {lines}");
}
