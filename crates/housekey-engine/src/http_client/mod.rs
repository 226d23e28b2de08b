//! Requests to other hosts: what `housekey-http-client` has for a library, and what a plugin does when nobody answers.
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

mod unavailable;

pub use housekey_http_client::{FakeHttpClient, HttpClient, HttpError, HttpRequest, HttpResponse, TlsClient};
pub use unavailable::WhenUnavailable;
