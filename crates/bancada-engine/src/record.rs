// SPDX-License-Identifier: Apache-2.0
//! Adding up what became of the requests.

use hdrhistogram::{CreationError, Histogram};

use crate::event::{Failures, OperationRecord, Summary};
use crate::outcome::{Exchange, Failure, Turn};

/// Longer times are counted as this long in quantiles: 60 days. Minimum, mean and maximum stay exact.
const LONGEST_NS: u64 = 60 * 24 * 3_600 * 1_000_000_000;
/// Significant decimal digits of quantiles.
const DIGITS: u8 = 3;

/// Times of requests, in a histogram of high dynamic range.
#[derive(Clone, Debug)]
pub struct Times {
    histogram: Histogram<u64>,
    least_ns: u64,
    most_ns: u64,
    sum_ns: u128,
}

impl Times {
    /// No times yet.
    ///
    /// # Errors
    /// When there is no memory for a histogram of this range.
    pub fn new() -> Result<Self, CreationError> {
        let histogram = Histogram::new_with_bounds(1, LONGEST_NS, DIGITS)?;
        Ok(Self { histogram, least_ns: u64::MAX, most_ns: 0, sum_ns: 0 })
    }

    /// Adds one.
    pub fn record(&mut self, ns: u64) {
        self.histogram.saturating_record(ns);
        self.least_ns = self.least_ns.min(ns);
        self.most_ns = self.most_ns.max(ns);
        self.sum_ns += u128::from(ns);
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &Self) {
        // Both have the same range, so that adding cannot fail.
        let _ = self.histogram.add(&other.histogram);
        self.least_ns = self.least_ns.min(other.least_ns);
        self.most_ns = self.most_ns.max(other.most_ns);
        self.sum_ns += other.sum_ns;
    }

    /// The summary; its figures are none if there are no times.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let count = self.histogram.len();
        let known = |ns: u64| (count > 0).then_some(ns);
        let quantile =
            |q: f64| known(self.histogram.value_at_quantile(q).clamp(self.least_ns, self.most_ns.max(self.least_ns)));
        let mean_ns = self.sum_ns.checked_div(u128::from(count)).and_then(|mean| u64::try_from(mean).ok());
        Summary {
            count,
            min: known(self.least_ns),
            mean: mean_ns,
            p50: quantile(0.5),
            p90: quantile(0.9),
            p95: quantile(0.95),
            p99: quantile(0.99),
            p999: quantile(0.999),
            max: known(self.most_ns),
        }
    }
}

/// What one operation's requests came to.
#[derive(Clone, Debug)]
struct Tally {
    requests: u64,
    failures: [u64; Failure::ALL.len()],
    latency: Times,
}

/// What all requests of a worker, or of the load, came to.
#[derive(Clone, Debug)]
pub struct Tallies {
    operations: Vec<Tally>,
    lateness: Times,
    /// Bytes read.
    pub bytes_in: u64,
    /// Bytes written.
    pub bytes_out: u64,
    /// Connections opened.
    pub connections_opened: u64,
    /// The last answer or failure, since the load's start.
    pub last_done_ns: Option<u64>,
}

impl Tallies {
    /// Nothing yet, for so many operations.
    ///
    /// # Errors
    /// When there is no memory for the histograms.
    pub fn new(operations: usize) -> Result<Self, CreationError> {
        let tally = Tally { requests: 0, failures: [0; Failure::ALL.len()], latency: Times::new()? };
        Ok(Self {
            operations: vec![tally; operations],
            lateness: Times::new()?,
            bytes_in: 0,
            bytes_out: 0,
            connections_opened: 0,
            last_done_ns: None,
        })
    }

    /// Adds one request. Latency counts from the intended instant, and only for requests that passed.
    pub fn record(&mut self, turn: &Turn, exchange: &Exchange) {
        let tally = &mut self.operations[turn.operation];
        tally.requests += 1;
        match exchange.failure {
            Some(failure) => tally.failures[failure as usize] += 1,
            None => tally.latency.record(exchange.done_ns.saturating_sub(turn.intended_ns)),
        }
        self.lateness.record(turn.turned_ns.saturating_sub(turn.intended_ns));
        self.bytes_in += exchange.bytes_in;
        self.bytes_out += exchange.bytes_out;
        self.connections_opened += u64::from(exchange.connected_ns.is_some());
        self.last_done_ns = self.last_done_ns.max(Some(exchange.done_ns));
    }

