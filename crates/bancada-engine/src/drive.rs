// SPDX-License-Identifier: Apache-2.0
//! From an order to a record: starts the workers, watches over them, adds up what they found.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc as results, watch};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::clock::{monotonic_ns, process_cpu_ns, unix_ns};
use crate::error::EngineError;
use crate::event::{EngineRecord, Event, Record, VERSION, emit};
use crate::open::Backlog;
use crate::order::{Load, Order};
use crate::plan::Plan;
use crate::process;
use crate::record::Tallies;
use crate::samples::Samples;
use crate::thread::{self as worker_thread, Links};
use crate::worker::{Counters, Sinks};

/// Time between the workers' readiness and the load's zero, so that all of them wait for it.
const HEAD_START_NS: u64 = 2_000_000;

/// Drives one load. Events go to standard output; the record is the last one.
///
/// # Errors
/// [`EngineError`] when nothing was or could be measured.
pub fn drive(order: &Order) -> Result<(), EngineError> {
    let plan = Arc::new(Plan::new(order)?);
    let names = plan.operation_names();
    let samples = order.samples.as_ref().map(|path| Samples::create(path, &names)).transpose()?;
    let mut crew = Crew::new(&plan);
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|e| EngineError::engine("runtime", e))?;
    let watched = runtime.block_on(async {
        // Signals are heard before the load starts, so that none is missed.
        let signals = Signals::new()?;
        let start = crew.start(samples.as_ref())?;
        emit(&Event::Started { unix_ns: start.unix_ns, monotonic_ns: start.monotonic_ns })?;
        let progress = Duration::from_nanos(order.progress_interval_ns);
        let outcome = crew.watch(signals, progress, samples.as_ref(), start).await;
        Ok((start, outcome))
    });
    crew.dismiss();
    let written = samples.map_or(Ok(()), Samples::finish);
    let (start, outcome) = watched?;
    // The samples' error is the cause, that of the watch its consequence.
    written?;
    emit(&Event::Record(Box::new(record(&plan, start, &outcome?)?)))
}

/// The load's zero on all clocks.
#[derive(Clone, Copy)]
struct Start {
    unix_ns: u64,
    monotonic_ns: u64,
    cpu_ns: u64,
}

/// What came out of the watch.
struct Outcome {
    tallies: Tallies,
    stopped_early: bool,
    unsent: u64,
    cpu_ns: u64,
}

struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    fn new() -> Result<Self, EngineError> {
        let listen = |kind| signal(kind).map_err(|error| EngineError::engine("signals", error));
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    async fn any(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => (),
            _ = self.terminate.recv() => (),
        }
    }
}

type WorkerResult = Result<Option<Tallies>, EngineError>;

/// The worker threads.
struct Crew {
    plan: Arc<Plan>,
    backlog: Arc<Backlog>,
    counters: Vec<Arc<Counters>>,
    threads: Vec<thread::JoinHandle<()>>,
    stop: watch::Sender<bool>,
    results: Option<results::UnboundedReceiver<WorkerResult>>,
}
