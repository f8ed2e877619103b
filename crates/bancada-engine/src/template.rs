// SPDX-License-Identifier: Apache-2.0
//! Text with places that are filled anew for each request, the same for the same seed.

use std::fmt::Write as _;

use crate::random::Random;

const ALLOWED: &str = "allowed are {{user}}, {{iteration}}, {{random_int:LOW:HIGH}}, {{random_ints:N:LOW:HIGH}} \
                       (both ends included) and {{random_hex:N}}";
const MOST: u32 = 10_000_000;
const PURPOSE: u64 = 2;

/// A text with places to fill.
#[derive(Clone, Debug, PartialEq)]
pub struct Template(Vec<Part>);

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    User,
    Iteration,
    Ints { count: u32, low: i64, high: i64 },
    Hex { digits: u32 },
}

/// What a template sees of its request.
#[derive(Clone, Debug)]
pub struct Filling {
    user: u64,
    iteration: u64,
    random: Random,
}

impl Filling {
    /// The filling of one request; the same four numbers always give the same text.
    #[must_use]
    pub fn new(seed: u64, user: u64, iteration: u64, operation: u64) -> Self {
        Self { user, iteration, random: Random::new(seed, &[PURPOSE, user, iteration, operation]) }
    }
}

impl Template {
    /// Reads a text with places.
    ///
    /// # Errors
    /// A message that names the wrong place and what is allowed.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let Some((place, behind)) = after.split_once("}}") else {
                return Err(format!("a {{{{ is not closed; {ALLOWED}"));
            };
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            parts.push(parse_place(place).ok_or_else(|| format!("{{{{{place}}}}} is unknown; {ALLOWED}"))?);
            rest = behind;
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Ok(Self(parts))
    }

    /// Whether every request gets the same text.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.0.iter().all(|part| matches!(part, Part::Text(_)))
    }

    /// Appends the text, filled.
    pub fn render(&self, filling: &mut Filling, out: &mut String) {
        for part in &self.0 {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::User => append(out, filling.user),
                Part::Iteration => append(out, filling.iteration),
                Part::Ints { count, low, high } => {
                    for index in 0..*count {
                        if index > 0 {
                            out.push(',');
                        }
                        append(out, filling.random.int(*low, *high));
                    }
                }
                Part::Hex { digits } => append_hex(out, *digits, &mut filling.random),
            }
        }
    }
}

fn append(out: &mut String, number: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{number}");
}

fn append_hex(out: &mut String, digits: u32, random: &mut Random) {
    let mut left = digits as usize;
    while left > 0 {
        let word = format!("{:016x}", random.next_u64());
        let taken = left.min(word.len());
        out.push_str(&word[..taken]);
        left -= taken;
    }
}

fn parse_place(place: &str) -> Option<Part> {
    let words: Vec<&str> = place.split(':').collect();
    let count = |text: &str| text.parse().ok().filter(|count| (1..=MOST).contains(count));
    let ints = |count, low: &str, high: &str| {
        let (low, high) = (low.parse().ok()?, high.parse().ok()?);
        (low <= high).then_some(Part::Ints { count, low, high })
    };
    match words.as_slice() {
        ["user"] => Some(Part::User),
        ["iteration"] => Some(Part::Iteration),
        ["random_int", low, high] => ints(1, low, high),
        ["random_ints", number, low, high] => ints(count(number)?, low, high),
        ["random_hex", digits] => Some(Part::Hex { digits: count(digits)? }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(text: &str, user: u64, iteration: u64, operation: u64) -> String {
        let mut out = String::new();
        Template::parse(text).unwrap().render(&mut Filling::new(1, user, iteration, operation), &mut out);
        out
    }

    #[test]
    fn places_are_filled_with_the_requests_user_and_iteration() {
        assert_eq!(render("/a/{{user}}/b{{iteration}}", 7, 3, 0), "/a/7/b3");
    }

    #[test]
    fn random_places_have_their_number_and_range() {
        let ints: Vec<i64> =
            render("{{random_ints:300:-5:5}}", 0, 0, 0).split(',').map(|n| n.parse().unwrap()).collect();
        assert_eq!(ints.len(), 300);
        assert!(ints.iter().all(|n| (-5..=5).contains(n)));
        assert_eq!(render("{{random_int:9:9}}", 0, 0, 0), "9");
        let hex = render("{{random_hex:37}}", 0, 0, 0);
        assert!(hex.len() == 37 && hex.bytes().all(|b| b.is_ascii_hexdigit()), "{hex}");
    }

    #[test]
    fn the_same_request_gets_the_same_text_and_each_other_request_another() {
        let text = "{{random_hex:16}}";
        assert_eq!(render(text, 1, 2, 3), render(text, 1, 2, 3));
        for other in [(0, 2, 3), (1, 0, 3), (1, 2, 0), (2, 1, 3)] {
            assert_ne!(render(text, 1, 2, 3), render(text, other.0, other.1, other.2));
        }
    }

    #[test]
    fn json_braces_are_no_places() {
        let json = r#"{"a":{"b":[1]}}"#;
        assert_eq!(render(json, 0, 0, 0), json);
        assert!(Template::parse(json).unwrap().is_fixed());
    }

    #[test]
    fn a_wrong_place_is_named_together_with_what_is_allowed() {
        let wrong =
            ["{{usr}}", "{{random_int:5:1}}", "{{random_int:1}}", "{{random_ints:0:1:2}}", "{{random_hex:x}}", "{{"];
        for text in wrong {
            let message = Template::parse(text).unwrap_err();
            assert!(message.contains(text.trim_end_matches("}}")) && message.contains("{{random_hex:N}}"), "{message}");
        }
    }
}
