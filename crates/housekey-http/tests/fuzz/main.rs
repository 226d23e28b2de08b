//! Requests that nobody meant, through the kernel: changed forms, methods and cookies.
//!
//! How the inputs come about says `housekey_test_support::fuzz`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../visitor/mod.rs"]
mod visitor;

mod cookies;
mod forms;
