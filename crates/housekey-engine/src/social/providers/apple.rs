use data_encoding::{BASE64, BASE64URL_NOPAD};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::reading::{full_name, texts};
use crate::social::provider::text;
use crate::social::{
    AuthorizationParams, IdTokenSpec, Jwks, NonceRule, Profile, ProfileCall, ProfileSource, ProfileUser,
    Provider, ProviderKind, ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const APPLE: ProviderKind = ProviderKind { id: "apple", name: "Apple", spec };

const ISSUER: &str = "https://appleid.apple.com";

/// How long a client secret that we make can be used, in seconds. Apple allows six months; a new one is made for every
/// token request, so that it needs to live no longer than the request.
const SECRET_LIFETIME: i64 = 300;

/// A key for "Sign in with Apple", from <https://developer.apple.com/account/resources/authkeys>. The engine makes the client
/// secrets from it, which else have to be made by hand twice a year.
#[derive(Clone, Debug, Default)]
pub struct AppleKey {
    /// Ten characters, at the top right of the developer account.
    pub team_id: String,
    /// Ten characters, beside the key.
    pub key_id: String,
    /// The content of the `.p8` file.
    pub private_key_pem: Secret,
}

/// What proves to Apple who the app is: a key, or a client secret that is already made.
#[derive(Clone, Debug)]
pub enum AppleSecret {
    /// The engine makes and renews the secret.
    Key(AppleKey),
    /// An ES256 JWT that somebody renews in time.
    Ready(Secret),
}

impl From<AppleKey> for AppleSecret {
    fn from(key: AppleKey) -> Self {
        Self::Key(key)
    }
}

impl From<Secret> for AppleSecret {
    fn from(secret: Secret) -> Self {
        Self::Ready(secret)
    }
}

impl From<String> for AppleSecret {
    fn from(secret: String) -> Self {
        Self::Ready(secret.into())
    }
}

impl From<&str> for AppleSecret {
    fn from(secret: &str) -> Self {
        Self::Ready(secret.into())
    }
}

impl Provider {
    /// Sign in with Apple. The client id is the services id, as registered at
    /// <https://developer.apple.com/account/resources/identifiers>.
    ///
    /// ```
    /// use housekey_engine::social::{AppleKey, Provider};
    ///
    /// # let pem = "";
    /// let key = AppleKey { team_id: "TEAM123456".into(), key_id: "KEY1234567".into(), private_key_pem: pem.into() };
    /// let provider = Provider::apple("com.example.web", key);
    /// let with_a_secret_made_elsewhere = Provider::apple("com.example.web", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln");
    /// # let _ = (provider, with_a_secret_made_elsewhere);
    /// ```
    pub fn apple(client_id: impl Into<String>, secret: impl Into<AppleSecret>) -> Self {
        match secret.into() {
            AppleSecret::Ready(secret) => Self::new(&APPLE, client_id, secret),
            AppleSecret::Key(key) => {
                let mut provider =
                    Self::new(&APPLE, client_id, "").with("teamId", key.team_id).with("keyId", key.key_id);
                provider.settings.private_key = key.private_key_pem;
                provider
            }
        }
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let settings = &provider.settings;
    let mut audiences = texts(settings.other.get("audience"));
    if audiences.is_empty() {
        audiences = texts(settings.other.get("appBundleIdentifier"));
    }
    if !audiences.is_empty() {
        // A sign-in by redirect has the services id as its audience, whatever the native app has.
        audiences.extend(provider.client_ids.iter().cloned());
    }
    ProviderSpec {
        authorization_endpoint: "https://appleid.apple.com/auth/authorize".into(),
        token_endpoint: "https://appleid.apple.com/auth/token".into(),
        scopes: ["email", "name"].map(Into::into).into(),
        authorization: AuthorizationParams {
            response_type: "code id_token".into(),
            response_mode: Some("form_post".into()),
            ..AuthorizationParams::default()
        },
        client_secret: (!settings.private_key.is_empty()).then_some(client_secret),
        id_token: Some(IdTokenSpec {
            keys: Jwks::Url("https://appleid.apple.com/auth/keys".into()),
            issuers: vec![ISSUER.into()],
            audiences,
            max_age: Some(3600),
            nonce: NonceRule::ExactOrSha256,
            ..IdTokenSpec::default()
        }),
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// The name comes in a form field beside the token, and only when a person signs in for the first time.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let Some(mut data) = call.claims.cloned() else { return Ok(None) };
        let Some(user) = ProfileUser::read(&data, "sub") else { return Ok(None) };
        let mut user = user.name(&data, &["name"]).email(&data, "email").verified(&data, "email_verified");
        if let Some(form) = call.form_user {
            let given = full_name(text(form, "name.firstName"), text(form, "name.lastName"));
            user.name = given.or(user.name);
        }
        if let Some(claims) = data.as_object_mut() {
            claims.insert("name".into(), user.name.clone().unwrap_or_default().into());
        }
        Ok(Some(Profile::new(user, data)))
    })
}

/// Apple's client secret is a JWT that the app signs with its key.
fn client_secret(provider: &Provider, now: OffsetDateTime) -> Result<Secret, SocialError> {
    let settings = &provider.settings;
    let (Some(team_id), Some(key_id)) = (settings.text("teamId"), settings.text("keyId")) else {
        return Err(SocialError::exchange("Apple's key needs its team id and its key id"));
    };
    let random = SystemRandom::new();
    let key = private_key(settings.private_key.reveal())
        .and_then(|der| EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &der, &random).ok())
        .ok_or_else(|| {
            SocialError::exchange(
                "Apple's private key cannot be read: it has to be the content of the .p8 file, with its first and last line",
            )
        })?;
    let now = now.unix_timestamp();
    let header = json!({ "alg": "ES256", "kid": key_id });
    let claims = json!({
        "iss": team_id,
        "iat": now,
        "exp": now + SECRET_LIFETIME,
        "aud": ISSUER,
        "sub": provider.client_id(),
    });
    let part = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let signed = format!("{}.{}", part(&header), part(&claims));
    let signature = key
        .sign(&random, signed.as_bytes())
        .map_err(|_| SocialError::exchange("Apple's client secret could not be signed"))?;
    Ok(Secret::from(format!("{signed}.{}", BASE64URL_NOPAD.encode(signature.as_ref()))))
}

/// The key inside a PEM text. An environment variable often has `\n` where the file has a new line.
fn private_key(pem: &str) -> Option<Vec<u8>> {
    let pem = pem.replace("\\n", "\n");
    let (_, after) = pem.split_once("-----BEGIN PRIVATE KEY-----")?;
    let (inner, _) = after.split_once("-----END PRIVATE KEY-----")?;
    let inner: String = inner.split_whitespace().collect();
    BASE64.decode(inner.as_bytes()).ok()
}
