// SPDX-License-Identifier: Apache-2.0
//! `bancada-engine`: parse, run, and turn an error into one line and an exit code.

use std::process::ExitCode;

use bancada_engine::cli::Cli;
use bancada_engine::error::EngineError;
use bancada_engine::event::{ErrorEvent, Event, emit};
use clap::Parser;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let code = tell(&EngineError::engine("the engine failed", panic));
        std::process::exit(i32::from(code));
    }));
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => ExitCode::from(tell(&error)),
    }
}

fn tell(error: &EngineError) -> u8 {
    // If nobody reads any more, the exit code still says it.
    let _ = emit(&Event::Error(ErrorEvent::from(error)));
    error.exit_code()
}
