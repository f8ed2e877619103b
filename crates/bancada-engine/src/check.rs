// SPDX-License-Identifier: Apache-2.0
//! Is the answer what the contract says? A body that has passed once is compared, not parsed again.

use std::fs;
use std::rc::Rc;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::EngineError;
use crate::order::CheckOrder;
use crate::outcome::Failure;

/// What the answer of one operation must be.
#[derive(Clone, Debug)]
pub struct Check {
    statuses: Vec<u16>,
    size_bytes: Option<u64>,
    json: Option<Value>,
    sha256: Option<String>,
}

impl Check {
    /// Reads the order's check and the files that it names; `field` is its place in the order.
    ///
    /// # Errors
    /// [`EngineError::Order`] when a file cannot be read or is not JSON.
    pub fn new(order: &CheckOrder, field: &str) -> Result<Self, EngineError> {
        let json = match &order.json_file {
            None => order.json.clone(),
            Some(path) => {
                let refused = |cause: String| {
                    EngineError::order(&format!("{field}.json_file"), format!("{}: {cause}", path.display()))
                };
                let bytes = fs::read(path).map_err(|error| refused(error.to_string()))?;
                Some(serde_json::from_slice(&bytes).map_err(|error| refused(format!("not JSON: {error}")))?)
            }
        };
        Ok(Self { statuses: order.status.clone(), size_bytes: order.size_bytes, json, sha256: order.sha256.clone() })
    }

    fn needs_content(&self) -> bool {
        self.json.is_some() || self.sha256.is_some()
    }

    fn allows_status(&self, status: u16) -> bool {
        if self.statuses.is_empty() { (200..300).contains(&status) } else { self.statuses.contains(&status) }
    }

    fn judge_content(&self, content: &[u8]) -> Option<Failure> {
        if let Some(expected) = &self.json {
            match serde_json::from_slice::<Value>(content) {
                Ok(value) if same_json(&value, expected) => (),
                _ => return Some(Failure::Json),
            }
        }
        if let Some(expected) = &self.sha256 {
            let digest = Sha256::digest(content)
                .iter()
                .fold(String::with_capacity(64), |hex, byte| hex + &format!("{byte:02x}"));
            if digest != *expected {
                return Some(Failure::Digest);
            }
        }
        None
    }
}

/// A check with the memory of the body that passed it last. One for each operation and thread.
pub struct Checker {
    check: Check,
    passed: Option<Rc<Vec<u8>>>,
}

impl Checker {
    /// A checker that has seen nothing.
    #[must_use]
    pub fn new(check: Check) -> Self {
        Self { check, passed: None }
    }

    /// Where the next answer's body goes.
    #[must_use]
    pub fn body(&self) -> Body {
        let content = match &self.passed {
            _ if !self.check.needs_content() => Content::Ignored,
            Some(passed) => Content::SameAs(Rc::clone(passed)),
            None => Content::Kept(Vec::new()),
        };
        Body { size_bytes: 0, content }
    }

    /// Judges a whole answer: status, size, JSON, digest; the first that fails.
    pub fn judge(&mut self, status: Option<u16>, body: Body) -> Option<Failure> {
        if !status.is_some_and(|status| self.check.allows_status(status)) {
            return Some(Failure::Status);
        }
        if self.check.size_bytes.is_some_and(|size| size != body.size_bytes) {
            return Some(Failure::Size);
        }
        let content = match body.content {
            Content::Ignored => return None,
            Content::SameAs(passed) if passed.len() as u64 == body.size_bytes => return None,
            Content::SameAs(passed) => passed[..index(body.size_bytes)].to_vec(),
            Content::Kept(content) => content,
        };
        let failure = self.check.judge_content(&content);
        if failure.is_none() {
            self.passed = Some(Rc::new(content));
        }
        failure
    }
}

/// An answer's body as it comes in. It is stored only while it differs from the body that passed last, so that a
/// thousand users who get the same 180 KB need 180 KB.
pub struct Body {
    size_bytes: u64,
    content: Content,
}

enum Content {
    Ignored,
    SameAs(Rc<Vec<u8>>),
    Kept(Vec<u8>),
}

impl Body {
    /// How much has come in.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Takes the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        if let Content::SameAs(passed) = &self.content {
            let from = index(self.size_bytes);
            if !passed[from..].starts_with(piece) {
                self.content = Content::Kept(passed[..from].to_vec());
            }
        }
        if let Content::Kept(content) = &mut self.content {
            content.extend_from_slice(piece);
        }
        self.size_bytes += piece.len() as u64;
    }
}

/// The size of bytes that are in memory.
fn index(size_bytes: u64) -> usize {
    usize::try_from(size_bytes).unwrap_or(usize::MAX)
}

