//! Requests to other hosts: one small trait, the client for the real ones, and a fake for tests.
//!
//! Sign-in with others, captchas and the list of breached passwords speak through it, and so may a plugin of one's own. It
//! exists with the feature `http-client`, which `social` turns on.
//!
//! ```no_run
//! # async fn ask() -> Result<(), housekey_engine::http_client::HttpError> {
//! use housekey_engine::http_client::{HttpClient, HttpRequest, TlsClient};
//!
//! let client = TlsClient::new(false);
//! let answer = client.send(HttpRequest::get("https://example.com/status")).await?;
//! let status: serde_json::Value = answer.json()?;
//! # let _ = status;
//! # Ok(())
//! # }
//! ```

mod address;
mod error;
mod fake;
mod request;
mod response;
mod tls;
mod unavailable;

pub use error::HttpError;
pub use fake::FakeHttpClient;
pub use request::HttpRequest;
pub use response::HttpResponse;
pub use tls::TlsClient;
pub use unavailable::WhenUnavailable;

use crate::BoxFuture;

/// Sends requests to other hosts. Whoever implements it must follow no redirects: a token endpoint that sends us elsewhere
/// with a secret in hand is none.
pub trait HttpClient: Send + Sync + 'static {
    /// The answer, whatever its status. An error says why there is none, without anything of what was sent.
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>>;
}
