// SPDX-License-Identifier: Apache-2.0
//! Waking up on time: one kernel timer for each thread, shared by all of the thread's alarms.
//!
//! The timers of tokio are rounded up to whole milliseconds, which would be up to 1 ms of lateness for each request.
//! A `timerfd` is a high-resolution timer, and epoll waits for it together with the sockets: no spinning.

use std::cell::{Cell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::future::poll_fn;
use std::io;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::clock::monotonic_ns;

const NEVER: u64 = u64::MAX;
const RUNG: u64 = 0;

/// The thread's kernel timer and the alarms that wait for it. All instants are on `CLOCK_MONOTONIC`.
pub struct Timer {
    kernel: AsyncFd<OwnedFd>,
    queue: RefCell<BinaryHeap<Reverse<Entry>>>,
    armed_ns: Cell<u64>,
}

impl Timer {
    /// A timer of the current tokio runtime. [`Timer::run`] must run beside those who wait.
    ///
    /// # Errors
    /// When the kernel gives no timer, for want of file descriptors for example.
    pub fn new() -> io::Result<Rc<Self>> {
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let kernel = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        Ok(Rc::new(Self {
            kernel: register(kernel)?,
            queue: RefCell::new(BinaryHeap::new()),
            armed_ns: Cell::new(NEVER),
        }))
    }

    /// Rings the alarms, each in its turn, for ever.
    ///
    /// # Errors
    /// When the kernel's timer cannot be waited for.
    pub async fn run(&self) -> io::Result<()> {
        loop {
            // The expiry count is never read: epoll reports each expiry once (edge-triggered), and arming resets it.
            self.kernel.readable().await?.clear_ready();
            self.ring_due(monotonic_ns());
        }
    }

    fn ring_due(&self, now_ns: u64) {
        self.armed_ns.set(NEVER);
        let mut queue = self.queue.borrow_mut();
        while let Some(top) = queue.peek() {
            if top.0.at_ns > now_ns {
                break;
            }
            let Some(Reverse(entry)) = queue.pop() else { break };
            if let Some(later_ns) = entry.alarm.ring(entry.at_ns, now_ns) {
                queue.push(Reverse(Entry { at_ns: later_ns, alarm: entry.alarm }));
            }
        }
        if let Some(next) = queue.peek() {
            self.arm(next.0.at_ns);
        }
    }

    fn enqueue(&self, at_ns: u64, alarm: Rc<State>) {
        self.queue.borrow_mut().push(Reverse(Entry { at_ns, alarm }));
        if at_ns < self.armed_ns.get() {
            self.arm(at_ns);
        }
    }

    fn arm(&self, at_ns: u64) {
        // An instant of zero would disarm the timer.
        let at_ns = at_ns.max(1);
        let it_value = Timespec {
            tv_sec: i64::try_from(at_ns / 1_000_000_000).unwrap_or(i64::MAX),
            tv_nsec: i64::try_from(at_ns % 1_000_000_000).unwrap_or(0),
        };
        let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value };
        // It can fail only for a bad descriptor or an instant out of range; both are excluded above.
        if timerfd_settime(&self.kernel, TimerfdTimerFlags::ABSTIME, &once).is_ok() {
            self.armed_ns.set(at_ns);
        }
    }
}

