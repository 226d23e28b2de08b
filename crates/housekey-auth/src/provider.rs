use std::sync::Arc;

use housekey_core::Result;
use housekey_database::TenantSource;
use housekey_http::throttle::ThrottleSubject;
use housekey_http::{Provider, Registrar};

use crate::current::Current;
use crate::guards::{self, Identifiers};
use crate::{api_key, assembly, description, mount, organization};

/// Brings accounts into an app. It stands behind the providers of the database, of mail and of notifications.
///
/// ```
/// use housekey_auth::AuthProvider;
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
///
/// let app = App::new(ConfigFiles::new()).provider(AuthProvider);
/// # drop(app);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AuthProvider;

impl Provider for AuthProvider {
    fn name(&self) -> &'static str {
        "auth"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let auth = Arc::new(assembly::assemble(app)?);
        if auth.config().mount {
            mount::mount(app.routes(), &auth);
        }
        app.contribute(|schemes| description::add_schemes(&auth, schemes));
        app.global(guards::Identify::new(Arc::clone(&auth)));
        app.guard("api-key", guards::api_key);
        app.guard("auth", guards::auth);
        app.guard("guest", guards::guest);
        app.guard("verified", guards::verified);
        app.guard("password.confirm", guards::confirm::factory);
        app.guard("action", guards::action::action);
        app.guard("offers", guards::offers);
        app.guard("can", guards::can_named);
        #[cfg(feature = "http-client")]
        app.guard("captcha", guards::captcha);
        app.guard("admin", guards::admin);
        app.guard("member", guards::member);
        app.guard("role", guards::role);
        app.guard("feature", guards::feature);
        // Models that belong to an organisation mean the present one.
        app.services().insert(TenantSource::new(present_organization));
        // Whoever is signed in is counted by who they are, wherever they come from; a key by itself.
        app.services().insert(ThrottleSubject::new(|_| {
            api_key().map(|shown| shown.key.id.clone()).or_else(|| Some(Current::find()?.user()?.id.clone()))
        }));
        // The list is there even if nobody adds to it.
        app.contribute(|_: &mut Identifiers| ());
        app.services().insert_shared(auth);
        Ok(())
    }
}

/// The organisation of the API key that a request came with, or the one that its user is in.
fn present_organization() -> Option<String> {
    match api_key() {
        Some(shown) => shown.owner.organization().map(|organization| organization.id.clone()),
        None => organization().map(|active| active.id().to_owned()),
    }
}
