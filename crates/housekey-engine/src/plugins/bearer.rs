//! Sessions for clients without cookies: `Authorization: Bearer <token>` in, `set-auth-token` out.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::bearer;
//! use housekey_engine::Engine;
//!
//! # let options = EngineOptions::default();
//! let builder = Engine::builder(options).plugins([bearer(Default::default())]);
//! # let _ = builder;
//! ```

use bytes::Bytes;
use http::header::{ACCESS_CONTROL_EXPOSE_HEADERS, AUTHORIZATION};
use http::{HeaderName, HeaderValue, Response};
use percent_encoding::percent_decode_str;

use crate::{Api, Credential, Plugin};

const SET_AUTH_TOKEN: HeaderName = HeaderName::from_static("set-auth-token");

/// How tokens are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BearerOptions {
    /// Whether a token must carry its signature: whoever reads the session table then cannot sign in with what stands there.
    /// The reference asks for none unless it is told to; turn it off for clients that send the bare session token.
    pub require_signature: bool,
}

impl Default for BearerOptions {
    fn default() -> Self {
        Self { require_signature: true }
    }
}

/// Sessions for clients without cookies: `Authorization: Bearer <token>` in, `set-auth-token` out.
pub fn bearer(options: BearerOptions) -> Plugin {
    Plugin::new("bearer")
        .credential(Credential::Bearer("The token of the header `set-auth-token`.".into()))
        .before(move |api| {
            Box::pin(async move {
                if let Some(token) = presented(api, options) {
                    api.present_session_token(&token);
                }
                Ok(())
            })
        })
        .after(|api, response| {
            Box::pin(async move {
                hand_out(api, response);
                Ok(())
            })
        })
}

/// The session token of the request, if there is one that could be ours. Anything else leaves the request as it is.
fn presented(api: &Api, options: BearerOptions) -> Option<String> {
    let header = api.request().headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, given) = header.trim().split_once(' ')?;
    let given = given.trim();
    if !scheme.eq_ignore_ascii_case("bearer") || given.is_empty() {
        return None;
    }
    if !given.contains('.') {
        return (!options.require_signature).then(|| given.to_owned());
    }
    let decoded = percent_decode_str(given).decode_utf8().ok()?;
    api.verify_signed(&decoded).map(str::to_owned)
}

fn hand_out(api: &Api, response: &mut Response<Bytes>) {
    let Some(token) = api.session_token_to_set().and_then(|token| HeaderValue::try_from(token).ok()) else {
        return;
    };
    response.headers_mut().insert(SET_AUTH_TOKEN, token);
    let exposed = response.headers().get(ACCESS_CONTROL_EXPOSE_HEADERS).and_then(|value| value.to_str().ok());
    let exposed =
        exposed.map_or_else(|| SET_AUTH_TOKEN.to_string(), |others| format!("{others}, {SET_AUTH_TOKEN}"));
    if let Ok(exposed) = HeaderValue::try_from(exposed) {
        response.headers_mut().insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}
