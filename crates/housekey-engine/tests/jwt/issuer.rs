//! An engine behind the client of a verifier, as if there were a network between.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bytes::Bytes;
use housekey_engine::http_client::{HttpClient, HttpError, HttpRequest, HttpResponse};
use housekey_engine::jwt::Verifier;
use housekey_engine::{BoxFuture, Engine};
use http::Request;

use crate::support::{ORIGIN, TestEngine};

#[derive(Clone)]
pub(crate) struct Issuer(Arc<Inner>);

struct Inner {
    engine: Engine,
    asked: AtomicUsize,
    is_down: AtomicBool,
}

impl Issuer {
    pub(crate) fn of(test: &TestEngine) -> Self {
        let inner = Inner {
            engine: test.engine.clone(),
            asked: AtomicUsize::new(0),
            is_down: AtomicBool::new(false),
        };
        Self(Arc::new(inner))
    }

    /// A verifier that fetches keys from it.
    pub(crate) fn verifier(&self, test: &TestEngine) -> Verifier {
        Verifier::new(ORIGIN).http_client(Arc::new(self.clone())).clock(test.clock.clone())
    }

    /// How often keys were asked for.
    pub(crate) fn asked(&self) -> usize {
        self.0.asked.load(Ordering::SeqCst)
    }

    pub(crate) fn is_down(&self, down: bool) {
        self.0.is_down.store(down, Ordering::SeqCst);
    }
}

impl HttpClient for Issuer {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        self.0.asked.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            if self.0.is_down.load(Ordering::SeqCst) {
                return Err(HttpError::unreachable("down"));
            }
            let path = request.url.strip_prefix(ORIGIN).unwrap().to_owned();
            let (parts, body) =
                self.0.engine.handle(Request::get(path).body(Bytes::new()).unwrap()).await.into_parts();
            Ok(HttpResponse { status: parts.status, headers: parts.headers, body })
        })
    }
}

/// A verifier of tokens of this engine.
pub(crate) fn verifier(test: &TestEngine) -> Verifier {
    Issuer::of(test).verifier(test)
}
