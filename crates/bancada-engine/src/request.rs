// SPDX-License-Identifier: Apache-2.0
//! From an operation to the bytes of its request.

use std::borrow::Cow;
use std::fs;

use crate::check::Check;
use crate::error::EngineError;
use crate::order::{Operation, Payload};
use crate::template::{Filling, Template};

/// An operation that is ready to be asked.
#[derive(Clone, Debug)]
pub struct Request {
    /// The operation's name.
    pub name: String,
    /// What its answer must be.
    pub check: Check,
    /// Whether the method is HEAD, whose answer has headers as if it had a body.
    pub is_head: bool,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Fixed(Vec<u8>),
    Templated { method: String, path: Template, headers: String, body: Option<Body> },
}

#[derive(Clone, Debug)]
enum Body {
    Fixed(Vec<u8>),
    Templated(Template),
}

impl Request {
    /// Reads an operation and the files that it names; `host` is the target's host and port.
    ///
    /// # Errors
    /// [`EngineError::Order`] when a file cannot be read or a template is wrong.
    pub fn new(operation: &Operation, index: usize, host: &str) -> Result<Self, EngineError> {
        let field = |name: &str| format!("operations[{index}].{name}");
        let path = Template::parse(&operation.path).map_err(|error| EngineError::order(&field("path"), error))?;
        let body = operation.body.as_ref().map(|payload| read_body(payload, &field("body"))).transpose()?;
        let headers = header_lines(operation, host);
        let method = operation.method.clone();
        let is_fixed = path.is_fixed() && !matches!(body, Some(Body::Templated(_)));
        let mut form = Form::Templated { method, path, headers, body };
        if is_fixed {
            form = Form::Fixed(form.render(&mut Filling::new(0, 0, 0, 0)));
        }
        let check = Check::new(&operation.check, &field("check"))?;
        Ok(Self { name: operation.name.clone(), check, is_head: operation.method == "HEAD", form })
    }

    /// The request's bytes; `filling` is asked for only if it has templates.
    pub fn bytes(&self, filling: impl FnOnce() -> Filling) -> Cow<'_, [u8]> {
        match &self.form {
            Form::Fixed(bytes) => Cow::Borrowed(bytes),
            Form::Templated { .. } => Cow::Owned(self.form.render(&mut filling())),
        }
    }
}

impl Form {
    fn render(&self, filling: &mut Filling) -> Vec<u8> {
        let Self::Templated { method, path, headers, body } = self else { return Vec::new() };
        let mut text = format!("{method} ");
        path.render(filling, &mut text);
        text.push_str(" HTTP/1.1\r\n");
        text.push_str(headers);
        match body {
            None => {
                // RFC 9110, section 8.6: a method that is expected to have content says that it has none.
                let says_none = matches!(method.as_str(), "POST" | "PUT" | "PATCH");
                text.push_str(if says_none { "Content-Length: 0\r\n\r\n" } else { "\r\n" });
                text.into_bytes()
            }
            Some(Body::Fixed(bytes)) => with_body(&text, bytes),
            Some(Body::Templated(template)) => {
                let mut content = String::new();
                template.render(filling, &mut content);
                with_body(&text, content.as_bytes())
            }
        }
    }
}

fn with_body(head: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{head}Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

fn header_lines(operation: &Operation, host: &str) -> String {
    let has_host = operation.headers.keys().any(|name| name.eq_ignore_ascii_case("host"));
    let own = if has_host { String::new() } else { format!("Host: {host}\r\n") };
    operation.headers.iter().fold(own, |lines, (name, value)| lines + name + ": " + value + "\r\n")
}

fn read_body(payload: &Payload, field: &str) -> Result<Body, EngineError> {
    let template = |text: &str, field: &str| {
        Template::parse(text).map(Body::Templated).map_err(|error| EngineError::order(field, error))
    };
    match payload {
        Payload::Text(text) => Ok(Body::Fixed(text.clone().into_bytes())),
        Payload::Template(text) => template(text, &format!("{field}.template")),
        Payload::File(path) => fs::read(path)
            .map(Body::Fixed)
            .map_err(|error| EngineError::order(&format!("{field}.file"), format!("{}: {error}", path.display()))),
        Payload::TemplateFile(path) => {
            let field = format!("{field}.template_file");
            let text = fs::read_to_string(path)
                .map_err(|error| EngineError::order(&field, format!("{}: {error}", path.display())))?;
            template(&text, &field)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::CheckOrder;

    fn operation(method: &str, path: &str, body: Option<Payload>) -> Operation {
        let headers = [("Accept".to_owned(), "text/plain".to_owned())].into();
        let (name, method, path) = ("one".to_owned(), method.to_owned(), path.to_owned());
        Operation { name, method, path, headers, body, check: CheckOrder::default() }
    }

    fn text(operation: &Operation, iteration: u64) -> String {
        let request = Request::new(operation, 0, "host:80").unwrap();
        String::from_utf8(request.bytes(|| Filling::new(1, 5, iteration, 0)).into_owned()).unwrap()
    }

    #[test]
    fn a_get_has_the_host_and_the_headers_of_the_order_and_no_body() {
        let expected = "GET /a?b=c HTTP/1.1\r\nHost: host:80\r\nAccept: text/plain\r\n\r\n";
        assert_eq!(text(&operation("GET", "/a?b=c", None), 0), expected);
    }

    #[test]
    fn a_post_without_a_body_says_so() {
        assert!(text(&operation("POST", "/", None), 0).ends_with("\r\nContent-Length: 0\r\n\r\n"));
    }

    #[test]
    fn the_length_of_a_body_is_in_bytes() {
        let post = operation("POST", "/", Some(Payload::Text("né".to_owned())));
        assert!(text(&post, 0).ends_with("\r\nContent-Length: 3\r\n\r\nné"));
    }

    #[test]
    fn path_and_body_are_filled_for_each_request() {
        let body = Some(Payload::Template("[{{random_ints:3:1:9}}]".to_owned()));
        let post = operation("POST", "/u/{{user}}/{{iteration}}", body);
        let (first, second) = (text(&post, 1), text(&post, 2));
        assert!(first.starts_with("POST /u/5/1 HTTP/1.1\r\n") && second.starts_with("POST /u/5/2 HTTP/1.1\r\n"));
        assert!(first.contains("Content-Length: 7\r\n\r\n["));
        assert_eq!(first, text(&post, 1));
    }

    #[test]
    fn a_host_of_the_order_replaces_the_targets() {
        let mut get = operation("GET", "/", None);
        get.headers.insert("HOST".to_owned(), "other".to_owned());
        assert!(!text(&get, 0).contains("host:80"));
    }

    #[test]
    fn a_missing_file_is_named_with_its_field() {
        let post = operation("POST", "/", Some(Payload::File("/no/such".into())));
        let message = Request::new(&post, 3, "h").unwrap_err().to_string();
        assert!(message.starts_with("operations[3].body.file: /no/such: "), "{message}");
    }
}
