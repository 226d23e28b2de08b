use std::sync::Arc;

use housekey_core::translation::t;
use housekey_core::{Error, FieldErrors, Result};
use housekey_engine::plugins::captcha::{CaptchaOptions, check};
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::validation::form_text;
use housekey_http::{Guard, Next, Request, RequestContext};
use http::StatusCode;

use crate::{Auth, OrHttpError, api};

/// The header in which scripts send it, to the engine's endpoints too.
const HEADER: &str = "x-captcha-response";

/// `captcha`: for who brings what the widget of the captcha answered, in the field of a form that the widget fills in or in the
/// header `x-captcha-response`. For forms of the app's own: the plugin stands in front of the engine's endpoints itself.
/// `captcha:/sign-up/email` asks where, and only where, the plugin stands in front of that endpoint, or of one of several: for a form
/// that does the same.
pub(crate) fn captcha(arguments: &GuardArguments<'_>) -> Result<Captcha> {
    let auth = Auth::of(arguments.services())?;
    let options = auth.engine().plugins().state::<CaptchaOptions>("captcha");
    let endpoints = arguments.values();
    let asks = |options: &Arc<CaptchaOptions>| endpoints.iter().any(|endpoint| options.protects(endpoint));
    match options {
        options if !endpoints.is_empty() => Ok(Captcha(options.filter(asks))),
        Some(options) => Ok(Captcha(Some(options))),
        None => Err(Error::internal(
            "the guard `captcha` has nobody to ask: add `captcha(CaptchaOptions::turnstile(…))` to `plugins` in config/auth.rs",
        )),
    }
}

/// Without options it lets everybody pass.
pub(crate) struct Captcha(Option<Arc<CaptchaOptions>>);

impl Guard for Captcha {
    fn name(&self) -> String {
        "captcha".into()
    }

    fn refuses_with(&self) -> &[StatusCode] {
        if self.0.is_some() { &[StatusCode::UNPROCESSABLE_ENTITY] } else { &[] }
    }

    fn handle(&self, mut request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            let Some(options) = &self.0 else { return Ok(next.run(request).await) };
            let sent = request.headers().get(HEADER).and_then(|value| value.to_str().ok()).map(str::to_owned);
            let response = match sent {
                Some(response) => Some(response),
                None => form_text(&mut request, options.provider.form_field()).await?,
            };
            let address = RequestContext::current().and_then(|context| context.client_ip());
            match check(&api()?, response.as_deref(), address).await {
                Ok(()) => Ok(next.run(request).await),
                Err(refused) if refused.status().is_client_error() => {
                    let mut errors = FieldErrors::new();
                    errors.add("captcha", t("Please show that you are not a robot."));
                    Err(Error::invalid(errors))
                }
                Err(failed) => Err(failed).or_http_error(),
            }
        })
    }
}
