use std::sync::{Mutex, PoisonError};

use housekey_core::Result;
use housekey_http::{App, Provider, Registrar};

use super::{Gate, Policy};

/// What the gate adds to an [`App`].
pub trait AppGate: Sized {
    /// Writes down abilities and hooks. May be called several times.
    ///
    /// ```
    /// use housekey_auth::User;
    /// use housekey_auth::gate::AppGate;
    /// use housekey_core::ConfigFiles;
    /// use housekey_http::App;
    ///
    /// let app = App::new(ConfigFiles::new()).gate(|gate| {
    ///     gate.define("edit-settings", |user: &User| user.email_verified);
    /// });
    /// # drop(app);
    /// ```
    #[must_use]
    fn gate(self, define: impl FnOnce(&mut Gate) + Send + 'static) -> Self;

    #[must_use]
    fn policy(self, policy: impl Policy) -> Self {
        self.gate(move |gate| {
            gate.policy(policy);
        })
    }
}

impl AppGate for App {
    fn gate(self, define: impl FnOnce(&mut Gate) + Send + 'static) -> Self {
        self.provider(Definitions(Mutex::new(Some(Box::new(define)))))
    }
}

/// One call of [`AppGate::gate`], waiting for the boot.
struct Definitions(Mutex<Option<Define>>);

type Define = Box<dyn FnOnce(&mut Gate) + Send>;

impl Provider for Definitions {
    fn name(&self) -> &'static str {
        "the gate"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let Some(define) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return Ok(());
        };
        app.contribute(|gate: &mut Gate| {
            define(gate);
            gate.check()
        })
    }
}
