use housekey_core::{AppConfig, Error, Result, service};
use housekey_http::Response;
use housekey_http::axum::body::Body;
use housekey_http::axum::response::IntoResponse;
use housekey_http::security::allow_sources;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use hypertext::{Buffer, Renderable};
use serde::Serialize;

use crate::assets::Assets;
use crate::settings::ViewSettings;
use crate::{PageData, page_data};

/// What stands in a document beside its tags is seldom more, in bytes.
const USUAL_REST: usize = 1024;

/// The document of a client-routed app: a head, a mount element marked `data-spa-root`, and the tags of one entry.
///
/// It has the same bytes for every visitor, so a shared cache may keep it: no data, no token, no nonce. What would need
/// a nonce elsewhere is allowed by its hash here.
///
/// ```
/// use housekey_http::Routes;
/// use housekey_view::shell;
///
/// fn web(route: &mut Routes) {
///     route
///         .view("/auth/{path}", || shell("src/auth.ts"))
///         .where_("path", ".*")
///         .header("cache-control", "public, max-age=0, must-revalidate");
/// }
/// ```
pub fn shell(entry: &'static str) -> Shell {
    Shell { entry, title: None, page_data: Ok(None) }
}

/// The response with the document of a client-routed app. Its title and the page's data can still be set.
#[must_use = "a shell does nothing until it is returned as a response"]
#[derive(Debug)]
pub struct Shell {
    entry: &'static str,
    title: Option<String>,
    page_data: Result<Option<PageData>>,
}

impl Shell {
    /// The title until the app sets its own. The name of the app where this is not called.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Embeds data for the app's script. A document with a visitor's data is no longer the same for everyone: give its
    /// route `cache-control: no-store`.
    pub fn page_data<T: Serialize + ?Sized>(mut self, data: &T) -> Self {
        self.page_data = page_data(data).map(Some);
        self
    }

    fn document(self) -> Result<String> {
        let assets = service::<Assets>().ok_or_else(|| {
            Error::internal("a shell needs the view provider: `App::new(…).provider(ViewProvider)`")
        })?;
        let tags = assets.tags(&[self.entry])?;
        if let Some(sources) = tags.sources_without_nonce() {
            allow_sources(sources);
        }
        let settings = service::<ViewSettings>().unwrap_or_default();
        let AppConfig { name, locale, .. } = &settings.app;
        let title = self.title.as_deref().unwrap_or(name);

        let size = USUAL_REST + tags.head().len() + tags.body().len();
        // XSS SAFETY: it is empty.
        let mut buffer = Buffer::dangerously_from_string(String::with_capacity(size));
        // XSS SAFETY: markup of ours; every value goes through its escaping `render_to`.
        raw(&mut buffer, "<!DOCTYPE html><html lang=\"");
        locale.render_to(buffer.as_attribute_buffer());
        raw(&mut buffer, "\"><head><meta charset=\"utf-8\">");
        raw(&mut buffer, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>");
        title.render_to(&mut buffer);
        raw(&mut buffer, "</title>");
        if let Some(icon) = &settings.view.icon {
            raw(&mut buffer, "<link rel=\"icon\" href=\"");
            icon.render_to(buffer.as_attribute_buffer());
            raw(&mut buffer, "\">");
        }
        raw(&mut buffer, tags.head());
        raw(&mut buffer, "</head><body><div data-spa-root></div><noscript>");
        settings.view.without_script.render_to(&mut buffer);
        raw(&mut buffer, "</noscript>");
        self.page_data?.render_to(&mut buffer);
        raw(&mut buffer, tags.body());
        raw(&mut buffer, "</body></html>");
        Ok(buffer.rendered().into_inner())
    }
}

fn raw(buffer: &mut Buffer, html: &str) {
    buffer.dangerously_get_string().push_str(html);
}

impl IntoResponse for Shell {
    fn into_response(self) -> Response {
        let html = match self.document() {
            Ok(html) => html,
            Err(error) => return error.into_response(),
        };
        let mut response = Response::new(Body::from(html));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        // The careful choice; a route open to everyone says `public` (spec: SHL-4).
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=0, must-revalidate"));
        response
    }
}
