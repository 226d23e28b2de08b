use std::pin::Pin;

use crate::{HttpError, HttpRequest, HttpResponse};

/// Sends requests to other hosts. Whoever implements it must follow no redirects: a token endpoint that sends us elsewhere
/// with a secret in hand is none.
pub trait HttpClient: Send + Sync + 'static {
    /// The answer, whatever its status. An error says why there is none, without anything of what was sent.
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>>;
}

pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
