// SPDX-License-Identifier: Apache-2.0
//! One thread of the engine: what its users share, and how one request is asked and recorded.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;

use crate::check::Checker;
use crate::clock::Clock;
use crate::outcome::Turn;
use crate::plan::Plan;
use crate::record::Tallies;
use crate::samples::Rows;
use crate::template::Filling;
use crate::timer::{Alarm, Timer};
use crate::transport::{Transport, Wire};

/// How far a worker is, for others to read. Only the worker writes.
#[derive(Debug, Default)]
pub struct Counters {
    /// Answered or failed.
    pub requests: AtomicU64,
    /// Failed.
    pub failures: AtomicU64,
    /// Users, or requests, under way.
    pub active: AtomicU64,
}

/// What the users of a thread share.
pub struct Worker {
    /// The load.
    pub plan: Arc<Plan>,
    /// Which of the plan's workers this is.
    pub index: u32,
    /// Counts from the load's start.
    pub clock: Clock,
    timer: Rc<Timer>,
    counters: Arc<Counters>,
    checkers: RefCell<Vec<Checker>>,
    tallies: RefCell<Tallies>,
    rows: RefCell<Option<Rows>>,
    active: Cell<u64>,
    ended: Notify,
}

impl Worker {
    /// A worker that has not asked anything yet.
    #[must_use]
    pub fn new(plan: Arc<Plan>, index: u32, clock: Clock, timer: Rc<Timer>, sinks: Sinks) -> Self {
        let checkers = plan.requests.iter().map(|request| Checker::new(request.check.clone())).collect();
        Self {
            plan,
            index,
            clock,
            timer,
            counters: sinks.counters,
            checkers: RefCell::new(checkers),
            tallies: RefCell::new(sinks.tallies),
            rows: RefCell::new(sinks.rows),
            active: Cell::new(0),
            ended: Notify::new(),
        }
    }

    /// An alarm of this thread.
    #[must_use]
    pub fn alarm(&self) -> Alarm {
        Alarm::new(&self.timer)
    }

    /// Waits until `at_ns` after the load's start. Returns when that was, on the same scale.
    pub async fn wait_until(&self, alarm: &Alarm, at_ns: u64) -> u64 {
        alarm.wait_until(self.clock.monotonic_at(at_ns)).await;
        self.clock.now_ns()
    }

    /// Asks once, checks the answer, records the outcome. Returns when the answer was there.
    pub async fn ask(&self, connection: &mut impl Transport, turn: &Turn) -> u64 {
        let request = &self.plan.requests[turn.operation];
        let (user, iteration) = turn.template;
        let bytes = request.bytes(|| Filling::new(self.plan.seed, user, iteration, turn.operation as u64));
        let mut body = self.checkers.borrow()[turn.operation].body();
        let wire = Wire { bytes: &bytes, is_head: request.is_head };
        let mut exchange = connection.exchange(wire, &mut body).await;
        exchange.body_bytes = body.size_bytes();
        if exchange.failure.is_none() {
            exchange.failure = self.checkers.borrow_mut()[turn.operation].judge(exchange.status, body);
        }
        self.tallies.borrow_mut().record(turn, &exchange);
        if let Some(rows) = self.rows.borrow_mut().as_mut() {
            rows.push(turn, &exchange);
        }
        add(&self.counters.requests, 1);
        add(&self.counters.failures, u64::from(exchange.failure.is_some()));
        exchange.done_ns
    }

    /// Counts one more user, or request, as under way until the return value is dropped.
    #[must_use]
    pub fn activity(self: &Rc<Self>) -> Activity {
        self.set_active(self.active.get() + 1);
        Activity(Rc::clone(self))
    }

    fn set_active(&self, active: u64) {
        self.active.set(active);
        self.counters.active.store(active, Ordering::Relaxed);
    }

    /// Waits until nothing is under way.
    pub async fn all_ended(&self) {
        while self.active.get() > 0 {
            self.ended.notified().await;
        }
    }

    /// What the requests came to; their rows are handed over.
    pub fn finish(&self) -> Tallies {
        if let Some(mut rows) = self.rows.borrow_mut().take() {
            rows.flush();
        }
        self.tallies.borrow().clone()
    }
}

/// Where a worker puts what it finds.
pub struct Sinks {
    /// How far it is.
    pub counters: Arc<Counters>,
    /// What the requests came to.
    pub tallies: Tallies,
    /// Single requests.
    pub rows: Option<Rows>,
}

/// Something under way, until it is dropped.
pub struct Activity(Rc<Worker>);

impl Activity {
    /// The worker whose activity it is.
    #[must_use]
    pub fn worker(&self) -> &Rc<Worker> {
        &self.0
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        self.0.set_active(self.0.active.get() - 1);
        if self.0.active.get() == 0 {
            self.0.ended.notify_one();
        }
    }
}

/// Adds without a locked instruction: each counter has one writer.
fn add(counter: &AtomicU64, more: u64) {
    counter.store(counter.load(Ordering::Relaxed) + more, Ordering::Relaxed);
}
