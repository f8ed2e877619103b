// SPDX-License-Identifier: Apache-2.0
//! From an order to a plan: everything read, resolved and checked before the first request.

use std::net::{SocketAddr, ToSocketAddrs};

use crate::arrivals;
use crate::error::EngineError;
use crate::order::{Load, Order};
use crate::process;
use crate::request::Request;
use crate::validate::validate;

/// Descriptors that the engine needs beside its connections: standard streams, epoll, timers, samples.
const OWN_DESCRIPTORS: u64 = 64;

/// A load that is ready to be driven.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The operations, in order.
    pub requests: Vec<Request>,
    /// When to ask.
    pub load: Load,
    /// The target's addresses.
    pub addresses: Vec<SocketAddr>,
    /// Limit of connecting, and limit of the answer.
    pub timeouts_ns: (u64, u64),
    /// All randomness is drawn from it.
    pub seed: u64,
    /// Engine threads.
    pub workers: u32,
}

impl Plan {
    /// Checks an order and reads all that it names.
    ///
    /// # Errors
    /// [`EngineError::Order`], with the field and what is allowed.
    pub fn new(order: &Order) -> Result<Self, EngineError> {
        validate(order)?;
        let (host, addresses) = resolve(&order.target)?;
        let requests = order.operations.iter().enumerate();
        let requests =
            requests.map(|(index, operation)| Request::new(operation, index, host)).collect::<Result<_, _>>()?;
        let (field, connections) = match &order.load {
            Load::Closed(load) => ("load.users", load.users),
            Load::Open(load) => ("load.connections", load.connections),
        };
        require_descriptors(field, connections)?;
        let cpus = std::thread::available_parallelism().map_or(1, |n| u32::try_from(n.get()).unwrap_or(1));
        Ok(Self {
            requests,
            load: order.load.clone(),
            addresses,
            timeouts_ns: (order.connect_timeout_ns, order.response_timeout_ns),
            seed: order.seed,
            workers: order.workers.unwrap_or(cpus).min(connections).max(1),
        })
    }

    /// Names of the operations.
    #[must_use]
    pub fn operation_names(&self) -> Vec<&str> {
        self.requests.iter().map(|request| request.name.as_str()).collect()
    }

    /// How many requests the load has, if that is known before.
    #[must_use]
    pub fn expected_requests(&self) -> Option<u64> {
        match &self.load {
            Load::Open(load) => Some(arrivals::expected(&load.segments)),
            Load::Closed(load) => {
                let of_each = u64::from(load.iterations?) * self.requests.len() as u64;
                Some(of_each * u64::from(load.users))
            }
        }
    }

    /// Whether worker `index` has the user, slot or arrival `number`: they are dealt out in turn.
    #[must_use]
    pub fn is_share(&self, index: u32, number: u64) -> bool {
        number % u64::from(self.workers) == u64::from(index)
    }
}

/// The host and port of a target, as the Host header names it, and its addresses.
fn resolve(target: &str) -> Result<(&str, Vec<SocketAddr>), EngineError> {
    let refused = |what: &str| EngineError::order("target", format!("{target:?} {what}"));
    let host = target.strip_prefix("http://").ok_or_else(|| refused("does not begin with http://"))?;
    let port =
        host.rsplit_once(':').and_then(|(name, port)| Some(port.parse::<u16>().ok()?).filter(|_| !name.is_empty()));
    if port.is_none() || host.contains(|c: char| "/?#@".contains(c) || c.is_whitespace()) {
        return Err(refused("is not http://host:port, without a path"));
    }
    let addresses: Vec<SocketAddr> =
        host.to_socket_addrs().map_err(|error| refused(&format!("cannot be resolved: {error}")))?.collect();
    if addresses.is_empty() { Err(refused("has no address")) } else { Ok((host, addresses)) }
}

fn require_descriptors(field: &str, connections: u32) -> Result<(), EngineError> {
    let limit = process::raise_descriptor_limit();
    let needed = u64::from(connections) + OWN_DESCRIPTORS;
    match limit {
        Some(limit) if needed > limit => {
            let allowed = limit.saturating_sub(OWN_DESCRIPTORS);
            let why = format!(
                "the hard limit of open files is {limit} (ulimit -Hn), of which the engine needs {OWN_DESCRIPTORS}"
            );
            Err(EngineError::order(field, format!("{connections}; at most {allowed} are allowed here, because {why}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_host_and_a_port() {
        let (host, addresses) = resolve("http://127.0.0.1:8080").unwrap();
        assert_eq!((host, addresses), ("127.0.0.1:8080", vec!["127.0.0.1:8080".parse().unwrap()]));
        assert_eq!(resolve("http://[::1]:80").unwrap().1, vec!["[::1]:80".parse().unwrap()]);
        for wrong in
            ["127.0.0.1:80", "https://a:1", "http://a", "http://a:1/", "http://:1", "http://a:70000", "http://u@a:1"]
        {
            let message = resolve(wrong).unwrap_err().to_string();
            assert!(message.starts_with("target: "), "{message}");
        }
    }
}
