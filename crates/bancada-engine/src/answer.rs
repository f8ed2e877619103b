// SPDX-License-Identifier: Apache-2.0
//! Reading an HTTP/1.1 answer piece by piece as it comes (RFC 9112), without storing it.

use std::mem::MaybeUninit;

use httparse::ParserConfig;

use crate::check::Body;

const MOST_HEADERS: usize = 100;
const MOST_HEAD_BYTES: usize = 256 * 1024;

/// The answer is not HTTP/1.1.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed;

/// One answer under way.
#[derive(Debug)]
pub struct Answer {
    is_head: bool,
    stage: Stage,
    /// The beginning of a head that came in pieces.
    head: Vec<u8>,
    status: Option<u16>,
    keeps_alive: bool,
}

#[derive(Debug)]
enum Stage {
    Head,
    Sized { left: u64 },
    Chunked(Chunk),
    UntilClose,
    Whole,
}

/// Where in a chunked body the reader stands (RFC 9112, section 7.1).
#[derive(Debug, Clone, Copy)]
enum Chunk {
    Size { value: u64, digits: u8 },
    Extension { value: u64 },
    SizeEnd { value: u64 },
    Data { left: u64 },
    DataCr,
    DataLf,
    Trailer { empty: bool },
    TrailerLf { last: bool },
}

impl Answer {
    /// The answer to a request, of the method HEAD or another.
    #[must_use]
    pub fn new(is_head: bool) -> Self {
        Self { is_head, stage: Stage::Head, head: Vec::new(), status: None, keeps_alive: false }
    }

    /// The status, once the head is read.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// Whether nothing is missing.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        matches!(self.stage, Stage::Whole)
    }

    /// Whether the connection may be used for the next request.
    #[must_use]
    pub fn keeps_alive(&self) -> bool {
        self.keeps_alive
    }

    /// The connection is closed. Returns whether that makes the answer whole.
    pub fn close(&mut self) -> bool {
        if matches!(self.stage, Stage::UntilClose) {
            self.stage = Stage::Whole;
        }
        self.keeps_alive = false;
        self.is_whole()
    }

    /// Reads the next piece and hands what belongs to the body to `body`. Bytes behind the answer's end make the
    /// connection unusable.
    ///
    /// # Errors
    /// When this is not HTTP/1.1.
    pub fn push(&mut self, mut piece: &[u8], body: &mut Body) -> Result<(), Malformed> {
        while !piece.is_empty() {
            let read = match &mut self.stage {
                Stage::Head => self.push_head(piece)?,
                Stage::Sized { left } => {
                    let taken = piece.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                    body.push(&piece[..taken]);
                    *left -= taken as u64;
                    if *left == 0 {
                        self.stage = Stage::Whole;
                    }
                    taken
                }
                Stage::Chunked(chunk) => {
                    let (taken, is_last) = chunk.push(piece, body)?;
                    if is_last {
                        self.stage = Stage::Whole;
                    }
                    taken
                }
                Stage::UntilClose => {
                    body.push(piece);
                    piece.len()
                }
                Stage::Whole => {
                    self.keeps_alive = false;
                    piece.len()
                }
            };
            piece = &piece[read..];
        }
        Ok(())
    }

    /// Reads from the head; returns how much of `piece` belonged to it.
    fn push_head(&mut self, piece: &[u8]) -> Result<usize, Malformed> {
        if self.head.is_empty() {
            if let Some(length) = self.parse_head(piece)? {
                return Ok(length);
            }
            self.head.extend_from_slice(piece);
            return Ok(piece.len());
        }
        let before = self.head.len();
        self.head.extend_from_slice(piece);
        let head = std::mem::take(&mut self.head);
        if let Some(length) = self.parse_head(&head)? {
            return Ok(length - before);
        }
        if head.len() > MOST_HEAD_BYTES {
            return Err(Malformed);
        }
        self.head = head;
        Ok(piece.len())
    }

    /// Parses a head; none if it is not whole. Interim answers (1xx) are passed over.
    fn parse_head(&mut self, bytes: &[u8]) -> Result<Option<usize>, Malformed> {
        let mut headers = [const { MaybeUninit::uninit() }; MOST_HEADERS];
        let mut response = httparse::Response::new(&mut []);
        let parsed = ParserConfig::default().parse_response_with_uninit_headers(&mut response, bytes, &mut headers);
        let length = match parsed.map_err(|_| Malformed)? {
            httparse::Status::Partial => return Ok(None),
            httparse::Status::Complete(length) => length,
        };
        let status = response.code.ok_or(Malformed)?;
        let framing = Framing::read(response.headers, response.version == Some(1))?;
        match status {
            101 => return Err(Malformed),
            100..200 => return Ok(Some(length)),
            _ => self.status = Some(status),
        }
        self.keeps_alive = framing.keeps_alive;
        self.stage = if self.is_head || status == 204 || status == 304 {
            Stage::Whole
        } else if framing.chunked {
            Stage::Chunked(Chunk::Size { value: 0, digits: 0 })
        } else {
            match framing.length {
                Some(0) => Stage::Whole,
                Some(left) => Stage::Sized { left },
                None => Stage::UntilClose,
            }
        };
        Ok(Some(length))
    }
}

