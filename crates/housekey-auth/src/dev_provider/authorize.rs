use housekey_core::constant_time_eq;
use housekey_engine::encode_component;
use housekey_engine::social::pkce_challenge;
use serde::Deserialize;

/// What the engine asks for when it sends a browser here.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AuthorizationRequest {
    pub(super) response_type: String,
    pub(super) client_id: String,
    pub(super) redirect_uri: String,
    pub(super) scope: String,
    pub(super) state: String,
    pub(super) nonce: String,
    pub(super) login_hint: String,
    pub(super) code_challenge: String,
    pub(super) code_challenge_method: String,
}

impl AuthorizationRequest {
    /// Its fields by name: what the page's form carries along.
    pub(super) fn fields(&self) -> [(&'static str, &str); 8] {
        [
            ("response_type", &self.response_type),
            ("client_id", &self.client_id),
            ("redirect_uri", &self.redirect_uri),
            ("scope", &self.scope),
            ("state", &self.state),
            ("nonce", &self.nonce),
            ("code_challenge", &self.code_challenge),
            ("code_challenge_method", &self.code_challenge_method),
        ]
    }

    /// What is wrong with it, in the words of OAuth. Client and redirect address are looked at before: who is sent where is
    /// not said to a stranger.
    pub(super) fn error(&self) -> Option<&'static str> {
        match () {
            () if self.response_type != "code" => Some("unsupported_response_type"),
            () if self.code_challenge.is_empty() || self.code_challenge_method != "S256" => {
                Some("invalid_request")
            }
            () => None,
        }
    }

    /// Where the browser goes back to, with an outcome: `code` or `error`.
    pub(super) fn back(&self, outcome: &str, value: &str, issuer: &str) -> String {
        let joint = if self.redirect_uri.contains('?') { '&' } else { '?' };
        format!(
            "{}{joint}{outcome}={}&state={}&iss={}",
            self.redirect_uri,
            encode_component(value),
            encode_component(&self.state),
            encode_component(issuer),
        )
    }
}

/// Whether a PKCE verifier is the one that a challenge was made of.
pub(super) fn proves(verifier: &str, challenge: &str) -> bool {
    constant_time_eq(pkce_challenge(verifier).as_bytes(), challenge.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verifier_proves_its_own_challenge() {
        // RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert!(proves(verifier, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"));
        assert!(!proves("another", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"));
    }
}
