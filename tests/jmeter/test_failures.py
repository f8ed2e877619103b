# SPDX-License-Identifier: Apache-2.0
"""Why requests failed: JMeter's words are understood, and ours come back as they went."""

from __future__ import annotations

import pytest

from bancada.jmeter.failures import WITH_ANSWER, WITHOUT_ANSWER, kind_of, words_of

NO = "Non HTTP response code: "
SAID = [
    # what JMeter 5.6.3 writes as responseCode, responseMessage and failureMessage, and the kind that it is
    (f"{NO}org.apache.http.conn.HttpHostConnectException",
     "Non HTTP response message: Connect to localhost:1 [localhost/127.0.0.1] failed: Connection refused",
     "", "connect-refused"),
    (f"{NO}org.apache.http.conn.ConnectTimeoutException",
     "Non HTTP response message: Connect to 10.0.0.1:80 [/10.0.0.1] failed: connect timed out", "", "connect-timeout"),
    (f"{NO}java.net.SocketTimeoutException", "Non HTTP response message: Read timed out", "", "response-timeout"),
    (f"{NO}java.net.SocketTimeoutException", "Non HTTP response message: connect timed out", "", "connect-timeout"),
    (f"{NO}org.apache.http.NoHttpResponseException",
     "Non HTTP response message: localhost:8080 failed to respond", "", "connection-closed"),
    (f"{NO}java.net.SocketException", "Non HTTP response message: Connection reset", "", "connection-closed"),
    (f"{NO}java.net.SocketException", "Non HTTP response message: Too many open files", "", "local"),
    (f"{NO}java.net.BindException",
     "Non HTTP response message: Cannot assign requested address (Bind failed)", "", "local"),
    (f"{NO}java.net.UnknownHostException", "Non HTTP response message: nowhere", "", "connect-error"),
    (f"{NO}org.example.Strange", "Non HTTP response message: ?", "", "unknown"),
    ("503", "Service Unavailable", "", "status"),
    ("200", "OK", "Test failed: code expected to equal /****** received  : 200", "status"),
    ("200", "OK", "The result was the wrong size: It was 3 bytes, but should have been equal to 4 bytes.", "size"),
    ("200", "OK", "Test failed: text expected to contain /sorted/", "assertion"),
    ("404", "Not Found", "Test failed: text expected to contain /sorted/", "assertion"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "message", "assertion", "kind"), SAID)
def test_jmeters_own_words_give_the_kind(code: str, message: str, assertion: str, kind: str) -> None:
    """Exception, status and assertion lead to our kind; what cannot be told is `unknown` or `assertion`."""
    assert kind_of(code, message, assertion) == kind


@pytest.mark.parametrize("kind", [*WITHOUT_ANSWER, *WITH_ANSWER])
@pytest.mark.parametrize("status", [None, 200, 500])
def test_a_kind_that_is_written_is_read_back(kind: str, status: int | None) -> None:
    """With and without an answer, every kind of `contracts/README.md` survives a round trip."""
    assert kind_of(*words_of(status, kind)) == kind


def test_an_answer_that_passed_has_its_status_and_phrase() -> None:
    """As JMeter has it: 200, OK, and no message of an assertion."""
    assert words_of(200, None) == ("200", "OK", "")
    assert words_of(299, None) == ("299", "", "")
