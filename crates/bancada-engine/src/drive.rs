// SPDX-License-Identifier: Apache-2.0
//! From an order to a record: the one orchestration.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::clock::process_cpu_ns;
use crate::crew::Crew;
use crate::error::EngineError;
use crate::event::{EngineRecord, Event, Record, VERSION, emit};
use crate::order::{Load, Order};
use crate::plan::Plan;
use crate::process;
use crate::samples::Samples;
use crate::signals::Signals;

/// Drives one load; events go to standard output, the record last.
///
/// # Errors
/// [`EngineError`] when nothing was or could be measured.
pub fn drive(order: &Order) -> Result<(), EngineError> {
    let plan = Arc::new(Plan::new(order)?);
    let samples = order.samples.as_ref().map(|path| Samples::create(path, &plan.operation_names())).transpose()?;
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| EngineError::engine("runtime", error))?;
    let interval = Duration::from_nanos(order.progress_interval_ns);
    let result = runtime.block_on(conduct(&plan, samples.as_ref(), interval));
    // If the samples failed, that is the cause, and the load's end its consequence.
    samples.map_or(Ok(()), Samples::finish)?;
    emit(&Event::Record(Box::new(result?)))
}

async fn conduct(plan: &Arc<Plan>, samples: Option<&Samples>, interval: Duration) -> Result<Record, EngineError> {
    // Signals are heard before the load starts, so that none is missed.
    let mut signals = Signals::new()?;
    let mut crew = Crew::start(plan, samples)?;
    let start = crew.zero();
    emit(&Event::Started { unix_ns: start.unix_ns, monotonic_ns: start.monotonic_ns })?;
    let end = watch(&mut crew, &mut signals, samples, interval).await?;
    crew.stop();
    crew.all_ended().await;
    record(plan, &mut crew, end)
}

/// Why a load ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Done,
    Signal,
}

async fn watch(
    crew: &mut Crew,
    signals: &mut Signals,
    samples: Option<&Samples>,
    interval: Duration,
) -> Result<End, EngineError> {
    let failed = samples.map(Samples::failed).unwrap_or_default();
    let mut ticks = interval_at(Instant::now() + interval, interval);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            () = signals.any() => return Ok(End::Signal),
            () = failed.notified() => return Err(EngineError::Engine("the samples could not be written".to_owned())),
            () = crew.all_ended() => return Ok(End::Done),
            _ = ticks.tick() => emit(&crew.progress())?,
        }
    }
}

fn record(plan: &Plan, crew: &mut Crew, end: End) -> Result<Record, EngineError> {
    let tallies = crew.tallies()?;
    let start = crew.zero();
    let kind = match plan.load {
        Load::Closed(_) => "closed",
        Load::Open(_) => "open",
    };
    Ok(Record {
        version: VERSION,
        kind: kind.to_owned(),
        started_unix_ns: start.unix_ns,
        started_monotonic_ns: start.monotonic_ns,
        elapsed_ns: tallies.last_done_ns,
        stopped_early: end == End::Signal,
        requests: tallies.requests(),
        failures: tallies.failures(),
        unsent: crew.waiting(),
        bytes_in: tallies.bytes_in,
        bytes_out: tallies.bytes_out,
        connections_opened: tallies.connections_opened,
        latency_ns: tallies.latency().map_err(|error| EngineError::engine("histogram", error))?,
        lateness_ns: tallies.lateness(),
        operations: tallies.operation_records(&plan.operation_names()),
        engine: EngineRecord {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            workers: u64::from(plan.workers),
            cpu_ns: process_cpu_ns().saturating_sub(start.cpu_ns),
            peak_rss_bytes: process::peak_rss_bytes(),
        },
    })
}
