use serde_json::{Map, Value};
use time::{Duration, OffsetDateTime};

use super::keys::{NewKey, SigningKey};
use super::{Algorithm, JwtOptions};
use crate::storage::{Direction, Filter, Find};
use crate::{Api, ApiError, Fields, Record, Result};

/// The members of a JWK that say nothing which only its owner may know. Whatever else stands in a row is not shown.
const PUBLIC: [&str; 10] = ["kty", "crv", "x", "y", "n", "e", "use", "key_ops", "alg", "x5t#S256"];

/// A key in the table `jwks`.
pub(super) struct KeyRow {
    /// The key's name in tokens, too.
    pub(super) id: String,
    pub(super) created_at: OffsetDateTime,
    pub(super) expires_at: Option<OffsetDateTime>,
    public_key: String,
    private_key: String,
    /// Unset in rows from before the column: then it is that of the options.
    alg: Option<String>,
    crv: Option<String>,
}

impl KeyRow {
    /// Every key, the oldest first.
    pub(super) async fn all(api: &Api) -> Result<Vec<Self>> {
        let find = Find::new(Filter::all()).order("createdAt", Direction::Ascending).then_by("id");
        let rows = api.storage().find(api.table("jwks")?, &find).await?;
        rows.into_iter().map(Self::read).collect()
    }

    fn read(row: Record) -> Result<Self> {
        let mut fields = Fields("jwks", row);
        Ok(Self {
            id: fields.text("id")?,
            created_at: fields.date("createdAt")?,
            expires_at: fields.optional_date("expiresAt")?,
            public_key: fields.text("publicKey")?,
            private_key: fields.text("privateKey")?,
            alg: fields.optional_text("alg")?,
            crv: fields.optional_text("crv")?,
        })
    }

    /// The row for a key that was just made.
    pub(super) fn of_new(api: &Api, options: &JwtOptions, key: &NewKey) -> Result<Record> {
        let now = api.clock().now();
        let private = key.private.to_string();
        let stored = if options.disable_private_key_encryption {
            private
        } else {
            // A text in JSON, as the reference keeps it.
            Value::String(api.encrypt(&private)?).to_string()
        };
        let lives = options.rotation_interval.map(|seconds| Duration::seconds(i64::from(seconds)));
        Ok(Record::new()
            .with("publicKey", key.public.to_string())
            .with("privateKey", stored)
            .with("createdAt", now)
            .with("expiresAt", lives.map(|lives| now + lives))
            .with("alg", options.algorithm.name())
            .with("crv", options.algorithm.curve()))
    }

    pub(super) fn alg<'a>(&'a self, options: &JwtOptions) -> &'a str {
        self.alg.as_deref().unwrap_or(options.algorithm.name())
    }

    /// The private key, if this engine can open it and sign with it.
    pub(super) fn open(&self, api: &Api, algorithm: Algorithm) -> Option<SigningKey> {
        // A text is encrypted and an object is not: both are read, so that the option can change.
        let private = match serde_json::from_str(&self.private_key).ok()? {
            Value::String(sealed) => api.decrypt(&sealed).ok()?,
            Value::Object(_) => self.private_key.clone(),
            _ => return None,
        };
        SigningKey::read(algorithm, &private, &self.public_key)
    }

    /// The key as it is published. `None` for what is no public key.
    pub(super) fn published(&self, options: &JwtOptions) -> Option<Value> {
        let mut key: Map<String, Value> = serde_json::from_str(&self.public_key).ok()?;
        key.retain(|name, _| PUBLIC.contains(&name.as_str()));
        if !matches!(key.get("kty").and_then(Value::as_str), Some("OKP" | "EC" | "RSA")) {
            return None;
        }
        key.entry("alg").or_insert_with(|| self.alg(options).into());
        if let Some(crv) = &self.crv {
            key.entry("crv").or_insert_with(|| crv.as_str().into());
        }
        key.insert("kid".into(), self.id.as_str().into());
        Some(Value::Object(key))
    }
}

/// The fields of a row whose key ends now.
pub(super) fn ended(now: OffsetDateTime) -> Record {
    Record::new().with("expiresAt", now)
}

/// Tells the log of a table with a key that nobody can open. The key's name is no secret.
pub(super) fn unopened(row: &KeyRow) {
    tracing::warn!(
        kid = row.id,
        "a key that signs tokens cannot be opened with the secret of the engine; a new one takes its place"
    );
}

/// What a table of keys is that cannot be brought to hold one.
pub(super) fn changed_too_often() -> ApiError {
    ApiError::internal("no key to sign with was made", "others change the table all the time")
}
