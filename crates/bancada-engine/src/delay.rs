// SPDX-License-Identifier: Apache-2.0
//! When the upstream server answers: delays, and freezes of the whole server.

use std::str::FromStr;

use crate::random::Random;

/// How long each answer takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Delay {
    /// Always the same.
    Constant {
        /// The delay.
        ns: u64,
    },
    /// Anything between two delays.
    Uniform {
        /// Shortest.
        low_ns: u64,
        /// Longest.
        high_ns: u64,
    },
    /// Normal; what falls below 0 is 0.
    Normal {
        /// Mean.
        mean_ns: u64,
        /// Standard deviation.
        deviation_ns: u64,
    },
    /// Log-normal.
    Lognormal {
        /// Median.
        median_ns: u64,
        /// Standard deviation of the logarithm.
        sigma: f64,
    },
}

impl Delay {
    /// The next answer's delay in nanoseconds.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "delays are far below 2^53 ns; a cast to u64 saturates at 0"
    )]
    pub fn draw_ns(&self, random: &mut Random) -> u64 {
        match *self {
            Self::Constant { ns } => ns,
            Self::Uniform { low_ns, high_ns } => low_ns + ((high_ns - low_ns) as f64 * random.unit()) as u64,
            Self::Normal { mean_ns, deviation_ns } => (mean_ns as f64 + deviation_ns as f64 * random.normal()) as u64,
            Self::Lognormal { median_ns, sigma } => (median_ns as f64 * (sigma * random.normal()).exp()) as u64,
        }
    }
}

impl FromStr for Delay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split(':').collect();
        let delay = match words.as_slice() {
            [constant] => Self::Constant { ns: parse_duration_ns(constant)? },
            ["uniform", low, high] => {
                Self::Uniform { low_ns: parse_duration_ns(low)?, high_ns: parse_duration_ns(high)? }
            }
            ["normal", mean, deviation] => {
                Self::Normal { mean_ns: parse_duration_ns(mean)?, deviation_ns: parse_duration_ns(deviation)? }
            }
            ["lognormal", median, sigma] => {
                let sigma: f64 = sigma.parse().map_err(|_| format!("{sigma:?} is not a number"))?;
                if !(0.0..=10.0).contains(&sigma) {
                    return Err(format!("sigma {sigma}; allowed are 0 to 10"));
                }
                Self::Lognormal { median_ns: parse_duration_ns(median)?, sigma }
            }
            _ => return Err("allowed are 50ms, uniform:10ms:90ms, normal:50ms:5ms, lognormal:50ms:0.5".to_owned()),
        };
        match delay {
            Self::Uniform { low_ns, high_ns } if low_ns > high_ns => {
                Err(format!("{text}: the first is above the second"))
            }
            _ => Ok(delay),
        }
    }
}

/// Reads a duration such as `250us`, `1.5ms`, `10s`; at most one day.
///
/// # Errors
/// A message that says what is allowed.
pub fn parse_duration_ns(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a duration such as 250us, 1.5ms or 10s (at most one day)");
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let unit_ns = match &text[unit_at..] {
        "ns" => 1.0,
        "us" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return Err(wrong()),
    };
    let number: f64 = text[..unit_at].parse().map_err(|_| wrong())?;
    let ns = number * unit_ns;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "its range is checked")]
    if (0.0..=86_400e9).contains(&ns) { Ok(ns.round() as u64) } else { Err(wrong()) }
}

/// Freezes of the whole server: at each whole multiple of `every_ns` (not at 0) nothing moves for `length_ns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// Length of a freeze.
    pub length_ns: u64,
    /// From the start of one to the start of the next; longer than a freeze.
    pub every_ns: u64,
}

impl Freeze {
    /// When something that is due at `at_ns` happens.
    #[must_use]
    pub fn thaw_ns(self, at_ns: u64) -> u64 {
        let since_ns = at_ns % self.every_ns;
        let is_frozen = at_ns >= self.every_ns && since_ns < self.length_ns;
        if is_frozen { at_ns - since_ns + self.length_ns } else { at_ns }
    }
}

/// When a request that arrived at `arrival_ns` is answered: a frozen server sees it only when it thaws, and what
/// falls due in a freeze leaves when that ends.
#[must_use]
pub fn departure_ns(arrival_ns: u64, delay_ns: u64, freeze: Option<Freeze>) -> u64 {
    match freeze {
        None => arrival_ns + delay_ns,
        Some(freeze) => freeze.thaw_ns(freeze.thaw_ns(arrival_ns) + delay_ns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_read_with_their_units_and_wrong_ones_are_explained() {
        let ms = 1_000_000;
        assert_eq!("50ms".parse(), Ok(Delay::Constant { ns: 50 * ms }));
        assert_eq!("0ms".parse(), Ok(Delay::Constant { ns: 0 }));
        assert_eq!("uniform:10ms:0.09s".parse(), Ok(Delay::Uniform { low_ns: 10 * ms, high_ns: 90 * ms }));
        assert_eq!("normal:50ms:5000us".parse(), Ok(Delay::Normal { mean_ns: 50 * ms, deviation_ns: 5 * ms }));
        assert_eq!("lognormal:50ms:0.5".parse(), Ok(Delay::Lognormal { median_ns: 50 * ms, sigma: 0.5 }));
        for wrong in ["", "50", "-1ms", "1h", "uniform:9ms:1ms", "normal:1ms", "lognormal:1ms:x", "nanms", "2days"] {
            assert!(wrong.parse::<Delay>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn drawn_delays_have_their_distribution() {
        let draw = |text: &str| {
            let (delay, mut random) = (text.parse::<Delay>().unwrap(), Random::new(5, &[]));
            let mut drawn: Vec<u64> = (0..20_001).map(|_| delay.draw_ns(&mut random)).collect();
            drawn.sort_unstable();
            (drawn[0], drawn[10_000], drawn[16_827]) // least, median, and what lies one deviation above (84.13 %)
        };
        let near = |ns: u64, ms: f64| (f64::from(u32::try_from(ns).unwrap()) / 1e6 - ms).abs() < ms * 0.03;
        let (least, median, _) = draw("uniform:10ms:90ms");
        assert!(least >= 10_000_000 && near(median, 50.0));
        let (_, median, above) = draw("normal:50ms:5ms");
        assert!(near(median, 50.0) && near(above, 55.0));
        let (_, median, above) = draw("lognormal:50ms:0.5");
        assert!(near(median, 50.0) && near(above, 50.0 * 0.5_f64.exp()));
        assert_eq!(draw("normal:1ms:100ms").0, 0); // never before it came
    }

    #[test]
    fn a_frozen_server_answers_when_it_thaws() {
        let freeze = Some(Freeze { length_ns: 10, every_ns: 100 });
        let table = [
            (0, 5),     // the start is no freeze
            (93, 98),   // before
            (97, 110),  // falls due in the freeze: leaves at its end
            (100, 115), // arrives with it: seen at its end
            (109, 115),
            (110, 115), // just after
            (250, 255),
        ];
        for (arrival, expected) in table {
            assert_eq!(departure_ns(arrival, 5, freeze), expected, "{arrival}");
        }
    }
}
