use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use housekey_core::{Clock, Result, constant_time_eq, random};
use housekey_engine::social::FakeKey;
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::PATH;
use super::authorize::{AuthorizationRequest, proves};
use super::grants::Grants;
use super::person::Person;

/// The provider itself: what it answers, without HTTP.
pub(super) struct OpenId {
    issuer: String,
    client_id: String,
    client_secret: String,
    /// Signs id tokens. It is made when the app starts and ends with it.
    key: FakeKey,
    clock: Clock,
    given: Mutex<Given>,
}

/// What was handed out since the app started.
struct Given {
    codes: Grants<Code>,
    access_tokens: Grants<Person>,
    refresh_tokens: Grants<(Person, String)>,
}

struct Code {
    person: Person,
    asked: AuthorizationRequest,
}

/// What a token is asked for with.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TokenRequest {
    grant_type: String,
    code: String,
    code_verifier: String,
    redirect_uri: String,
    refresh_token: String,
    client_id: String,
    client_secret: String,
}

/// A status and a body: what any of its machine-readable addresses answers.
pub(super) type Answer = (StatusCode, Value);

impl OpenId {
    /// One for an app with this address.
    pub(super) fn new(base_url: &str, clock: Clock) -> Result<Self> {
        let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
        Ok(Self {
            issuer: format!("{base_url}{PATH}"),
            client_id: "housekey-development".to_owned(),
            client_secret: random::token(),
            key: FakeKey::generate(random::short_id()),
            clock,
            given: Mutex::new(Given {
                codes: Grants::lasting(minutes(1)),
                access_tokens: Grants::lasting(minutes(60)),
                refresh_tokens: Grants::lasting(minutes(24 * 60)),
            }),
        })
    }

    pub(super) fn issuer(&self) -> &str {
        &self.issuer
    }

    pub(super) fn client_id(&self) -> &str {
        &self.client_id
    }

    pub(super) fn client_secret(&self) -> &str {
        &self.client_secret
    }

    /// Its description of itself.
    pub(super) fn discovery(&self) -> Value {
        let at = |path: &str| format!("{}/{path}", self.issuer);
        json!({
            "issuer": self.issuer,
            "authorization_endpoint": at("authorize"),
            "token_endpoint": at("token"),
            "userinfo_endpoint": at("userinfo"),
            "jwks_uri": at("jwks"),
            "end_session_endpoint": at("end-session"),
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "profile", "email"],
            "claims_supported": ["sub", "name", "email", "email_verified"],
            "authorization_response_iss_parameter_supported": true,
        })
    }

    pub(super) fn keys(&self) -> Value {
        FakeKey::set(&[&self.key])
    }

    /// A code for somebody, with which the engine fetches the tokens. It works once, for a minute.
    pub(super) fn code_for(&self, person: Person, asked: AuthorizationRequest) -> String {
        self.given().codes.give(Code { person, asked }, self.clock.now())
    }

    pub(super) fn tokens(&self, asked: &TokenRequest) -> Result<Answer> {
        let same = |one: &str, other: &str| constant_time_eq(one.as_bytes(), other.as_bytes());
        if asked.client_id != self.client_id || !same(&asked.client_secret, &self.client_secret) {
            return Ok((StatusCode::UNAUTHORIZED, json!({ "error": "invalid_client" })));
        }
        let now = self.clock.now();
        let granted = match asked.grant_type.as_str() {
            "authorization_code" => {
                let code = self.given().codes.take(&asked.code, now);
                let fits = |code: &Code| {
                    code.asked.redirect_uri == asked.redirect_uri
                        && proves(&asked.code_verifier, &code.asked.code_challenge)
                };
                code.filter(fits).map(|code| (code.person, code.asked.scope, code.asked.nonce))
            }
            "refresh_token" => {
                let known = self.given().refresh_tokens.take(&asked.refresh_token, now);
                known.map(|(person, scope)| (person, scope, String::new()))
            }
            _ => return Ok((StatusCode::BAD_REQUEST, json!({ "error": "unsupported_grant_type" }))),
        };
        match granted {
            Some((person, scope, nonce)) => self.token_set(person, &scope, &nonce),
            None => Ok((StatusCode::BAD_REQUEST, json!({ "error": "invalid_grant" }))),
        }
    }

    fn token_set(&self, person: Person, scope: &str, nonce: &str) -> Result<Answer> {
        let now = self.clock.now();
        let mut given = self.given();
        let life = given.access_tokens.life().as_secs();
        let mut claims = person.claims();
        let issued = now.unix_timestamp();
        claims.insert("iss".into(), self.issuer.as_str().into());
        claims.insert("aud".into(), self.client_id.as_str().into());
        claims.insert("iat".into(), issued.into());
        claims.insert("exp".into(), issued.saturating_add_unsigned(life).into());
        if !nonce.is_empty() {
            claims.insert("nonce".into(), nonce.into());
        }
        let tokens = json!({
            "token_type": "Bearer",
            "access_token": given.access_tokens.give(person.clone(), now),
            "refresh_token": given.refresh_tokens.give((person, scope.to_owned()), now),
            "id_token": self.key.sign(&Value::Object(claims)),
            "expires_in": life,
            "scope": scope,
        });
        Ok((StatusCode::OK, tokens))
    }

    /// The profile of whoever an access token stands for.
    pub(super) fn profile(&self, access_token: &str) -> Answer {
        match self.given().access_tokens.find(access_token, self.clock.now()) {
            Some(person) => (StatusCode::OK, Value::Object(person.claims())),
            None => (StatusCode::UNAUTHORIZED, json!({ "error": "invalid_token" })),
        }
    }

    fn given(&self) -> MutexGuard<'_, Given> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
