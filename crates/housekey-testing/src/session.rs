//! The visitor's session, seen from the test: the token for its forms, and what the app left in it.

use std::sync::Arc;

use housekey_core::Result;
use housekey_http::session::{Session, SessionManager};
use housekey_http::validation::ErrorBag;
use serde_json::{Map, Value};

use crate::TestApp;

impl TestApp {
    /// What this visitor's session holds. Looking spends no flash and prolongs nothing.
    ///
    /// # Panics
    /// When the session cannot be read.
    pub async fn session(&self) -> Map<String, Value> {
        expected(self.open_session().all().await)
    }

    /// The token this visitor's forms carry. Like a page with a form, asking for it gives the visitor a cookie.
    ///
    /// # Panics
    /// When the session cannot be read.
    pub async fn csrf_token(&self) -> String {
        let session = self.open_session();
        // Loaded first: a token must not be made for a session that is over.
        expected(session.all().await);
        let token = session.csrf_token();
        if let Some(cookie) = expected(session.finish().await) {
            self.lock_jar().store(&cookie, self.clock().now());
        }
        token
    }

    /// The errors flashed for the page a browser was sent back to.
    pub(crate) async fn flashed_errors(&self) -> Vec<(String, Vec<String>)> {
        let errors = ErrorBag::in_session(&self.session().await);
        let mut fields: Vec<(String, Vec<String>)> = Vec::new();
        for (field, message) in errors.iter() {
            match fields.iter_mut().find(|(name, _)| name == field) {
                Some((_, messages)) => messages.push(message.to_owned()),
                None => fields.push((field.to_owned(), vec![message.to_owned()])),
            }
        }
        fields
    }

    fn open_session(&self) -> Session {
        let manager: Arc<SessionManager> = expected(self.services().require());
        let cookie = self.cookie(manager.cookie_name());
        Session::open(cookie.as_deref(), manager, self.clock().clone())
    }
}

fn expected<T>(result: Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("the visitor's session cannot be read: {error}"))
}
