//! Sessions: finding the one that a request belongs to, beginning and ending them.

mod challenge;
mod cookie_cache;
mod end;
mod issue;
mod load;

pub(crate) use load::{Lookup, SessionState};
