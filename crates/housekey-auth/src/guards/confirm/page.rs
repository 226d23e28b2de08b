use std::sync::Arc;

use axum::response::IntoResponse;
use housekey_core::translation::{locale, t};
use housekey_core::{Result, service};
use housekey_engine::BoxFuture;
use housekey_http::{App, Provider, Registrar, Response};
use housekey_view::prelude::*;
use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};

const ACTION: &str = "/confirm-password";

/// What a page that asks for the password must know.
///
/// The form is a `POST` to [`action`](Self::action) with the fields `password`, [`replay`](Self::replay) where there is
/// one, and the CSRF token.
#[derive(Clone, Debug)]
pub struct ConfirmForm {
    replay: Option<String>,
    error: Option<String>,
    has_password: bool,
}

impl ConfirmForm {
    pub(super) fn new(replay: Option<String>, error: Option<String>, has_password: bool) -> Self {
        Self { replay, error, has_password }
    }

    /// Whether there is a password to enter. Who signs in with other providers alone has none: for them, having just signed in
    /// is the confirmation, so their page asks them to do that again.
    pub fn has_password(&self) -> bool {
        self.has_password
    }

    /// Where the form goes: `/confirm-password`.
    pub fn action(&self) -> &'static str {
        ACTION
    }

    /// The value of the hidden field `replay`: the refused request, sealed. There is none when it was too large; its form
    /// must then be sent again.
    pub fn replay(&self) -> Option<&str> {
        self.replay.as_deref()
    }

    /// What was wrong with the password that was entered.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// The page, as the app draws it. It holds what only this visitor may see, so nobody keeps a copy.
    pub(super) async fn answer(self, status: StatusCode) -> Response {
        let mut response = match service::<ConfirmPage>() {
            Some(page) => (page.0)(self).await,
            None => self.plain().into_response(),
        };
        *response.status_mut() = status;
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    /// A page without a style of its own, for apps that draw none.
    fn plain(&self) -> View {
        if !self.has_password {
            return Self::sign_in_again();
        }
        let title = t("Confirm your password");
        view(rsx! {
            <!DOCTYPE html>
            <html lang=(locale())>
                <head>
                    <meta charset="utf-8">
                    <meta name="viewport" content="width=device-width">
                    <title>(title)</title>
                </head>
                <body>
                    <main>
                        <h1>(title)</h1>
                        <p>(t("What you are about to do needs your password once more."))</p>
                        @if let Some(error) = &self.error {
                            <p id="password-error" role="alert">(error)</p>
                        }
                        <form method="post" action=(ACTION)>
                            (csrf_field())
                            @if let Some(sealed) = &self.replay {
                                <input type="hidden" name="replay" value=(sealed)>
                            }
                            <label for="password">(t("Password"))</label>
                            <input
                                id="password"
                                name="password"
                                type="password"
                                autocomplete="current-password"
                                aria-invalid=[self.error.as_ref().map(|_| "true")]
                                aria-describedby=[self.error.as_ref().map(|_| "password-error")]
                                required
                                autofocus
                            >
                            <button>(t("Confirm"))</button>
                        </form>
                    </main>
                </body>
            </html>
        })
    }

    fn sign_in_again() -> View {
        let title = t("Sign in again");
        view(rsx! {
            <!DOCTYPE html>
            <html lang=(locale())>
                <head>
                    <meta charset="utf-8">
                    <meta name="viewport" content="width=device-width">
                    <title>(title)</title>
                </head>
                <body>
                    <main>
                        <h1>(title)</h1>
                        <p>(t("What you are about to do needs a recent sign-in. Sign out, sign in again, and repeat it."))</p>
                    </main>
                </body>
            </html>
        })
    }
}

/// What the guard `password.confirm` adds to an [`App`].
pub trait AppConfirm {
    /// Draws the page that asks for the password. It may ask others first, such as whether there is a passkey.
    ///
    /// ```
    /// use housekey_auth::guards::AppConfirm;
    /// use housekey_core::ConfigFiles;
    /// use housekey_http::App;
    /// use housekey_view::prelude::*;
    ///
    /// let app = App::new(ConfigFiles::new()).confirm_page(|form| async move {
    ///     view(rsx! {
    ///         <form method="post" action=(form.action())>
    ///             (csrf_field())
    ///             <input type="hidden" name="replay" value=(form.replay().unwrap_or_default())>
    ///             <label>"Password" <input name="password" type="password" autocomplete="current-password"></label>
    ///             @if let Some(error) = form.error() { <p role="alert">(error)</p> }
    ///             <button>"Confirm"</button>
    ///         </form>
    ///     })
    /// });
    /// # drop(app);
    /// ```
    #[must_use]
    fn confirm_page<F>(self, page: impl Fn(ConfirmForm) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output: IntoResponse> + Send + 'static;
}

impl AppConfirm for App {
    fn confirm_page<F>(self, page: impl Fn(ConfirmForm) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output: IntoResponse> + Send + 'static,
    {
        self.provider(ConfirmPage(Arc::new(move |form| {
            let drawn = page(form);
            Box::pin(async move { drawn.await.into_response() })
        })))
    }
}

/// The page of an app.
#[derive(Clone)]
struct ConfirmPage(Arc<Draw>);

type Draw = dyn Fn(ConfirmForm) -> BoxFuture<'static, Response> + Send + Sync;

impl Provider for ConfirmPage {
    fn name(&self) -> &'static str {
        "the page that asks for the password"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        app.services().insert(self.clone());
        Ok(())
    }
}
