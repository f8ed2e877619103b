// SPDX-License-Identifier: Apache-2.0
//! One row for each request, in a Parquet file, written by a thread of its own.
//!
//! Each worker fills the columns of one block, hands it over when it is full, and starts another: memory does not
//! grow with the number of requests. A block becomes a row group.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use parquet::basic::{Compression, Encoding};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use tokio::sync::Notify;

use crate::error::EngineError;
use crate::outcome::{Exchange, Failure, Turn};

const BLOCK_ROWS: usize = 65_536;
/// Full blocks that may wait for the writer.
const WAITING_BLOCKS: usize = 2;
const SCHEMA: &str = "message samples {
    required int64 intended_ns;
    required int64 sent_ns;
    required int64 done_ns;
    optional int64 first_byte_ns;
    optional int64 connected_ns;
    required int32 user;
    required int32 iteration;
    required binary operation (STRING);
    optional int32 status;
    optional binary failure (STRING);
    required int64 bytes_in;
    required int64 bytes_out;
    required int64 body_bytes;
    required boolean new_connection;
}";

/// The columns of some rows.
#[derive(Default)]
struct Block {
    intended_ns: Vec<i64>,
    sent_ns: Vec<i64>,
    done_ns: Vec<i64>,
    first_byte_ns: Optional<i64>,
    connected_ns: Optional<i64>,
    user: Vec<i32>,
    iteration: Vec<i32>,
    operation: Vec<u16>,
    status: Optional<i32>,
    failure: Optional<u8>,
    bytes_in: Vec<i64>,
    bytes_out: Vec<i64>,
    body_bytes: Vec<i64>,
    new_connection: Vec<bool>,
}

/// A column with nulls, as Parquet wants it: the values that are there, and for each row whether it is.
#[derive(Default)]
struct Optional<T> {
    values: Vec<T>,
    levels: Vec<i16>,
}

impl<T> Optional<T> {
    fn push(&mut self, value: Option<T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }
}

impl Block {
    fn push(&mut self, turn: &Turn, exchange: &Exchange) {
        let ns = |at_ns: u64| i64::try_from(at_ns).unwrap_or(i64::MAX);
        let number = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
        self.intended_ns.push(ns(turn.intended_ns));
        self.sent_ns.push(ns(exchange.sent_ns));
        self.done_ns.push(ns(exchange.done_ns));
        self.first_byte_ns.push(exchange.first_byte_ns.map(ns));
        self.connected_ns.push(exchange.connected_ns.map(ns));
        self.user.push(number(turn.user));
        self.iteration.push(number(turn.iteration));
        self.operation.push(u16::try_from(turn.operation).unwrap_or(u16::MAX));
        self.status.push(exchange.status.map(i32::from));
        self.failure.push(exchange.failure.map(|failure| failure as u8));
        self.bytes_in.push(ns(exchange.bytes_in));
        self.bytes_out.push(ns(exchange.bytes_out));
        self.body_bytes.push(ns(exchange.body_bytes));
        self.new_connection.push(exchange.connected_ns.is_some());
    }

    fn rows(&self) -> usize {
        self.done_ns.len()
    }
}

/// Where a worker puts its rows.
pub struct Rows {
    block: Block,
    writer: SyncSender<Block>,
}

impl Rows {
    /// Adds a row; waits for the writer if too many blocks do.
    pub fn push(&mut self, turn: &Turn, exchange: &Exchange) {
        self.block.push(turn, exchange);
        if self.block.rows() >= BLOCK_ROWS {
            self.flush();
        }
    }

    /// Hands over what is left.
    pub fn flush(&mut self) {
        let block = std::mem::take(&mut self.block);
        if block.rows() > 0 {
            // A writer that has failed takes no more; it has told so through `Samples::failed`.
            let _ = self.writer.send(block);
        }
    }
}

/// The samples file and its writer thread.
pub struct Samples {
    path: PathBuf,
    blocks: SyncSender<Block>,
    thread: JoinHandle<Result<(), ParquetError>>,
    failed: Arc<Notify>,
}

