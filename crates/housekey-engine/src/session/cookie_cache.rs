//! The copy of session and user in a cookie, in the reference's three formats.

use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::core::Core;
use crate::crypto::SESSION_SALT;
use crate::models::{SessionView, UserView, record_of};
use crate::options::CacheStrategy;
use crate::{Session, SignedIn, User, random};

/// Seconds that a compact copy lives when the session ends with the browser.
const FORGOTTEN: u32 = 60;
/// Seconds by which clocks may differ when an encrypted copy is opened.
const TOLERANCE: i64 = 15;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    session: SessionView<'a>,
    user: UserView<'a>,
    updated_at: i64,
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    iat: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exp: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    jti: Option<String>,
}

#[derive(Deserialize)]
struct Read {
    session: Map<String, Value>,
    user: Map<String, Value>,
    version: Option<String>,
    exp: Option<i64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Compact<'a> {
    #[serde(borrow)]
    session: &'a RawValue,
    expires_at: i64,
    signature: String,
}

/// The cookie's value for a session.
pub(crate) fn write_cache(
    core: &Core,
    signed_in: &SignedIn,
    version: &str,
    forgotten: bool,
) -> Option<String> {
    let options = &core.options.session.cookie_cache;
    let (seconds, millis) = (core.clock.now().unix_timestamp(), core.clock.unix_millis());
    let strategy = options.strategy.unwrap_or_default();
    let claims = strategy != CacheStrategy::Compact;
    let written = Written {
        session: SessionView(&signed_in.session, core.table("session").ok()?),
        user: UserView(&signed_in.user, core.table("user").ok()?),
        updated_at: millis,
        version,
        iat: claims.then_some(seconds),
        exp: claims.then(|| seconds + i64::from(options.max_age)),
        jti: (strategy == CacheStrategy::Jwe).then(random::uuid),
    };
    match strategy {
        CacheStrategy::Jwt => core.keys.sign_claims(&written),
        CacheStrategy::Jwe => core.keys.encrypt_jwe(SESSION_SALT, &serde_json::to_vec(&written).ok()?),
        CacheStrategy::Compact => {
            let life = if forgotten { FORGOTTEN } else { options.max_age };
            let payload = serde_json::value::to_raw_value(&written).ok()?;
            let expires_at = millis + i64::from(life) * 1000;
            let (fields, end) = compact_signed(payload.get(), expires_at)?;
            let signature = BASE64URL_NOPAD.encode(&core.keys.mac(&[fields.as_bytes(), end.as_bytes()]));
            let compact = Compact { session: &payload, expires_at, signature };
            Some(BASE64URL_NOPAD.encode(&serde_json::to_vec(&compact).ok()?))
        }
    }
}

/// A copy that is ours.
pub(crate) struct Cached {
    pub(crate) signed_in: Arc<SignedIn>,
    pub(crate) version: String,
}

/// The copy in a cookie's value, if it is ours and has not expired.
pub(crate) fn read_cache(core: &Core, value: &str) -> Option<Cached> {
    let (read, until): (Read, i64) = match core.options.session.cookie_cache.strategy.unwrap_or_default() {
        CacheStrategy::Jwt => {
            let read: Read = core.keys.verify_claims(value)?;
            let until = read.exp?.checked_mul(1000)?;
            (read, until)
        }
        CacheStrategy::Jwe => {
            let read: Read = serde_json::from_slice(&core.keys.decrypt_jwe(SESSION_SALT, value)?).ok()?;
            let until = read.exp?.checked_add(TOLERANCE)?.checked_mul(1000)?;
            (read, until)
        }
        CacheStrategy::Compact => {
            let bytes = BASE64URL_NOPAD.decode(value.as_bytes()).ok()?;
            let compact: Compact<'_> = serde_json::from_slice(&bytes).ok()?;
            let signature = BASE64URL_NOPAD.decode(compact.signature.as_bytes()).ok()?;
            let (fields, end) = compact_signed(compact.session.get(), compact.expires_at)?;
            core.keys.is_mac(&[fields.as_bytes(), end.as_bytes()], &signature).then_some(())?;
            (serde_json::from_str(compact.session.get()).ok()?, compact.expires_at)
        }
    };
    (until > core.clock.unix_millis()).then_some(())?;
    let session = Session::from_record(record_of(core.table("session").ok()?, &read.session)?).ok()?;
    let user = User::from_record(record_of(core.table("user").ok()?, &read.user)?).ok()?;
    let version = read.version.unwrap_or_else(|| "1".into());
    Some(Cached { signed_in: Arc::new(SignedIn::new(session, user)), version })
}

/// What the signature covers: the payload's fields followed by `expiresAt`, as one JSON object, byte for byte as written.
fn compact_signed(payload: &str, expires_at: i64) -> Option<(&str, String)> {
    let fields = payload.trim_end().strip_suffix('}')?;
    Some((fields, format!(",\"expiresAt\":{expires_at}}}")))
}
