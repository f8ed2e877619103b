// SPDX-License-Identifier: Apache-2.0
//! What the engine says while it works: lines of JSON, mirrors of `contracts/load-event.schema.json`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::outcome::Failure;

/// Version of the contract.
pub const VERSION: u32 = 1;

/// One line of `drive`.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The load's zero on both clocks.
    Started {
        /// On `CLOCK_REALTIME`.
        unix_ns: u64,
        /// On `CLOCK_MONOTONIC`.
        monotonic_ns: u64,
    },
    /// How far the load is.
    Progress {
        /// Since the load's start.
        elapsed_ns: u64,
        /// Answered or failed so far.
        requests: u64,
        /// Failed so far.
        failures: u64,
        /// Closed: users started and not ended. Open: requests under way.
        active_users: u64,
        /// Of the whole load, if known.
        expected_requests: Option<u64>,
    },
    /// What the load came to; the last line.
    Record(Box<Record>),
    /// Why there is no record; the last line.
    Error(ErrorEvent),
}

/// Why nothing was or could be measured.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct ErrorEvent {
    /// Of [`EngineError::kind`].
    pub kind: String,
    /// For people.
    pub message: String,
}

impl From<&EngineError> for ErrorEvent {
    fn from(error: &EngineError) -> Self {
        Self { kind: error.kind().to_owned(), message: error.to_string() }
    }
}

/// What a load came to.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Version of the contract.
    pub version: u32,
    /// `closed` or `open`.
    pub kind: String,
    /// The load's zero on `CLOCK_REALTIME`.
    pub started_unix_ns: u64,
    /// The load's zero on `CLOCK_MONOTONIC`.
    pub started_monotonic_ns: u64,
    /// From the start to the last answer or failure; none if there was none.
    pub elapsed_ns: Option<u64>,
    /// Whether a signal ended it.
    pub stopped_early: bool,
    /// Answered or failed.
    pub requests: u64,
    /// By kind.
    pub failures: Failures,
    /// Open load: due but not sent when stopped.
    pub unsent: u64,
    /// Bytes read, headers included.
    pub bytes_in: u64,
    /// Bytes written, headers included.
    pub bytes_out: u64,
    /// Connections opened.
    pub connections_opened: u64,
    /// Done − intended of the requests that passed.
    pub latency_ns: Summary,
    /// How much later than intended the engine turned to requests.
    pub lateness_ns: Summary,
    /// One for each operation.
    pub operations: Vec<OperationRecord>,
    /// The engine's own figures.
    pub engine: EngineRecord,
}

/// What one operation's requests came to.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct OperationRecord {
    /// As in the order.
    pub name: String,
    /// Answered or failed.
    pub requests: u64,
    /// By kind.
    pub failures: Failures,
    /// Done − intended of the requests that passed.
    pub latency_ns: Summary,
}

/// What the load cost the engine.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct EngineRecord {
    /// Version of the program.
    pub version: String,
    /// Threads that sent requests.
    pub workers: u64,
    /// CPU time, user and system, from the load's start to its end.
    pub cpu_ns: u64,
    /// Most memory resident at once; none where the kernel does not tell.
    pub peak_rss_bytes: Option<u64>,
}

/// Failure kinds that occurred, with their counts.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(transparent)]
pub struct Failures(pub BTreeMap<String, u64>);

impl Failures {
    /// From counts at the places of [`Failure::ALL`].
    #[must_use]
    pub fn from_counts(counts: &[u64; Failure::ALL.len()]) -> Self {
        let occurred = Failure::ALL.iter().zip(counts).filter(|(_, count)| **count > 0);
        Self(occurred.map(|(failure, count)| (failure.name().to_owned(), *count)).collect())
    }
}

/// A distribution of times in nanoseconds; the figures are none if there are no times.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names of the figures say it")]
pub struct Summary {
    pub count: u64,
    pub min: Option<u64>,
    pub mean: Option<u64>,
    pub p50: Option<u64>,
    pub p90: Option<u64>,
    pub p95: Option<u64>,
    pub p99: Option<u64>,
    pub p999: Option<u64>,
    pub max: Option<u64>,
}

/// Writes one line to standard output, at once.
///
/// # Errors
/// When nobody reads any more.
pub fn emit(event: &impl Serialize) -> Result<(), EngineError> {
    let write = || -> io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        let mut out = io::stdout().lock();
        out.write_all(&line)?;
        out.flush()
    };
    write().map_err(|error| EngineError::engine("standard output", error))
}