    /// Adds all of `other`, which is of the same operations.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.operations.iter_mut().zip(&other.operations) {
            mine.requests += theirs.requests;
            mine.latency.merge(&theirs.latency);
            for (count, more) in mine.failures.iter_mut().zip(theirs.failures) {
                *count += more;
            }
        }
        self.lateness.merge(&other.lateness);
        self.bytes_in += other.bytes_in;
        self.bytes_out += other.bytes_out;
        self.connections_opened += other.connections_opened;
        self.last_done_ns = self.last_done_ns.max(other.last_done_ns);
    }

    /// Requests answered or failed.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.operations.iter().map(|tally| tally.requests).sum()
    }

    /// Failures of all operations.
    #[must_use]
    pub fn failures(&self) -> Failures {
        let mut counts = [0; Failure::ALL.len()];
        for tally in &self.operations {
            for (count, more) in counts.iter_mut().zip(tally.failures) {
                *count += more;
            }
        }
        Failures::from_counts(&counts)
    }

    /// Lateness of all requests.
    #[must_use]
    pub fn lateness(&self) -> Summary {
        self.lateness.summary()
    }

    /// Latency of all operations' requests that passed.
    ///
    /// # Errors
    /// When there is no memory for the histogram.
    pub fn latency(&self) -> Result<Summary, CreationError> {
        let mut all = Times::new()?;
        self.operations.iter().for_each(|tally| all.merge(&tally.latency));
        Ok(all.summary())
    }

    /// Each operation's record, with its name.
    #[must_use]
    pub fn operation_records(&self, names: &[&str]) -> Vec<OperationRecord> {
        let record = |(tally, name): (&Tally, &&str)| OperationRecord {
            name: (*name).to_owned(),
            requests: tally.requests,
            failures: Failures::from_counts(&tally.failures),
            latency_ns: tally.latency.summary(),
        };
        self.operations.iter().zip(names).map(record).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_times_have_no_figures() {
        let summary = Times::new().unwrap().summary();
        assert_eq!((summary.count, summary.min, summary.mean, summary.p99, summary.max), (0, None, None, None, None));
    }

    #[test]
    fn minimum_mean_and_maximum_are_exact_and_quantiles_within_a_thousandth() {
        let mut times = Times::new().unwrap();
        (1..=1000).for_each(|n| times.record(n * 1_234_567));
        let summary = times.summary();
        assert_eq!((summary.min, summary.max), (Some(1_234_567), Some(1_234_567_000)));
        assert_eq!(summary.mean, Some(617_900_783)); // 1 234 567 × 500.5, rounded down
        for (quantile, exact) in
            [(summary.p50, 617_283_500), (summary.p99, 1_222_221_330), (summary.p999, 1_233_332_433)]
        {
            assert!(quantile.unwrap().abs_diff(exact) <= exact / 1000, "{quantile:?} {exact}");
        }
    }

    #[test]
    fn one_time_is_all_of_its_quantiles() {
        let mut times = Times::new().unwrap();
        times.record(123_456_789);
        let summary = times.summary();
        assert_eq!([summary.p50, summary.p999, summary.max], [Some(123_456_789); 3]);
    }

    #[test]
    fn merged_tallies_are_those_of_all_requests() {
        let turn =
            |operation| Turn { user: 0, iteration: 0, operation, template: (0, 0), intended_ns: 100, turned_ns: 130 };
        let passed =
            Exchange { done_ns: 1100, bytes_in: 7, bytes_out: 5, connected_ns: Some(150), ..Exchange::begun(140) };
        let failed = Exchange { failure: Some(Failure::Size), done_ns: 5000, ..passed.clone() };
        let (mut one, mut other) = (Tallies::new(2).unwrap(), Tallies::new(2).unwrap());
        one.record(&turn(0), &passed);
        other.record(&turn(0), &failed);
        other.record(&turn(1), &passed);
        one.merge(&other);
        assert_eq!((one.requests(), one.bytes_in, one.bytes_out, one.connections_opened), (3, 21, 15, 3));
        assert_eq!(one.last_done_ns, Some(5000));
        assert_eq!(serde_json::to_string(&one.failures()).unwrap(), r#"{"size":1}"#);
        let latency = one.latency().unwrap();
        assert_eq!((latency.count, latency.min, latency.max), (2, Some(1000), Some(1000)));
        assert_eq!(one.lateness().count, 3);
        let operations = one.operation_records(&["a", "b"]);
        assert_eq!((operations[0].requests, operations[1].requests), (2, 1));
    }
}
