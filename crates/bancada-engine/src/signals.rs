// SPDX-License-Identifier: Apache-2.0
//! The signals that ask the program to come to an end.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::EngineError;

/// SIGINT and SIGTERM.
pub struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Hears them from now on.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn new() -> Result<Self, EngineError> {
        let listen = |kind| signal(kind).map_err(|error| EngineError::engine("signals", error));
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    /// Waits for either.
    pub async fn any(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => (),
            _ = self.terminate.recv() => (),
        }
    }
}
