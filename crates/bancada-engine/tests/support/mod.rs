// SPDX-License-Identifier: Apache-2.0
//! What the tests share: orders, the engine as a program, and servers that do as they are told.
#![expect(dead_code, reason = "each test program uses a part of it")]

pub mod engine;
pub mod order;
pub mod rows;
pub mod server;
