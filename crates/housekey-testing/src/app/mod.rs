mod content;
mod request;
mod server;

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use housekey_core::{AppConfig, Clock, Config, Services};
use housekey_http::{App, Application};
use http::{HeaderMap, HeaderName, HeaderValue, Method};

pub use request::TestRequest;
pub use server::TestServer;

#[cfg(feature = "database")]
use crate::database::OwnDatabases;
use crate::{jar::Jar, settings::Settings};

/// The app under test, as one visitor sees it.
///
/// Requests go through the whole pipeline without a socket. Cookies are kept between them; the CSRF token travels
/// along by itself. The clock stands still: [`TestApp::advance`] moves it.
///
/// Clones are the same visitor; [`TestApp::visitor`] is another one.
///
/// ```
/// # use housekey_core::ConfigFiles;
/// # use housekey_http::App;
/// # fn app() -> App { App::new(ConfigFiles::new()).routes(|route| { route.get("/", async || "hi"); }) }
/// # housekey_testing::run(app, async |app: housekey_testing::TestApp| {
/// app.get("/").await.assert_see("hi");
/// app.from("203.0.113.9").with_header("accept", "application/json").get("/").await.assert_ok();
/// # });
/// ```
#[derive(Clone)]
pub struct TestApp {
    pub(crate) shared: Arc<SharedApp>,
    pub(crate) jar: Arc<Mutex<Jar>>,
    pub(crate) headers: HeaderMap,
    pub(crate) address: IpAddr,
}

/// What all visitors share.
pub(crate) struct SharedApp {
    pub(crate) application: Application,
    settings: Settings,
    storage: tempfile::TempDir,
    #[cfg(feature = "database")]
    migrated: tokio::sync::OnceCell<()>,
    /// Behind the application, whose connections end before.
    #[cfg(feature = "database")]
    _databases: Arc<OwnDatabases>,
}

impl TestApp {
    /// Boots an app for a test. `#[housekey::test]` does this and hands the result over.
    ///
    /// # Panics
    /// When the app does not boot; the message says why.
    #[must_use]
    #[track_caller]
    pub fn new(app: impl Fn() -> App + Send + Sync + 'static) -> Self {
        Self::boot(Settings::new(app))
    }

    #[track_caller]
    fn boot(settings: Settings) -> Self {
        let storage = match tempfile::tempdir() {
            Ok(folder) => folder,
            Err(error) => panic!("no temporary folder for the test: {error}"),
        };
        #[cfg(feature = "database")]
        let databases = Arc::new(OwnDatabases::new());
        let app = settings.apply(
            storage.path(),
            #[cfg(feature = "database")]
            &databases,
        );
        let application = match app.boot() {
            Ok(application) => application,
            Err(error) => panic!("the app does not boot: {error}"),
        };
        Self {
            shared: Arc::new(SharedApp {
                application,
                settings,
                storage,
                #[cfg(feature = "database")]
                migrated: tokio::sync::OnceCell::new(),
                #[cfg(feature = "database")]
                _databases: databases,
            }),
            jar: Arc::default(),
            headers: HeaderMap::new(),
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        }
    }

    /// The same app booted afresh, with a changed configuration.
    ///
    /// ```
    /// # use housekey_core::{AppConfig, ConfigFiles};
    /// # use housekey_http::App;
    /// # fn app() -> App { App::new(ConfigFiles::new()) }
    /// # housekey_testing::run(app, async |app: housekey_testing::TestApp| {
    /// let app = app.with_config(|config| config.update::<AppConfig>(|app| app.name = "Other".into()));
    /// assert_eq!(app.config().get::<AppConfig>().name, "Other");
    /// # });
    /// ```
    #[must_use]
    #[track_caller]
    pub fn with_config(&self, change: impl Fn(&mut Config) + Send + Sync + 'static) -> Self {
        let mut settings = self.shared.settings.clone();
        settings.config.push(Arc::new(change));
        Self::boot(settings)
    }

    /// The same app booted afresh, with a variable of its environment set.
    #[must_use]
    #[track_caller]
    pub fn with_env(&self, key: &str, value: &str) -> Self {
        let mut settings = self.shared.settings.clone();
        settings.env.push((key.to_owned(), value.to_owned()));
        Self::boot(settings)
    }

    /// The same app booted afresh, on the machine's clock instead of one that stands still.
    #[must_use]
    #[track_caller]
    pub fn with_running_clock(&self) -> Self {
        Self::boot(Settings { clock: Clock::system(), ..self.shared.settings.clone() })
    }

    /// Another visitor of the same app, without any cookie.
    #[must_use]
    pub fn visitor(&self) -> Self {
        Self { jar: Arc::default(), ..self.clone() }
    }

    /// The same visitor, sending this header with every request.
    ///
    /// # Panics
    /// When name or value cannot be a header.
    #[must_use]
    #[track_caller]
    pub fn with_header(&self, name: &str, value: &str) -> Self {
        let mut other = self.clone();
        let (name, value) = header(name, value);
        other.headers.insert(name, value);
        other
    }

    /// The same visitor, coming from this address.
    ///
    /// # Panics
    /// When it is no IP address.
    #[must_use]
    #[track_caller]
    pub fn from(&self, ip: &str) -> Self {
        Self { address: address(ip), ..self.clone() }
    }

    /// Starts a `GET` request; awaiting it sends it.
    pub fn get(&self, path: &str) -> TestRequest {
        self.request(Method::GET, path)
    }

