// SPDX-License-Identifier: Apache-2.0
//! A server that answers any request after a set delay: the central service of a relay, and a known truth for tests.

use std::cell::RefCell;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::rc::Rc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Builder;
use tokio::task::{LocalSet, spawn_local};

use crate::clock::{Clock, monotonic_ns, process_cpu_ns, unix_ns};
use crate::delay::{Delay, Freeze, departure_ns};
use crate::error::EngineError;
use crate::event::{Summary, VERSION, emit};
use crate::process;
use crate::random::Random;
use crate::record::Times;
use crate::signals::Signals;
use crate::timer::{Alarm, Timer};

const PURPOSE: u64 = 3;
/// Connections that may wait to be accepted; the kernel lowers it to its own limit (somaxconn).
const MOST_WAITING: u32 = 65_535;

/// What the server answers, and when.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// Where to listen; port 0 lets the kernel choose.
    pub listen: SocketAddr,
    /// Time from a request's arrival to its answer.
    pub delay: Delay,
    /// When nothing moves.
    pub freeze: Option<Freeze>,
    /// The answer's status.
    pub status: StatusCode,
    /// The answer's content type.
    pub content_type: HeaderValue,
    /// The answer's body.
    pub body: Bytes,
    /// Delays are drawn from it.
    pub seed: u64,
}

/// A line of `upstream`: mirror of `contracts/upstream-event.schema.json`.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event {
    Listening { address: SocketAddr, unix_ns: u64, monotonic_ns: u64 },
    Record { version: u32, elapsed_ns: u64, connections: u64, requests: u64, lateness_ns: Summary, engine: Engine },
}

#[derive(Debug, Serialize)]
struct Engine {
    version: &'static str,
    cpu_ns: u64,
    peak_rss_bytes: Option<u64>,
}

/// The randomness from which the delays of answers are drawn, in the order of the requests' arrival.
#[must_use]
pub fn delays_of(seed: u64) -> Random {
    Random::new(seed, &[PURPOSE])
}

/// Serves until SIGINT or SIGTERM; events go to standard output.
///
/// # Errors
/// [`EngineError`] when it cannot listen or cannot tell that it does.
pub fn serve(upstream: Upstream) -> Result<(), EngineError> {
    // The default limit of open files is small, and each open request is one.
    let _ = process::raise_descriptor_limit();
    let runtime = Builder::new_current_thread().enable_io().build();
    let runtime = runtime.map_err(|error| EngineError::engine("runtime", error))?;
    LocalSet::new().block_on(&runtime, run(upstream))
}

async fn run(upstream: Upstream) -> Result<(), EngineError> {
    let mut signals = Signals::new()?;
    let timer = Timer::new().map_err(|error| EngineError::engine("timer", error))?;
    let refused = |error| EngineError::engine(&format!("cannot listen on {}", upstream.listen), error);
    let listener = listen(upstream.listen).map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let zero_ns = monotonic_ns();
    emit(&Event::Listening { address, unix_ns: unix_ns(), monotonic_ns: zero_ns })?;
    let server = Rc::new(Server::new(upstream, Clock::from_zero(zero_ns), &timer)?);
    tokio::select! {
        () = signals.any() => emit(&server.record()),
        result = timer.run() => result.map_err(|error| EngineError::engine("timer", error)),
        error = server.accept(listener) => Err(EngineError::engine("cannot accept", error)),
    }
}

fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A port just given up may be taken again at once.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(MOST_WAITING)
}

struct Server {
    upstream: Upstream,
    clock: Clock,
    timer: Rc<Timer>,
    random: RefCell<Random>,
    tally: RefCell<Tally>,
}

struct Tally {
    connections: u64,
    lateness: Times,
}

impl Server {
    fn new(upstream: Upstream, clock: Clock, timer: &Rc<Timer>) -> Result<Self, EngineError> {
        let lateness = Times::new().map_err(|error| EngineError::engine("histogram", error))?;
        let random = RefCell::new(delays_of(upstream.seed));
        let tally = RefCell::new(Tally { connections: 0, lateness });
        Ok(Self { upstream, clock, timer: Rc::clone(timer), random, tally })
    }

    /// Accepts connections for ever; returns why it cannot.
    async fn accept(self: &Rc<Self>, listener: TcpListener) -> std::io::Error {
        let rest = Alarm::new(&self.timer);
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    self.tally.borrow_mut().connections += 1;
                    spawn_local(Rc::clone(self).converse(stream));
                }
                Err(error) if is_passing(&error) => {
                    rest.wait_until(monotonic_ns() + 10_000_000).await;
                }
                Err(error) => return error,
            }
        }
    }

    async fn converse(self: Rc<Self>, stream: TcpStream) {
        let _ = stream.set_nodelay(true);
        let alarm = Alarm::new(&self.timer);
        let service = service_fn(|request| self.answer(request, &alarm));
        // A client that goes away in the middle is its own affair.
        let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
    }

    async fn answer(&self, request: Request<Incoming>, alarm: &Alarm) -> Result<Response<Full<Bytes>>, Infallible> {
        let mut incoming = request.into_body();
        while let Some(Ok(_)) = incoming.frame().await {}
        let arrival_ns = self.clock.now_ns();
        let delay_ns = self.upstream.delay.draw_ns(&mut self.random.borrow_mut());
        let departure_ns = departure_ns(arrival_ns, delay_ns, self.upstream.freeze);
        if departure_ns > arrival_ns {
            alarm.wait_until(self.clock.monotonic_at(departure_ns)).await;
        }
        let lateness_ns = self.clock.now_ns().saturating_sub(departure_ns);
        self.tally.borrow_mut().lateness.record(lateness_ns);
        let mut response = Response::new(Full::new(self.upstream.body.clone()));
        *response.status_mut() = self.upstream.status;
        response.headers_mut().insert(CONTENT_TYPE, self.upstream.content_type.clone());
        Ok(response)
    }

    fn record(&self) -> Event {
        let tally = self.tally.borrow();
        let lateness_ns = tally.lateness.summary();
        Event::Record {
            version: VERSION,
            elapsed_ns: self.clock.now_ns(),
            connections: tally.connections,
            requests: lateness_ns.count,
            lateness_ns,
            engine: Engine {
                version: env!("CARGO_PKG_VERSION"),
                cpu_ns: process_cpu_ns(),
                peak_rss_bytes: process::peak_rss_bytes(),
            },
        }
    }
}

/// Whether accepting may work again later: the client gave up, or the host ran out of something for a while.
fn is_passing(error: &std::io::Error) -> bool {
    use rustix::io::Errno;
    const PASSING: [Errno; 7] =
        [Errno::CONNABORTED, Errno::INTR, Errno::PROTO, Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| PASSING.contains(&errno))
}
