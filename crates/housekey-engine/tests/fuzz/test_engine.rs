//! An engine that answers at once, and Ada, who is signed in.

use bytes::Bytes;
use housekey_engine::options::{CacheStrategy, EmailAndPassword, EngineOptions, LinkMail, PasswordOptions};
use housekey_engine::plugins::two_factor::{OtpMail, OtpOptions, TwoFactorOptions};
use housekey_engine::plugins::{bearer, two_factor};
use housekey_engine::{
    ApiError, Callback, Clock, Engine, EngineBuilder, MemoryStorage, PasswordCheck, Secret,
};
use http::{HeaderMap, HeaderValue, Method, Request, Response};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

pub(crate) const ORIGIN: &str = "http://localhost:3000";
pub(crate) const PASSWORD: &str = "correct horse";

pub(crate) struct TestEngine {
    pub(crate) engine: Engine,
    runtime: Runtime,
    /// The cookies that Ada's browser sends.
    pub(crate) ada: String,
}

/// Everything on, and passwords that cost nothing: what is tried here is what comes before them.
fn builder(strategy: CacheStrategy) -> EngineBuilder {
    let password = PasswordOptions {
        hash: Callback::new(
            |password: Secret| async move { Ok::<_, ApiError>(password.reveal().to_owned()) },
        ),
        verify: Callback::new(|check: PasswordCheck| async move {
            Ok::<_, ApiError>(check.password.reveal() == check.hash)
        }),
        ..PasswordOptions::default()
    };
    let second = TwoFactorOptions {
        otp: OtpOptions {
            send_otp: Callback::new(|_: OtpMail| async { Ok::<_, ApiError>(()) }),
            ..OtpOptions::default()
        },
        ..TwoFactorOptions::default()
    };
    let link = || Callback::new(|_: LinkMail| async { Ok::<_, ApiError>(()) });
    let mut options = EngineOptions {
        secret: "a-very-long-secret-for-testing-0123456789-abcdef".into(),
        base_url: ORIGIN.into(),
        email_and_password: EmailAndPassword {
            enabled: true,
            send_reset_password: link(),
            password,
            ..EmailAndPassword::default()
        },
        ..EngineOptions::default()
    };
    options.rate_limit.enabled = Some(false);
    options.email_verification.send_verification_email = link();
    options.user.change_email.enabled = true;
    options.user.delete_user.enabled = true;
    options.account.account_linking.enabled = Some(true);
    options.session.cookie_cache.enabled = true;
    options.session.cookie_cache.strategy = Some(strategy);
    Engine::builder(options).plugins([
        two_factor(second),
        bearer(Default::default()),
        #[cfg(feature = "passkeys")]
        housekey_engine::plugins::passkey(Default::default()),
    ])
}

impl TestEngine {
    pub(crate) fn new(strategy: CacheStrategy) -> Self {
        let engine = builder(strategy).clock(Clock::frozen_now()).build(MemoryStorage::new()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut test = Self { engine, runtime, ada: String::new() };
        test.ada = cookies(&test.sign_up("ada@example.com"));
        test
    }

    pub(crate) fn sign_up(&self, email: &str) -> Response<Bytes> {
        let body = json!({ "name": "Ada", "email": email, "password": PASSWORD });
        let answer = self.post("/sign-up/email", "", body.to_string().as_bytes());
        assert_eq!(answer.status(), 200, "{answer:?}");
        answer
    }

    pub(crate) fn get(&self, path: &str, cookie: &[u8]) -> Response<Bytes> {
        self.send(Method::GET, path, cookie, b"")
    }

    pub(crate) fn post(&self, path: &str, cookie: &str, body: &[u8]) -> Response<Bytes> {
        self.send(Method::POST, path, cookie.as_bytes(), body)
    }

    pub(crate) fn send(&self, method: Method, path: &str, cookie: &[u8], body: &[u8]) -> Response<Bytes> {
        let mut request = Request::new(Bytes::copy_from_slice(body));
        *request.method_mut() = method;
        *request.uri_mut() = format!("/api/auth{path}").parse().unwrap();
        let headers = request.headers_mut();
        headers.insert("origin", ORIGIN.parse().unwrap());
        headers.insert("content-type", "application/json".parse().unwrap());
        // What no header can hold never reaches an engine.
        match HeaderValue::from_bytes(cookie) {
            Ok(cookie) if !cookie.is_empty() => drop(headers.insert("cookie", cookie)),
            _ => {}
        }
        self.runtime.block_on(self.engine.handle(request))
    }

    /// Runs server code with the engine's functions.
    pub(crate) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    pub(crate) fn with_headers(&self, headers: HeaderMap) -> Response<Bytes> {
        let mut request = Request::new(Bytes::new());
        *request.uri_mut() = "/api/auth/get-session".parse().unwrap();
        *request.headers_mut() = headers;
        self.runtime.block_on(self.engine.handle(request))
    }
}

/// The JSON of an answer, which must not be a failure of ours.
pub(crate) fn read(answer: &Response<Bytes>) -> Value {
    assert!(!answer.status().is_server_error(), "{answer:?}");
    if answer.body().is_empty() { Value::Null } else { serde_json::from_slice(answer.body()).unwrap() }
}

/// What a browser sends back of the cookies of an answer.
pub(crate) fn cookies(answer: &Response<Bytes>) -> String {
    let set = answer.headers().get_all("set-cookie").iter();
    let pairs = set.map(|header| header.to_str().unwrap().split(';').next().unwrap().to_owned());
    pairs.collect::<Vec<_>>().join("; ")
}

/// The value of one of some cookies.
pub(crate) fn cookie<'a>(cookies: &'a str, name: &str) -> &'a str {
    let name = format!("better-auth.{name}=");
    cookies.split("; ").find_map(|pair| pair.strip_prefix(&name)).unwrap()
}
