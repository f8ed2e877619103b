// SPDX-License-Identifier: Apache-2.0
//! The worker threads as one: started together, stopped together, counted together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use tokio::sync::mpsc as results;
use tokio::sync::watch;

use crate::clock::{monotonic_ns, process_cpu_ns, unix_ns};
use crate::error::EngineError;
use crate::event::Event;
use crate::open::Backlog;
use crate::plan::Plan;
use crate::record::Tallies;
use crate::samples::Samples;
use crate::thread::{self as worker_thread, Links};
use crate::worker::{Counters, Sinks};

/// Time from the workers' readiness to the load's zero, so that all of them wait for it.
const HEAD_START_NS: u64 = 2_000_000;

/// The load's zero on all clocks.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// On `CLOCK_REALTIME`.
    pub unix_ns: u64,
    /// On `CLOCK_MONOTONIC`.
    pub monotonic_ns: u64,
    /// CPU time used before.
    pub cpu_ns: u64,
}

impl Start {
    fn soon() -> Self {
        Self {
            unix_ns: unix_ns() + HEAD_START_NS,
            monotonic_ns: monotonic_ns() + HEAD_START_NS,
            cpu_ns: process_cpu_ns(),
        }
    }
}

type WorkerResult = Result<Option<Tallies>, EngineError>;

/// The worker threads of one load. Dropping it stops them.
pub struct Crew {
    plan: Arc<Plan>,
    start: Start,
    backlog: Arc<Backlog>,
    counters: Vec<Arc<Counters>>,
    threads: Vec<JoinHandle<()>>,
    stop: watch::Sender<bool>,
    results: results::UnboundedReceiver<WorkerResult>,
    ended: Vec<WorkerResult>,
}

impl Crew {
    /// Starts the threads and, when all of them are ready, the load.
    ///
    /// # Errors
    /// [`EngineError::Engine`] when a thread cannot be made ready.
    pub fn start(plan: &Arc<Plan>, samples: Option<&Samples>) -> Result<Self, EngineError> {
        let (stop, stopped) = watch::channel(false);
        let (ended, results) = results::unbounded_channel();
        let (ready, readiness) = mpsc::channel();
        let backlog = Backlog::new(plan.workers);
        let mut crew = Self {
            plan: Arc::clone(plan),
            start: Start::soon(),
            backlog: Arc::clone(&backlog),
            counters: Vec::new(),
            threads: Vec::new(),
            stop,
            results,
            ended: Vec::new(),
        };
        let mut zeros = Vec::new();
        for index in 0..plan.workers {
            let (give_zero, zero) = mpsc::channel();
            zeros.push(give_zero);
            let (ready, stop, backlog) = (ready.clone(), stopped.clone(), Arc::clone(&backlog));
            crew.spawn(index, Links { ready, zero, stop, backlog }, samples, ended.clone())?;
        }
        for _ in &zeros {
            readiness.recv().map_err(|error| EngineError::engine("worker", error))??;
        }
        crew.start = Start::soon();
        for zero in zeros {
            zero.send(crew.start.monotonic_ns).map_err(|error| EngineError::engine("worker", error))?;
        }
        Ok(crew)
    }

    fn spawn(
        &mut self,
        index: u32,
        links: Links,
        samples: Option<&Samples>,
        ended: results::UnboundedSender<WorkerResult>,
    ) -> Result<(), EngineError> {
        let counters = Arc::new(Counters::default());
        self.counters.push(Arc::clone(&counters));
        let tallies =
            Tallies::new(self.plan.requests.len()).map_err(|error| EngineError::engine("histograms", error))?;
        let sinks = Sinks { counters, tallies, rows: samples.map(Samples::rows) };
        let plan = Arc::clone(&self.plan);
        let body = move || {
            // The conductor may be gone; then nobody wants the result.
            let _ = ended.send(worker_thread::run(plan, index, links, sinks));
        };
        let thread = thread::Builder::new().name(format!("worker-{index}")).spawn(body);
        self.threads.push(thread.map_err(|error| EngineError::engine("worker", error))?);
        Ok(())
    }

    /// The load's zero.
    #[must_use]
    pub fn zero(&self) -> Start {
        self.start
    }

    /// Tells the threads to stop; what is under way is dropped.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Waits until all threads have ended. May be given up and called again.
    pub async fn all_ended(&mut self) {
        while self.ended.len() < self.counters.len() {
            match self.results.recv().await {
                Some(result) => self.ended.push(result),
                None => return,
            }
        }
    }

    /// What all requests came to.
    ///
    /// # Errors
    /// [`EngineError::Engine`] when a thread failed or did not end.
    pub fn tallies(&mut self) -> Result<Tallies, EngineError> {
        let mut all =
            Tallies::new(self.plan.requests.len()).map_err(|error| EngineError::engine("histograms", error))?;
        let complete = self.ended.len() == self.counters.len();
        for result in self.ended.drain(..) {
            all.merge(&result?.ok_or_else(|| EngineError::Engine("a worker had no load".to_owned()))?);
        }
        if complete { Ok(all) } else { Err(EngineError::Engine("a worker ended without a result".to_owned())) }
    }

    /// Requests that wait for a connection.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.backlog.waiting() as u64
    }

    /// How far the load is.
    #[must_use]
    pub fn progress(&self) -> Event {
        let sum = |counter: fn(&Counters) -> &AtomicU64| {
            self.counters.iter().map(|counters| counter(counters).load(Ordering::Relaxed)).sum()
        };
        Event::Progress {
            elapsed_ns: monotonic_ns().saturating_sub(self.start.monotonic_ns),
            requests: sum(|counters| &counters.requests),
            failures: sum(|counters| &counters.failures),
            active_users: sum(|counters| &counters.active),
            expected_requests: self.plan.expected_requests(),
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.stop();
        for thread in self.threads.drain(..) {
            // A thread that panicked has already ended the program.
            let _ = thread.join();
        }
    }
}
