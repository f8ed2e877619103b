// SPDX-License-Identifier: Apache-2.0
//! A server on a free port that answers, or misbehaves, as the test says.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What the server does with a request.
#[derive(Clone, Debug)]
pub enum Act {
    /// Writes these bytes.
    Write(Vec<u8>),
    /// Writes these bytes and closes the connection.
    WriteAndClose(Vec<u8>),
    /// Never answers.
    Hang,
}

/// A request as the server saw it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The how-manieth connection, from 0.
    pub connection: usize,
    /// The how-manieth request on it, from 0.
    pub number: usize,
    /// First line and headers.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Seen {
    /// The first line's path.
    pub fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }
}

/// A server under way; it lives as long as the test program.
pub struct Server {
    pub address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Starts one that does with each request what `act` says.
    pub fn start(act: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (act, log) = (Arc::new(act), Arc::clone(&seen));
        thread::spawn(move || {
            for (connection, stream) in listener.incoming().enumerate() {
                let (act, log) = (Arc::clone(&act), Arc::clone(&log));
                thread::spawn(move || converse(connection, &stream.unwrap(), &*act, &log));
            }
        });
        Self { address, seen }
    }

    /// All requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn converse(connection: usize, stream: &TcpStream, act: &dyn Fn(&Seen) -> Act, log: &Mutex<Vec<Seen>>) {
    let (mut reader, mut writer) = (BufReader::new(stream), stream);
    for number in 0.. {
        let Some((head, body)) = read_request(&mut reader) else { return };
        let seen = Seen { connection, number, head, body };
        log.lock().unwrap().push(seen.clone());
        match act(&seen) {
            Act::Write(bytes) => writer.write_all(&bytes).unwrap_or(()),
            Act::WriteAndClose(bytes) => {
                writer.write_all(&bytes).unwrap_or(());
                stream.shutdown(Shutdown::Write).unwrap_or(());
                return;
            }
            Act::Hang => thread::sleep(Duration::from_secs(600)),
        }
    }
}

fn read_request(reader: &mut impl BufRead) -> Option<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}

/// A whole answer of this status and body.
pub fn answer(status: u16, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// A server that answers 200 and `body`.
pub fn always(body: &'static str) -> Server {
    Server::start(move |_| Act::Write(answer(200, body)))
}
