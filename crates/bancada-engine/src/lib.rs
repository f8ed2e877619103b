// SPDX-License-Identifier: Apache-2.0
//! The load engine of Bancada: asks on time, and says when it did not.
//!
//! A load is a *pacing* (closed users or open arrivals), a *termination* (iterations, duration or a schedule's end)
//! and a *transport*: values that are composed. The words are those of `contracts/README.md`.
//! Modules import only modules further down this list.
#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod cli;

pub mod drive;
pub mod upstream;

pub mod crew;
pub mod thread;

pub mod closed;
pub mod open;

pub mod http;
pub mod worker;

pub mod plan;
pub mod samples;

pub mod record;
pub mod request;

pub mod answer;
pub mod transport;

pub mod check;
pub mod template;

pub mod arrivals;
pub mod delay;
pub mod users;

pub mod event;
pub mod validate;

pub mod order;
pub mod outcome;

pub mod process;
pub mod signals;
pub mod timer;

pub mod clock;
pub mod error;
pub mod random;
