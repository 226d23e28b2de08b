//! Requests to providers: one small trait, the real client, and a fake for tests.

mod address;
mod fake;
mod fake_key;
mod request;
mod response;
mod tls;

pub use fake::{FakePerson, FakeProviders};
pub use fake_key::FakeKey;
pub use request::ProviderRequest;
pub use response::ProviderResponse;
pub use tls::TlsClient;

use super::SocialError;
use crate::BoxFuture;

/// Sends requests to providers. Whoever implements it must follow no redirects: a token endpoint that sends us elsewhere
/// with a secret in hand is none.
pub trait HttpClient: Send + Sync + 'static {
    /// The answer, whatever its status. An error says why there is none, without anything of what was sent.
    fn send(&self, request: ProviderRequest) -> BoxFuture<'_, Result<ProviderResponse, SocialError>>;
}