#[expect(unsafe_code, reason = "tokio has no safe way to wait for a descriptor of one's own")]
fn register(kernel: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` is open, stays open and stays the same until the `AsyncFd`, its only owner, is dropped.
    Ok(unsafe { AsyncFd::register_with_interest(kernel, Interest::READABLE) }?)
}

/// An alarm clock of one task: set it, wait for it, set it again.
///
/// Moving an alarm to a later instant costs no call of the kernel and no new place in the queue: the entry is
/// moved when its old instant comes. So a response timeout, set anew for each request, is nearly free.
pub struct Alarm {
    timer: Rc<Timer>,
    state: Rc<State>,
}

struct State {
    /// When to ring; `NEVER` when not set, `RUNG` when it has rung.
    at_ns: Cell<u64>,
    /// The instant of the queue's valid entry for this alarm, or `NEVER`.
    queued_ns: Cell<u64>,
    waker: RefCell<Option<Waker>>,
}

impl State {
    /// The entry of `entry_ns` has come: rings, or returns the later instant at which it must be looked at again.
    fn ring(&self, entry_ns: u64, now_ns: u64) -> Option<u64> {
        if self.queued_ns.get() != entry_ns {
            return None;
        }
        let at_ns = self.at_ns.get();
        if at_ns != NEVER && at_ns > now_ns {
            self.queued_ns.set(at_ns);
            return Some(at_ns);
        }
        self.queued_ns.set(NEVER);
        if at_ns != NEVER {
            self.at_ns.set(RUNG);
            if let Some(waker) = self.waker.borrow_mut().take() {
                waker.wake();
            }
        }
        None
    }
}

impl Alarm {
    /// An alarm that is not set.
    #[must_use]
    pub fn new(timer: &Rc<Timer>) -> Self {
        let state = State { at_ns: Cell::new(NEVER), queued_ns: Cell::new(NEVER), waker: RefCell::new(None) };
        Self { timer: Rc::clone(timer), state: Rc::new(state) }
    }

    /// Lets it ring at `at_ns`, instead of when it was set to ring.
    pub fn set(&self, at_ns: u64) {
        self.state.at_ns.set(at_ns);
        if at_ns < self.state.queued_ns.get() {
            self.state.queued_ns.set(at_ns);
            self.timer.enqueue(at_ns, Rc::clone(&self.state));
        }
    }

    /// Lets it not ring.
    pub fn clear(&self) {
        self.state.at_ns.set(NEVER);
    }

    /// Ready once it has rung, until it is set again.
    pub fn poll(&self, context: &mut Context<'_>) -> Poll<()> {
        if self.state.at_ns.get() == RUNG {
            return Poll::Ready(());
        }
        let mut waker = self.state.waker.borrow_mut();
        if !waker.as_ref().is_some_and(|known| known.will_wake(context.waker())) {
            *waker = Some(context.waker().clone());
        }
        Poll::Pending
    }

    /// Waits until `at_ns`; returns at once if that has passed. Returns the instant of the return.
    pub async fn wait_until(&self, at_ns: u64) -> u64 {
        let now_ns = monotonic_ns();
        if now_ns >= at_ns {
            return now_ns;
        }
        self.set(at_ns);
        poll_fn(|context| self.poll(context)).await;
        monotonic_ns()
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.clear();
        self.state.waker.borrow_mut().take();
    }
}

struct Entry {
    at_ns: u64,
    alarm: Rc<State>,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at_ns.cmp(&other.at_ns)
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.at_ns == other.at_ns
    }
}

impl Eq for Entry {}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::task::Wake;

    use super::*;

    fn in_runtime(test: impl AsyncFnOnce(Rc<Timer>)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        runtime.block_on(async {
            let timer = Timer::new().unwrap();
            tokio::select! {
                result = timer.run() => panic!("the timer ended: {result:?}"),
                () = test(Rc::clone(&timer)) => (),
            }
        });
    }

    #[test]
    fn no_alarm_rings_early() {
        in_runtime(async |timer| {
            for after_ns in [0, 1, 50_000, 300_000, 2_500_000] {
                let at_ns = monotonic_ns() + after_ns;
                assert!(Alarm::new(&timer).wait_until(at_ns).await >= at_ns);
            }
        });
    }

    #[test]
    fn alarms_ring_when_their_instant_has_come_and_in_that_order() {
        struct Heard(u64, Arc<Mutex<Vec<u64>>>);
        impl Wake for Heard {
            fn wake(self: Arc<Self>) {
                self.1.lock().unwrap().push(self.0);
            }
        }
        in_runtime(async |timer| {
            let (heard, far_ns) = (Arc::default(), monotonic_ns() + 3_600_000_000_000);
            let alarms: Vec<_> = [3, 1, 4, 2]
                .map(|after_ns| {
                    let alarm = Alarm::new(&timer);
                    alarm.set(far_ns + after_ns);
                    let waker = Waker::from(Arc::new(Heard(after_ns, Arc::clone(&heard))));
                    assert!(alarm.poll(&mut Context::from_waker(&waker)).is_pending());
                    alarm
                })
                .into();
            timer.ring_due(far_ns + 2);
            assert_eq!(*heard.lock().unwrap(), [1, 2]);
            timer.ring_due(far_ns + 9);
            assert_eq!(*heard.lock().unwrap(), [1, 2, 3, 4]);
            drop(alarms);
        });
    }

    #[test]
    fn an_alarm_moved_to_later_rings_at_the_later_instant_only() {
        in_runtime(async |timer| {
            let start_ns = monotonic_ns();
            let alarm = Alarm::new(&timer);
            alarm.set(start_ns + 1_000_000);
            alarm.set(start_ns + 4_000_000);
            poll_fn(|context| alarm.poll(context)).await;
            assert!(monotonic_ns() >= start_ns + 4_000_000);
            assert!(timer.queue.borrow().is_empty());
        });
    }

    #[test]
    fn an_alarm_moved_to_sooner_rings_sooner() {
        in_runtime(async |timer| {
            let start_ns = monotonic_ns();
            let alarm = Alarm::new(&timer);
            alarm.set(start_ns + 60_000_000_000);
            alarm.set(start_ns + 1_000_000);
            poll_fn(|context| alarm.poll(context)).await;
            assert!(monotonic_ns() < start_ns + 10_000_000_000);
        });
    }

    #[test]
    fn a_cleared_alarm_does_not_ring() {
        in_runtime(async |timer| {
            let alarm = Alarm::new(&timer);
            alarm.set(monotonic_ns() + 500_000);
            alarm.clear();
            Alarm::new(&timer).wait_until(monotonic_ns() + 2_000_000).await;
            assert!(poll_fn(|context| Poll::Ready(alarm.poll(context))).await.is_pending());
        });
    }

    #[test]
    fn setting_an_alarm_anew_for_each_request_keeps_one_place_in_the_queue() {
        in_runtime(async |timer| {
            let alarm = Alarm::new(&timer);
            for _ in 0..1000 {
                alarm.set(monotonic_ns() + 60_000_000_000);
                alarm.clear();
            }
            assert_eq!(timer.queue.borrow().len(), 1);
        });
    }
}
