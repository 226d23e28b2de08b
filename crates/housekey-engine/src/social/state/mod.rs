//! What a sign-in with a provider began with, between the start and the callback.
//!
//! A state works once, in the browser that began with it, with the provider it began with, for ten minutes. Several may be
//! under way at once in one browser.

mod cookies;
mod flow;

use std::sync::Arc;

use http::StatusCode;

pub(crate) use flow::{Flow, LIFE, Link};

use crate::models::Commit;
use crate::options::StateStrategy;
use crate::storage::Filter;
use crate::{Api, Record, Result, codes};

/// What a row's identifier begins with.
const ROW: &str = "auth-state:";
/// Under this and a state of the cookie strategy stands that it was used.
const USED: &str = "auth-state-used:";
/// The purpose of the key that encrypts a state in its cookie.
const COOKIE_PURPOSE: &str = "oauth-state-cookie";

/// Flows that a browser may have under way. Each costs about 150 bytes of every request to us.
const MOST_ROWS: usize = 25;
/// The same where the whole flow lies in the cookie, which costs about a kilobyte.
const MOST_COOKIES: usize = 6;
/// The longest cookie that browsers keep.
const LONGEST_COOKIE: usize = 4096;

/// Why a state is not taken.
#[derive(Debug)]
pub(crate) struct StateRefusal {
    /// The reference's code.
    pub(crate) code: &'static str,
    /// For the log.
    pub(crate) why: &'static str,
    /// Where this flow wanted its errors, as far as that is known.
    pub(crate) error_url: Option<String>,
}

impl StateRefusal {
    fn new(code: &'static str, why: &'static str) -> Self {
        Self { code, why, error_url: None }
    }

    fn of(flow: &Flow, why: &'static str) -> Self {
        Self { code: MISMATCH, why, error_url: flow.error_url.clone() }
    }
}

const MISMATCH: &str = "state_mismatch";

impl Api {
    /// Keeps a flow until its callback.
    pub(super) async fn keep_flow(&mut self, flow: &Flow) -> Result<()> {
        match self.options().account.store_state_strategy {
            StateStrategy::Database => {
                self.verifications().create(&format!("{ROW}{}", flow.state), &flow.write(), LIFE).await?;
                let signed = self.core.keys.sign(&flow.state);
                self.set_flow_cookies("state", flow, &signed, MOST_ROWS)
            }
            StateStrategy::Cookie => {
                let sealed = self.core.keys.for_purpose(COOKIE_PURPOSE).encrypt(&flow.write());
                let sealed = sealed.ok_or_else(|| {
                    crate::ApiError::internal("a state could not be encrypted", "the cipher refused it")
                })?;
                self.set_flow_cookies("oauth_state", flow, &sealed, MOST_COOKIES)
            }
        }
    }

    /// Takes the flow of a state: of two who bring the same one, one gets it. The provider is asked only after this, so that a
    /// state buys one exchange of a code.
    // spec: SOC-3
    pub(super) async fn take_flow(
        &mut self,
        provider: &str,
        state: &str,
    ) -> Result<std::result::Result<Flow, StateRefusal>> {
        let taken = match self.options().account.store_state_strategy {
            StateStrategy::Database => self.take_row(state).await?,
            StateStrategy::Cookie => self.take_cookie(state).await?,
        };
        let flow = match taken {
            Ok(flow) => flow,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if flow.expires_at < self.clock().unix_millis() {
            return Ok(Err(StateRefusal::of(&flow, "the sign-in took longer than ten minutes")));
        }
        // A flow that began with one provider must not end with another, which may be an attacker's: RFC 9700, 4.4. One that
        // no provider has is told so by whoever looks it up.
        let is_other = flow.provider.as_deref().is_some_and(|began_with| began_with != provider);
        if is_other && self.options().social_providers.get(provider).is_some() {
            return Ok(Err(StateRefusal::of(&flow, "it began with another provider")));
        }
        Ok(Ok(flow))
    }

    async fn take_row(&mut self, state: &str) -> Result<std::result::Result<Flow, StateRefusal>> {
        let Some(row) = self.verifications().find_even_expired(&format!("{ROW}{state}")).await? else {
            let why = "no sign-in with this state is under way: it was used, is too old, or never began here";
            return Ok(Err(StateRefusal::new(MISMATCH, why)));
        };
        let Some(flow) = Flow::read(&row.value).filter(|flow| flow.state == state) else {
            return Ok(Err(StateRefusal::new(MISMATCH, "the stored state cannot be read")));
        };
        // The row stays: the browser in which it began can still finish.
        if let Err(why) = self.check_browser(state) {
            return Ok(Err(StateRefusal::of(&flow, why)));
        }
        self.clear_flow_cookies("state", state);
        let mut changes = self.changes();
        changes.delete_expecting("verification", Filter::by("id", &row.id)).await?;
        Ok(match changes.commit().await? {
            Commit::Done => Ok(flow),
            Commit::Lost => Err(StateRefusal::of(&flow, "another request used the state at the same time")),
        })
    }

    /// Whether this browser began with a state.
    fn check_browser(&self, state: &str) -> std::result::Result<(), &'static str> {
        if self.options().account.skip_state_cookie_check {
            return Ok(());
        }
        let spec = self.cookie("state");
        let carried = cookies::names_for(&self.jar, &spec, state);
        let verified = carried.iter().filter_map(|name| self.core.keys.verify(self.jar.get(name)?));
        if verified.into_iter().any(|value| value == state) {
            return Ok(());
        }
        Err(if cookies::has_any(&self.jar, &spec) {
            "this browser began other sign-ins, but not this one"
        } else {
            "the browser brought no state cookie: another browser began, or the cookie was blocked or set for another host"
        })
    }

