// SPDX-License-Identifier: Apache-2.0
//! What the kernel lets this process do, and what it says about it.

use std::fs;

use rustix::process::{Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit};

/// Raises the limit of open files as far as it goes. Returns the limit; none if there is none.
#[must_use]
pub fn raise_descriptor_limit() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    }
}

/// Lets the kernel send SIGTERM when the thread that started this process ends: a load without its master is harm.
///
/// # Errors
/// When the kernel refuses.
pub fn end_with_parent() -> std::io::Result<()> {
    Ok(set_parent_process_death_signal(Some(Signal::TERM))?)
}

/// Most memory that was resident at once. (`ru_maxrss` would count what the parent had before it started us.)
#[must_use]
pub fn peak_rss_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_of_memory_is_known_and_plausible() {
        let peak = peak_rss_bytes().unwrap();
        assert!((100_000..100_000_000_000).contains(&peak), "{peak}");
    }
}
