use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

#[derive(Clone, Debug)]
pub struct OneTimeTokenOptions {
    /// Minutes that a token lives.
    pub expires_in: u32,
    /// Whether only server code gets tokens ([`generate`](super::generate)); clients that ask are refused.
    pub disable_client_request: bool,
    /// Whether whoever brings a token gets no cookie: for server code that only wants to know whose it is.
    pub disable_set_session_cookie: bool,
    /// Whether every sign-in answers with a token in the header `set-ott`.
    pub set_header_on_new_session: bool,
    pub store_token: StoredToken,
}

impl Default for OneTimeTokenOptions {
    fn default() -> Self {
        Self {
            expires_in: 3,
            disable_client_request: false,
            disable_set_session_cookie: false,
            set_header_on_new_session: false,
            store_token: StoredToken::Hashed,
        }
    }
}

impl OneTimeTokenOptions {
    /// Under what the row of a token stands.
    pub(super) fn identifier(&self, token: &str) -> String {
        match self.store_token {
            StoredToken::Plain => format!("one-time-token:{token}"),
            StoredToken::Hashed => {
                let hash = BASE64URL_NOPAD.encode(&Sha256::digest(token.as_bytes()));
                format!("one-time-token:{hash}")
            }
        }
    }

    /// Seconds that a token lives.
    pub(super) fn life(&self) -> u32 {
        self.expires_in.saturating_mul(60)
    }
}

/// How a token is kept until it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoredToken {
    /// As its SHA-256: whoever reads the database cannot use it.
    #[default]
    Hashed,
    /// As it is: the reference's default.
    Plain,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_stored_as_the_reference_stores_them() {
        let mut options = OneTimeTokenOptions::default();
        let hash = "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0";
        assert_eq!(options.identifier("abc"), format!("one-time-token:{hash}"));
        options.store_token = StoredToken::Plain;
        assert_eq!(options.identifier("abc"), "one-time-token:abc");
    }
}
