// SPDX-License-Identifier: Apache-2.0
//! Open load: the intended instants of requests, computed without a clock.
//!
//! With N(t) the integral of the rate, request k is intended where N(t) = k (even spacing) or where N(t) is the sum
//! of k + 1 draws from the exponential distribution of mean 1: a Poisson process by time-rescaling (Çinlar:
//! Introduction to Stochastic Processes, 1975, section 4.7).

use crate::order::{Segment, Spacing};
use crate::random::Random;

/// Instants nearer than this many requests to a segment's edge belong to the edge: N(t) is a sum of doubles.
const ROUNDING: f64 = 1e-6;
const PURPOSE: u64 = 1;

/// The intended instants of an open load, in nanoseconds since its start, in order.
#[derive(Clone, Debug)]
pub struct Arrivals<'a> {
    segments: &'a [Segment],
    segment_start_ns: u64,
    /// N(t) at the start of the first of `segments`.
    area_before: f64,
    /// N(t) of the next arrival.
    next_area: f64,
    spacing: Option<Random>,
}

impl<'a> Arrivals<'a> {
    /// The arrivals of `segments`; Poisson spacing is drawn from `seed`.
    #[must_use]
    pub fn new(segments: &'a [Segment], spacing: Spacing, seed: u64) -> Self {
        let mut random = (spacing == Spacing::Poisson).then(|| Random::new(seed, &[PURPOSE]));
        let next_area = random.as_mut().map_or(0.0, Random::exponential);
        Self { segments, segment_start_ns: 0, area_before: 0.0, next_area, spacing: random }
    }

    fn advance(&mut self) {
        // Even areas stay whole numbers, which doubles hold exactly.
        self.next_area += self.spacing.as_mut().map_or(1.0, Random::exponential);
    }
}

impl Iterator for Arrivals<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        loop {
            let (segment, rest) = self.segments.split_first()?;
            let area = area(segment);
            if self.next_area < self.area_before + area - ROUNDING {
                let offset_ns = instant_of_area(segment, self.next_area - self.area_before);
                self.advance();
                return Some(self.segment_start_ns + offset_ns);
            }
            self.area_before += area;
            self.segment_start_ns = self.segment_start_ns.saturating_add(segment.duration_ns);
            self.segments = rest;
        }
    }
}

/// How many requests `segments` intend: exact for even spacing, the mean for Poisson.
#[must_use]
pub fn expected(segments: &[Segment]) -> u64 {
    let total: f64 = segments.iter().map(area).sum();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an area is a count, never negative")]
    let count = (total - ROUNDING).ceil() as u64;
    count
}

#[expect(clippy::cast_precision_loss, reason = "a duration is below 2^53 ns")]
fn seconds(segment: &Segment) -> f64 {
    segment.duration_ns as f64 / 1e9
}

fn area(segment: &Segment) -> f64 {
    f64::midpoint(segment.from_per_s, segment.to_per_s) * seconds(segment)
}

