use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use housekey_core::ServicesBuilder;
use housekey_database::Database;
use housekey_engine::hooks::DatabaseHooks;
use housekey_engine::{ApiError, BoxFuture, Record};

/// Tells parts of an app whose account has changed, so that what they know of the person is asked for again: a session was ended, by
/// themselves or somebody else, they chose another organisation or were taken out of one, they were shut out, their account is gone.
///
/// A provider adds to it before [`AuthProvider`](crate::AuthProvider) is there. It is told after the commit, with the id of the user.
///
/// ```
/// use housekey_auth::AccountChanges;
/// use housekey_core::Result;
/// use housekey_http::{Provider, Registrar};
///
/// struct Streams;
///
/// impl Provider for Streams {
///     fn name(&self) -> &'static str {
///         "streams"
///     }
///
///     fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
///         AccountChanges::of(app.services()).listen(async |user_id: String| {
///             println!("look again who {user_id} is");
///         });
///         Ok(())
///     }
/// }
/// ```
#[derive(Clone, Default)]
pub struct AccountChanges(Arc<RwLock<Vec<Listener>>>);

type Listener = Arc<dyn Fn(String) -> BoxFuture<'static, ()> + Send + Sync>;

impl AccountChanges {
    /// The list that these services share.
    pub fn of(services: &mut ServicesBuilder) -> Self {
        services.shared()
    }

    /// Calls this with the id of the user.
    pub fn listen<F: Future<Output = ()> + Send + 'static>(
        &self,
        listener: impl Fn(String) -> F + Send + Sync + 'static,
    ) {
        let listener: Listener = Arc::new(move |user_id| Box::pin(listener(user_id)));
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    /// What tells them. Without listeners there is nothing to do, and deleting a session costs no look at it first.
    pub(crate) fn hooks(&self, database: &Database) -> Option<DatabaseHooks> {
        let listeners = self.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        let (listeners, database) = (Arc::new(listeners), database.clone());
        (!listeners.is_empty()).then(|| {
            on_account_changes(move |user_id| {
                let (listeners, database) = (Arc::clone(&listeners), database.clone());
                Box::pin(async move {
                    let tell = async move {
                        for listener in listeners.iter() {
                            listener(user_id.clone()).await;
                        }
                    };
                    database.after_commit(tell).await;
                })
            })
        })
    }
}

/// The writes after which somebody may be another one than before, or nobody.
// spec: EPC-1, STA-6
pub(crate) fn on_account_changes(
    tell: impl Fn(String) -> BoxFuture<'static, ()> + Send + Sync + 'static,
) -> DatabaseHooks {
    let tell = Arc::new(tell);
    let on = |field: &'static str| {
        let tell = Arc::clone(&tell);
        move |row: Record| {
            let tell = Arc::clone(&tell);
            async move {
                if let Some(user) = row.text(field) {
                    tell(user.to_owned()).await;
                }
                Ok::<_, ApiError>(())
            }
        }
    };
    DatabaseHooks::new()
        .after_delete("session", on("userId"))
        // Somebody else may have taken it out of an organisation.
        .after_update("session", on("userId"))
        .after_update("user", on("id"))
        .after_delete("user", on("id"))
        .after_create("account", on("userId"))
        .after_update("account", on("userId"))
        .after_delete("account", on("userId"))
}

impl fmt::Debug for AccountChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listeners = self.0.read().unwrap_or_else(PoisonError::into_inner).len();
        f.debug_struct("AccountChanges").field("listeners", &listeners).finish()
    }
}
