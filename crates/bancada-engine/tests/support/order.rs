// SPDX-License-Identifier: Apache-2.0
//! Load orders, short.

use std::net::SocketAddr;
use std::path::Path;

use serde_json::{Value, json};

pub const MS: u64 = 1_000_000;
pub const S: u64 = 1_000_000_000;

/// An order of one GET that must be answered with 200.
pub fn order(target: SocketAddr, load: &Value) -> Value {
    json!({
        "version": 1,
        "target": format!("http://{target}"),
        "seed": 1,
        "operations": [get("home", "/")],
        "load": load,
        "connect_timeout_ns": S,
        "response_timeout_ns": 10 * S,
        "samples": null,
        "progress_interval_ns": 100 * MS,
        "workers": 1,
    })
}

/// One GET.
pub fn get(name: &str, path: &str) -> Value {
    json!({"name": name, "method": "GET", "path": path, "headers": {}, "body": null, "check": {"status": [200]}})
}

/// The same order with samples.
pub fn with_samples(order: Value, path: &Path) -> Value {
    with(order, "samples", json!(path))
}

/// The same order with another value in one field.
pub fn with(mut order: Value, field: &str, value: Value) -> Value {
    order[field] = value;
    order
}

/// The same order with another check of its first operation.
pub fn with_check(mut order: Value, check: Value) -> Value {
    order["operations"][0]["check"] = check;
    order
}

/// A closed load that iterations end.
pub fn iterations(users: u32, iterations: u32) -> Value {
    json!({"kind": "closed", "users": users, "ramp_up_ns": 0, "iterations": iterations, "duration_ns": null, "think_ns": 0})
}

/// A closed load that a duration ends.
pub fn duration(users: u32, duration_ns: u64, think_ns: u64) -> Value {
    json!({"kind": "closed", "users": users, "ramp_up_ns": 0, "iterations": null, "duration_ns": duration_ns, "think_ns": think_ns})
}

/// An open load of a constant rate, evenly spaced.
pub fn constant_rate(per_s: u32, duration_ns: u64, connections: u32) -> Value {
    let segment = json!({"from_per_s": per_s, "to_per_s": per_s, "duration_ns": duration_ns});
    json!({"kind": "open", "segments": [segment], "spacing": "even", "connections": connections})
}
