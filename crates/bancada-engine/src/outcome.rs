// SPDX-License-Identifier: Apache-2.0
//! What became of one request.

/// Why a request failed: one variant for each cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Failure {
    /// Nobody listens at the target.
    ConnectRefused,
    /// No connection within the connect timeout.
    ConnectTimeout,
    /// Connecting failed in another way.
    ConnectError,
    /// No whole answer within the response timeout.
    ResponseTimeout,
    /// The server closed the connection before the answer was whole.
    ConnectionClosed,
    /// The answer is not HTTP/1.1.
    Protocol,
    /// The status is not among the allowed ones.
    Status,
    /// The body has not the expected size.
    Size,
    /// The body is not the expected JSON value.
    Json,
    /// The body has not the expected digest.
    Digest,
    /// The engine's own host ran out of something: ports, descriptors, memory.
    Local,
}

impl Failure {
    /// All kinds, each at the place of its number.
    pub const ALL: [Self; 11] = [
        Self::ConnectRefused,
        Self::ConnectTimeout,
        Self::ConnectError,
        Self::ResponseTimeout,
        Self::ConnectionClosed,
        Self::Protocol,
        Self::Status,
        Self::Size,
        Self::Json,
        Self::Digest,
        Self::Local,
    ];

    /// The kind as the contract names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ConnectRefused => "connect-refused",
            Self::ConnectTimeout => "connect-timeout",
            Self::ConnectError => "connect-error",
            Self::ResponseTimeout => "response-timeout",
            Self::ConnectionClosed => "connection-closed",
            Self::Protocol => "protocol",
            Self::Status => "status",
            Self::Size => "size",
            Self::Json => "json",
            Self::Digest => "digest",
            Self::Local => "local",
        }
    }
}

/// One request as it went over the wire; instants are nanoseconds since the load's start.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// When it was begun: connecting, if that was needed, or writing.
    pub sent_ns: u64,
    /// When the first byte of the answer was read.
    pub first_byte_ns: Option<u64>,
    /// When the last byte was read, or the failure was known.
    pub done_ns: u64,
    /// The answer's HTTP status, if it came.
    pub status: Option<u16>,
    /// Bytes read, headers included.
    pub bytes_in: u64,
    /// Bytes written, headers included.
    pub bytes_out: u64,
    /// Bytes of the answer's body.
    pub body_bytes: u64,
    /// When the connection that was opened for it stood; none if none was opened.
    pub connected_ns: Option<u64>,
    /// Why it failed; none if a whole answer came.
    pub failure: Option<Failure>,
}

impl Exchange {
    /// An exchange that is begun at `sent_ns`; nothing is written or read yet.
    #[must_use]
    pub fn begun(sent_ns: u64) -> Self {
        Self {
            sent_ns,
            first_byte_ns: None,
            done_ns: sent_ns,
            status: None,
            bytes_in: 0,
            bytes_out: 0,
            body_bytes: 0,
            connected_ns: None,
            failure: None,
        }
    }
}

/// Which request it is: whose, the how-manieth, and when it was to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The user; in open load the connection slot.
    pub user: u32,
    /// The user's iteration; in open load how many requests the slot made before.
    pub iteration: u32,
    /// Index of the operation.
    pub operation: usize,
    /// Which user and iteration templates see.
    pub template: (u64, u64),
    /// When the request was to be sent, since the load's start.
    pub intended_ns: u64,
    /// When the engine turned to it, since the load's start.
    pub turned_ns: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_stands_at_the_place_of_its_number() {
        for (place, failure) in Failure::ALL.iter().enumerate() {
            assert_eq!(*failure as usize, place);
        }
    }
}
