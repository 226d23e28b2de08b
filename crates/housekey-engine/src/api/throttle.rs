use super::Api;
use crate::Result;
use crate::options::RateRule;

/// How often something may be tried at one account, whoever tries.
// spec: SEC-4
impl Api {
    /// Counts one more try at something that belongs to somebody, and refuses it with 429 when there were too many. Count first and
    /// compare then: of any number that arrive at the same time, only as many are looked at as the rules allow.
    ///
    /// `whose` is an address, a name or an id, of somebody or of nobody: ask before it is looked up, so that both are counted
    /// alike. It lies in the counters under a name that tells nobody whom it is about. As all limits, this counts where
    /// [`RateLimitOptions::enabled`](crate::options::RateLimitOptions::enabled) says so; what must hold everywhere, as the tries
    /// that one code has, is counted in its row ([`Verifications::swap`](crate::Verifications::swap)).
    ///
    /// ```
    /// use housekey_engine::options::RateRule;
    /// use housekey_engine::{Api, Result};
    ///
    /// const RULES: [RateRule; 1] = [RateRule { window: 600, max: 5 }];
    ///
    /// async fn try_code(api: &Api, email: &str, is_right: bool) -> Result<bool> {
    ///     api.throttle("door-code", email, &RULES).await?;
    ///     if is_right {
    ///         api.forget_throttle("door-code", email, &RULES).await;
    ///     }
    ///     Ok(is_right)
    /// }
    /// ```
    pub async fn throttle(&self, kind: &str, whose: &str, rules: &[RateRule]) -> Result<()> {
        let Some(limiter) = &self.core.limiter else { return Ok(()) };
        match limiter.count(&self.core, &self.throttle_key(kind, whose), rules).await? {
            Some(exceeded) => Err(exceeded.refusal()),
            None => Ok(()),
        }
    }

    /// Forgets what was counted: somebody was right.
    pub async fn forget_throttle(&self, kind: &str, whose: &str, rules: &[RateRule]) {
        if let Some(limiter) = &self.core.limiter {
            limiter.forget(&self.core, &self.throttle_key(kind, whose), rules).await;
        }
    }

    fn throttle_key(&self, kind: &str, whose: &str) -> String {
        format!("try|{kind}|{}", self.counted(&whose.to_lowercase()))
    }
}