    async fn take_cookie(&mut self, state: &str) -> Result<std::result::Result<Flow, StateRefusal>> {
        let core = Arc::clone(&self.core);
        let spec = self.cookie("oauth_state");
        let carried = cookies::names_for(&self.jar, &spec, state);
        if carried.is_empty() {
            let why = "the browser brought no state cookie: another browser began, or the cookie was blocked or set for \
                       another host";
            return Ok(Err(StateRefusal::new(MISMATCH, why)));
        }
        let keys = core.keys.for_purpose(COOKIE_PURPOSE);
        let opened = carried.iter().filter_map(|name| Flow::read(&keys.decrypt(self.jar.get(name)?)?));
        let flows: Vec<_> = opened.collect();
        let Some(flow) = flows.iter().find(|flow| flow.state == state).cloned() else {
            return Ok(Err(match flows.first() {
                Some(other) => StateRefusal::of(other, "this browser began other sign-ins, but not this one"),
                None => {
                    StateRefusal::new("state_invalid", "the state cookie cannot be opened with our secrets")
                }
            }));
        };
        self.clear_flow_cookies("oauth_state", state);
        // A cookie can be kept and sent again; the row that says so cannot be made twice.
        let name = format!("{USED}{state}");
        let mut changes = self.changes();
        let used = Record::new()
            .with("id", core.id_from(&name))
            .with("identifier", name)
            .with("value", "used")
            .with("expiresAt", core.clock.now() + time::Duration::seconds(i64::from(LIFE)));
        changes.create("verification", used).await?;
        Ok(match changes.commit().await? {
            Commit::Done => Ok(flow),
            Commit::Lost => Err(StateRefusal::of(&flow, "the state was used before")),
        })
    }

    /// The flow's own cookie, and the one that the reference knows. Both live as long as the flow: there, whoever takes more
    /// than five minutes fails.
    fn set_flow_cookies(&mut self, base_name: &str, flow: &Flow, value: &str, most: usize) -> Result<()> {
        let spec = self.cookie(base_name);
        for name in cookies::surplus(&self.jar, &spec, most) {
            self.push_cookie(&name, spec.clear_as(&name));
        }
        let own = cookies::name_of(&spec, &flow.state, self.clock().now().unix_timestamp());
        for name in [spec.name(), &own] {
            let header = spec.set_as(name, value, Some(LIFE));
            if header.len() > LONGEST_COOKIE {
                let message =
                    "[body.additionalData] Too big: it has to fit into a cookie with the rest of the state";
                return Err(codes::VALIDATION_ERROR.saying(StatusCode::BAD_REQUEST, message));
            }
            self.push_cookie(name, header);
        }
        Ok(())
    }

    /// Takes away the cookies of a flow, and no others: the reference's may be a newer flow's.
    fn clear_flow_cookies(&mut self, base_name: &str, state: &str) {
        let spec = self.cookie(base_name);
        for name in cookies::names_for(&self.jar, &spec, state) {
            let is_shared = name == spec.name();
            let value = self.jar.get(&name).unwrap_or_default();
            let is_of_another = is_shared
                && match base_name {
                    "state" => self.core.keys.verify(value).is_none_or(|other| other != state),
                    _ => self.sealed_state(value).is_none_or(|other| other != state),
                };
            if !is_of_another {
                self.push_cookie(&name, spec.clear_as(&name));
            }
        }
    }

    fn sealed_state(&self, sealed: &str) -> Option<String> {
        let text = self.core.keys.for_purpose(COOKIE_PURPOSE).decrypt(sealed)?;
        Flow::read(&text).map(|flow| flow.state)
    }
}
