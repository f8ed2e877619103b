// SPDX-License-Identifier: Apache-2.0
//! What an order's fields may be, beyond their types. All mistakes are named at once.

use std::collections::BTreeSet;

use crate::error::EngineError;
use crate::order::{ClosedLoad, Load, OpenLoad, Operation, Order};

const LONGEST_NS: u64 = 30 * 24 * 3_600 * 1_000_000_000;
const MOST_USERS: u32 = 1_000_000;
const MOST_PER_S: f64 = 1e7;
const MOST_OPERATIONS: usize = 1_000;
/// Headers that only the engine can get right.
const OWN_HEADERS: [&str; 3] = ["content-length", "transfer-encoding", "connection"];

/// Checks a whole order.
///
/// # Errors
/// [`EngineError::Order`] with each mistake's field, what it is, and what is allowed.
pub fn validate(order: &Order) -> Result<(), EngineError> {
    let mut mistakes = Mistakes::default();
    mistakes.unless(order.version == 1, "version", || format!("{}; only 1 is known", order.version));
    mistakes.time("connect_timeout_ns", order.connect_timeout_ns, 1);
    mistakes.time("response_timeout_ns", order.response_timeout_ns, 1);
    mistakes.time("progress_interval_ns", order.progress_interval_ns, 1);
    let workers = order.workers.unwrap_or(1);
    mistakes.unless((1..=1024).contains(&workers), "workers", || format!("{workers}; allowed are 1 to 1024 or null"));
    let samples_named = order.samples.as_ref().is_none_or(|path| !path.as_os_str().is_empty());
    mistakes.unless(samples_named, "samples", || "an empty path; allowed are a path or null".to_owned());
    operations(&mut mistakes, &order.operations);
    match &order.load {
        Load::Closed(load) => closed(&mut mistakes, load),
        Load::Open(load) => open(&mut mistakes, load),
    }
    mistakes.into_result()
}

#[derive(Default)]
struct Mistakes(Vec<String>);

impl Mistakes {
    fn unless(&mut self, right: bool, field: &str, what: impl FnOnce() -> String) {
        if !right {
            self.0.push(format!("{field}: {}", what()));
        }
    }

    fn time(&mut self, field: &str, ns: u64, least_ns: u64) {
        self.unless((least_ns..=LONGEST_NS).contains(&ns), field, || {
            format!("{ns}; allowed are {least_ns} to {LONGEST_NS} (30 days)")
        });
    }

    fn into_result(self) -> Result<(), EngineError> {
        if self.0.is_empty() { Ok(()) } else { Err(EngineError::Order(self.0.join("; "))) }
    }
}

fn operations(mistakes: &mut Mistakes, operations: &[Operation]) {
    let count = operations.len();
    mistakes.unless((1..=MOST_OPERATIONS).contains(&count), "operations", || {
        format!("{count} operations; allowed are 1 to {MOST_OPERATIONS}")
    });
    let mut names = BTreeSet::new();
    for (index, operation) in operations.iter().enumerate() {
        let field = |name: &str| format!("operations[{index}].{name}");
        mistakes.unless(!operation.name.is_empty() && names.insert(&operation.name), &field("name"), || {
            format!("{:?}; names are not empty and each stands once", operation.name)
        });
        mistakes.unless(is_method(&operation.method), &field("method"), || {
            format!("{:?}; allowed is an HTTP method in capitals, not CONNECT", operation.method)
        });
        mistakes.unless(is_path(&operation.path), &field("path"), || {
            format!("{:?}; it begins with / and holds visible ASCII only (encode others as %XX)", operation.path)
        });
        headers(mistakes, operation, &field("headers"));
        check(mistakes, operation, &field("check"));
    }
}

fn headers(mistakes: &mut Mistakes, operation: &Operation, field: &str) {
    for (name, value) in &operation.headers {
        mistakes
            .unless(!name.is_empty() && name.bytes().all(is_token), field, || format!("{name:?} is not a header name"));
        mistakes.unless(!OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str()), field, || {
            format!("{name} is set by the engine itself; leave it out")
        });
        mistakes.unless(value.bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte)), field, || {
            format!("the value of {name} holds a byte that is not visible ASCII, space or tab")
        });
    }
}

fn check(mistakes: &mut Mistakes, operation: &Operation, field: &str) {
    let check = &operation.check;
    mistakes.unless(check.status.iter().all(|status| (200..600).contains(status)), field, || {
        format!("status {:?}; allowed are 200 to 599, or [] for any of 200 to 299", check.status)
    });
    mistakes.unless(check.json.is_none() || check.json_file.is_none(), field, || {
        "json and json_file; at most one of them is allowed".to_owned()
    });
    let is_digest =
        |text: &String| text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    mistakes.unless(check.sha256.as_ref().is_none_or(is_digest), field, || {
        "sha256 is not 64 hexadecimal digits in small letters".to_owned()
    });
}

fn closed(mistakes: &mut Mistakes, load: &ClosedLoad) {
    mistakes.unless((1..=MOST_USERS).contains(&load.users), "load.users", || {
        format!("{}; allowed are 1 to {MOST_USERS}", load.users)
    });
    mistakes.time("load.ramp_up_ns", load.ramp_up_ns, 0);
    mistakes.time("load.think_ns", load.think_ns, 0);
    mistakes.unless(load.iterations.is_some() != load.duration_ns.is_some(), "load", || {
        "exactly one of iterations and duration_ns is set, the other is null".to_owned()
    });
    let most = i32::MAX.unsigned_abs();
    mistakes.unless(load.iterations.is_none_or(|n| (1..=most).contains(&n)), "load.iterations", || {
        format!("{:?}; allowed are 1 to {most} or null", load.iterations)
    });
    if let Some(duration_ns) = load.duration_ns {
        mistakes.time("load.duration_ns", duration_ns, 1);
    }
}

fn open(mistakes: &mut Mistakes, load: &OpenLoad) {
    mistakes.unless((1..=MOST_USERS).contains(&load.connections), "load.connections", || {
        format!("{}; allowed are 1 to {MOST_USERS}", load.connections)
    });
    let mut any_rate = false;
    for (index, segment) in load.segments.iter().enumerate() {
        for (name, rate) in [("from_per_s", segment.from_per_s), ("to_per_s", segment.to_per_s)] {
            any_rate |= rate > 0.0;
            mistakes.unless((0.0..=MOST_PER_S).contains(&rate), &format!("load.segments[{index}].{name}"), || {
                format!("{rate}; allowed are 0 to {MOST_PER_S}")
            });
        }
        mistakes.time(&format!("load.segments[{index}].duration_ns"), segment.duration_ns, 1);
    }
    mistakes.unless(any_rate, "load.segments", || "no rate above 0; nothing would be sent".to_owned());
}

fn is_method(method: &str) -> bool {
    let rest = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_' || byte == b'-';
    method.starts_with(|first: char| first.is_ascii_uppercase()) && method.bytes().all(rest) && method != "CONNECT"
}

fn is_path(path: &str) -> bool {
    path.starts_with('/') && path.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
