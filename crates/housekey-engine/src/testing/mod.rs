//! What the tests of a plugin are written with: an engine in memory, and a browser that talks to it.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use housekey_engine::{Endpoint, MemoryStorage, Plugin, Reply, testing};
//! use serde_json::json;
//!
//! let who = Endpoint::get("/who", |api| {
//!     Box::pin(async move {
//!         let signed_in = api.require_session().await?;
//!         Reply::json(&json!({ "name": signed_in.user.name }))
//!     })
//! });
//! let engine = testing::engine([Plugin::new("who").endpoint(who)]).build(MemoryStorage::new()).unwrap();
//!
//! let mut browser = testing::Browser::new(&engine);
//! assert_eq!(browser.get("/who").await.status(), 401);
//! browser.sign_up("ada@example.com").await;
//! assert_eq!(browser.get("/who").await.json()["name"], "ada");
//! # });
//! ```

mod answer;
mod browser;

pub use answer::Answer;
pub use browser::{Browser, PASSWORD};

use crate::options::{EmailAndPassword, EngineOptions};
use crate::storage::Filter;
use crate::{Engine, EngineBuilder, Plugins, Record, Result};

/// An engine with some plugins, to be built: people sign up with address and password, and nothing is limited. Its
/// [options](EngineBuilder::options) can be changed before.
pub fn engine(plugins: impl Into<Plugins>) -> EngineBuilder {
    let options = EngineOptions {
        secret: "a secret that is only good for tests of plugins".into(),
        production: false,
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        ..Default::default()
    };
    Engine::builder(options).plugins(plugins)
}

/// Marks an address as proven, as if the link in a mail had been opened.
pub async fn prove_email(engine: &Engine, email: &str) -> Result<()> {
    let api = engine.api();
    let proven = Record::new().with("emailVerified", true);
    let mut changes = api.changes();
    changes.update("user", Filter::by("email", email), proven).await?;
    changes.commit().await.map(drop)
}
