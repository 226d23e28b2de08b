use std::borrow::Cow;
use std::sync::Arc;

use http::StatusCode;
use tokio::time::timeout;

use super::cache::Cache;
use super::range::{Hashed, Range};
use super::{BreachedPasswordsOptions, WhenUnavailable, options_of};
use crate::http_client::{HttpClient, HttpError, HttpRequest};
use crate::{Api, ApiError, Result, Secret, codes};

/// The service, for as long as the engine lives.
pub(super) struct Service {
    client: Arc<dyn HttpClient>,
    cache: Cache,
}

impl Service {
    pub(super) fn new(client: Arc<dyn HttpClient>, options: &BreachedPasswordsOptions) -> Self {
        Self { client, cache: Cache::new(options.keep_answers_for) }
    }
}

/// Refuses a password that is known from a theft.
pub(super) async fn refuse_breached(api: &Api, password: &Secret) -> Result<()> {
    if !is_breached(api, password).await? {
        return Ok(());
    }
    let refusal = codes::PASSWORD_COMPROMISED;
    let message = options_of(api)?.message.clone().map_or(Cow::Borrowed(refusal.message), Cow::Owned);
    Err(refusal.saying(StatusCode::BAD_REQUEST, message))
}

/// Whether a password is known from a theft. When the service cannot be asked, that is what the options say: an error, or no.
pub async fn is_breached(api: &Api, password: &Secret) -> Result<bool> {
    let options = options_of(api)?;
    let hashed = Hashed::of(password.reveal());
    match range(api, &options, hashed.prefix()).await {
        Ok(range) => Ok(range.contains(&hashed)),
        Err(unavailable) => match options.when_unavailable {
            WhenUnavailable::Refuse => {
                tracing::error!(error = %unavailable.reason, "a new password could not be looked up, and was refused");
                Err(unavailable.refusal())
            }
            WhenUnavailable::Allow => {
                tracing::error!(error = %unavailable.reason, "a new password could not be looked up, and was taken");
                Ok(false)
            }
        },
    }
}

/// Why there is no answer.
struct Unavailable {
    reason: HttpError,
    status: Option<StatusCode>,
}

impl Unavailable {
    /// In the words of the reference.
    fn refusal(&self) -> ApiError {
        let message = match self.status {
            Some(status) => format!("Failed to check password. Status: {}", status.as_u16()).into(),
            None => Cow::Borrowed("Failed to check password. Please try again later."),
        };
        ApiError::message_only(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl From<HttpError> for Unavailable {
    fn from(reason: HttpError) -> Self {
        Self { reason, status: None }
    }
}

async fn range(
    api: &Api,
    options: &BreachedPasswordsOptions,
    prefix: &str,
) -> Result<Arc<Range>, Unavailable> {
    let Some(service) = api.plugin_state::<Service>() else {
        return Err(HttpError::refused("there is no client to ask with").into());
    };
    if let Some(kept) = service.cache.find(prefix, api.clock().now()) {
        return Ok(kept);
    }
    let request = HttpRequest::get(format!("{}{prefix}", options.range_url))
        .header("accept", "text/plain")
        // Without it the length of the answer would tell those who watch the line which range it is.
        .header("add-padding", "true");
    // A client of the app's own may not know about time.
    let answer = timeout(options.timeout, service.client.send(request)).await;
    let answer = answer.map_err(|_| HttpError::timeout("the service did not answer in time"))??;
    if !answer.status.is_success() {
        let reason = HttpError::answer(format!("the service answered {}", answer.status.as_u16()));
        return Err(Unavailable { reason, status: Some(answer.status) });
    }
    let body = std::str::from_utf8(&answer.body).ok().and_then(Range::parse);
    let range = Arc::new(body.ok_or_else(|| HttpError::answer("the answer is no list of passwords"))?);
    service.cache.keep(prefix, &range, api.clock().now());
    Ok(range)
}
