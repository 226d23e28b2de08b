//! An application in a temporary folder, asked through its kernel.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test file uses its part, and a test that cannot go on fails"
)]

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use axum::body::{Body, to_bytes};
use housekey_cache::CacheConfig;
use housekey_core::{AppConfig, AppKey, Clock, ConfigFiles, EncryptionConfig, Env, Environment};
use housekey_http::axum;
use housekey_http::{App, HttpConfig, Kernel};
use http::{HeaderMap, Method, StatusCode};
use tempfile::TempDir;

pub(crate) struct BootedApp {
    pub(crate) folder: TempDir,
    pub(crate) clock: Clock,
    kernel: Kernel,
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Boots an application: a frozen clock, a memory cache, a fresh key.
pub(crate) fn boot(build: impl FnOnce(App) -> App) -> BootedApp {
    try_boot(build).unwrap()
}

pub(crate) fn try_boot(build: impl FnOnce(App) -> App) -> housekey_core::Result<BootedApp> {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen_now();
    let app =
        App::new(ConfigFiles::new()).root(folder.path()).env(Env::empty()).clock(clock.clone()).configure(
            |config| {
                config.update::<AppConfig>(|app| app.env = Environment::Testing);
                config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
                config.update::<CacheConfig>(|cache| cache.store = "memory".into());
                config.update::<HttpConfig>(|http| http.access_log = false);
            },
        );
    let kernel = build(app).boot()?.kernel();
    Ok(BootedApp { folder, clock, kernel })
}

impl BootedApp {
    /// Writes a file below `public`.
    pub(crate) fn public(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.folder.path().join("public").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, &[]).await
    }

    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask(Method::GET, path, headers).await
    }

    pub(crate) async fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask_from("203.0.113.7", method, path, headers).await
    }

    pub(crate) async fn ask_from(
        &self,
        ip: &str,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut request = http::Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(ip, request.body(Body::empty()).unwrap()).await
    }

    async fn send(&self, ip: &str, request: http::Request<Body>) -> Answer {
        let peer = SocketAddr::new(ip.parse().unwrap(), 40_000);
        let response = self.kernel.handle(request, Some(peer)).await;
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Answer { status: parts.status, headers: parts.headers, body }
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// All values of a header as one list.
    pub(crate) fn list(&self, name: &str) -> String {
        let values = self.headers.get_all(name).iter().map(|value| value.to_str().unwrap());
        values.collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}
