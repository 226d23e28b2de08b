//! Requests of an app to other hosts: what [`housekey_http_client`] has, with the app's own settings.

use housekey_core::{AppConfig, service};
pub use housekey_http_client::{
    FakeAnswer, Http, HttpCall, HttpClientConfig, HttpError, HttpFake, HttpRequest, HttpResponse, HttpStream,
    Multipart,
};

/// Asks other hosts, as `config/http_client.rs` says: `http().get(url).json::<Rates>().await?`.
///
/// In a test nobody is asked: [`Http::fake`] says what comes back, and what no fake answers fails the test.
///
/// ```
/// # use housekey_core::{Result, Scope, Services};
/// use housekey_http::client::http;
///
/// # #[derive(serde::Deserialize)] struct Rates { eur: f64 }
/// async fn euros(dollars: f64) -> Result<f64> {
///     let rates: Rates = http().get("https://rates.example/today").query(&[("of", "usd")]).json().await?;
///     Ok(dollars * rates.eur)
/// }
/// # drop(euros(1.0));
/// ```
pub fn http() -> Http {
    service::<Http>().map_or_else(Http::nowhere, |http| (*http).clone())
}

/// The client of an app that boots. Whatever a developer's machine is configured with: no test asks real hosts.
pub(crate) fn of_app(config: &HttpClientConfig, about: &AppConfig) -> Http {
    let http = Http::new(config);
    if about.env.is_testing() {
        http.fake::<u16>([]);
    }
    http
}
