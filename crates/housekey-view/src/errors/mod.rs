//! Error pages: for visitors one that looks designed, for the developer one that helps.

mod development;
mod hints;
mod page;

use std::sync::Arc;

use housekey_core::Error;
use housekey_http::axum::response::IntoResponse;
use housekey_http::{ErrorContext, ErrorRenderer, Response};
use http::StatusCode;

use self::development::{Cause, DevelopmentPage};
use self::page::ErrorPage;
use crate::assets::AssetProblem;
use crate::settings::ViewSettings;
use crate::view;

/// The framework's error pages. They carry their own style, so that they work when the build does not.
pub(crate) struct ErrorPages {
    settings: Arc<ViewSettings>,
    /// What must not be shown even to a developer, wherever it turns up.
    secrets: Vec<String>,
}

impl ErrorPages {
    pub(crate) fn new(settings: Arc<ViewSettings>, secrets: Vec<String>) -> Self {
        Self { settings, secrets }
    }

    fn shows_details(&self, context: &ErrorContext<'_>) -> bool {
        let wanted = self.settings.view.error_details.unwrap_or_else(|| context.is_debug());
        wanted && !self.settings.app.env.is_production()
    }

    fn page(&self, error: &Error, context: &ErrorContext<'_>) -> Response {
        let status = error.status();
        view(ErrorPage {
            status,
            title: page::title(status),
            text: error.message(),
            wait: page::wait(error),
            form_page: context.form_page(),
            language: &self.settings.app.locale,
            app: &self.settings.app.name,
            icon: self.settings.view.icon.as_deref(),
            request_id: context.request_id(),
            nonce: context.request().nonce(),
            note: self.shows_details(context).then(|| self.note(error, context)).flatten(),
        })
        .into_response()
    }

    /// A word to the developer below the visitors' page.
    fn note(&self, error: &Error, context: &ErrorContext<'_>) -> Option<String> {
        if let chain @ [_, ..] = error.source_chain().as_slice() {
            return Some(format!("In development: {}", self.redact(chain.join(": "))));
        }
        match error.status() {
            StatusCode::NOT_FOUND if context.request().route_path().is_none() => Some(format!(
                "In development: no route answers {} {}. `housekey route:list` shows those there are.",
                context.method(),
                context.path()
            )),
            _ => None,
        }
    }

    fn development_page(&self, error: &Error, context: &ErrorContext<'_>) -> Response {
        let problem = error.downcast_ref::<AssetProblem>();
        let hint = problem.map_or_else(|| hints::hint(error, context), AssetProblem::hint);
        let mut places = error.notes().map(|note| note.place.clone());
        let causes: Vec<Cause> = error
            .source_chain()
            .into_iter()
            // The hint has a place of its own on the page.
            .map(|text| {
                text.strip_suffix(&hint).map_or_else(|| text.clone(), |text| text.trim_end().to_owned())
            })
            .map(|text| Cause { text: self.redact(text), place: places.next() })
            .collect();
        // The last cause is what happened; those before it are what the code was doing.
        let last = || causes.last().map_or_else(|| error.message().to_owned(), |cause| cause.text.clone());
        view(DevelopmentPage {
            status: error.status().as_u16(),
            headline: problem.map_or_else(last, AssetProblem::headline),
            hint,
            causes,
            request: request_facts(context),
            icon: self.settings.view.icon.as_deref(),
            nonce: context.request().nonce(),
            reload: matches!(problem, Some(AssetProblem::NothingBuilt { .. })),
        })
        .into_response()
    }

    fn redact(&self, text: String) -> String {
        self.secrets.iter().fold(text, |text, secret| text.replace(secret.as_str(), "[secret]"))
    }
}

impl ErrorRenderer for ErrorPages {
    fn render(&self, error: &Error, context: &ErrorContext<'_>) -> Option<Response> {
        let is_ours = error.status() == StatusCode::INTERNAL_SERVER_ERROR;
        Some(match is_ours && self.shows_details(context) {
            true => self.development_page(error, context),
            false => self.page(error, context),
        })
    }
}

fn request_facts(context: &ErrorContext<'_>) -> Vec<(&'static str, String)> {
    let request = context.request();
    let mut facts = vec![("Request", format!("{} {}", context.method(), address(context)))];
    match (request.route_path(), request.route_name()) {
        (Some(path), Some(name)) => facts.push(("Route", format!("{path} ({name})"))),
        (Some(path), None) => facts.push(("Route", path.to_owned())),
        (None, _) => facts.push(("Route", "none matched".into())),
    }
    facts.push(("Request id", context.request_id().to_owned()));
    facts
}

/// The address with the names in its query; what may be a token keeps its value to itself.
fn address(context: &ErrorContext<'_>) -> String {
    let Some(query) = context.request().uri().query() else { return context.path().to_owned() };
    let shown: Vec<String> = query
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((name, _)) => format!("{name}=…"),
            None => pair.to_owned(),
        })
        .collect();
    format!("{}?{}", context.path(), shown.join("&"))
}
