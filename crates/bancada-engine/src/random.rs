// SPDX-License-Identifier: Apache-2.0
//! Randomness that is the same for the same seed on every machine and in every version.

/// `SplitMix64` (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014, figure 17).
#[derive(Clone, Debug)]
pub struct Random(u64);

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The stream that belongs to `seed` and to the numbers that tell one purpose from another.
    #[must_use]
    pub fn new(seed: u64, purpose: &[u64]) -> Self {
        let mut state = Self(seed);
        for number in purpose {
            state = Self(state.next_u64() ^ number.wrapping_mul(GOLDEN_GAMMA));
        }
        state
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number of the open interval (0, 1), so that its logarithm is finite.
    pub fn unit(&mut self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "52 bits fit a double")]
        let bits = (self.next_u64() >> 12) as f64;
        (bits + 0.5) / 4_503_599_627_370_496.0
    }

    /// A whole number from `low` to `high`, both included; the bias is under 2⁻⁶⁴ × the span.
    pub fn int(&mut self, low: i64, high: i64) -> i64 {
        let span = u128::from(high.abs_diff(low)) + 1;
        // The upper half of the product is below the span.
        let offset = ((u128::from(self.next_u64()) * span) >> 64) as u64;
        low.wrapping_add_unsigned(offset)
    }

    /// A draw from the exponential distribution of mean 1.
    pub fn exponential(&mut self) -> f64 {
        -self.unit().ln()
    }

    /// A draw from the standard normal distribution (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_its_published_sequence() {
        let mut random = Random(1_234_567);
        let known = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(known, [random.next_u64(), random.next_u64(), random.next_u64()]);
    }

    #[test]
    fn whole_numbers_reach_both_ends_and_nothing_beyond() {
        let mut random = Random::new(1, &[]);
        let drawn: std::collections::BTreeSet<i64> = (0..1000).map(|_| random.int(-2, 2)).collect();
        assert_eq!(drawn, (-2..=2).collect());
        assert_eq!(random.int(i64::MAX, i64::MAX), i64::MAX);
        random.int(i64::MIN, i64::MAX);
    }

    #[test]
    fn exponential_and_normal_draws_have_their_mean_and_variance() {
        let mut random = Random::new(7, &[]);
        let moments = |draws: Vec<f64>| {
            let n = f64::from(u32::try_from(draws.len()).unwrap());
            let mean = draws.iter().sum::<f64>() / n;
            (mean, draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n)
        };
        let (mean, variance) = moments((0..100_000).map(|_| random.exponential()).collect());
        assert!((mean - 1.0).abs() < 0.02 && (variance - 1.0).abs() < 0.04, "{mean} {variance}");
        let (mean, variance) = moments((0..100_000).map(|_| random.normal()).collect());
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }

    #[test]
    fn streams_of_different_purposes_differ() {
        let first = |purpose: &[u64]| Random::new(1, purpose).next_u64();
        assert_ne!(first(&[0, 1]), first(&[1, 0]));
        assert_ne!(first(&[0]), first(&[0, 0]));
    }
}
