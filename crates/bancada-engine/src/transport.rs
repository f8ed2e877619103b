// SPDX-License-Identifier: Apache-2.0
//! The seam between when to ask and how to ask.

use crate::check::Body;
use crate::outcome::Exchange;

/// What goes over the wire for one request.
#[derive(Clone, Copy, Debug)]
pub struct Wire<'a> {
    /// The request's bytes.
    pub bytes: &'a [u8],
    /// Whether the method is HEAD.
    pub is_head: bool,
}

/// One user's connection: one request in, one outcome out. It opens, keeps and opens again as needed.
pub trait Transport {
    /// Sends a request and reads its whole answer; the answer's body goes to `body`. A failure is an outcome.
    fn exchange(&mut self, request: Wire<'_>, body: &mut Body) -> impl Future<Output = Exchange>;
}
