use std::sync::Arc;

use housekey_engine::BoxFuture;
use housekey_engine::http_client::{HttpClient, HttpError, HttpRequest, HttpResponse};
use housekey_engine::options::Shared;
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::openid::{Answer, OpenId};
use super::routes::bearer;

/// Answers what the engine asks the development provider, in this process: it need not find its own port, and nothing has
/// to be let through to addresses of this machine. Every other request goes where it would have gone.
pub(super) struct InThisProcess {
    openid: Arc<OpenId>,
    others: Shared<dyn HttpClient>,
}

impl InThisProcess {
    pub(super) fn new(openid: Arc<OpenId>, others: Shared<dyn HttpClient>) -> Self {
        Self { openid, others }
    }

    fn answer(&self, path: &str, request: &HttpRequest) -> Result<Answer, HttpError> {
        Ok(match (&request.method, path) {
            (&Method::GET, "/.well-known/openid-configuration") => (StatusCode::OK, self.openid.discovery()),
            (&Method::GET, "/jwks") => (StatusCode::OK, self.openid.keys()),
            (&Method::GET, "/userinfo") => self.openid.profile(bearer(&request.headers)),
            (&Method::POST, "/token") => {
                let fields = request.form().into_iter().map(|(name, value)| (name, Value::String(value)));
                let asked = serde_json::from_value(Value::Object(fields.collect::<Map<_, _>>()));
                let asked = asked.map_err(|_| HttpError::unreachable("the token request is not readable"))?;
                self.openid.tokens(&asked).map_err(|error| HttpError::unreachable(error.to_string()))?
            }
            _ => (StatusCode::NOT_FOUND, json!({ "error": "not_found" })),
        })
    }
}

impl HttpClient for InThisProcess {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        Box::pin(async move {
            let path = request.address().strip_prefix(self.openid.issuer()).map(str::to_owned);
            match (path, &*self.others) {
                (Some(path), _) => {
                    let (status, body) = self.answer(&path, &request)?;
                    Ok(HttpResponse::of_json(status, &body))
                }
                (None, Some(others)) => others.send(request).await,
                (None, None) => Err(HttpError::unreachable("there is nobody to send it to")),
            }
        })
    }
}
