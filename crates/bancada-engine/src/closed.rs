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
