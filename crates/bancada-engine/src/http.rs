// SPDX-License-Identifier: Apache-2.0
//! HTTP/1.1 over TCP: a connection that measures.
//!
//! A library's client would hide what is measured here: when the first byte came, how many bytes crossed the wire,
//! and whether a kept connection was found closed before anything was written. All connections of a thread read
//! into one buffer, so that ten thousand of them need little memory.

use std::cell::RefCell;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use rustix::io::Errno;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::answer::Answer;
use crate::check::Body;
use crate::clock::Clock;
use crate::outcome::{Exchange, Failure};
use crate::timer::{Alarm, Timer};
use crate::transport::{Transport, Wire};

const READ_BUFFER_BYTES: usize = 64 * 1024;

/// What all connections of a thread share.
pub struct Http {
    addresses: Vec<SocketAddr>,
    connect_timeout_ns: u64,
    response_timeout_ns: u64,
    clock: Clock,
    timer: Rc<Timer>,
    buffer: RefCell<Vec<u8>>,
}

impl Http {
    /// Connections to the first of `addresses` that accepts them.
    #[must_use]
    pub fn new(addresses: &[SocketAddr], timeouts_ns: (u64, u64), clock: Clock, timer: &Rc<Timer>) -> Rc<Self> {
        Rc::new(Self {
            addresses: addresses.to_vec(),
            connect_timeout_ns: timeouts_ns.0,
            response_timeout_ns: timeouts_ns.1,
            clock,
            timer: Rc::clone(timer),
            buffer: RefCell::new(vec![0; READ_BUFFER_BYTES]),
        })
    }

    /// A connection that is not open yet.
    #[must_use]
    pub fn connection(self: &Rc<Self>) -> Connection {
        Connection { http: Rc::clone(self), stream: None, alarm: Alarm::new(&self.timer) }
    }
}

/// One user's connection.
pub struct Connection {
    http: Rc<Http>,
    stream: Option<TcpStream>,
    alarm: Alarm,
}

impl Transport for Connection {
    async fn exchange(&mut self, request: Wire<'_>, body: &mut Body) -> Exchange {
        let clock = self.http.clock;
        let mut exchange = Exchange::begun(clock.now_ns());
        if let Err(failure) = self.open(&mut exchange).await {
            exchange.failure = Some(failure);
            exchange.done_ns = clock.now_ns();
            return exchange;
        }
        let begun_ns = exchange.connected_ns.unwrap_or(exchange.sent_ns);
        self.alarm.set(clock.monotonic_at(begun_ns.saturating_add(self.http.response_timeout_ns)));
        let mut answer = Answer::new(request.is_head);
        let result = poll_fn(|context| self.poll_exchange(context, &request, &mut exchange, &mut answer, body)).await;
        self.alarm.clear();
        exchange.status = answer.status();
        if let Err(failure) = result {
            exchange.failure = Some(failure);
            exchange.done_ns = clock.now_ns();
        }
        let is_written = exchange.bytes_out == request.bytes.len() as u64;
        if exchange.failure.is_some() || !answer.keeps_alive() || !is_written {
            self.stream = None;
        }
        exchange
    }
}

impl Connection {
    /// Opens the connection unless it is open.
    async fn open(&mut self, exchange: &mut Exchange) -> Result<(), Failure> {
        if self.stream.as_ref().is_some_and(is_quiet) {
            return Ok(());
        }
        self.stream = None;
        let limit_ns = exchange.sent_ns.saturating_add(self.http.connect_timeout_ns);
        self.alarm.set(self.http.clock.monotonic_at(limit_ns));
        let http = Rc::clone(&self.http);
        let mut connecting = pin!(TcpStream::connect(&http.addresses[..]));
        let stream = poll_fn(|context| {
            if let Poll::Ready(result) = connecting.as_mut().poll(context) {
                return Poll::Ready(result.map_err(|error| connect_failure(&error)));
            }
            self.alarm.poll(context).map(|()| Err(Failure::ConnectTimeout))
        })
        .await?;
        // Nagle's algorithm would hold back the end of a large request.
        stream.set_nodelay(true).map_err(|error| connect_failure(&error))?;
        self.stream = Some(stream);
        exchange.connected_ns = Some(self.http.clock.now_ns());
        Ok(())
    }

