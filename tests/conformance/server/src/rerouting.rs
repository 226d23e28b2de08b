use housekey_engine::BoxFuture;
use housekey_engine::http_client::{HttpClient, HttpError, HttpRequest, HttpResponse, TlsClient};

/// Leads what the engine asks providers to an imitation of them on loopback: `https://host/path` becomes
/// `<entrance>/https/host/path`. The Node side does the same with `fetch`.
pub(crate) struct Rerouting {
    entrance: String,
    client: TlsClient,
}

impl Rerouting {
    pub(crate) fn new(entrance: String) -> Self {
        Self { entrance, client: TlsClient::new(true) }
    }
}

impl HttpClient for Rerouting {
    fn send(&self, mut request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        request.url = format!("{}/{}", self.entrance, request.url.replacen("://", "/", 1));
        self.client.send(request)
    }
}
