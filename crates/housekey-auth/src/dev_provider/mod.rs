//! "Development account": a tiny OpenID provider that the app serves to itself, so that signing in with others can be tried
//! before anyone has registered anything anywhere. spec: SOC-10
//!
//! It lets whoever asks be anybody. So it is not compiled into a release, is there in development alone, and answers who
//! sits at this machine alone, as `/dev/mailbox` does. Of its addresses below `/dev/openid` a browser sees one, the page that
//! asks who to be; what the engine asks for (discovery, keys, tokens, the profile) is answered [in this process](client),
//! whatever port the app has.
//!
//! It checks what a real one checks: client, redirect address, PKCE, codes that work once.

mod authorize;
mod client;
mod grants;
mod openid;
mod page;
mod person;
mod routes;

use std::sync::Arc;

use housekey_core::{AppConfig, Clock, Result};
use housekey_engine::http_client::HttpClient;
use housekey_engine::options::{EngineOptions, Shared};
use housekey_engine::social::Provider;
use housekey_http::Registrar;

use client::InThisProcess;
use openid::OpenId;

/// The id of the provider, in addresses and in the table `account`.
pub(crate) const ID: &str = "development";
/// What its button says.
const NAME: &str = "Development account";
/// Where it lives.
const PATH: &str = "/dev/openid";

/// Adds it, where an app has no provider and runs on a developer's machine.
pub(crate) fn add(app: &mut Registrar<'_>, options: &mut EngineOptions, clock: &Clock) -> Result<()> {
    let about = app.config().get::<AppConfig>();
    if !about.env.is_development() || !about.is_local() || !options.social_providers.is_empty() {
        return Ok(());
    }
    let openid = Arc::new(OpenId::new(options.base_url.trim_end_matches('/'), clock.clone())?);
    let provider = Provider::oidc(ID, openid.issuer(), openid.client_id(), openid.client_secret());
    options.social_providers.push(provider.with_name(NAME));
    let client: Arc<dyn HttpClient> =
        Arc::new(InThisProcess::new(Arc::clone(&openid), options.social.http_client.clone()));
    options.social.http_client = Shared::new(client);
    app.services().insert_shared(openid);
    routes::routes(app.routes());
    Ok(())
}
