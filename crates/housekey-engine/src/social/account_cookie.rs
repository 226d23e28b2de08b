//! The account of the last sign-in in a cookie: for clients that ask for an access token without naming the account.

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::cookies::{chunks_of, joined};
use crate::crypto::ACCOUNT_SALT;
use crate::models::record_of;
use crate::{Api, Record, random};

const COOKIE: &str = "account_data";
/// Seconds that it lives.
const LIFE: u32 = 300;
/// Seconds by which clocks may differ.
const TOLERANCE: i64 = 15;

#[derive(Serialize)]
struct Claims<'a> {
    #[serde(flatten)]
    account: &'a Map<String, Json>,
    iat: i64,
    exp: i64,
    jti: String,
}

impl Api {
    /// Puts an account into its cookie, if the options say so.
    pub(super) fn set_account_cookie(&mut self, account: &Record) {
        if !self.options().account.store_account_cookie || self.has_presented_token {
            return;
        }
        let Ok(Json::Object(fields)) = serde_json::to_value(account) else { return };
        let iat = self.clock().now().unix_timestamp();
        let claims = Claims { account: &fields, iat, exp: iat + i64::from(LIFE), jti: random::uuid() };
        let Ok(claims) = serde_json::to_vec(&claims) else { return };
        self.clear_account_cookie();
        let sealed = self.core.keys.encrypt_jwe(ACCOUNT_SALT, &claims);
        let spec = self.cookie(COOKIE);
        for (name, header) in
            sealed.and_then(|sealed| chunks_of(&spec, &sealed, Some(LIFE))).into_iter().flatten()
        {
            self.push_cookie(&name, header);
        }
    }

    /// The account in the cookie, if it is ours and has not run out.
    pub(super) fn account_in_cookie(&self) -> Option<Record> {
        if !self.options().account.store_account_cookie {
            return None;
        }
        let value = joined(&self.jar, self.cookie(COOKIE).name())?;
        let claims = self.core.keys.decrypt_jwe(ACCOUNT_SALT, &value)?;
        let claims: Map<String, Json> = serde_json::from_slice(&claims).ok()?;
        let until = claims.get("exp").and_then(Json::as_i64)?.checked_add(TOLERANCE)?;
        (until > self.clock().now().unix_timestamp()).then_some(())?;
        record_of(self.core.table("account").ok()?, &claims)
    }

    /// Takes the cookie away, every part of it that the request carried.
    pub(crate) fn clear_account_cookie(&mut self) {
        let spec = self.cookie(COOKIE);
        let carried: Vec<_> = self.jar.names_with(spec.name()).map(str::to_owned).collect();
        for name in carried {
            let rest = name.strip_prefix(spec.name());
            if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
                self.push_cookie(&name, spec.clear_as(&name));
            }
        }
    }
}