/// What an answer's headers say about its body and its connection (RFC 9112, sections 6.3 and 9.3).
struct Framing {
    length: Option<u64>,
    chunked: bool,
    keeps_alive: bool,
}

impl Framing {
    fn read(headers: &[httparse::Header<'_>], is_http_1_1: bool) -> Result<Self, Malformed> {
        let mut framing = Self { length: None, chunked: false, keeps_alive: is_http_1_1 };
        for header in headers {
            let is = |name: &str| header.name.eq_ignore_ascii_case(name);
            if is("content-length") {
                let length = parse_length(header.value).ok_or(Malformed)?;
                if framing.length.is_some_and(|known| known != length) {
                    return Err(Malformed);
                }
                framing.length = Some(length);
            } else if is("transfer-encoding") {
                if !header.value.trim_ascii().eq_ignore_ascii_case(b"chunked") {
                    return Err(Malformed);
                }
                framing.chunked = true;
            } else if is("connection") {
                for option in header.value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
                    if option.eq_ignore_ascii_case(b"close") {
                        framing.keeps_alive = false;
                    } else if option.eq_ignore_ascii_case(b"keep-alive") && !is_http_1_1 {
                        framing.keeps_alive = true;
                    }
                }
            }
        }
        Ok(framing)
    }
}

fn parse_length(value: &[u8]) -> Option<u64> {
    let digits = value.trim_ascii();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

impl Chunk {
    /// Reads from a chunked body; returns how many bytes it took and whether that was the end.
    fn push(&mut self, piece: &[u8], body: &mut Body) -> Result<(usize, bool), Malformed> {
        let mut at = 0;
        while let Some(&byte) = piece.get(at) {
            if let Self::Data { left } = *self {
                let taken = (piece.len() - at).min(usize::try_from(left).unwrap_or(usize::MAX));
                body.push(&piece[at..at + taken]);
                at += taken;
                let left = left - taken as u64;
                *self = if left == 0 { Self::DataCr } else { Self::Data { left } };
                continue;
            }
            at += 1;
            match self.after(byte)? {
                Some(next) => *self = next,
                None => return Ok((at, true)),
            }
        }
        Ok((at, false))
    }

    /// Where the reader stands after one byte that is not data; none at the body's end.
    fn after(self, byte: u8) -> Result<Option<Self>, Malformed> {
        let next = match (self, byte) {
            (Self::Size { value, digits }, _) if byte.is_ascii_hexdigit() => {
                let digit = char::from(byte).to_digit(16).ok_or(Malformed)?;
                let value = value.checked_mul(16).and_then(|v| v.checked_add(u64::from(digit))).ok_or(Malformed)?;
                Self::Size { value, digits: digits.saturating_add(1) }
            }
            (Self::Size { value, digits: 1.. } | Self::Extension { value }, b'\r') => Self::SizeEnd { value },
            (Self::Size { value, digits: 1.. }, b';' | b' ' | b'\t') => Self::Extension { value },
            (Self::Extension { value }, _) if byte != b'\n' => Self::Extension { value },
            (Self::SizeEnd { value: 0 } | Self::TrailerLf { last: false }, b'\n') => Self::Trailer { empty: true },
            (Self::SizeEnd { value }, b'\n') => Self::Data { left: value },
            (Self::DataCr, b'\r') => Self::DataLf,
            (Self::DataLf, b'\n') => Self::Size { value: 0, digits: 0 },
            (Self::Trailer { empty }, b'\r') => Self::TrailerLf { last: empty },
            (Self::Trailer { .. }, _) if byte != b'\n' => Self::Trailer { empty: false },
            (Self::TrailerLf { last: true }, b'\n') => return Ok(None),
            _ => return Err(Malformed),
        };
        Ok(Some(next))
    }
}
