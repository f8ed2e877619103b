// SPDX-License-Identifier: Apache-2.0
//! The upstream server: what it answers, when, and what it says about itself.

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use bancada_engine::clock::Clock;
use bancada_engine::delay::{Delay, Freeze, departure_ns};
use bancada_engine::upstream::delays_of;
use serde_json::json;
use support::engine::{ENGINE, Upstream, record};
use support::order::{MS, iterations, order, with, with_check, with_samples};
use support::rows;

fn ask(upstream: &Upstream, request: &str) -> String {
    let mut stream = TcpStream::connect(upstream.address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn any_method_and_path_gets_the_status_type_and_body_that_were_set() {
    let upstream = Upstream::start(&["--status", "503", "--body-bytes", "12", "--content-type", "application/json"]);
    for request in ["GET /a HTTP/1.1", "DELETE /b/c?d HTTP/1.1", "POST / HTTP/1.1\r\nContent-Length: 0"] {
        let answer = ask(&upstream, &format!("{request}\r\nHost: x\r\nConnection: close\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("content-type: application/json"), "{answer}");
        assert!(answer.ends_with("\r\n\r\n\"xxxxxxxxxx\""), "valid JSON of 12 bytes: {answer}");
    }
}

#[test]
fn a_file_can_be_the_body_and_a_requests_body_is_read_before_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("body.txt");
    std::fs::write(&file, "from the file").unwrap();
    let upstream = Upstream::start(&["--body-file", file.to_str().unwrap()]);
    let mut order = order(upstream.address, &iterations(2, 3));
    order["operations"][0]["method"] = json!("POST");
    order["operations"][0]["body"] = json!({"text": "x".repeat(3_000_000)});
    let record = record(&with_check(order, json!({"status": [200], "size_bytes": 13})));
    assert!(record.failures.0.is_empty(), "{:?}", record.failures);
    assert_eq!((record.requests, record.connections_opened), (6, 2));
    assert!(record.bytes_out > 18_000_000);
}

#[test]
fn answers_leave_when_they_are_due_and_never_before() {
    let upstream = Upstream::start(&["--delay", "20ms"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let ramp = with(iterations(20, 10), "ramp_up_ns", json!(100 * MS));
    record(&with_samples(order(upstream.address, &ramp), &path));
    let mut times: Vec<_> = rows::read(&path).iter().map(|row| row.done_ns - row.sent_ns).collect();
    times.sort_unstable();
    assert!(times[0] >= 20 * MS, "{}", times[0]);
    // The best of 200 on a busy machine; on a quiet one the median is 20.1 ms.
    assert!(times[0] < 21 * MS, "{}", times[0]);
    let of_upstream = upstream.stop();
    assert_eq!(of_upstream["lateness_ns"]["count"], json!(200));
    assert!(of_upstream["lateness_ns"]["min"].as_u64().unwrap() < MS, "{of_upstream}");
}

#[test]
fn delays_are_drawn_from_the_seed() {
    let delay: Delay = "uniform:1ms:60ms".parse().unwrap();
    for seed in [1, 2] {
        let upstream = Upstream::start(&["--delay", "uniform:1ms:60ms", "--seed", &seed.to_string()]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("samples.parquet");
        record(&with_samples(order(upstream.address, &iterations(1, 20)), &path));
        let mut random = delays_of(seed);
        for row in rows::read(&path) {
            let delay_ns = delay.draw_ns(&mut random);
            assert!(row.done_ns - row.sent_ns >= delay_ns, "seed {seed}, {delay_ns}: {row:?}");
        }
    }
}

#[test]
fn a_freeze_holds_all_answers_until_its_end() {
    let freeze = Freeze { length_ns: 200 * MS, every_ns: 400 * MS };
    let upstream = Upstream::start(&["--delay", "1ms", "--freeze", "200ms", "--every", "400ms"]);
    let clock = Clock::from_zero(upstream.listening["monotonic_ns"].as_u64().unwrap());
    let mut frozen = 0;
    while frozen < 2 {
        let asked_ns = clock.now_ns();
        ask(&upstream, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assert!(clock.now_ns() >= departure_ns(asked_ns, MS, Some(freeze)), "asked at {asked_ns}");
        frozen += u64::from(freeze.thaw_ns(asked_ns) > asked_ns);
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn ten_thousand_requests_may_be_open_or_as_many_as_the_host_allows() {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum.unwrap_or(20_000);
    let users = u32::try_from(limit.saturating_sub(100).min(10_000)).unwrap();
    let upstream = Upstream::start(&["--delay", "3s"]);
    let ramp = with(iterations(users, 1), "ramp_up_ns", json!(2_000 * MS));
    let patient = with(order(upstream.address, &ramp), "connect_timeout_ns", json!(60_000 * MS));
    let record = record(&with(patient, "response_timeout_ns", json!(60_000 * MS)));
    assert!(record.failures.0.is_empty(), "{:?}", record.failures);
    assert_eq!((record.requests, record.connections_opened), (u64::from(users), u64::from(users)));
    assert!(record.engine.peak_rss_bytes.unwrap() < 200_000_000, "{:?}", record.engine);
}

#[test]
fn a_wrong_option_is_refused_with_what_is_allowed() {
    let table: [(&[&str], &str); 5] = [
        (&["--delay", "50"], "250us, 1.5ms or 10s"),
        (&["--delay", "normal:1ms"], "lognormal:50ms:0.5"),
        (&["--freeze", "1s"], "--every"),
        (&["--freeze", "2s", "--every", "1s"], "shorter than --every"),
        (&["--status", "99"], "200 to 599"),
    ];
    for (arguments, expected) in table {
        let output = Command::new(ENGINE).arg("upstream").args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn an_address_in_use_is_an_error() {
    let upstream = Upstream::start(&[]);
    let listen = upstream.address.to_string();
    let output = Command::new(ENGINE).args(["upstream", "--listen", &listen]).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(r#""event":"error""#) && text.contains(&listen), "{text}");
}
