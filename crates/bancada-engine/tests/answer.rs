// SPDX-License-Identifier: Apache-2.0
//! Reading answers however the network cuts them into pieces.

use bancada_engine::answer::{Answer, Malformed};
use bancada_engine::check::{Body, Check, Checker};
use bancada_engine::order::CheckOrder;

/// Where the bytes of a body go whose content is of no interest.
fn sink() -> Body {
    Checker::new(Check::new(&CheckOrder::default(), "check").unwrap()).body()
}

/// What is read from pieces of so many bytes: status, size of the body, whether whole, whether the connection stays.
fn read(bytes: &[u8], piece: usize, is_head: bool) -> Result<(Option<u16>, u64, bool, bool), Malformed> {
    let (mut answer, mut body) = (Answer::new(is_head), sink());
    for piece in bytes.chunks(piece) {
        answer.push(piece, &mut body)?;
    }
    Ok((answer.status(), body.size_bytes(), answer.is_whole(), answer.keeps_alive()))
}

fn assert_reads(text: &str, expected: (u16, u64, bool, bool)) {
    for piece in [1, 2, 3, 7, 64, 10_000] {
        let (status, size, whole, keeps) = read(text.as_bytes(), piece, false).unwrap();
        assert_eq!((status.unwrap(), size, whole, keeps), expected, "{text:?} in pieces of {piece}");
    }
}

#[test]
fn answers_are_the_same_in_any_pieces() {
    let table = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", (200, 5, true, true)),
        ("HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n", (200, 0, true, true)),
        ("HTTP/1.1 204 No Content\r\n\r\n", (204, 0, true, true)),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", (304, 0, true, true)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello", (200, 5, true, false)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: x, Close\r\n\r\nhello", (200, 5, true, false)),
        ("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", (200, 5, true, false)),
        ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello", (200, 5, true, true)),
        // not whole yet
        ("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello", (200, 5, false, true)),
        // without a length the end is the connection's end
        ("HTTP/1.1 200 OK\r\n\r\nhello", (200, 5, false, true)),
        // interim answers are passed over
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx", (201, 1, true, true)),
        // chunks, with extensions and trailers
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", (200, 5, true, true)),
        (
            "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n00a;n=v\r\n0123456789\r\n1 \r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\n",
            (200, 11, true, true),
        ),
        // chunks beat a length
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            (200, 1, true, true),
        ),
        // more than was asked for: the connection is of no use any more
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 408 X\r\n\r\n", (200, 5, true, false)),
    ];
    for (text, expected) in table {
        assert_reads(text, expected);
    }
}

#[test]
fn the_answer_to_head_has_no_body() {
    let text = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    assert_eq!(read(text, 100, true), Ok((Some(200), 0, true, true)));
}

#[test]
fn the_connections_end_completes_only_an_answer_without_a_length() {
    let close = |text: &[u8]| {
        let mut answer = Answer::new(false);
        answer.push(text, &mut sink()).unwrap();
        (answer.close(), answer.keeps_alive())
    };
    assert_eq!(close(b"HTTP/1.1 200 OK\r\n\r\nhel"), (true, false));
    assert_eq!(close(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"), (false, false));
    assert_eq!(close(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), (false, false));
    assert_eq!(close(b"HTTP/1.1 200 OK\r\nConte"), (false, false));
}

#[test]
fn what_is_not_http_is_refused_in_any_pieces() {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let table = [
        "SSH-2.0-OpenSSH_9.2\r\n".to_owned(),
        "HTTP/2.0 200 OK\r\n\r\n".to_owned(),
        "HTTP/1.1 abc OK\r\n\r\n".to_owned(),
        "HTTP/1.1 101 Switching Protocols\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n".to_owned(),
        format!("{chunked}\r\n"),
        format!("{chunked}x\r\n"),
        format!("{chunked}1\nx"),
        format!("{chunked}1\r\nxy"),
        format!("{chunked}11111111111111111\r\n"),
    ];
    for text in table {
        for piece in [1, 1000] {
            assert_eq!(read(text.as_bytes(), piece, false), Err(Malformed), "{text:?} in pieces of {piece}");
        }
    }
}

#[test]
fn a_head_without_an_end_is_given_up() {
    let endless = format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(300_000));
    assert_eq!(read(endless.as_bytes(), 1000, false), Err(Malformed));
}