/// Equality of JSON values: members in any order, numbers by value (1 is 1.0).
fn same_json(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64() && (a.is_f64() || b.is_f64()),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(x, y)| same_json(x, y)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, x)| b.get(key).is_some_and(|y| same_json(x, y)))
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn checker(order: &CheckOrder) -> Checker {
        Checker::new(Check::new(order, "check").unwrap())
    }

    fn judge(checker: &mut Checker, status: u16, pieces: &[&str]) -> Option<Failure> {
        let mut body = checker.body();
        for piece in pieces {
            body.push(piece.as_bytes());
        }
        checker.judge(Some(status), body)
    }

    #[test]
    fn an_empty_list_of_statuses_allows_any_success() {
        let mut any = checker(&CheckOrder::default());
        assert_eq!(judge(&mut any, 204, &[]), None);
        assert_eq!(judge(&mut any, 302, &[]), Some(Failure::Status));
        let mut only = checker(&CheckOrder { status: vec![404], ..CheckOrder::default() });
        assert_eq!(judge(&mut only, 404, &[]), None);
        assert_eq!(judge(&mut only, 200, &[]), Some(Failure::Status));
    }

    #[test]
    fn the_size_is_that_of_all_pieces() {
        let mut sized = checker(&CheckOrder { size_bytes: Some(4), ..CheckOrder::default() });
        assert_eq!(judge(&mut sized, 200, &["ab", "cd"]), None);
        assert_eq!(judge(&mut sized, 200, &["ab", "c"]), Some(Failure::Size));
    }

    #[test]
    fn json_is_compared_by_value() {
        let order = CheckOrder { json: Some(json!({"a": 1, "b": [1.5, null, "x"]})), ..CheckOrder::default() };
        for same in [r#"{"a":1,"b":[1.5,null,"x"]}"#, r#"{ "b": [15e-1, null, "\u0078"], "a": 1.0 }"#] {
            assert_eq!(judge(&mut checker(&order), 200, &[same]), None, "{same}");
        }
        for other in [r#"{"a":1}"#, r#"{"a":2,"b":[1.5,null,"x"]}"#, r#"{"a":1,"b":[null,1.5,"x"]}"#, "no JSON", ""] {
            assert_eq!(judge(&mut checker(&order), 200, &[other]), Some(Failure::Json), "{other}");
        }
    }

    #[test]
    fn large_whole_numbers_are_not_mixed_up_by_rounding() {
        let order = CheckOrder { json: Some(json!(9_007_199_254_740_993_u64)), ..CheckOrder::default() };
        assert_eq!(judge(&mut checker(&order), 200, &["9007199254740993"]), None);
        assert_eq!(judge(&mut checker(&order), 200, &["9007199254740992"]), Some(Failure::Json));
    }

    #[test]
    fn a_body_that_passed_is_compared_and_any_other_is_judged_anew() {
        let order = CheckOrder { json: Some(json!([1, 2])), ..CheckOrder::default() };
        let mut checker = checker(&order);
        assert_eq!(judge(&mut checker, 200, &["[1,2]"]), None);
        assert_eq!(judge(&mut checker, 200, &["[1", ",2]"]), None); // the same in pieces
        assert_eq!(judge(&mut checker, 200, &["[1,", " 2]"]), None); // differs in the middle, still right
        assert_eq!(judge(&mut checker, 200, &["[1,", "3]"]), Some(Failure::Json)); // differs and is wrong
        assert_eq!(judge(&mut checker, 200, &["[1,"]), Some(Failure::Json)); // only the beginning
        assert_eq!(judge(&mut checker, 200, &["[1, 2]", "]"]), Some(Failure::Json)); // goes on behind the end
        assert_eq!(judge(&mut checker, 200, &["[1, 2]"]), None);
    }

    #[test]
    fn a_body_under_way_keeps_what_it_was_compared_with() {
        let order = CheckOrder { json: Some(json!([1, 2])), ..CheckOrder::default() };
        let mut checker = checker(&order);
        assert_eq!(judge(&mut checker, 200, &["[1,2]"]), None);
        let mut slow = checker.body();
        slow.push(b"[1,");
        assert_eq!(judge(&mut checker, 200, &["[ 1 , 2 ]"]), None);
        slow.push(b"2]");
        assert_eq!(checker.judge(Some(200), slow), None);
    }

    #[test]
    fn the_digest_is_sha256() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; // FIPS 180-2, appendix B.1
        let mut digest = checker(&CheckOrder { sha256: Some(abc.to_owned()), ..CheckOrder::default() });
        assert_eq!(judge(&mut digest, 200, &["a", "bc"]), None);
        assert_eq!(judge(&mut digest, 200, &["abd"]), Some(Failure::Digest));
    }

    #[test]
    fn a_json_file_that_cannot_be_read_is_named_with_its_field() {
        let order = CheckOrder { json_file: Some("/no/such/file.json".into()), ..CheckOrder::default() };
        let message = Check::new(&order, "operations[0].check").unwrap_err().to_string();
        assert!(message.starts_with("operations[0].check.json_file: /no/such/file.json"), "{message}");
    }
}