impl Samples {
    /// Creates the file; `operations` are the names that rows refer to by index.
    ///
    /// # Errors
    /// [`EngineError::Samples`] when the file cannot be created or written.
    pub fn create(path: &Path, operations: &[&str]) -> Result<Self, EngineError> {
        let error = |cause: &dyn std::fmt::Display| EngineError::samples(path, cause);
        let mut file = File::create(path).map_err(|e| error(&e))?;
        // The first bytes are written now, so that a full disk is known before the load and not after it.
        file.write_all(b"PAR1").map_err(|e| error(&e))?;
        // What is no file (a device, a pipe) cannot be rewound, nor hold Parquet.
        file.rewind().map_err(|e| error(&e))?;
        let names: Vec<ByteArray> = operations.iter().map(|name| ByteArray::from(*name)).collect();
        let (blocks, receiver) = sync_channel(WAITING_BLOCKS);
        let failed = Arc::new(Notify::new());
        let told = Arc::clone(&failed);
        let write = move || {
            // Compressing must not take the CPU from those who keep time.
            let _ = rustix::process::nice(19);
            let result = write_all(file, &names, &receiver);
            if result.is_err() {
                told.notify_one();
            }
            result
        };
        let thread = std::thread::Builder::new().name("samples".into()).spawn(write).map_err(|e| error(&e))?;
        Ok(Self { path: path.to_owned(), blocks, thread, failed })
    }

    /// Rows for one worker.
    #[must_use]
    pub fn rows(&self) -> Rows {
        Rows { block: Block::default(), writer: self.blocks.clone() }
    }

    /// Rings when writing has failed; [`Samples::finish`] then tells why.
    #[must_use]
    pub fn failed(&self) -> Arc<Notify> {
        Arc::clone(&self.failed)
    }

    /// Waits until all is written. All [`Rows`] must be gone.
    ///
    /// # Errors
    /// [`EngineError::Samples`] when something could not be written.
    pub fn finish(self) -> Result<(), EngineError> {
        drop(self.blocks);
        match self.thread.join() {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(EngineError::samples(&self.path, error)),
            Err(_) => Err(EngineError::samples(&self.path, "the writer ended unexpectedly")),
        }
    }
}

fn properties() -> WriterProperties {
    // Times and sizes hardly repeat: differences pack them tighter than a dictionary, and cheaper.
    let packed = ["intended_ns", "sent_ns", "done_ns", "first_byte_ns", "connected_ns", "user", "iteration"];
    let packed = packed.into_iter().chain(["bytes_in", "bytes_out", "body_bytes"]);
    let properties = WriterProperties::builder()
        .set_created_by(concat!("bancada-engine ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::SNAPPY);
    packed
        .fold(properties, |properties, name| {
            let column = ColumnPath::from(name);
            properties
                .set_column_dictionary_enabled(column.clone(), false)
                .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED)
        })
        .build()
}

fn write_all(file: File, operations: &[ByteArray], blocks: &Receiver<Block>) -> Result<(), ParquetError> {
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties()))?;
    let failures: Vec<ByteArray> = Failure::ALL.iter().map(|failure| ByteArray::from(failure.name())).collect();
    for block in blocks {
        let mut group = writer.next_row_group()?;
        write_block(&mut group, &block, operations, &failures)?;
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

type Group<'a> = SerializedRowGroupWriter<'a, File>;

fn write_block(
    group: &mut Group<'_>,
    block: &Block,
    operations: &[ByteArray],
    failures: &[ByteArray],
) -> Result<(), ParquetError> {
    let operation: Vec<ByteArray> =
        block.operation.iter().map(|index| operations[usize::from(*index)].clone()).collect();
    let failure: Vec<ByteArray> =
        block.failure.values.iter().map(|kind| failures[usize::from(*kind)].clone()).collect();
    write_column::<Int64Type>(group, &block.intended_ns, None)?;
    write_column::<Int64Type>(group, &block.sent_ns, None)?;
    write_column::<Int64Type>(group, &block.done_ns, None)?;
    write_column::<Int64Type>(group, &block.first_byte_ns.values, Some(&block.first_byte_ns.levels))?;
    write_column::<Int64Type>(group, &block.connected_ns.values, Some(&block.connected_ns.levels))?;
    write_column::<Int32Type>(group, &block.user, None)?;
    write_column::<Int32Type>(group, &block.iteration, None)?;
    write_column::<ByteArrayType>(group, &operation, None)?;
    write_column::<Int32Type>(group, &block.status.values, Some(&block.status.levels))?;
    write_column::<ByteArrayType>(group, &failure, Some(&block.failure.levels))?;
    write_column::<Int64Type>(group, &block.bytes_in, None)?;
    write_column::<Int64Type>(group, &block.bytes_out, None)?;
    write_column::<Int64Type>(group, &block.body_bytes, None)?;
    write_column::<BoolType>(group, &block.new_connection, None)
}

/// Writes the next column of the schema's order.
fn write_column<T: DataType>(
    group: &mut Group<'_>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("more columns than the schema has".to_owned()));
    };
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}
