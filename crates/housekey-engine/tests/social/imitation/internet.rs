use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use housekey_engine::http_client::{HttpClient, HttpError, HttpRequest, HttpResponse};
use housekey_engine::{BoxFuture, Clock};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::Value;

use super::{Fault, Imitation, Part, Recorded};

/// What an engine can reach: the imitations, and pages that a test puts somewhere.
#[derive(Clone, Default)]
pub(crate) struct Internet {
    sites: Arc<Vec<Imitation>>,
    pages: Arc<Mutex<HashMap<String, (u16, Value)>>>,
    /// What was asked of those pages.
    visits: Arc<Mutex<Vec<Recorded>>>,
    /// Addresses that were asked for and are nobody's.
    lost: Arc<Mutex<Vec<String>>>,
}

impl Internet {
    pub(crate) fn of(sites: &[&Imitation]) -> Self {
        Self { sites: Arc::new(sites.iter().copied().cloned().collect()), ..Self::default() }
    }

    pub(crate) fn runs_by(&self, clock: &Clock) {
        self.sites.iter().for_each(|site| site.runs_by(clock));
    }

    /// Puts a document somewhere.
    pub(crate) fn publish(&self, url: &str, status: u16, document: Value) {
        self.pages.lock().unwrap().insert(url.into(), (status, document));
    }

    /// The requests to a document that a test put somewhere.
    pub(crate) fn visits_to(&self, url: &str) -> Vec<Recorded> {
        self.visits.lock().unwrap().iter().filter(|request| request.place() == url).cloned().collect()
    }

    /// Addresses that were asked for and are nobody's.
    pub(crate) fn lost(&self) -> Vec<String> {
        self.lost.lock().unwrap().clone()
    }

    /// Everything secret that any of its providers handed out.
    pub(crate) fn secrets(&self) -> Vec<String> {
        self.sites.iter().flat_map(|site| site.state().secrets.clone()).collect()
    }

    fn find(&self, place: &str) -> Option<(&Imitation, Part)> {
        self.sites.iter().find_map(|site| {
            let at = &site.places;
            let parts = [
                (&at.discovery, Part::Discovery),
                (&at.token, Part::Token),
                (&at.keys, Part::Keys),
                (&at.user_info, Part::UserInfo),
            ];
            let found = parts.into_iter().find(|(url, _)| *url == place)?;
            Some((site, found.1))
        })
    }

    async fn answer(&self, request: Recorded) -> Option<(u16, Bytes)> {
        let json = |(status, body): (u16, Value)| Some((status, Bytes::from(body.to_string())));
        let page = self.pages.lock().unwrap().get(request.place()).cloned();
        if let Some(page) = page {
            self.visits.lock().unwrap().push(request);
            return json(page);
        }
        let Some((site, part)) = self.find(request.place()) else {
            self.lost.lock().unwrap().push(request.url);
            return None;
        };
        site.state().requests.push(request.clone());
        // Others have their turn: what must not happen twice at once would happen here.
        for _ in 0..5 {
            tokio::task::yield_now().await;
        }
        let fault = site.state().faults.get(&part).cloned();
        match fault {
            Some(Fault::Unreachable) => return None,
            Some(Fault::Hangs) => std::future::pending().await,
            Some(Fault::Status(status)) => return Some((status, "<h1>Oops</h1>".into())),
            Some(Fault::Garbage) => return Some((200, Bytes::from_static(b"\xff\xfe{{{ no json"))),
            Some(Fault::Redirect) => return Some((302, Bytes::new())),
            Some(Fault::Json(document)) => return json((200, document)),
            None => {}
        }
        json(match part {
            Part::Discovery => (200, site.discovery()),
            Part::Keys => {
                let keys: Vec<_> = site.state().keys.iter().map(super::Key::jwk).collect();
                (200, serde_json::json!({ "keys": keys }))
            }
            Part::Token => site.exchange(&request),
            Part::UserInfo => {
                let header = request.header("authorization").unwrap_or_default();
                match site.whose(header.split(' ').next_back().unwrap_or_default()) {
                    Some(person) => (200, person.claims()),
                    None => (401, serde_json::json!({ "error": "invalid_token" })),
                }
            }
        })
    }
}

impl HttpClient for Internet {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        Box::pin(async move {
            let recorded = Recorded {
                method: request.method.to_string(),
                url: request.url,
                headers: request.headers,
                body: String::from_utf8(request.body.to_vec()).unwrap(),
            };
            let answer = self.answer(recorded).await;
            let (status, body) = answer.ok_or_else(|| HttpError::unreachable("nobody is there"))?;
            let mut headers = HeaderMap::new();
            headers.insert("location", HeaderValue::from_static("https://evil.test/token"));
            Ok(HttpResponse { status: StatusCode::from_u16(status).unwrap(), headers, body })
        })
    }
}
