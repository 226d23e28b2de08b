//! What happened to accounts, as the app's log and its table have it.
mod secrets;
mod table;

use housekey_auth::engine::Plugins;
use housekey_auth::engine::plugins::{bearer, two_factor};
use housekey_auth::events::{EventFilter, Events, KeptEvent, find};
use housekey_auth::{Auth, AuthConfig};
use housekey_testing::TestApp;

const ADA: &str = "ada@example.com";
const EVE: &str = "eve@example.com";

/// As the kits have it: kept for 90 days.
fn kept(auth: &mut AuthConfig) {
    auth.events = Events::kept(90);
    auth.plugins = Plugins::from([two_factor(Default::default()), bearer(Default::default())]);
}

/// Every event of the app, the newest first.
async fn events(app: &TestApp) -> Vec<KeptEvent> {
    let auth = app.services().require::<Auth>().unwrap();
    find(&auth, &EventFilter::default(), 1000).await.unwrap()
}

/// Their names, sorted: those of one moment have no order.
async fn kinds(app: &TestApp) -> Vec<String> {
    let mut kinds: Vec<String> = events(app).await.into_iter().map(|event| event.kind).collect();
    kinds.sort();
    kinds
}
