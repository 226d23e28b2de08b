use std::fmt;

use serde_json::{Map, Value, json};

use crate::random;

/// Seconds that somebody may take at the provider.
pub(crate) const LIFE: u32 = 600;

/// What a sign-in with a provider began with, kept until the person comes back. Written down it is the reference's JSON, so
/// that a sign-in which began there can end here.
#[derive(Clone, PartialEq)]
pub(crate) struct Flow {
    /// What the provider sends back unchanged: nobody can guess it.
    pub(crate) state: String,
    pub(crate) code_verifier: String,
    pub(crate) nonce: Option<String>,
    /// The provider it began with. The reference does not say so: there, any provider's answer is taken.
    pub(crate) provider: Option<String>,
    pub(crate) callback_url: String,
    pub(crate) error_url: Option<String>,
    pub(crate) new_user_url: Option<String>,
    pub(crate) request_sign_up: Option<bool>,
    pub(crate) link: Option<Link>,
    /// In milliseconds since 1970.
    pub(crate) expires_at: i64,
    /// What the client wants to have kept. It lies beside our own fields and replaces none of them.
    pub(crate) additional: Map<String, Value>,
}

/// Who wants to have an account connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) user_id: String,
    pub(crate) email: String,
    /// The session in which this was asked for; it must still be there at the end. The reference's older versions left it
    /// out.
    pub(crate) encrypted_session_token: Option<String>,
}

impl Flow {
    /// A flow with secrets of its own.
    pub(crate) fn new(provider: &str, callback_url: String, now_millis: i64) -> Self {
        Self {
            state: random::url_safe(32),
            code_verifier: random::url_safe(128),
            nonce: None,
            provider: Some(provider.to_owned()),
            callback_url,
            error_url: None,
            new_user_url: None,
            request_sign_up: None,
            link: None,
            expires_at: now_millis + i64::from(LIFE) * 1000,
            additional: Map::new(),
        }
    }

    pub(crate) fn write(&self) -> String {
        let mut fields = self.additional.clone();
        let mut set = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
        set("callbackURL", json!(self.callback_url));
        set("codeVerifier", json!(self.code_verifier));
        set("expiresAt", json!(self.expires_at));
        set("oauthState", json!(self.state));
        let link = self.link.as_ref().map(|link| {
            let mut written = json!({ "userId": link.user_id, "email": link.email });
            if let (Some(token), Some(fields)) = (&link.encrypted_session_token, written.as_object_mut()) {
                fields.insert("encryptedSessionToken".into(), json!(token));
            }
            written
        });
        for (name, value) in [
            ("errorURL", self.error_url.as_ref().map(|url| json!(url))),
            ("newUserURL", self.new_user_url.as_ref().map(|url| json!(url))),
            ("link", link),
            ("requestSignUp", self.request_sign_up.map(Value::Bool)),
            ("idTokenNonce", self.nonce.as_ref().map(|nonce| json!(nonce))),
            ("oauthProvider", self.provider.as_ref().map(|provider| json!(provider))),
        ] {
            match value {
                Some(value) => set(name, value),
                // Whatever the client wanted under this name, it is ours.
                None => set(name, Value::Null),
            }
        }
        fields.retain(|_, value| !value.is_null());
        Value::Object(fields).to_string()
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        let Value::Object(mut fields) = serde_json::from_str(text).ok()? else { return None };
        let mut take = |name: &str| fields.remove(name).filter(|value| !value.is_null());
        let text = |value: Value| match value {
            Value::String(text) => Some(text),
            _ => None,
        };
        Some(Self {
            state: take("oauthState").and_then(text)?,
            code_verifier: take("codeVerifier").and_then(text)?,
            nonce: take("idTokenNonce").and_then(text),
            provider: take("oauthProvider").and_then(text),
            callback_url: take("callbackURL").and_then(text)?,
            error_url: take("errorURL").and_then(text),
            new_user_url: take("newUserURL").and_then(text),
            request_sign_up: take("requestSignUp").and_then(|value| value.as_bool()),
            link: match take("link") {
                Some(link) => Some(Link::read(&link)?),
                None => None,
            },
            expires_at: take("expiresAt").and_then(|value| value.as_i64())?,
            additional: fields,
        })
    }
}

impl Link {
    fn read(value: &Value) -> Option<Self> {
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            user_id: text("userId")?,
            email: text("email")?,
            encrypted_session_token: text("encryptedSessionToken"),
        })
    }
}

/// Neither state nor verifier is for the log.
impl fmt::Debug for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flow").field("provider", &self.provider).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow() -> Flow {
        Flow::new("google", "/dashboard".into(), 1_000)
    }

    #[test]
    fn a_flow_comes_back_as_it_was_written() {
        let mut flow = flow();
        assert_eq!((flow.state.len(), flow.code_verifier.len(), flow.expires_at), (32, 128, 601_000));
        assert_eq!(Flow::read(&flow.write()).unwrap(), flow);
        flow.error_url = Some("/sign-in".into());
        flow.new_user_url = Some("/welcome".into());
        flow.request_sign_up = Some(true);
        flow.nonce = Some("nonce".into());
        flow.link = Some(Link {
            user_id: "u1".into(),
            email: "ada@example.com".into(),
            encrypted_session_token: Some("sealed".into()),
        });
        flow.additional.insert("plan".into(), json!("gold"));
        assert_eq!(Flow::read(&flow.write()).unwrap(), flow);
    }

    #[test]
    fn what_a_client_wants_kept_cannot_pass_for_our_own_fields() {
        let mut flow = flow();
        for name in
            ["callbackURL", "errorURL", "newUserURL", "link", "oauthState", "oauthProvider", "requestSignUp"]
        {
            flow.additional.insert(name.into(), json!("https://evil.example"));
        }
        let read = Flow::read(&flow.write()).unwrap();
        assert_eq!(read.callback_url, "/dashboard");
        assert_eq!((read.error_url, read.new_user_url, read.link), (None, None, None));
        assert_eq!(read.provider.as_deref(), Some("google"));
    }

    #[test]
    fn a_flow_that_the_reference_began_is_read() {
        let text = r#"{"callbackURL":"http://localhost:3000","codeVerifier":"v","errorURL":"/e","link":{"email":"a@b.c","userId":"u"},"expiresAt":1700000000000,"oauthState":"s"}"#;
        let read = Flow::read(text).unwrap();
        assert_eq!((read.provider, read.error_url.as_deref()), (None, Some("/e")));
        assert_eq!(read.link.unwrap().encrypted_session_token, None);
        for wrong in ["", "[]", "{}", r#"{"oauthState":"s"}"#] {
            assert!(Flow::read(wrong).is_none(), "{wrong}");
        }
    }
}
