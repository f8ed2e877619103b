// SPDX-License-Identifier: Apache-2.0
//! Closed load: each user walks through the operations on a connection of its own, and asks again when answered.

use std::rc::Rc;

use tokio::task::spawn_local;

use crate::order::ClosedLoad;
use crate::outcome::Turn;
use crate::transport::Transport;
use crate::users;
use crate::worker::{Activity, Worker};

/// Starts this worker's users, each at its instant, and waits until all have ended.
pub async fn run<T: Transport + 'static>(worker: &Rc<Worker>, load: &ClosedLoad, connect: impl Fn() -> T) {
    let alarm = worker.alarm();
    for (user, start_ns) in (0..load.users).zip(users::starts(load.users, load.ramp_up_ns)) {
        if load.is_over(start_ns) {
            break;
        }
        if worker.plan.is_share(worker.index, u64::from(user)) {
            worker.wait_until(&alarm, start_ns).await;
            spawn_local(walk(worker.activity(), load.clone(), user, start_ns, connect()));
        }
    }
    worker.all_ended().await;
}

async fn walk(active: Activity, load: ClosedLoad, user: u32, start_ns: u64, mut connection: impl Transport) {
    let worker = active.worker();
    let alarm = worker.alarm();
    let mut intended_ns = start_ns;
    for iteration in 0..load.iterations.unwrap_or(u32::MAX) {
        for operation in 0..worker.plan.requests.len() {
            if load.is_over(intended_ns) {
                return;
            }
            let turned_ns = worker.wait_until(&alarm, intended_ns).await;
            if load.is_over(turned_ns) {
                return;
            }
            let template = (u64::from(user), u64::from(iteration));
            let turn = Turn { user, iteration, operation, template, intended_ns, turned_ns };
            // Nothing is "corrected": the next request really follows the last answer.
            intended_ns = worker.ask(&mut connection, &turn).await.saturating_add(load.think_ns);
        }
    }
}

impl ClosedLoad {
    fn is_over(&self, at_ns: u64) -> bool {
        self.duration_ns.is_some_and(|duration_ns| at_ns >= duration_ns)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::Arc;

    use serde_json::json;
    use tokio::task::LocalSet;

    use super::*;
    use crate::check::Body;
    use crate::clock::{Clock, monotonic_ns};
    use crate::order::{Load, parse};
    use crate::outcome::{Exchange, Failure};
    use crate::plan::Plan;
    use crate::record::Tallies;
    use crate::timer::Timer;
    use crate::transport::Wire;
    use crate::worker::Sinks;

    /// A connection without a network: it notes what is asked and fails every third request.
    struct Noted {
        log: Rc<RefCell<Vec<String>>>,
        clock: Clock,
    }

    impl Transport for Noted {
        async fn exchange(&mut self, request: Wire<'_>, body: &mut Body) -> Exchange {
            let text = String::from_utf8_lossy(request.bytes);
            let path = text.split(' ').nth(1).unwrap_or_default().to_owned();
            body.push(path.as_bytes());
            self.log.borrow_mut().push(path);
            let failure = self.log.borrow().len().is_multiple_of(3).then_some(Failure::ConnectionClosed);
            Exchange { status: Some(200), failure, ..Exchange::begun(self.clock.now_ns()) }
        }
    }

    #[test]
    fn a_walk_asks_each_operation_in_each_iteration_whatever_fails() {
        let operation = |name: &str| {
            let path = format!("/{name}/{{{{iteration}}}}");
            json!({"name": name, "method": "GET", "path": path, "headers": {}, "body": null, "check": {"status": []}})
        };
        let order = json!({
            "version": 1, "target": "http://127.0.0.1:1", "seed": 1, "operations": [operation("a"), operation("b")],
            "load": {"kind": "closed", "users": 1, "ramp_up_ns": 0, "iterations": 3, "duration_ns": null, "think_ns": 1000},
            "connect_timeout_ns": 1, "response_timeout_ns": 1, "samples": null, "progress_interval_ns": 1, "workers": 1,
        });
        let plan = Arc::new(Plan::new(&parse(&order.to_string()).unwrap()).unwrap());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        let (log, clock) = (Rc::new(RefCell::new(Vec::new())), Clock::from_zero(monotonic_ns()));
        let tallies = LocalSet::new().block_on(&runtime, async {
            let timer = Timer::new().unwrap();
            let sinks = Sinks { counters: Arc::default(), tallies: Tallies::new(2).unwrap(), rows: None };
            let worker = Rc::new(Worker::new(Arc::clone(&plan), 0, clock, Rc::clone(&timer), sinks));
            let Load::Closed(load) = &plan.load else { panic!("{:?}", plan.load) };
            tokio::select! {
                () = run(&worker, load, || Noted { log: Rc::clone(&log), clock }) => worker.finish(),
                result = timer.run() => panic!("{result:?}"),
            }
        });
        assert_eq!(*log.borrow(), ["/a/0", "/b/0", "/a/1", "/b/1", "/a/2", "/b/2"]);
        assert_eq!((tallies.requests(), tallies.failures().0["connection-closed"]), (6, 2));
    }
}
