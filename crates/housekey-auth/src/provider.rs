use std::sync::Arc;

use housekey_core::Result;
use housekey_database::TenantSource;
use housekey_http::throttle::ThrottleSubject;
use housekey_http::{Provider, Registrar};

use crate::current::Current;
use crate::guards::{self, Identifiers};
use crate::{assembly, mount, organization};

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
        app.global(guards::Identify::new(Arc::clone(&auth)));
        app.guard("auth", guards::auth);
        app.guard("guest", guards::guest);
        app.guard("verified", guards::verified);
        app.guard("password.confirm", guards::confirm::factory);
        app.guard("action", guards::action::action);
        app.guard("offers", guards::offers);
        app.guard("can", guards::can);
        app.guard("admin", guards::admin);
        app.guard("member", guards::member);
        app.guard("role", guards::role);
        app.guard("feature", guards::feature);
        // Models that belong to an organisation mean the present one.
        app.services().insert(TenantSource::new(|| organization().map(|active| active.id().to_owned())));
        // Whoever is signed in is counted by who they are, wherever they come from.
        app.services().insert(ThrottleSubject::new(|_| Current::find()?.user().map(|user| user.id.clone())));
        if app.services().get::<Identifiers>().is_none() {
            app.services().insert(Identifiers::default());
        }
        app.services().insert_shared(auth);
        Ok(())
    }
}
