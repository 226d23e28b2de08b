//! A small app in a folder of its own, asked through the kernel.

#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up should say where")]

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;

use housekey_core::{AppConfig, AppKey, ConfigFiles, EncryptionConfig, Env, Environment};
use housekey_http::axum::body::Body;
use housekey_http::{App, Application, Kernel, Request, Routes};
use housekey_view::ViewProvider;
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;
use tempfile::TempDir;

pub(crate) struct Site {
    folder: TempDir,
    environment: Environment,
    debug: bool,
    key: AppKey,
    change: Option<Box<dyn FnOnce(App) -> App>>,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Site {
    pub(crate) fn new(environment: &str) -> Self {
        let environment = Environment::from(environment);
        Self {
            folder: tempfile::tempdir().unwrap(),
            debug: environment.is_development(),
            environment,
            key: AppKey::generate(),
            change: None,
        }
    }

    pub(crate) fn key(&self) -> String {
        self.key.to_text().reveal().to_owned()
    }

    pub(crate) fn debug(mut self, debug: bool) -> Self {
        self.debug = debug;
        self
    }

    pub(crate) fn with(mut self, change: impl FnOnce(App) -> App + 'static) -> Self {
        self.change = Some(Box::new(change));
        self
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, content: &str) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// A build with the entries `src/main.ts`, `src/auth.ts` and `app.css`.
    pub(crate) fn built(&self) -> &Self {
        self.write("public/build/.vite/manifest.json", MANIFEST)
            .write("public/build/assets/main-B7s1aXqZ.js", "console.log(1)")
    }

    /// The note of a dev server that really listens, for as long as the listener is kept.
    pub(crate) fn dev_server(&self, tags: &str) -> (TcpListener, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        self.write(
            "public/hot",
            &format!(r#"{{"origin":"{origin}","pid":1,"client":"/@vite/client","tags":{tags}}}"#),
        );
        (listener, origin)
    }

    pub(crate) fn boot(&mut self, routes: impl FnOnce(&mut Routes) + Send + 'static) -> Application {
        let (environment, debug, key) = (self.environment.clone(), self.debug, self.key.to_text());
        let app = App::new(ConfigFiles::new())
            .root(self.folder.path())
            .env(Env::empty())
            .configure(move |config| {
                config.update(|app: &mut AppConfig| {
                    app.name = "Tom & Jerry".into();
                    app.env = environment;
                    app.debug = debug;
                });
                config.update(|encryption: &mut EncryptionConfig| encryption.key = key);
            })
            .provider(ViewProvider)
            .routes(routes);
        let app = match self.change.take() {
            Some(change) => change(app),
            None => app,
        };
        app.boot().unwrap()
    }
}

pub(crate) async fn get(application: &Application, path: &str) -> Answer {
    ask(&application.kernel(), http::Request::get(path).body(Body::empty()).unwrap()).await
}

pub(crate) async fn ask(kernel: &Kernel, request: Request) -> Answer {
    let response = kernel.handle(request, None).await;
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let body = String::from_utf8(body.to_vec()).unwrap();
    Answer { status: parts.status, headers: parts.headers, body }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn policy(&self, directive: &str) -> &str {
        let policy = self.header("content-security-policy");
        let found = policy.split("; ").find(|part| part.split(' ').next() == Some(directive));
        found.unwrap_or("")
    }

    #[track_caller]
    pub(crate) fn assert_see(&self, text: &str) {
        assert!(self.body.contains(text), "{text:?} is not in\n{}", self.body);
    }

    #[track_caller]
    pub(crate) fn assert_dont_see(&self, text: &str) {
        assert!(!self.body.contains(text), "{text:?} is in\n{}", self.body);
    }
}

const MANIFEST: &str = r#"{
    "_shared.js": { "file": "assets/shared-C0ffee00.js", "css": ["assets/shared-C0ffee00.css"] },
    "src/main.ts": { "file": "assets/main-B7s1aXqZ.js", "isEntry": true, "imports": ["_shared.js"], "css": ["assets/main-B7s1aXqZ.css"] },
    "src/auth.ts": { "file": "assets/auth-D34db33f.js", "isEntry": true, "imports": ["_shared.js"] },
    "app.css": { "file": "assets/app-A1b2c3d4.css", "isEntry": true },
    "logo.svg": { "file": "assets/logo-A1b2c3d4.svg" }
}"#;
