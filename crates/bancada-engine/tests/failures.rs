// SPDX-License-Identifier: Apache-2.0
//! Each failure kind, against a real server that misbehaves.

mod support;

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Instant;

use bancada_engine::event::{Event, Record};
use rustix::process::{Resource, Rlimit, prlimit};
use serde_json::json;
use support::engine::{Drive, pid, record};
use support::order::{MS, constant_rate, iterations, order, with, with_check, with_samples};
use support::rows;
use support::server::{Act, Server, always, answer};

/// Two requests of one user that fail alike.
fn assert_fails(address: SocketAddr, kind: &str, status: Option<i32>) -> Record {
    assert_fails_with(&order(address, &iterations(1, 2)), kind, status)
}

fn assert_fails_with(order: &serde_json::Value, kind: &str, status: Option<i32>) -> Record {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let record = record(&with_samples(order.clone(), &path));
    assert_eq!(record.failures.0, [(kind.to_owned(), 2)].into());
    assert_eq!((record.requests, record.latency_ns.count, record.lateness_ns.count), (2, 0, 2));
    assert_eq!(record.operations[0].failures, record.failures);
    let rows = rows::read(&path);
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert_eq!((row.failure.as_deref(), row.status), (Some(kind), status));
        assert!(row.done_ns >= row.sent_ns);
    }
    record
}

fn serve(act: fn() -> Act) -> SocketAddr {
    Server::start(move |_| act()).address
}

#[test]
fn nobody_listens() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let record = assert_fails(address, "connect-refused", None);
    assert_eq!((record.connections_opened, record.bytes_out), (0, 0));
}

#[test]
fn a_full_queue_of_connections_is_a_connect_timeout() {
    use rustix::net::{AddressFamily, SocketType, bind, getsockname, listen, socket};
    let listener = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&listener, &"127.0.0.1:0".parse::<SocketAddr>().unwrap()).unwrap();
    listen(&listener, 0).unwrap();
    let address = SocketAddr::try_from(getsockname(&listener).unwrap()).unwrap();
    let _first = TcpStream::connect(address).unwrap(); // takes the only place in the queue
    let started = Instant::now();
    let limited = with(order(address, &iterations(1, 2)), "connect_timeout_ns", json!(100 * MS));
    assert_fails_with(&limited, "connect-timeout", None);
    assert!(started.elapsed().as_millis() >= 200);
}

#[test]
fn an_address_that_cannot_be_reached_is_a_connect_error() {
    assert_fails("255.255.255.255:80".parse().unwrap(), "connect-error", None);
}

#[test]
fn no_answer_is_a_response_timeout_and_the_connection_is_given_up() {
    let address = serve(|| Act::Hang);
    let limited = with(order(address, &iterations(1, 2)), "response_timeout_ns", json!(100 * MS));
    // The limit of connecting is another one.
    let limited = with(limited, "connect_timeout_ns", json!(15_000 * MS));
    let record = assert_fails_with(&limited, "response-timeout", None);
    assert_eq!(record.connections_opened, 2);
    assert!(record.elapsed_ns.unwrap() >= 200 * MS && record.elapsed_ns.unwrap() < 20_000 * MS);
}

#[test]
fn half_an_answer_is_a_response_timeout_that_knows_the_status() {
    let address = serve(|| Act::Write(b"HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\nabc".to_vec()));
    let limited = with(order(address, &iterations(1, 2)), "response_timeout_ns", json!(100 * MS));
    assert_fails_with(&limited, "response-timeout", Some(200));
}

#[test]
fn a_connection_closed_without_an_answer() {
    assert_fails(serve(|| Act::WriteAndClose(Vec::new())), "connection-closed", None);
}

#[test]
fn a_connection_closed_in_the_middle_of_the_head() {
    assert_fails(serve(|| Act::WriteAndClose(b"HTTP/1.1 200 X\r\nContent-".to_vec())), "connection-closed", None);
}

