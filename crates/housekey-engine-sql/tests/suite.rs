//! The storage of the engine on every database, in one program: as many as there are files, each would be linked with every driver.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should end")]

mod admin;
mod api_key;
mod devices;
mod mail_sign_in;
mod organization;
mod passwords;
mod social;
mod storage;
