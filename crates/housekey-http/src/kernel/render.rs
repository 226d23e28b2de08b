use std::panic::{AssertUnwindSafe, catch_unwind};

use axum::Json;
use axum::response::IntoResponse;
use housekey_core::Error;
use serde_json::Value;

use super::finish::plain;
use super::{Inner, panics};
use crate::response::{ErrorContext, default_page};
use crate::{RequestContext, Response, maintenance, validation};

impl Inner {
    /// The answer for an error: JSON for those who asked for it and below `/api`, a page for everyone else.
    pub(super) fn render(&self, context: &RequestContext, error: &Error) -> Response {
        // A rule was met when it looked, and the database knew better when it was written.
        #[cfg(feature = "database")]
        let lost = housekey_validation::lost_race(error);
        #[cfg(feature = "database")]
        let error = lost.as_ref().unwrap_or(error);
        report(context, error);
        let wants_json = context.wants_json();
        if !wants_json && let Some(response) = validation::send_back(context, error) {
            return response;
        }
        let mut response = match wants_json {
            true => self.json(context, error),
            false => self.page(context, error),
        };
        *response.status_mut() = error.status();
        for (name, value) in error.headers() {
            response.headers_mut().insert(name, value.clone());
        }
        response
    }

    fn json(&self, context: &RequestContext, error: &Error) -> Response {
        let mut body = error.to_json(Some(context.request_id()));
        if self.app.debug && error.status().is_server_error() {
            body["debug"] = Value::from(error.source_chain());
        }
        Json(body).into_response()
    }

    fn page(&self, context: &RequestContext, error: &Error) -> Response {
        let about = ErrorContext::new(context, self.app.debug);
        for renderer in &self.renderers {
            // A page that panics must not take the answer with it.
            match catch_unwind(AssertUnwindSafe(|| renderer.render(error, &about))) {
                Ok(Some(response)) => return response,
                Ok(None) => {}
                Err(panic) => {
                    report(context, &panics::into_error(&*panic).context("rendering an error page"));
                    return plain(error);
                }
            }
        }
        match error.code() {
            Some(maintenance::CODE) => maintenance::page(error, context),
            _ => default_page(error, &about),
        }
    }
}

/// What went wrong on our side goes to the log, with everything the visitor does not see.
fn report(context: &RequestContext, error: &Error) {
    // Who took the app down knows.
    if error.status().is_server_error() && error.code() != Some(maintenance::CODE) {
        tracing::error!(
            request_id = context.request_id(),
            method = %context.method(),
            path = &*context.loggable_path(),
            status = error.status().as_u16(),
            "{error}"
        );
    }
}
