// SPDX-License-Identifier: Apache-2.0
//! The command line.

use std::fs;
use std::io::Read;
use std::net::SocketAddr;
use std::path::PathBuf;

use bytes::Bytes;
use clap::{Args, Parser, Subcommand};
use hyper::StatusCode;
use hyper::header::HeaderValue;

use crate::delay::{Delay, Freeze, parse_duration_ns};
use crate::drive::drive;
use crate::error::EngineError;
use crate::order;
use crate::process;
use crate::upstream::{Upstream, serve};

/// The load engine of Bancada.
#[derive(Debug, Parser)]
#[command(version, about, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Drive one load: the order is read from standard input, events and the record are written to standard output
    #[command(after_help = DRIVE_HELP)]
    Drive,
    /// Serve answers after a set delay until SIGTERM, then tell how late they were
    #[command(after_help = UPSTREAM_HELP)]
    Upstream(UpstreamArgs),
}

const DRIVE_HELP: &str = r#"The order is one JSON document (contracts/load-order.schema.json). SIGINT or SIGTERM, or the end of the thread
that started the engine, stops the load; the samples file and the record are still completed.

Exit codes: 0 record written, 2 order invalid, 3 samples cannot be written, 4 other.

Example: 20 users, 50 iterations each
  bancada-engine drive <<'END'
  {"version": 1, "target": "http://127.0.0.1:8080", "seed": 1,
   "operations": [{"name": "home", "method": "GET", "path": "/", "headers": {}, "body": null, "check": {"status": [200]}}],
   "load": {"kind": "closed", "users": 20, "ramp_up_ns": 2000000000, "iterations": 50, "duration_ns": null, "think_ns": 0},
   "connect_timeout_ns": 5000000000, "response_timeout_ns": 30000000000,
   "samples": "samples.parquet", "progress_interval_ns": 1000000000, "workers": null}
  END

Example: an open load of 1000/s for 30 s over at most 64 connections
   "load": {"kind": "open", "spacing": "poisson", "connections": 64,
            "segments": [{"from_per_s": 1000, "to_per_s": 1000, "duration_ns": 30000000000}]}"#;

const UPSTREAM_HELP: &str = "\
Any method and path is answered. With --freeze F --every E nothing moves in [k*E, k*E + F) for k = 1, 2, ... from the
start of listening (the first freeze begins E after it): requests that come meanwhile are seen at its end.

Examples:
  bancada-engine upstream --delay 50ms --body-bytes 6600
  bancada-engine upstream --listen 127.0.0.1:9000 --delay lognormal:50ms:0.5 --seed 7
  bancada-engine upstream --delay 1ms --freeze 1s --every 10s
  bancada-engine upstream --status 503 --body-file error.json --content-type application/json";

#[derive(Debug, Args)]
struct UpstreamArgs {
    /// Address to listen on; port 0 lets the kernel choose
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Time to each answer: 50ms, uniform:LOW:HIGH, normal:MEAN:DEVIATION or lognormal:MEDIAN:SIGMA
    #[arg(long, default_value = "0ms")]
    delay: Delay,
    /// Size of the answer's body, filled with x (for a JSON content type: one JSON string)
    #[arg(long, value_name = "N", default_value_t = 0)]
    body_bytes: usize,
    /// File to answer with
    #[arg(long, value_name = "FILE", conflicts_with = "body_bytes")]
    body_file: Option<PathBuf>,
    /// Content type of the answer
    #[arg(long, value_name = "TYPE", default_value = "text/plain")]
    content_type: HeaderValue,
    /// Status of the answer, 200 to 599
    #[arg(long, default_value = "200", value_parser = parse_status)]
    status: StatusCode,
    /// Length of each freeze of the whole server
    #[arg(long, value_name = "DURATION", requires = "every", value_parser = parse_duration_ns)]
    freeze: Option<u64>,
    /// From the start of one freeze to the start of the next
    #[arg(long, value_name = "DURATION", requires = "freeze", value_parser = parse_duration_ns)]
    every: Option<u64>,
    /// Whole number from which delays are drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn parse_status(text: &str) -> Result<StatusCode, String> {
    let status = text.parse().ok().filter(|status| (200..600).contains(status));
    status.and_then(|status| StatusCode::from_u16(status).ok()).ok_or_else(|| "allowed are 200 to 599".to_owned())
}

impl Cli {
    /// Does what the command line says.
    ///
    /// # Errors
    /// [`EngineError`], for the caller to tell.
    pub fn run(self) -> Result<(), EngineError> {
        match self.command {
            Command::Drive => drive_from_stdin(),
            Command::Upstream(args) => serve(args.try_into()?),
        }
    }
}

fn drive_from_stdin() -> Result<(), EngineError> {
    process::end_with_parent().map_err(|error| EngineError::engine("parent", error))?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| EngineError::order("order", error))?;
    drive(&order::parse(&text)?)
}

impl TryFrom<UpstreamArgs> for Upstream {
    type Error = EngineError;

    fn try_from(args: UpstreamArgs) -> Result<Self, EngineError> {
        let freeze = match (args.freeze, args.every) {
            (Some(length_ns), Some(every_ns)) if length_ns >= every_ns => {
                return Err(EngineError::order("--freeze", "it must be shorter than --every"));
            }
            (Some(length_ns), Some(every_ns)) => Some(Freeze { length_ns, every_ns }),
            _ => None,
        };
        let body = match &args.body_file {
            Some(path) => fs::read(path)
                .map_err(|error| EngineError::order("--body-file", format!("{}: {error}", path.display())))?,
            None => filler(args.body_bytes, &args.content_type),
        };
        Ok(Self {
            listen: args.listen,
            delay: args.delay,
            freeze,
            status: args.status,
            content_type: args.content_type,
            body: Bytes::from(body),
            seed: args.seed,
        })
    }
}

/// A body of so many bytes that is valid for its type: a JSON string where JSON is promised and there is room.
fn filler(bytes: usize, content_type: &HeaderValue) -> Vec<u8> {
    let mut body = vec![b'x'; bytes];
    let is_json = content_type.to_str().is_ok_and(|name| name.contains("json"));
    if let (true, [first, .., last]) = (is_json, body.as_mut_slice()) {
        *first = b'"';
        *last = b'"';
    }
    body
}
