use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::social::refusal::Refusal;
use crate::social::{Profile, ReadyProvider, TokenSet};
use crate::{Api, ApiError, Reader, Result, Secret, codes};

/// An id token that a client brings.
#[derive(Clone, Debug, Default)]
pub struct IdToken {
    pub token: Secret,
    /// The nonce that the client began with, which the token must carry.
    pub nonce: Option<String>,
    /// The access token that came with it, for providers that have to be asked for the profile.
    pub access_token: Option<Secret>,
    /// The refresh token that came with it. As in the reference it is kept when an account is connected, not at a sign-in.
    pub refresh_token: Option<Secret>,
    /// What the provider told the client about the person, at the first sign-in only: Apple's
    /// `{"name": {"firstName", "lastName"}, "email"}`.
    pub user: Option<Value>,
}

impl IdToken {
    pub(super) fn read(fields: Map<String, Value>) -> Result<Self> {
        let mut body = Reader::of_fields("body.idToken", fields);
        let token = |text: Option<String>| text.filter(|token| !token.is_empty()).map(Secret::from);
        let read = Self {
            token: body.secret("token"),
            nonce: body.optional_text("nonce"),
            access_token: token(body.optional_text("accessToken")),
            refresh_token: token(body.optional_text("refreshToken")),
            user: body.optional_record("user").map(Value::Object),
        };
        body.finish()?;
        Ok(read)
    }
}

impl Api {
    /// Verifies an id token and reads who it is about.
    // spec: SOC-4
    pub(super) async fn profile_of_id_token(
        &self,
        ready: &ReadyProvider,
        given: &IdToken,
    ) -> Result<(TokenSet, Profile)> {
        let (social, provider) = (&self.core.social, &ready.provider.id);
        if !ready.takes_id_tokens() || ready.provider.settings.disable_id_token_sign_in {
            return Err(codes::ID_TOKEN_NOT_SUPPORTED.not_found());
        }
        let claims =
            social.verify_id_token(ready, &given.token, given.nonce.as_deref()).await.map_err(|error| {
                tracing::warn!(provider, %error, "an id token was refused");
                codes::INVALID_TOKEN.unauthorized()
            })?;
        let tokens = TokenSet {
            id_token: Some(given.token.clone()),
            access_token: given.access_token.clone(),
            ..TokenSet::default()
        };
        let profile = social.profile_of_verified(ready, &tokens, claims.as_ref(), given.user.as_ref()).await;
        let profile = profile.map_err(|error| {
            tracing::warn!(provider, %error, "there is no profile for an id token");
            codes::FAILED_TO_GET_USER_INFO.unauthorized()
        })?;
        Ok((tokens, profile))
    }
}

/// A refusal as a client that brought an id token is told of it.
pub(super) fn id_token_refusal(ready: &ReadyProvider, refusal: Refusal) -> ApiError {
    let refusal = match refusal {
        Refusal::Error(error) => return error,
        Refusal::Code(refusal) => refusal,
    };
    tracing::warn!(
        provider = ready.provider.id,
        error = refusal.code,
        why = refusal.why,
        "a sign-in with an id token was refused"
    );
    match refusal.code {
        "email_not_verified" => codes::EMAIL_NOT_VERIFIED.forbidden(),
        "email_not_found" => codes::USER_EMAIL_NOT_FOUND.unauthorized(),
        code => codes::OAUTH_LINK_ERROR.saying(StatusCode::UNAUTHORIZED, code_in_words(code)),
    }
}

/// `account not linked`; the reference writes this one without its underscore.
fn code_in_words(code: &str) -> String {
    code.replace('_', " ")
}

/// The answer of a link that needed no redirect.
pub(super) fn linked() -> Value {
    json!({ "url": "", "status": true, "redirect": false })
}
