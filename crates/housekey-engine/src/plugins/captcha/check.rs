use std::net::IpAddr;
use std::sync::Arc;

use http::StatusCode;
use tokio::time::timeout;

use super::siteverify::{Verdict, question};
use super::{
    CaptchaOptions, MISSING_RESPONSE, UNKNOWN_ERROR, VERIFICATION_FAILED, WhenUnavailable, options_of,
};
use crate::http_client::{HttpClient, HttpError};
use crate::{Api, Result};

/// No provider's response is longer; what is need not be asked about.
const LONGEST_RESPONSE: usize = 16 * 1024;

/// Speaks to the provider, for as long as the engine lives.
pub(super) struct Client(pub(super) Arc<dyn HttpClient>);

/// Asks the provider about the response of its widget: for server code with a form of its own, which finds it in the field
/// [`form_field`](super::CaptchaProvider::form_field). `address` is the visitor's, as far as it is known.
///
/// Refuses with 400 [`MISSING_RESPONSE`], 403 [`VERIFICATION_FAILED`] or, when the provider cannot be asked, 500
/// [`UNKNOWN_ERROR`]. A response works once: ask once.
pub async fn check(api: &Api, response: Option<&str>, address: Option<IpAddr>) -> Result<()> {
    let options = options_of(api)?;
    let Some(response) = response.filter(|response| !response.is_empty()) else {
        return Err(MISSING_RESPONSE.bad_request());
    };
    if response.len() > LONGEST_RESPONSE {
        return Err(VERIFICATION_FAILED.forbidden());
    }
    let provider = options.provider.name();
    match ask(api, &options, response, address).await {
        Ok(verdict) => match verdict.refusal(&options) {
            None => Ok(()),
            Some(reason) => {
                tracing::warn!(provider, reason, "a captcha was refused");
                Err(VERIFICATION_FAILED.forbidden())
            }
        },
        Err(error) => match options.when_unavailable {
            WhenUnavailable::Refuse => {
                tracing::error!(provider, %error, "a captcha could not be checked");
                Err(UNKNOWN_ERROR.with(StatusCode::INTERNAL_SERVER_ERROR))
            }
            WhenUnavailable::Allow => {
                tracing::error!(provider, %error, "a captcha could not be checked, and the request was let through");
                Ok(())
            }
        },
    }
}

async fn ask(
    api: &Api,
    options: &CaptchaOptions,
    response: &str,
    address: Option<IpAddr>,
) -> Result<Verdict, HttpError> {
    let Some(client) = api.plugin_state::<Client>() else {
        return Err(HttpError::refused("there is no client to ask with"));
    };
    let question = question(options, response, address);
    // A client of the app's own may not know about time.
    let answer = timeout(options.timeout, client.0.send(question)).await;
    let answer = answer.map_err(|_| HttpError::timeout("the provider did not answer in time"))??;
    // A redirect too: whoever is asked with a secret does not send us elsewhere.
    if !answer.status.is_success() {
        return Err(HttpError::answer(format!("the provider answered {}", answer.status.as_u16())));
    }
    answer.json().map(Verdict::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ApiError;

    #[test]
    fn refusals_are_those_of_the_reference() {
        let refusals: [(ApiError, u16, &str); 3] = [
            (MISSING_RESPONSE.bad_request(), 400, "Missing CAPTCHA response"),
            (VERIFICATION_FAILED.forbidden(), 403, "Captcha verification failed"),
            (UNKNOWN_ERROR.with(StatusCode::INTERNAL_SERVER_ERROR), 500, "Something went wrong"),
        ];
        for (error, status, message) in refusals {
            assert_eq!((error.status().as_u16(), error.message()), (status, message));
        }
    }
}
