use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use housekey_engine::options::{EngineOptions, PasswordCheck};
use housekey_engine::{ApiError, Callback, Secret};
use housekey_test_support::in_time;
use tokio::sync::Notify;

use crate::support::{Answer, TestEngine};

/// Stands where passwords are compared, which takes a while, and can make it take as long as a test wants: what happens to the
/// account meanwhile is up to the test.
#[derive(Clone, Default)]
pub(crate) struct Stall {
    armed: Arc<AtomicBool>,
    inside: Arc<Notify>,
    go: Arc<Notify>,
}

impl Stall {
    pub(crate) fn put_in(&self, options: &mut EngineOptions) {
        let password = &mut options.email_and_password.password;
        password.hash = Callback::new(|password: Secret| async move {
            Ok::<_, ApiError>(format!("hash of {}", password.reveal()))
        });
        let stall = self.clone();
        password.verify = Callback::new(move |check: PasswordCheck| {
            let stall = stall.clone();
            async move {
                if stall.armed.swap(false, Ordering::SeqCst) {
                    stall.inside.notify_one();
                    stall.go.notified().await;
                }
                Ok::<_, ApiError>(check.hash == format!("hash of {}", check.password.reveal()))
            }
        });
    }

    /// The answer to a sign-in whose password was right when it was read, and what happened before it was compared.
    pub(crate) async fn sign_in(
        &self,
        test: &TestEngine,
        credentials: (&str, &str),
        meanwhile: impl Future<Output = ()>,
    ) -> Answer {
        self.armed.store(true, Ordering::SeqCst);
        let mut browser = test.browser();
        let (email, password) = (credentials.0.to_owned(), credentials.1.to_owned());
        let answer = tokio::spawn(async move { browser.sign_in(&email, &password).await });
        in_time("the step inside", self.inside.notified()).await;
        meanwhile.await;
        self.go.notify_one();
        answer.await.unwrap()
    }
}
