//! Mail through the front door: a real mail server, a real application, what a mail program would see.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod layout;
mod mailbox;
mod sending;
mod smtp;
mod support;