#[test]
fn a_connection_closed_in_the_middle_of_the_body() {
    let half = || Act::WriteAndClose(b"HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\nabc".to_vec());
    assert_fails(serve(half), "connection-closed", Some(200));
}

#[test]
fn what_is_not_http_is_a_protocol_failure() {
    assert_fails(serve(|| Act::Write(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec())), "protocol", None);
    assert_fails(
        serve(|| Act::Write(b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nxyz".to_vec())),
        "protocol",
        Some(200),
    );
}

#[test]
fn a_wrong_status_keeps_the_connection() {
    let record = assert_fails(serve(|| Act::Write(answer(503, "busy"))), "status", Some(503));
    assert_eq!(record.connections_opened, 1);
}

#[test]
fn a_wrong_size_json_or_digest() {
    let order = order(always("[1,2]").address, &iterations(1, 2));
    let zeros = "0".repeat(64);
    assert_fails_with(&with_check(order.clone(), json!({"status": [200], "size_bytes": 4})), "size", Some(200));
    assert_fails_with(&with_check(order.clone(), json!({"status": [200], "json": [2, 1]})), "json", Some(200));
    assert_fails_with(&with_check(order, json!({"status": [], "sha256": zeros})), "digest", Some(200));
}

#[test]
fn a_host_out_of_descriptors_is_a_local_failure() {
    let server = always("");
    // Ten users, one after the other, each with its connection and a long last thought.
    let load = json!({"kind": "closed", "users": 10, "ramp_up_ns": 1_500 * MS, "iterations": 2, "duration_ns": null,
                      "think_ns": 2_000 * MS});
    let mut drive = Drive::start(&order(server.address, &load));
    drive.wait_for(|event| matches!(event, Event::Started { .. }));
    let few = Rlimit { current: Some(3), maximum: Some(3) };
    prlimit(Some(pid(&drive.child)), Resource::Nofile, few).unwrap();
    let (events, code) = drive.finish();
    let Some(Event::Record(record)) = events.last() else { panic!("{events:?}") };
    assert_eq!((code, record.requests), (0, 20));
    assert!(record.failures.0["local"] >= 10 && record.failures.0.len() == 1, "{:?}", record.failures);
}

#[test]
fn a_failed_request_does_not_stop_its_user() {
    let server = Server::start(|seen| match seen.number {
        1 => Act::Write(answer(500, "")),
        3 => Act::WriteAndClose(Vec::new()),
        _ => Act::Write(answer(200, "")),
    });
    let record = record(&order(server.address, &iterations(1, 8)));
    assert_eq!((record.requests, record.latency_ns.count), (8, 4));
    assert_eq!(record.failures.0, [("status".to_owned(), 2), ("connection-closed".to_owned(), 2)].into());
    assert_eq!(record.connections_opened, 2);
}

#[test]
fn an_answer_that_says_close_makes_the_next_request_open_a_connection() {
    let closing = || Act::WriteAndClose(b"HTTP/1.1 200 X\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok".to_vec());
    let record = record(&order(serve(closing), &iterations(2, 5)));
    assert_eq!((record.requests, record.connections_opened), (10, 10));
    assert!(record.failures.0.is_empty(), "{:?}", record.failures);
}

#[test]
fn a_kept_connection_found_closed_is_opened_again_without_a_failure() {
    let server = Server::start(|_| Act::WriteAndClose(answer(200, "ok"))); // closes without saying so
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let load = with(iterations(1, 4), "think_ns", json!(300 * MS)); // time to find out
    let record = record(&with_samples(order(server.address, &load), &path));
    assert!(record.failures.0.is_empty(), "{:?}", record.failures);
    assert_eq!((record.requests, record.connections_opened), (4, 4));
    assert!(rows::read(&path).iter().all(|row| row.new_connection));
}

#[test]
fn failures_of_an_open_load_are_counted_alike() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let record = record(&order(address, &constant_rate(100, 200 * MS, 4)));
    assert_eq!((record.requests, record.unsent), (20, 0));
    assert_eq!(record.failures.0, [("connect-refused".to_owned(), 20)].into());
}
