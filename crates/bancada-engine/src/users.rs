// SPDX-License-Identifier: Apache-2.0
//! Closed load: when each user starts. The next request follows the last answer, so the rest is no schedule.

/// The instants at which users start, in nanoseconds since the load's start: user i of n at i × ramp-up ÷ n.
pub fn starts(users: u32, ramp_up_ns: u64) -> impl Iterator<Item = u64> + Clone {
    (0..users).map(move |user| {
        let at_ns = u128::from(user) * u128::from(ramp_up_ns) / u128::from(users);
        u64::try_from(at_ns).unwrap_or(u64::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_start_evenly_over_the_ramp_up_and_the_last_one_before_its_end() {
        let table: [(u32, u64, &[u64]); 5] = [
            (1, 10, &[0]),          // one user does not wait
            (4, 0, &[0, 0, 0, 0]),  // no ramp-up: all at once
            (4, 10, &[0, 2, 5, 7]), // rounded down to whole nanoseconds
            (5, 1_000, &[0, 200, 400, 600, 800]),
            (0, 10, &[]),
        ];
        for (users, ramp_up_ns, expected) in table {
            assert_eq!(starts(users, ramp_up_ns).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_long_ramp_up_of_many_users_does_not_overflow() {
        let last = starts(1_000_000, 2_592_000_000_000_000).last();
        assert_eq!(last, Some(2_591_997_408_000_000));
    }
}
