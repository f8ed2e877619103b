// SPDX-License-Identifier: Apache-2.0
//! The load order as it is read: one mirror of `contracts/load-order.schema.json`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::error::EngineError;

/// One order, one load.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// Version of the contract: 1.
    pub version: u32,
    /// `http://host:port`, without a path.
    pub target: String,
    /// All randomness is drawn from it.
    pub seed: u64,
    /// What to ask, in this order.
    pub operations: Vec<Operation>,
    /// When to ask.
    pub load: Load,
    /// Limit of connecting.
    pub connect_timeout_ns: u64,
    /// Limit from the first byte written to the last byte of the answer.
    pub response_timeout_ns: u64,
    /// Parquet file of single requests.
    #[serde(deserialize_with = "nullable")]
    pub samples: Option<PathBuf>,
    /// Time between progress lines.
    pub progress_interval_ns: u64,
    /// Engine threads; none: one for each CPU that the engine may use.
    #[serde(deserialize_with = "nullable")]
    pub workers: Option<u32>,
}

/// One request of a user's walk, with what its answer must be.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Unique in the order.
    pub name: String,
    /// HTTP method.
    pub method: String,
    /// Path and query; may hold templates.
    pub path: String,
    /// Sent as they stand.
    pub headers: BTreeMap<String, String>,
    /// Where the body comes from.
    #[serde(deserialize_with = "nullable")]
    pub body: Option<Payload>,
    /// What the answer must be.
    pub check: CheckOrder,
}

/// Where a request's body comes from.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// Text, sent as it stands.
    Text(String),
    /// File, sent as it stands.
    File(PathBuf),
    /// Text with templates.
    Template(String),
    /// UTF-8 file with templates.
    TemplateFile(PathBuf),
}

/// What an answer must be; what is left out is not checked, but for the status.
#[derive(Clone, Debug, Deserialize, PartialEq, Default)]
#[serde(deny_unknown_fields)]
pub struct CheckOrder {
    /// Allowed statuses; empty: any of 200 to 299.
    pub status: Vec<u16>,
    /// Size of the body.
    #[serde(default, deserialize_with = "present")]
    pub size_bytes: Option<u64>,
    /// The body as a JSON value.
    #[serde(default, deserialize_with = "present")]
    pub json: Option<Value>,
    /// File of the JSON value.
    #[serde(default, deserialize_with = "present")]
    pub json_file: Option<PathBuf>,
    /// SHA-256 of the body, hexadecimal.
    #[serde(default, deserialize_with = "present")]
    pub sha256: Option<String>,
}

/// When to ask.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum Load {
    /// Users who ask again when they have been answered.
    Closed(ClosedLoad),
    /// Requests that come whether or not the last one was answered.
    Open(OpenLoad),
}

/// A thread group: users with a ramp-up.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ClosedLoad {
    /// How many.
    pub users: u32,
    /// Time over which they start.
    pub ramp_up_ns: u64,
    /// How many walks each user makes, or none if the duration ends the load.
    #[serde(deserialize_with = "nullable")]
    pub iterations: Option<u32>,
    /// No request is begun after it, or none if the iterations end the load.
    #[serde(deserialize_with = "nullable")]
    pub duration_ns: Option<u64>,
    /// Time between an answer and the next request.
    pub think_ns: u64,
}

/// Arrivals at given rates.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct OpenLoad {
    /// Rates, one segment after the other.
    pub segments: Vec<Segment>,
    /// How arrivals are spaced at a given rate.
    pub spacing: Spacing,
    /// Most requests under way.
    pub connections: u32,
}

/// A stretch of time over which the rate changes linearly.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Requests per second at its start.
    pub from_per_s: f64,
    /// Requests per second at its end.
    pub to_per_s: f64,
    /// Its length.
    pub duration_ns: u64,
}

/// How arrivals are spaced.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Spacing {
    /// At equal distances.
    Even,
    /// As a Poisson process.
    Poisson,
}

/// Reads an order.
///
/// # Errors
/// [`EngineError::Order`], with the field's path and what was expected there.
pub fn parse(text: &str) -> Result<Order, EngineError> {
    let mut document: Value = serde_json::from_str(text).map_err(|error| EngineError::order("order", error))?;
    if let Some(load) = document.get_mut("load") {
        nest_kind(load)?;
    }
    serde_path_to_error::deserialize(document).map_err(|error| {
        let path = error.path().to_string().replace("load.closed", "load").replace("load.open", "load");
        let field = if path == "." { "order" } else { &path };
        EngineError::order(field, error.inner())
    })
}

/// Turns `{"kind": k, ...}` into `{k: {...}}`: serde loses the paths of fields beside a tag, and a message without
/// the field is of no use.
fn nest_kind(load: &mut Value) -> Result<(), EngineError> {
    let Some(fields) = load.as_object_mut() else { return Ok(()) };
    let Some(Value::String(kind)) = fields.remove("kind") else {
        return Err(EngineError::order("load.kind", "allowed are \"closed\" and \"open\""));
    };
    let fields = std::mem::take(fields);
    *load = Value::Object(Map::from_iter([(kind, Value::Object(fields))]));
    Ok(())
}

/// A field that may be null but may not be left out.
fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// A field that may be left out but may not be null: a null `json` could mean either "no check" or "the value null".
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    if value.is_null() {
        return Err(serde::de::Error::custom("null is not allowed; leave it out"));
    }
    T::deserialize(value).map(Some).map_err(serde::de::Error::custom)
}
