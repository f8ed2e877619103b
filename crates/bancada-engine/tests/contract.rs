// SPDX-License-Identifier: Apache-2.0
//! The golden documents, the schemas and the engine say the same.

mod support;

use std::fs;
use std::path::PathBuf;

use bancada_engine::event::Event;
use bancada_engine::order::{Order, parse};
use bancada_engine::validate::validate;
use jsonschema::Validator;
use serde_json::{Value, json};

fn contracts() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../contracts")
}

fn schema(kind: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(contracts().join(format!("{kind}.schema.json"))).unwrap()).unwrap()
}

fn validator(kind: &str) -> Validator {
    jsonschema::draft202012::new(&schema(kind)).unwrap()
}

/// Name and text of the golden documents whose name begins like this.
fn golden(prefix: &str) -> Vec<(String, String)> {
    let folder = fs::read_dir(contracts().join("golden")).unwrap();
    let files = folder.map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let documents: Vec<_> = files
        .filter(|path| name(path).starts_with(prefix))
        .map(|path| (name(&path), fs::read_to_string(&path).unwrap()))
        .collect();
    assert!(!documents.is_empty(), "no golden document {prefix}*");
    documents
}

fn read_order(text: &str) -> Result<Order, String> {
    let order = parse(text).map_err(|error| error.to_string())?;
    validate(&order).map_err(|error| error.to_string())?;
    Ok(order)
}

#[test]
fn golden_documents_fulfil_their_schema_and_bad_ones_do_not() {
    for kind in ["load-order", "load-event", "upstream-event"] {
        let validator = validator(kind);
        for (prefix, good) in [(kind.to_owned(), true), (format!("bad-{kind}"), false)] {
            for (name, text) in golden(&prefix) {
                let document: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(validator.is_valid(&document), good, "{name}");
            }
        }
    }
}

#[test]
fn the_engine_reads_golden_orders() {
    for (name, text) in golden("load-order") {
        read_order(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn the_engine_refuses_bad_orders_and_names_the_field() {
    let fields = ["version", "target", "operations", "load", "workers", "response_timeout_ns", "users", "order"];
    for (name, text) in golden("bad-load-order") {
        let refusal = if name.contains("target") { read_target(&text) } else { read_order(&text).map(|_| ()) };
        let message = refusal.expect_err(&name);
        assert!(fields.iter().any(|field| message.starts_with(field)), "{name}: {message}");
    }
}

/// The target is checked where it is resolved.
fn read_target(text: &str) -> Result<(), String> {
    let order = read_order(text)?;
    bancada_engine::plan::Plan::new(&order).map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn the_engines_events_are_the_golden_events() {
    for (name, text) in golden("load-event") {
        let document: Value = serde_json::from_str(&text).unwrap();
        let event: Event = serde_json::from_value(document.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(serde_json::to_value(event).unwrap(), document, "{name}");
    }
}

#[test]
fn every_object_of_the_schemas_is_closed() {
    fn assert_closed(name: &str, value: &Value) {
        if value.get("properties").is_some() && value.get("type") == Some(&Value::from("object")) {
            assert_eq!(value.get("additionalProperties"), Some(&Value::Bool(false)), "{name}: {value}");
        }
        match value {
            Value::Object(members) => members.values().for_each(|member| assert_closed(name, member)),
            Value::Array(items) => items.iter().for_each(|item| assert_closed(name, item)),
            _ => (),
        }
    }
    for kind in ["load-order", "load-event", "upstream-event"] {
        assert_closed(kind, &schema(kind));
    }
}

#[test]
fn every_line_of_a_real_load_fulfils_the_schema() {
    use support::engine::{Drive, Upstream};
    use support::order::{MS, duration, iterations, order, with};
    let validator = validator("load-event");
    let upstream = Upstream::start(&["--delay", "5ms"]);
    let good = with(order(upstream.address, &duration(2, 300 * MS, 0)), "progress_interval_ns", json!(50 * MS));
    for order in [good, order(upstream.address, &iterations(0, 1))] {
        let (events, _) = Drive::start(&order).finish();
        assert!(!events.is_empty());
        for event in events {
            let line = serde_json::to_value(event).unwrap();
            assert!(validator.is_valid(&line), "{line}");
        }
    }
}

#[test]
fn every_line_of_a_real_upstream_fulfils_the_schema() {
    let validator = validator("upstream-event");
    let upstream = support::engine::Upstream::start(&[]);
    assert!(validator.is_valid(&upstream.listening), "{}", upstream.listening);
    let record = upstream.stop();
    assert!(validator.is_valid(&record), "{record}");
}
