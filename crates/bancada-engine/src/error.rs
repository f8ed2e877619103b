// SPDX-License-Identifier: Apache-2.0
//! Why nothing was or could be measured, with the exit code of each cause.

use std::fmt;
use std::path::{Path, PathBuf};

/// The tree of errors. A request that fails is no error but an outcome.
#[derive(Debug)]
pub enum EngineError {
    /// The order or an option is wrong; the text names the field and what is allowed. Exit code 2.
    Order(String),
    /// The samples cannot be written. Exit code 3.
    Samples {
        /// The Parquet file.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
    /// All else: the engine itself could not work. Exit code 4.
    Engine(String),
}

impl EngineError {
    /// An error in the order's `field`.
    pub fn order(field: &str, message: impl fmt::Display) -> Self {
        Self::Order(format!("{field}: {message}"))
    }

    /// The samples file at `path` failed for `cause`.
    pub fn samples(path: &Path, cause: impl fmt::Display) -> Self {
        Self::Samples { path: path.to_owned(), cause: cause.to_string() }
    }

    /// The engine could not do `what`, because of `cause`.
    pub fn engine(what: &str, cause: impl fmt::Display) -> Self {
        Self::Engine(format!("{what}: {cause}"))
    }

    /// The `kind` of the `error` event.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Order(_) => "order",
            Self::Samples { .. } => "samples",
            Self::Engine(_) => "engine",
        }
    }

    /// The exit code of the program.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Order(_) => 2,
            Self::Samples { .. } => 3,
            Self::Engine(_) => 4,
        }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(message) | Self::Engine(message) => f.write_str(message),
            Self::Samples { path, cause } => write!(f, "cannot write samples to {}: {cause}", path.display()),
        }
    }
}

impl std::error::Error for EngineError {}
