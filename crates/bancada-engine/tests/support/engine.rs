// SPDX-License-Identifier: Apache-2.0
//! The engine as its users see it: a program with standard streams.

use std::io::{BufRead, BufReader, Lines, Write};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, Stdio};

use bancada_engine::event::{Event, Record};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// The program.
pub const ENGINE: &str = env!("CARGO_BIN_EXE_bancada-engine");

fn spawn(program: &str, arguments: &[&str]) -> Child {
    Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

pub fn pid(child: &Child) -> Pid {
    Pid::from_child(child)
}

/// A `drive` under way.
pub struct Drive {
    pub child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Drive {
    /// Starts it with an order.
    pub fn start(order: &Value) -> Self {
        Self::start_as(ENGINE, &["drive"], order)
    }

    /// Starts it through another program.
    pub fn start_as(program: &str, arguments: &[&str], order: &Value) -> Self {
        let mut child = spawn(program, arguments);
        child.stdin.take().unwrap().write_all(order.to_string().as_bytes()).unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// The next event; none at the end.
    pub fn next_event(&mut self) -> Option<Event> {
        self.lines.next().map(|line| serde_json::from_str(&line.unwrap()).unwrap())
    }

    /// Waits for the first event that is as wanted.
    pub fn wait_for(&mut self, wanted: impl Fn(&Event) -> bool) -> Event {
        while let Some(event) = self.next_event() {
            if wanted(&event) {
                return event;
            }
        }
        panic!("the event did not come")
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(pid(&self.child), signal).unwrap();
    }

    /// The rest of the events and the exit code.
    pub fn finish(mut self) -> (Vec<Event>, i32) {
        let events = std::iter::from_fn(|| self.next_event()).collect();
        (events, self.child.wait().unwrap().code().unwrap())
    }
}

/// Drives an order to its record.
pub fn record(order: &Value) -> Record {
    let (events, code) = Drive::start(order).finish();
    match events.last() {
        Some(Event::Record(record)) if code == 0 => (**record).clone(),
        other => panic!("exit code {code}, {other:?}"),
    }
}

/// Drives an order that fails: the error's kind, its message and the exit code.
pub fn error(order: &Value) -> (String, String, i32) {
    let (events, code) = Drive::start(order).finish();
    match events.last() {
        Some(Event::Error(error)) => (error.kind.clone(), error.message.clone(), code),
        other => panic!("exit code {code}, {other:?}"),
    }
}

/// An `upstream` under way; it ends with the test.
pub struct Upstream {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    pub address: SocketAddr,
    pub listening: Value,
}

impl Upstream {
    /// Starts it and waits until it listens.
    pub fn start(arguments: &[&str]) -> Self {
        let mut child = spawn(ENGINE, &[&["upstream"], arguments].concat());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let listening: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        let address = listening["address"].as_str().unwrap().parse().unwrap();
        Self { child, lines, address, listening }
    }

    /// Ends it; its record.
    pub fn stop(mut self) -> Value {
        kill_process(pid(&self.child), Signal::TERM).unwrap();
        let record = serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap();
        assert!(self.child.wait().unwrap().success());
        record
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
