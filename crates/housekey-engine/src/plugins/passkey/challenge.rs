use serde::{Deserialize, Serialize};

use super::{PasskeyOptions, PasskeyUser};
use crate::{Api, ApiError, Result, random};

/// Seconds that a person has to answer.
const LIFE: u32 = 300;
/// Characters under which a challenge is stored.
const TOKEN_LENGTH: usize = 32;

/// A ceremony that was begun, as it is stored: the JSON of the reference.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Challenge {
    #[serde(rename_all = "camelCase")]
    Registration { expected_challenge: String, user_data: PasskeyUser, context: Option<String> },
    #[serde(rename_all = "camelCase")]
    Authentication { expected_challenge: String, user_data: Visitor },
}

/// Who began to sign in: the id of someone signed in already, or nothing.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Visitor {
    pub(super) id: String,
}

impl Challenge {
    /// Bytes that nobody could have had signed before, as the browser gets them.
    pub(super) fn random() -> String {
        data_encoding::BASE64URL_NOPAD.encode(&random::bytes::<32>())
    }

    /// Stores it and hands the browser what finds it again.
    pub(super) async fn issue(&self, api: &mut Api, options: &PasskeyOptions) -> Result<()> {
        let value = serde_json::to_string(self)
            .map_err(|error| ApiError::internal("a challenge could not be written", error))?;
        let token = random::url_safe(TOKEN_LENGTH);
        api.verifications().create(&token, &value, LIFE).await?;
        let cookie = api.cookie(&options.challenge_cookie);
        api.set_signed_cookie(&cookie, &token, Some(LIFE));
        Ok(())
    }

    /// Takes the one that this browser was given. It is spent, whatever comes of it.
    pub(super) async fn take(api: &Api, options: &PasskeyOptions) -> Result<Option<Self>> {
        // Every cookie of ours is signed alike; only this one has this length and a row of this form.
        let token = api.signed_cookie(&api.cookie(&options.challenge_cookie));
        let Some(token) = token.filter(|token| token.len() == TOKEN_LENGTH) else { return Ok(None) };
        let found = api.verifications().take(&token).await?;
        Ok(found.and_then(|found| serde_json::from_str(&found.value).ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges_are_stored_as_the_reference_stores_them() {
        let user_data =
            PasskeyUser { id: "u".into(), name: "ada@x.y".into(), display_name: Some("ada@x.y".into()) };
        let registration =
            Challenge::Registration { expected_challenge: "c".into(), user_data, context: None };
        assert_eq!(
            serde_json::to_string(&registration).unwrap(),
            r#"{"type":"registration","expectedChallenge":"c","userData":{"id":"u","name":"ada@x.y","displayName":"ada@x.y"},"context":null}"#
        );
        let authentication = Challenge::Authentication {
            expected_challenge: "c".into(),
            user_data: Visitor { id: String::new() },
        };
        assert_eq!(
            serde_json::to_string(&authentication).unwrap(),
            r#"{"type":"authentication","expectedChallenge":"c","userData":{"id":""}}"#
        );
    }
}
