//! Requests to other hosts, from an app and from the auth engine.
//!
//! - [`Http`] is what an app asks with: `http().get(url).json::<Rates>()`. It has a base address, retries, redirects and
//!   limits. [`HttpCall`] is one request being put together.
//! - [`HttpFake`] answers in tests, and knows what was asked.
//! - [`TlsClient`] speaks to real hosts, for both: with TLS, to public addresses only, so many seconds and bytes.
//! - [`HttpClient`] is the small trait that the auth engine speaks through, [`FakeHttpClient`] its fake.
//! - [`HttpError`] says why there is no answer, and nothing of what was sent.

mod address;
mod body;
mod client;
mod config;
mod error;
mod fake;
mod multipart;
mod outgoing;
mod request;
mod response;
mod tls;

pub use body::HttpStream;
pub use client::HttpClient;
pub use config::HttpClientConfig;
pub use error::HttpError;
pub use fake::FakeHttpClient;
pub use multipart::Multipart;
pub use outgoing::{FakeAnswer, Http, HttpCall, HttpFake};
pub use request::HttpRequest;
pub use response::HttpResponse;
pub use tls::TlsClient;