    pub fn head(&self, path: &str) -> TestRequest {
        self.request(Method::HEAD, path)
    }

    /// Starts a `POST` request: `app.post("/posts").form(&[("title", "Hello")]).await`.
    pub fn post(&self, path: &str) -> TestRequest {
        self.request(Method::POST, path)
    }

    pub fn put(&self, path: &str) -> TestRequest {
        self.request(Method::PUT, path)
    }

    pub fn patch(&self, path: &str) -> TestRequest {
        self.request(Method::PATCH, path)
    }

    pub fn delete(&self, path: &str) -> TestRequest {
        self.request(Method::DELETE, path)
    }

    pub fn options(&self, path: &str) -> TestRequest {
        self.request(Method::OPTIONS, path)
    }

    pub fn request(&self, method: Method, path: &str) -> TestRequest {
        TestRequest::new(self.clone(), method, path)
    }

    /// Moves the app's clock forward.
    pub fn advance(&self, by: Duration) {
        self.shared.settings.clock.advance(by);
    }

    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.shared.settings.clock
    }

    #[must_use]
    pub fn application(&self) -> &Application {
        &self.shared.application
    }

    /// The address of a named route: `app.get(&app.route("sign-in"))`.
    ///
    /// # Panics
    ///
    /// When no route has that name, or it has parameters.
    #[must_use]
    #[track_caller]
    pub fn route(&self, name: &str) -> String {
        match self.shared.application.url(name, &[]) {
            Ok(address) => address,
            Err(error) => panic!("{error}"),
        }
    }

    #[must_use]
    pub fn config(&self) -> &Config {
        self.shared.application.config()
    }

    /// The app's services: `app.services().require::<Cache>()`.
    #[must_use]
    pub fn services(&self) -> &Services {
        self.shared.application.services()
    }

    /// The folder this app writes to. It is gone when the test is over.
    #[must_use]
    pub fn storage(&self) -> &std::path::Path {
        self.shared.storage.path()
    }

    /// Runs code the way a command or a job runs: with the app's services, outside any request.
    pub async fn within<T>(&self, work: impl Future<Output = T>) -> T {
        self.prepare().await;
        let done = self.shared.application.scope().enter(work).await;
        self.wait_for_background().await;
        done
    }

    /// Waits for what no answer waits for, such as account mail. Every request of a test does, and [`within`](Self::within):
    /// what they began has happened when they are over. After requests over a socket ([`serve`](Self::serve)), ask for it.
    ///
    /// # Panics
    /// When the app asked another host meanwhile that no fake answers.
    pub async fn wait_for_background(&self) {
        self.shared.application.background().idle().await;
        #[cfg(feature = "http-client")]
        self.refuse_strays();
    }

    /// No test passes with a request that it did not expect, whatever the app made of its failure.
    #[cfg(feature = "http-client")]
    fn refuse_strays(&self) {
        use housekey_http::client::Http;
        let fake = self.services().get::<Http>().and_then(|http| http.current_fake());
        let strays = fake.map(|fake| fake.take_unexpected()).unwrap_or_default();
        assert!(
            strays.is_empty(),
            "the app asked other hosts, and no fake answers for them:\n  {}\nSay what comes back: \
             app.services().require::<Http>()?.fake([(\"https://…\", json!({{ … }}))])",
            strays.join("\n  ")
        );
    }

    /// The value of a cookie this visitor holds, as it travels.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.lock_jar().value(name).map(str::to_owned)
    }

    /// The cookies that this visitor would send to a path, as the header `cookie` holds them: for a client of another kind, such
    /// as a websocket to [`serve`](Self::serve). Empty if there are none.
    #[must_use]
    pub fn cookie_header(&self, path: &str) -> String {
        self.lock_jar().header(path, self.clock().now()).unwrap_or_default()
    }

    /// Forgets every cookie, as a browser does in a private window.
    pub fn forget_cookies(&self) {
        self.lock_jar().clear();
    }

    /// Serves the app on a free port of this machine, for browsers and websockets.
    pub async fn serve(&self) -> TestServer {
        self.prepare().await;
        TestServer::start(&self.shared).await
    }

    /// What must be there before the first request: the tables.
    pub(crate) async fn prepare(&self) {
        #[cfg(feature = "database")]
        self.shared.migrated.get_or_init(|| crate::database::migrate(&self.shared.application)).await;
    }

    /// The address of the app as its own configuration gives it.
    pub(crate) fn base_url(&self) -> String {
        self.config().get::<AppConfig>().url.trim_end_matches('/').to_owned()
    }

    pub(crate) fn host(&self) -> String {
        let url = self.base_url();
        url.split_once("://").map_or(url.as_str(), |(_, host)| host).to_owned()
    }

    pub(crate) fn lock_jar(&self) -> std::sync::MutexGuard<'_, Jar> {
        self.jar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for TestApp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TestApp").field("address", &self.address).finish_non_exhaustive()
    }
}

#[track_caller]
pub(crate) fn header(name: &str, value: &str) -> (HeaderName, HeaderValue) {
    match (HeaderName::try_from(name), HeaderValue::try_from(value)) {
        (Ok(name), Ok(value)) => (name, value),
        _ => panic!("`{name}: {value}` cannot be a header"),
    }
}

#[track_caller]
pub(crate) fn address(ip: &str) -> IpAddr {
    ip.parse().unwrap_or_else(|_| panic!("{ip:?} is no IP address"))
}
