//! Live updates through the front door: real sockets, real accounts, and at the end real processes. spec: WRK-3
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod attacks;
mod boot;
mod clients;
mod door;
mod hearing;
mod processes;
mod sending;
mod shop;
mod watching;
