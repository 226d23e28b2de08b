use std::sync::{Arc, OnceLock};

use housekey_core::{AppConfig, Error, Result, service};
use housekey_http::axum::Json;
use housekey_http::routing::SecuritySchemes;
use housekey_http::{Provider, Registrar, csp_nonce, route_table};
use housekey_view::{View, view};
use serde_json::Value;

use crate::page::DocsPage;
use crate::{Document, OpenApiConfig};

/// Serves the description of the API: the document, and a page to read it.
///
/// ```
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
/// use housekey_openapi::OpenApiProvider;
///
/// let app = App::new(ConfigFiles::new()).provider(OpenApiProvider);
/// # drop(app);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenApiProvider;

/// The document, made when somebody first asks for it.
#[derive(Default)]
struct Made(OnceLock<Value>);

impl Provider for OpenApiProvider {
    fn name(&self) -> &'static str {
        "openapi"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let config = app.config().get::<OpenApiConfig>();
        if !config.is_served(&app.config().get::<AppConfig>(), app.env())? {
            return Ok(());
        }
        app.services().insert(Made::default()).insert_shared(Arc::clone(&config));
        app.routes().group().name("openapi.").without_csrf().routes(|route| {
            route.get(&config.document, document).name("document");
            route.get(&config.page, page).name("page");
        });
        Ok(())
    }
}

/// Where this app shows the description of its API to people, if it does.
///
/// Works inside a request, or any scope of an application.
pub fn docs_path() -> Option<String> {
    service::<Made>()?;
    service::<OpenApiConfig>().map(|config| config.page.clone())
}

async fn document() -> Result<Json<Value>> {
    with_document(|document| Json(document.clone()))
}

async fn page() -> Result<View> {
    let config = service::<OpenApiConfig>().unwrap_or_default();
    with_document(|document| {
        let nonce = csp_nonce().unwrap_or_default();
        view(DocsPage { document, source: &config.document, nonce: &nonce })
    })
}

fn with_document<T>(show: impl FnOnce(&Value) -> T) -> Result<T> {
    let gone = || Error::internal("the description of the API was asked for outside of a request");
    let made = service::<Made>().ok_or_else(gone)?;
    if let Some(document) = made.0.get() {
        return Ok(show(document));
    }
    let table = route_table().ok_or_else(gone)?;
    let (app, config) = (service::<AppConfig>(), service::<OpenApiConfig>());
    let schemes = service::<SecuritySchemes>().unwrap_or_default();
    let document =
        Document { app: &app.unwrap_or_default(), config: &config.unwrap_or_default(), schemes: &schemes };
    let document = document.of(&table)?;
    Ok(show(made.0.get_or_init(|| document)))
}
