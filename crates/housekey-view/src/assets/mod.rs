//! Asset tags: from the dev server while one runs, from the build otherwise.

mod build;
mod dev_server;
mod helpers;
mod manifest;
mod problem;
mod tag;
mod tags;

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use housekey_core::{Environment, Paths};
use housekey_http::config::AssetsConfig;

use self::build::Build;
use self::dev_server::{DevServer, Search};
use self::tags::{Origins, Tags};

pub use self::helpers::{AssetTags, asset_url, assets};
pub(crate) use self::problem::AssetProblem;

/// Knows what the bundler made. A service of every app that has views.
#[derive(Debug)]
pub struct Assets {
    manifest: PathBuf,
    hot_file: PathBuf,
    prefix: String,
    mode: Mode,
    nonce_everywhere: bool,
    built: RwLock<Option<Arc<Build>>>,
}

/// How much may change under a running app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The build is part of the deployment: read once, and its absence is an error.
    Fixed,
    /// The dev server comes and goes, builds happen: look again each time.
    Live,
    /// Tests of an app's pages need no bundler: without a build there are no tags.
    Optional,
}

impl Assets {
    /// The assets of an app at these paths.
    pub fn new(config: &AssetsConfig, paths: &Paths, environment: &Environment) -> Self {
        let directory = config.build_directory.trim_matches('/');
        Self {
            manifest: paths.public().join(directory).join(".vite/manifest.json"),
            hot_file: paths.join(&config.hot_file),
            prefix: format!("/{directory}/"),
            mode: match environment {
                Environment::Development => Mode::Live,
                Environment::Testing => Mode::Optional,
                Environment::Production | Environment::Other(_) => Mode::Fixed,
            },
            nonce_everywhere: false,
            built: RwLock::default(),
        }
    }

    /// Writes nonces on the build's own files too. A policy that does not allow them by `'self'`, or that says
    /// `'strict-dynamic'`, wants it.
    pub fn with_nonce_everywhere(mut self, nonce_everywhere: bool) -> Self {
        self.nonce_everywhere = nonce_everywhere;
        self
    }

    pub(crate) fn nonce_everywhere(&self) -> bool {
        self.nonce_everywhere
    }

    /// Whether there is something to serve now.
    pub(crate) fn check(&self) -> Result<(), AssetProblem> {
        self.tags(&[]).map(drop)
    }

    pub(crate) fn tags(&self, entries: &[&'static str]) -> Result<Arc<Tags>, AssetProblem> {
        let stale = match self.search() {
            Search::Running(server) => {
                let origins = Origins { http: server.origin.clone(), socket: server.socket_origin() };
                return Ok(Arc::new(Tags::new(server.tags(entries), &server.injected, Some(origins))));
            }
            Search::Stale(stale) => Some(stale),
            Search::None => None,
        };
        match (self.built()?, self.mode) {
            (Some(built), _) => match built.tags(entries, &self.prefix) {
                // A build of yesterday must not fail the tests of an app.
                Err(_) if self.mode == Mode::Optional => Ok(Arc::default()),
                tags => tags,
            },
            (None, Mode::Optional) => Ok(Arc::default()),
            (None, mode) => Err(AssetProblem::NothingBuilt {
                manifest: self.manifest.clone(),
                stale,
                development: mode == Mode::Live,
            }),
        }
    }

    /// The address of one file that the bundler knows.
    pub(crate) fn url(&self, source: &str) -> Result<String, AssetProblem> {
        if let Search::Running(server) = self.search() {
            return Ok(server.url(source));
        }
        match self.built()? {
            Some(built) => Ok(format!("{}{}", self.prefix, built.file(source)?)),
            None if self.mode == Mode::Optional => Ok(format!("{}{source}", self.prefix)),
            None => Err(AssetProblem::NothingBuilt {
                manifest: self.manifest.clone(),
                stale: None,
                development: self.mode == Mode::Live,
            }),
        }
    }

    /// Only development asks: in production a forgotten hot file must not send visitors to a developer's machine.
    fn search(&self) -> Search {
        if self.mode == Mode::Live { DevServer::find(&self.hot_file) } else { Search::None }
    }

    fn built(&self) -> Result<Option<Arc<Build>>, AssetProblem> {
        if self.mode != Mode::Live
            && let Some(built) = &*self.built.read().unwrap_or_else(PoisonError::into_inner)
        {
            return Ok(Some(built.clone()));
        }
        // Nothing is remembered of a build that is not there: one that arrives late is found.
        let Some(build) = Build::read(&self.manifest)? else { return Ok(None) };
        let built = Arc::new(build);
        *self.built.write().unwrap_or_else(PoisonError::into_inner) = Some(built.clone());
        Ok(Some(built))
    }
}
