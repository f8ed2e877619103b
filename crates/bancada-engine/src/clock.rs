// SPDX-License-Identifier: Apache-2.0
//! The instants of a load: nanoseconds since its start, on `CLOCK_MONOTONIC`.

use rustix::time::{ClockId, clock_gettime};

fn read_ns(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    seconds * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}

/// Now on `CLOCK_MONOTONIC`.
#[must_use]
pub fn monotonic_ns() -> u64 {
    read_ns(ClockId::Monotonic)
}

/// Now on `CLOCK_REALTIME`.
#[must_use]
pub fn unix_ns() -> u64 {
    read_ns(ClockId::Realtime)
}

/// CPU time that this process has used, user and system.
#[must_use]
pub fn process_cpu_ns() -> u64 {
    read_ns(ClockId::ProcessCPUTime)
}

/// A clock that counts from a load's start.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    zero_ns: u64,
}

impl Clock {
    /// A clock whose zero is `zero_ns` on `CLOCK_MONOTONIC`.
    #[must_use]
    pub fn from_zero(zero_ns: u64) -> Self {
        Self { zero_ns }
    }

    /// Nanoseconds since the zero; 0 before it.
    #[must_use]
    pub fn now_ns(self) -> u64 {
        monotonic_ns().saturating_sub(self.zero_ns)
    }

    /// The instant `at_ns` after the zero, on `CLOCK_MONOTONIC`.
    #[must_use]
    pub fn monotonic_at(self, at_ns: u64) -> u64 {
        self.zero_ns.saturating_add(at_ns)
    }
}
