use std::sync::Arc;

use housekey_core::{Error, Result, Scope, Secret};
use housekey_engine::plugins::ApiKeyOptions;
use housekey_engine::plugins::api_key::{
    INVALID_API_KEY, KEY_DISABLED, KEY_EXPIRED, KEY_IN_ADDRESS, KeyCheck, RATE_LIMITED, USAGE_EXCEEDED,
    USER_BANNED, VerifiedKey, has_key_in_query, verify,
};
use housekey_engine::{ApiError, ErrorCode};
use housekey_http::RequestContext;

use crate::current::Current;
use crate::{Auth, OrHttpError};

/// What the engine refuses keys with.
const CODES: [ErrorCode; 7] =
    [INVALID_API_KEY, KEY_DISABLED, KEY_EXPIRED, KEY_IN_ADDRESS, RATE_LIMITED, USAGE_EXCEEDED, USER_BANNED];

/// What was found of a key; of several guards the first looks, and counts.
struct Shown(Arc<VerifiedKey>);

/// The key that a guard of the present request found.
pub(crate) fn known() -> Option<Arc<VerifiedKey>> {
    Scope::read(Scope::get::<Shown>).flatten().map(|shown| Arc::clone(&shown.0))
}

/// The key of the present request; `None` when it brings none. One that is not good is an error.
///
/// From then on the request is its owner's, whatever cookie came along.
pub(crate) async fn of_request(auth: &Auth) -> Result<Option<Arc<VerifiedKey>>> {
    if let Some(shown) = known() {
        return Ok(Some(shown));
    }
    let Some(context) = RequestContext::current() else { return Ok(None) };
    refuse_in_address(&context)?;
    let Some(key) = sent(auth, &context)? else { return Ok(None) };
    let api = Current::of_request()?.api();
    let verified = verify(&api, &key, KeyCheck::default()).await;
    let verified = Arc::new(verified.map_err(refusal)?);
    Scope::read(|scope| scope.set(Arc::new(Shown(Arc::clone(&verified)))));
    Current::of_request()?.recognise_by_key(verified.owner.user().cloned());
    Ok(Some(verified))
}

/// What the header says. Two of them are nobody's.
fn sent(auth: &Auth, context: &RequestContext) -> Result<Option<Secret>> {
    let options = auth.engine().plugins().state::<ApiKeyOptions>("api-key");
    let Some(options) = options else { return Ok(None) };
    let mut values = context.headers().get_all(&options.header).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => {
            let text = value.to_str().map_err(|_| refusal(INVALID_API_KEY.unauthorized()))?;
            Ok(Some(Secret::from(text.trim())))
        }
        (Some(_), Some(_)) => Err(refusal(INVALID_API_KEY.unauthorized())),
    }
}

/// A key in an address is in every log on the way: it is not taken from there, and whoever sent it is told.
fn refuse_in_address(context: &RequestContext) -> Result<()> {
    let has_key = context.uri().query().is_some_and(has_key_in_query);
    if has_key { Err(refusal(KEY_IN_ADDRESS.bad_request())) } else { Ok(()) }
}

/// The engine's refusal with its code, which whoever wrote the script wants to know.
fn refusal(error: ApiError) -> Error {
    let code = CODES.into_iter().find(|code| error.is(*code));
    let refused = Err::<(), _>(error).or_http_error().err().unwrap_or_else(Error::unauthenticated);
    match code {
        Some(code) => refused.with_code(code.code),
        None => refused,
    }
}
