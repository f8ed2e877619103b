// SPDX-License-Identifier: Apache-2.0
//! What stops a load, and what is left of it.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bancada_engine::event::Event;
use rustix::process::Signal;
use serde_json::json;
use support::engine::{Drive, ENGINE, Upstream, error, pid};
use support::order::{MS, S, constant_rate, duration, iterations, order, with, with_samples};
use support::rows;
use support::server::{Act, Server, always};

#[test]
fn a_signal_leaves_a_record_and_readable_samples() {
    for signal in [Signal::TERM, Signal::INT] {
        let upstream = Upstream::start(&["--delay", "10ms"]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("samples.parquet");
        let mut drive = Drive::start(&with_samples(order(upstream.address, &duration(10, 60 * S, 0)), &path));
        drive.wait_for(|event| matches!(event, Event::Progress { requests, .. } if *requests > 20));
        let signalled = Instant::now();
        drive.signal(signal);
        let (events, code) = drive.finish();
        assert!(signalled.elapsed() < Duration::from_secs(20));
        let Some(Event::Record(record)) = events.last() else { panic!("{events:?}") };
        assert!(code == 0 && record.stopped_early && record.requests > 20);
        assert!(record.failures.0.is_empty(), "what was under way is no failure: {:?}", record.failures);
        assert_eq!(rows::read(&path).len() as u64, record.requests);
    }
}

#[test]
fn requests_of_an_open_load_that_wait_when_it_is_stopped_are_unsent() {
    let server = Server::start(|_| Act::Hang);
    let mut drive = Drive::start(&order(server.address, &constant_rate(100, 60 * S, 2)));
    drive.wait_for(|event| matches!(event, Event::Progress { elapsed_ns, .. } if *elapsed_ns > 500 * MS));
    drive.signal(Signal::TERM);
    let (events, _) = drive.finish();
    let Some(Event::Record(record)) = events.last() else { panic!("{events:?}") };
    assert_eq!((record.requests, record.elapsed_ns, record.latency_ns.p50), (0, None, None));
    assert!(record.unsent >= 20 && record.unsent < 3000, "{}", record.unsent);
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn the_engine_stops_when_its_parent_is_gone() {
    let upstream = Upstream::start(&["--delay", "10ms"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let order_path = folder.path().join("order.json");
    let order = with_samples(order(upstream.address, &duration(2, 60 * S, 0)), &path);
    std::fs::write(&order_path, order.to_string()).unwrap();
    // The shell starts the engine beside itself and ends when it is killed.
    let events = folder.path().join("events");
    let script = format!("{ENGINE} drive < {} > {} & echo $!; wait", order_path.display(), events.display());
    let mut parent = Command::new("sh").args(["-c", &script]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(parent.stdout.take().unwrap()), &mut line).unwrap();
    let process = Path::new("/proc").join(line.trim());
    while !std::fs::read_to_string(&events).is_ok_and(|text| text.contains(r#""event":"progress""#)) {
        sleep(Duration::from_millis(10));
    }
    assert!(process.exists());
    parent.kill().unwrap();
    parent.wait().unwrap();
    let killed = Instant::now();
    while process.join("status").exists() && !is_zombie(&process) {
        assert!(killed.elapsed() < Duration::from_secs(20), "the engine goes on");
        sleep(Duration::from_millis(10));
    }
    assert!(!rows::read(&path).is_empty());
}

fn is_zombie(process: &Path) -> bool {
    std::fs::read_to_string(process.join("status")).is_ok_and(|status| status.contains("State:\tZ"))
}

#[test]
fn samples_that_cannot_be_created_are_an_error_that_names_the_path() {
    let order = order(always("").address, &iterations(1, 1));
    let (kind, message, code) = error(&with_samples(order, Path::new("/no/such/folder/samples.parquet")));
    assert_eq!((kind.as_str(), code), ("samples", 3));
    assert!(message.contains("/no/such/folder/samples.parquet") && message.contains("No such file"), "{message}");
}

#[test]
fn a_disk_that_is_full_from_the_start_is_an_error() {
    let server = always("");
    let (kind, message, code) = error(&with_samples(order(server.address, &iterations(1, 1)), Path::new("/dev/full")));
    assert_eq!((kind.as_str(), code), ("samples", 3));
    assert!(message.contains("/dev/full") && message.contains("No space left"), "{message}");
    assert!(server.seen().is_empty(), "nothing is asked when nothing can be kept");
}

#[test]
fn a_disk_that_fills_up_in_the_middle_ends_the_load_with_an_error() {
    use rustix::process::{Resource, Rlimit, prlimit};
    let upstream = Upstream::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.parquet");
    let order = with_samples(order(upstream.address, &duration(16, 120 * S, 0)), &path);
    // A limit of the file's size fails like a full disk if its signal is ignored: the write that passes it fails.
    let script = format!("trap '' XFSZ; exec {ENGINE} drive");
    let mut drive = Drive::start_as("sh", &["-c", &script], &order);
    drive.wait_for(|event| matches!(event, Event::Started { .. }));
    let small = Rlimit { current: Some(1000), maximum: Some(1000) };
    prlimit(Some(pid(&drive.child)), Resource::Fsize, small).unwrap();
    let started = Instant::now();
    let (events, code) = drive.finish();
    let Some(Event::Error(error)) = events.last() else { panic!("{:?}", events.last()) };
    assert_eq!((error.kind.as_str(), code), ("samples", 3));
    assert!(error.message.contains("samples.parquet"), "{}", error.message);
    assert!(started.elapsed() < Duration::from_secs(100), "long before the load's end");
}

#[test]
fn an_order_that_is_no_json_is_an_error_of_the_order() {
    let (kind, message, code) = error(&json!("load"));
    assert_eq!((kind.as_str(), code), ("order", 2), "{message}");
}

#[test]
fn more_users_than_descriptors_are_refused_with_the_limit() {
    let order = order(always("").address, &iterations(1_000_000, 1));
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum;
    if let Some(limit) = limit.filter(|limit| *limit < 1_000_000) {
        let (kind, message, code) = error(&order);
        assert_eq!((kind.as_str(), code), ("order", 2));
        assert!(message.starts_with("load.users: 1000000; ") && message.contains(&limit.to_string()), "{message}");
    }
}

#[test]
fn a_file_of_the_order_that_is_missing_is_named() {
    let mut order = order(always("").address, &iterations(1, 1));
    order["operations"][0]["body"] = json!({"file": "/no/such/body.json"});
    let (_, message, code) = error(&with(order, "workers", json!(null)));
    assert_eq!(code, 2);
    assert!(message.starts_with("operations[0].body.file: /no/such/body.json"), "{message}");
}
