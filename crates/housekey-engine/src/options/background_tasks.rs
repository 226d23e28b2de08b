use serde::{Deserialize, Serialize};

use super::Shared;
use crate::BoxFuture;

/// Where work goes that an answer need not wait for: mail, above all, so that nobody learns by the time of an answer whether
/// something was sent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BackgroundTasks {
    /// Takes it. Unset: answers wait.
    pub handler: Shared<dyn BackgroundHandler>,
}

/// Takes work and returns at once. Any function of these two is one.
///
/// ```
/// use std::sync::Arc;
/// use housekey_engine::BoxFuture;
/// use housekey_engine::options::{BackgroundTasks, Shared};
///
/// let tasks = BackgroundTasks {
///     handler: Shared::new(Arc::new(|_what: &'static str, task: BoxFuture<'static, ()>| {
///         tokio::spawn(task);
///     })),
/// };
/// assert!(tasks.handler.is_some());
/// ```
pub trait BackgroundHandler: Send + Sync {
    /// Runs a task. `what` is the name of the callback: `sendResetPassword`.
    fn run(&self, what: &'static str, task: BoxFuture<'static, ()>);
}

impl<F: Fn(&'static str, BoxFuture<'static, ()>) + Send + Sync> BackgroundHandler for F {
    fn run(&self, what: &'static str, task: BoxFuture<'static, ()>) {
        self(what, task);
    }
}
