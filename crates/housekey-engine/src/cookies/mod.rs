//! Cookies: their names and attributes, reading and writing them.

mod chunks;
mod jar;
mod spec;

pub(crate) use chunks::{chunks_of, joined};
pub(crate) use jar::Jar;
pub use spec::CookieSpec;

use crate::options::EngineOptions;
use crate::url::BaseUrl;

/// The cookies that every engine uses.
#[derive(Debug)]
pub(crate) struct Cookies {
    pub(crate) session_token: CookieSpec,
    pub(crate) session_data: CookieSpec,
    pub(crate) dont_remember: CookieSpec,
}

impl Cookies {
    pub(crate) fn new(options: &EngineOptions, base: &BaseUrl) -> Self {
        let spec = |name| CookieSpec::new(options, base, name);
        Self {
            session_token: spec("session_token"),
            session_data: spec("session_data"),
            dont_remember: spec("dont_remember"),
        }
    }
}
