use super::Api;
use crate::Callback;
use crate::options::RateRule;
use crate::rate_limit::Limiter;
use crate::url::component;

impl Api {
    /// Sends something through a callback of the options, behind the answer where `advanced.backgroundTasks` has a handler.
    /// What cannot be sent is logged, under the callback's name, and does not fail the request: the answer must not depend on
    /// whether the address exists.
    // spec: SEC-5
    pub async fn send<M: Send + 'static>(&self, what: &'static str, callback: &Callback<M>, mail: M) {
        if !callback.is_set() {
            return;
        }
        match &*self.options().advanced.background_tasks.handler {
            Some(handler) => {
                let callback = callback.clone();
                handler.run(what, Box::pin(async move { callback.call_or_log(what, mail).await }));
            }
            None => callback.call_or_log(what, mail).await,
        }
    }

    /// The address of an endpoint, as a link in a mail carries it: with a token, and with where to go afterwards.
    pub fn link(&self, path: &str, token: Option<&str>, callback: &str) -> String {
        let token = token.map(|token| format!("token={}&", component(token))).unwrap_or_default();
        self.core.base.endpoint(&format!("{path}?{token}callbackURL={}", component(callback)))
    }

    /// Whether one more mail of a kind may go to an address; its link lives for so many seconds. An address that is nobody's is
    /// counted like any other, so ask before it is looked up.
    // spec: SEC-4
    pub async fn may_mail(&self, kind: &str, email: &str, life: u32) -> bool {
        let Some(limiter) = &self.core.limiter else { return true };
        let limits = &self.options().rate_limit.per_account;
        // A link that lives as long as the window is there while the next one is not sent: strangers who ask too often keep
        // nobody out, and need no other limit. What lives for minutes has one, over all its kinds.
        let is_short_lived = life < limits.mails.window;
        self.is_mail_within(limiter, kind, &self.mail_key(kind, email), &[self.mail_rule(life)]).await
            && (!is_short_lived || {
                let key = self.mail_key("short-lived", email);
                self.is_mail_within(limiter, kind, &key, &limits.short_lived_mails).await
            })
    }

    /// Counts one more mail under a key.
    async fn is_mail_within(&self, limiter: &Limiter, kind: &str, key: &str, rules: &[RateRule]) -> bool {
        match limiter.count(&self.core, key, rules).await {
            Ok(None) => true,
            Err(error) => {
                // Of the two, a mail too many does less harm than somebody who waits for one.
                tracing::error!(%error, "mails could not be counted");
                true
            }
            Ok(Some(_)) => {
                tracing::warn!(kind, "a mail was not sent: its address was sent too many");
                false
            }
        }
    }

    /// Forgets the mails that an address was sent: their links work no longer.
    pub(crate) async fn forget_mails(&self, kind: &str, email: &str, life: u32) {
        if let Some(limiter) = &self.core.limiter {
            limiter.forget(&self.core, &self.mail_key(kind, email), &[self.mail_rule(life)]).await;
        }
    }

    fn mail_key(&self, kind: &str, email: &str) -> String {
        format!("mail|{kind}|{}", self.counted(&email.to_lowercase()))
    }

    /// A window that is no longer than what the mail carries lives.
    fn mail_rule(&self, life: u32) -> RateRule {
        let rule = self.options().rate_limit.per_account.mails;
        RateRule { window: rule.window.min(life), ..rule }
    }
}