/// Solves from·t + slope·t²/2 = area for t, in the form that stays exact for small slopes.
fn instant_of_area(segment: &Segment, area: f64) -> u64 {
    let area = area.max(0.0);
    let slope = (segment.to_per_s - segment.from_per_s) / seconds(segment);
    let root = (segment.from_per_s.powi(2) + 2.0 * slope * area).max(0.0).sqrt();
    let denominator = segment.from_per_s + root;
    let after_s = if denominator > 0.0 { 2.0 * area / denominator } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an instant within a segment")]
    let after_ns = (after_s * 1e9).round() as u64;
    after_ns.min(segment.duration_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(from_per_s: f64, to_per_s: f64, duration_s: f64) -> Segment {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small numbers")]
        let length_ns = (duration_s * 1e9) as u64;
        Segment { from_per_s, to_per_s, duration_ns: length_ns }
    }

    fn even_ms(segments: &[Segment]) -> Vec<u64> {
        Arrivals::new(segments, Spacing::Even, 0).map(|ns| ns / 1_000_000).collect()
    }

    #[test]
    fn even_arrivals_fall_where_the_integral_of_the_rate_is_a_whole_number() {
        let flat = |rate, s| segment(rate, rate, s);
        let table: Vec<(Vec<Segment>, Vec<u64>)> = vec![
            // a constant rate: the first at 0, none at the end
            (vec![flat(4.0, 1.0)], vec![0, 250, 500, 750]),
            // a fraction of a request at the end still has its request
            (vec![flat(4.0, 0.6)], vec![0, 250, 500]),
            // a ramp from 0 to 8/s over 1 s: N = 4 t²
            (vec![segment(0.0, 8.0, 1.0)], vec![0, 500, 707, 866]),
            // a ramp down: N = 8 t - 4 t²
            (vec![segment(8.0, 0.0, 1.0)], vec![0, 133, 292, 500]),
            // steps follow each other without a gap
            (vec![flat(2.0, 1.0), flat(4.0, 0.5)], vec![0, 500, 1000, 1250]),
            // a step may end between two requests; the rest of the interval passes at the new rate
            (vec![flat(1.0, 1.5), flat(5.0, 0.5)], vec![0, 1000, 1600, 1800]),
            // a pause
            (vec![flat(2.0, 1.0), flat(0.0, 1.0), flat(2.0, 1.0)], vec![0, 500, 2000, 2500]),
            // nothing
            (vec![flat(0.0, 1.0)], vec![]),
        ];
        for (segments, expected_ms) in table {
            assert_eq!(even_ms(&segments), expected_ms, "{segments:?}");
            assert_eq!(expected(&segments), expected_ms.len() as u64, "{segments:?}");
        }
    }

    #[test]
    fn a_thousand_a_second_for_thirty_seconds_are_thirty_thousand_to_the_nanosecond() {
        let segments = [segment(1000.0, 1000.0, 30.0)];
        let instants: Vec<u64> = Arrivals::new(&segments, Spacing::Even, 0).collect();
        assert_eq!(instants, (0..30_000).map(|k| k * 1_000_000).collect::<Vec<u64>>());
    }

    #[test]
    fn poisson_arrivals_have_exponential_gaps_of_the_right_mean_and_variance() {
        let segments = [segment(1000.0, 1000.0, 100.0)];
        let instants: Vec<u64> = Arrivals::new(&segments, Spacing::Poisson, 42).collect();
        assert!(instants.is_sorted());
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let gaps: Vec<f64> = instants.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / 1e6).collect();
        let n = f64::from(u32::try_from(gaps.len()).unwrap());
        let mean = gaps.iter().sum::<f64>() / n;
        let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / n;
        // The number is Poisson of mean 100 000: its standard deviation is 316.
        assert!((n - 100_000.0).abs() < 1500.0, "{n}");
        assert!((mean - 1.0).abs() < 0.02 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }

    #[test]
    fn poisson_arrivals_on_a_ramp_follow_its_rate() {
        let segments = [segment(0.0, 2000.0, 10.0)];
        let instants: Vec<u64> = Arrivals::new(&segments, Spacing::Poisson, 3).collect();
        let first_half = instants.iter().filter(|ns| **ns < 5_000_000_000).count();
        // N(5 s) = 2500, standard deviation 50; N(10 s) = 10 000, standard deviation 100.
        assert!(first_half.abs_diff(2500) < 250, "{first_half}");
        assert!(instants.len().abs_diff(10_000) < 500, "{}", instants.len());
    }

    #[test]
    fn the_same_seed_gives_the_same_poisson_arrivals_and_another_seed_others() {
        let segments = [segment(100.0, 100.0, 1.0)];
        let draw = |seed| Arrivals::new(&segments, Spacing::Poisson, seed).collect::<Vec<_>>();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
