// SPDX-License-Identifier: Apache-2.0
//! The samples as a reader of Parquet sees them.

use std::fs::File;
use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

/// One row of the samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub intended_ns: u64,
    pub sent_ns: u64,
    pub done_ns: u64,
    pub first_byte_ns: Option<u64>,
    pub connected_ns: Option<u64>,
    pub user: i32,
    pub iteration: i32,
    pub operation: String,
    pub status: Option<i32>,
    pub failure: Option<String>,
    pub bytes_in: u64,
    pub bytes_out: u64,
    pub body_bytes: u64,
    pub new_connection: bool,
}

/// Reads a whole file.
pub fn read(path: &Path) -> Vec<Sample> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().map(|row| sample(&row.unwrap())).collect()
}

/// The names of the columns, in order.
pub fn columns(path: &Path) -> Vec<String> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    schema.columns().iter().map(|column| column.name().to_owned()).collect()
}

fn sample(row: &Row) -> Sample {
    let field = |name: &str| row.get_column_iter().find(|(column, _)| *column == name).unwrap().1.clone();
    let long = |name: &str| match field(name) {
        Field::Long(value) => Some(u64::try_from(value).unwrap()),
        Field::Null => None,
        other => panic!("{name}: {other}"),
    };
    let int = |name: &str| match field(name) {
        Field::Int(value) => Some(value),
        Field::Null => None,
        other => panic!("{name}: {other}"),
    };
    let text = |name: &str| match field(name) {
        Field::Str(value) => Some(value),
        Field::Null => None,
        other => panic!("{name}: {other}"),
    };
    Sample {
        intended_ns: long("intended_ns").unwrap(),
        sent_ns: long("sent_ns").unwrap(),
        done_ns: long("done_ns").unwrap(),
        first_byte_ns: long("first_byte_ns"),
        connected_ns: long("connected_ns"),
        user: int("user").unwrap(),
        iteration: int("iteration").unwrap(),
        operation: text("operation").unwrap(),
        status: int("status"),
        failure: text("failure"),
        bytes_in: long("bytes_in").unwrap(),
        bytes_out: long("bytes_out").unwrap(),
        body_bytes: long("body_bytes").unwrap(),
        new_connection: field("new_connection") == Field::Bool(true),
    }
}
