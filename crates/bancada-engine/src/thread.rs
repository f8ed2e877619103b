// SPDX-License-Identifier: Apache-2.0
//! The life of one worker thread: get ready, wait for the load's zero, run until the load ends or is stopped.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::task::LocalSet;

use crate::clock::Clock;
use crate::closed;
use crate::error::EngineError;
use crate::http::Http;
use crate::open::{self, Backlog};
use crate::order::Load;
use crate::plan::Plan;
use crate::record::Tallies;
use crate::timer::Timer;
use crate::worker::{Sinks, Worker};

/// What binds a worker thread to the conductor.
pub struct Links {
    /// Tells that the thread is ready, or why it cannot be.
    pub ready: Sender<Result<(), EngineError>>,
    /// Gives the load's zero on `CLOCK_MONOTONIC`; nothing if there will be no load.
    pub zero: Receiver<u64>,
    /// Becomes true when the load is to stop.
    pub stop: watch::Receiver<bool>,
    /// The queue of an open load.
    pub backlog: Arc<Backlog>,
}

/// Runs one worker from beginning to end. None if there was no load.
///
/// # Errors
/// [`EngineError::Engine`] when the kernel's timer fails during the load.
pub fn run(plan: Arc<Plan>, index: u32, links: Links, sinks: Sinks) -> Result<Option<Tallies>, EngineError> {
    let failed = |what: &'static str| move |error| EngineError::engine(what, error);
    let prepared = Builder::new_current_thread().enable_io().build().map_err(failed("runtime")).and_then(|runtime| {
        let context = runtime.enter();
        let timer = Timer::new().map_err(failed("timer"))?;
        drop(context);
        Ok((runtime, timer))
    });
    let (runtime, timer) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            let _ = links.ready.send(Err(error));
            return Ok(None);
        }
    };
    let _ = links.ready.send(Ok(()));
    let Ok(zero_ns) = links.zero.recv() else { return Ok(None) };
    let worker = Rc::new(Worker::new(plan, index, Clock::from_zero(zero_ns), Rc::clone(&timer), sinks));
    let mut stop = links.stop;
    let result = LocalSet::new().block_on(&runtime, async {
        tokio::select! {
            () = drive(&worker, &timer, &links.backlog) => Ok(()),
            // A conductor that is gone stops the load, too.
            _ = stop.wait_for(|stop| *stop) => Ok(()),
            result = timer.run() => result.map_err(failed("timer")),
        }
    });
    result.map(|()| Some(worker.finish()))
}

async fn drive(worker: &Rc<Worker>, timer: &Rc<Timer>, backlog: &Arc<Backlog>) {
    let plan = &worker.plan;
    let http = Http::new(&plan.addresses, plan.timeouts_ns, worker.clock, timer);
    match &plan.load {
        Load::Closed(load) => closed::run(worker, load, || http.connection()).await,
        Load::Open(load) => open::run(worker, load, backlog, || http.connection()).await,
    }
}
