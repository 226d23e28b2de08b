//! The tokens of providers at rest: encrypted where the options say so, and read in either form.

use time::OffsetDateTime;

use super::TokenSet;
use crate::crypto::Keys;
use crate::record::Value;
use crate::{Api, ApiError, Record, Result, Secret};

/// What an account may do at its provider, as it is stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredTokens {
    pub(crate) access_token: Option<Secret>,
    pub(crate) refresh_token: Option<Secret>,
    pub(crate) id_token: Option<Secret>,
    pub(crate) access_token_expires_at: Option<OffsetDateTime>,
    pub(crate) refresh_token_expires_at: Option<OffsetDateTime>,
    pub(crate) scope: Option<String>,
}

impl Api {
    /// The fields of an account for the tokens that a provider gave; what it did not give stays as it is. The id token is
    /// stored as it came, as in the reference: it is a statement about the person and opens nothing.
    // spec: SOC-7
    pub(super) fn token_fields(&self, tokens: &TokenSet) -> Result<Record> {
        let mut fields = Record::new();
        for (name, token) in [("accessToken", &tokens.access_token), ("refreshToken", &tokens.refresh_token)]
        {
            if let Some(token) = token {
                fields.set(name, self.token_at_rest(token)?);
            }
        }
        if let Some(token) = &tokens.id_token {
            fields.set("idToken", token.reveal());
        }
        for (name, moment) in [
            ("accessTokenExpiresAt", tokens.access_token_expires_at),
            ("refreshTokenExpiresAt", tokens.refresh_token_expires_at),
        ] {
            if let Some(moment) = moment {
                fields.set(name, moment);
            }
        }
        Ok(fields)
    }

    fn token_at_rest(&self, token: &Secret) -> Result<String> {
        match self.options().account.encrypt_oauth_tokens {
            true => self.encrypt(token.reveal()),
            false => Ok(token.reveal().to_owned()),
        }
    }

    /// The tokens of an account. A token that is encrypted, but not by one of our secrets, is an error.
    pub(super) fn stored_tokens(&self, account: &Record) -> Result<StoredTokens> {
        let text = |name: &str| account.text(name).filter(|text| !text.is_empty());
        let open = |name: &str| text(name).map(|stored| open(&self.core.keys, stored)).transpose();
        let date = |name: &str| account.get(name).and_then(Value::as_date);
        Ok(StoredTokens {
            access_token: open("accessToken")?,
            refresh_token: open("refreshToken")?,
            id_token: text("idToken").map(Secret::from),
            access_token_expires_at: date("accessTokenExpiresAt"),
            refresh_token_expires_at: date("refreshTokenExpiresAt"),
            scope: account.text("scope").map(str::to_owned),
        })
    }
}

impl StoredTokens {
    /// The scopes that were granted, as far as the provider said so.
    pub(crate) fn scopes(&self) -> Vec<String> {
        let scope = self.scope.as_deref().unwrap_or_default();
        scope.split(',').filter(|scope| !scope.is_empty()).map(str::to_owned).collect()
    }
}

/// A token as it was before it was stored. One that lies there in clear, from before tokens were encrypted, is taken as it
/// is.
fn open(keys: &Keys, stored: &str) -> Result<Secret> {
    if let Some(plain) = keys.decrypt(stored) {
        return Ok(plain.into());
    }
    if looks_encrypted(stored) {
        let why = "it was encrypted with another secret, or is a token of hexadecimal digits from before encryption";
        return Err(ApiError::internal("a stored token of a provider could not be opened", why));
    }
    Ok(stored.into())
}

/// Whether a value has the form that encryption gives, by which the reference tells, too.
fn looks_encrypted(stored: &str) -> bool {
    let is_hex = !stored.is_empty()
        && stored.len().is_multiple_of(2)
        && stored.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex || stored.starts_with("$ba$")
}

/// The scopes of two grants as they are stored: those that were there, then the new ones.
pub(super) fn joined_scopes(stored: Option<&str>, granted: &[String]) -> String {
    let mut scopes: Vec<&str> =
        stored.unwrap_or_default().split(',').filter(|scope| !scope.is_empty()).collect();
    for scope in granted {
        if !scopes.contains(&scope.as_str()) {
            scopes.push(scope);
        }
    }
    scopes.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    // spec: SOC-7
    fn encrypted_tokens_and_plain_ones_are_read() {
        let keys = Keys::for_tests();
        let sealed = keys.encrypt("ya29.token").unwrap();
        assert_eq!(open(&keys, &sealed).unwrap().reveal(), "ya29.token");
        for plain in ["ya29.token", "gho_16C7e42F292c6912E7710c838347Ae178B4a", "abc", "a b"] {
            assert_eq!(open(&keys, plain).unwrap().reveal(), plain);
        }
    }

    #[test]
    fn a_token_that_another_secret_encrypted_is_not_taken_for_a_plain_one() {
        let other = Keys::new(&"another secret, long enough to be used".into(), &[]);
        let sealed = other.encrypt("token").unwrap();
        assert!(open(&Keys::for_tests(), &sealed).is_err());
        assert!(open(&Keys::for_tests(), "$ba$1$00").is_err());
        assert!(open(&Keys::for_tests(), "deadbeef").is_err(), "as in the reference");
    }

    #[test]
    fn scopes_are_joined_in_the_order_in_which_they_were_granted() {
        let granted = ["email".to_owned(), "calendar".to_owned()];
        assert_eq!(joined_scopes(Some("openid,email"), &granted), "openid,email,calendar");
        assert_eq!(joined_scopes(None, &granted), "email,calendar");
        assert_eq!(joined_scopes(Some(""), &[]), "");
    }
}
