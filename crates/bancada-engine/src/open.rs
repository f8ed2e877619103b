// SPDX-License-Identifier: Apache-2.0
//! Open load: requests come at their intended instants; one that finds no free connection waits, and the wait counts.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;
use tokio::task::spawn_local;

use crate::arrivals::Arrivals;
use crate::order::OpenLoad;
use crate::outcome::Turn;
use crate::transport::Transport;
use crate::worker::{Activity, Worker};

/// A request that has come.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    number: u64,
    intended_ns: u64,
    turned_ns: u64,
}

/// The one queue of all workers: a request waits only if no connection of any worker is free.
///
/// A worker first announces a free connection and then looks at the queue; who queues a request first adds it and
/// then looks for free connections. So one of the two always sees the other.
pub struct Backlog {
    waiting: Mutex<VecDeque<Arrival>>,
    length: AtomicUsize,
    stations: Vec<Station>,
    dispatching: AtomicU32,
}

/// What other workers see of a worker.
#[derive(Default)]
struct Station {
    idle: AtomicUsize,
    bell: Notify,
}

impl Backlog {
    /// An empty queue of so many workers.
    #[must_use]
    pub fn new(workers: u32) -> Arc<Self> {
        Arc::new(Self {
            waiting: Mutex::new(VecDeque::new()),
            length: AtomicUsize::new(0),
            stations: (0..workers).map(|_| Station::default()).collect(),
            dispatching: AtomicU32::new(workers),
        })
    }

    /// How many requests wait.
    pub fn waiting(&self) -> usize {
        self.length.load(SeqCst)
    }

    fn with_waiting<R>(&self, act: impl FnOnce(&mut VecDeque<Arrival>) -> R) -> R {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let result = act(&mut waiting);
        self.length.store(waiting.len(), SeqCst);
        result
    }

    fn push(&self, arrival: Arrival) {
        self.with_waiting(|waiting| waiting.push_back(arrival));
        for station in self.stations.iter().filter(|station| station.idle.load(SeqCst) > 0) {
            station.bell.notify_one();
        }
    }

    fn pop(&self) -> Option<Arrival> {
        if self.waiting() == 0 { None } else { self.with_waiting(VecDeque::pop_front) }
    }

    fn end_dispatching(&self) {
        if self.dispatching.fetch_sub(1, SeqCst) == 1 {
            self.stations.iter().for_each(|station| station.bell.notify_one());
        }
    }
}

/// Sends this worker's share of the arrivals over its share of the connections; returns when all are answered.
pub async fn run<T: Transport + 'static>(
    worker: &Rc<Worker>,
    load: &OpenLoad,
    backlog: &Arc<Backlog>,
    connect: impl Fn() -> T,
) {
    let pool = Rc::new(Pool { worker: Rc::clone(worker), backlog: Arc::clone(backlog), idle: RefCell::default() });
    let mine = (0..load.connections).rev().filter(|user| worker.plan.is_share(worker.index, u64::from(*user)));
    mine.for_each(|user| pool.put(Slot { connection: connect(), user, asked: 0 }));
    tokio::join!(pool.dispatch(load), pool.help());
    worker.all_ended().await;
}

/// A connection with its number and what it has done.
struct Slot<T> {
    connection: T,
    user: u32,
    asked: u32,
}

/// A worker's free connections, last used first, and the common queue.
struct Pool<T> {
    worker: Rc<Worker>,
    backlog: Arc<Backlog>,
    idle: RefCell<Vec<Slot<T>>>,
}

impl<T: Transport + 'static> Pool<T> {
    fn station(&self) -> &Station {
        &self.backlog.stations[self.worker.index as usize]
    }

    fn put(&self, slot: Slot<T>) {
        self.idle.borrow_mut().push(slot);
        self.station().idle.fetch_add(1, SeqCst);
    }

    fn take(&self) -> Option<Slot<T>> {
        let slot = self.idle.borrow_mut().pop()?;
        self.station().idle.fetch_sub(1, SeqCst);
        Some(slot)
    }

    /// Turns to this worker's share of the arrivals, each at its instant.
    async fn dispatch(self: &Rc<Self>, load: &OpenLoad) {
        let worker = &self.worker;
        let alarm = worker.alarm();
        for (number, intended_ns) in (0..).zip(Arrivals::new(&load.segments, load.spacing, worker.plan.seed)) {
            if worker.plan.is_share(worker.index, number) {
                let turned_ns = worker.wait_until(&alarm, intended_ns).await;
                self.offer(Arrival { number, intended_ns, turned_ns });
            }
        }
        self.backlog.end_dispatching();
    }

    fn offer(self: &Rc<Self>, arrival: Arrival) {
        // Those who wait go first.
        let free = if self.backlog.waiting() == 0 { self.take() } else { None };
        match free {
            Some(slot) => self.carry(slot, arrival),
            None => self.backlog.push(arrival),
        }
    }

    /// Gives requests that wait to connections that became free elsewhere, until no more can come.
    async fn help(self: &Rc<Self>) {
        loop {
            while self.backlog.waiting() > 0 {
                let Some(slot) = self.take() else { break };
                match self.backlog.pop() {
                    Some(arrival) => self.carry(slot, arrival),
                    None => self.put(slot),
                }
            }
            if self.backlog.dispatching.load(SeqCst) == 0 {
                return;
            }
            self.station().bell.notified().await;
        }
    }

    fn carry(self: &Rc<Self>, slot: Slot<T>, arrival: Arrival) {
        let activity = self.worker.activity();
        spawn_local(Rc::clone(self).carry_on(slot, arrival, activity));
    }

    /// Asks on one connection until no request waits.
    async fn carry_on(self: Rc<Self>, mut slot: Slot<T>, mut arrival: Arrival, _active: Activity) {
        loop {
            let turn = self.turn(&slot, arrival);
            self.worker.ask(&mut slot.connection, &turn).await;
            slot.asked += 1;
            if let Some(next) = self.backlog.pop() {
                arrival = next;
                continue;
            }
            self.put(slot);
            if self.backlog.waiting() > 0 {
                self.station().bell.notify_one();
            }
            return;
        }
    }

    fn turn(&self, slot: &Slot<T>, arrival: Arrival) -> Turn {
        let operations = self.worker.plan.requests.len() as u64;
        Turn {
            user: slot.user,
            iteration: slot.asked,
            operation: usize::try_from(arrival.number % operations).unwrap_or(0),
            // Which slot carries a request is chance; templates see what the schedule alone decides.
            template: (0, arrival.number / operations),
            intended_ns: arrival.intended_ns,
            turned_ns: arrival.turned_ns,
        }
    }
}