    /// Writes what can be written and reads what can be read, until the answer is whole.
    fn poll_exchange(
        &mut self,
        context: &mut Context<'_>,
        request: &Wire<'_>,
        exchange: &mut Exchange,
        answer: &mut Answer,
        body: &mut Body,
    ) -> Poll<Result<(), Failure>> {
        let Some(stream) = self.stream.as_mut() else { return Poll::Ready(Err(Failure::ConnectionClosed)) };
        let mut stream = Pin::new(stream);
        let is_broken = poll_write(stream.as_mut(), context, request.bytes, exchange);
        let mut buffer = self.http.buffer.borrow_mut();
        loop {
            let mut read = ReadBuf::new(&mut buffer);
            match stream.as_mut().poll_read(context, &mut read) {
                Poll::Pending if is_broken => return Poll::Ready(Err(Failure::ConnectionClosed)),
                Poll::Pending => break,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(stream_failure(&error))),
                Poll::Ready(Ok(())) => (),
            }
            let now_ns = self.http.clock.now_ns();
            let piece = read.filled();
            exchange.done_ns = now_ns;
            if piece.is_empty() {
                let is_whole = answer.close();
                return Poll::Ready(if is_whole { Ok(()) } else { Err(Failure::ConnectionClosed) });
            }
            exchange.first_byte_ns.get_or_insert(now_ns);
            exchange.bytes_in += piece.len() as u64;
            if answer.push(piece, body).is_err() {
                return Poll::Ready(Err(Failure::Protocol));
            }
            if answer.is_whole() {
                return Poll::Ready(Ok(()));
            }
        }
        ready!(self.alarm.poll(context));
        Poll::Ready(Err(Failure::ResponseTimeout))
    }
}

/// Writes as much as the socket takes. Returns whether the peer takes no more: an answer may have come before.
fn poll_write(
    mut stream: Pin<&mut TcpStream>,
    context: &mut Context<'_>,
    bytes: &[u8],
    exchange: &mut Exchange,
) -> bool {
    loop {
        let written = usize::try_from(exchange.bytes_out).unwrap_or(usize::MAX);
        let rest = bytes.get(written..).unwrap_or_default();
        if rest.is_empty() {
            return false;
        }
        match stream.as_mut().poll_write(context, rest) {
            Poll::Ready(Ok(count)) => exchange.bytes_out += count as u64,
            Poll::Ready(Err(_)) => return true,
            Poll::Pending => return false,
        }
    }
}

/// Whether a kept connection is open with nothing to read: closed ones and such that speak unasked are of no use.
fn is_quiet(stream: &TcpStream) -> bool {
    let mut byte = [0];
    matches!(stream.try_read(&mut byte), Err(error) if error.kind() == io::ErrorKind::WouldBlock)
}

fn is_local(error: &io::Error) -> bool {
    const LOCAL: [Errno; 6] =
        [Errno::MFILE, Errno::NFILE, Errno::ADDRNOTAVAIL, Errno::NOBUFS, Errno::NOMEM, Errno::ADDRINUSE];
    Errno::from_io_error(error).is_some_and(|errno| LOCAL.contains(&errno))
}

fn connect_failure(error: &io::Error) -> Failure {
    match error.kind() {
        _ if is_local(error) => Failure::Local,
        io::ErrorKind::ConnectionRefused => Failure::ConnectRefused,
        io::ErrorKind::TimedOut => Failure::ConnectTimeout,
        _ => Failure::ConnectError,
    }
}

fn stream_failure(error: &io::Error) -> Failure {
    if is_local(error) { Failure::Local } else { Failure::ConnectionClosed }
}
