use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{MagicLinkOptions, StoredToken, browser};
use crate::storage::{Comparison, Filter, Find};
use crate::{Api, ApiError, Changes, Result, Secret, User, constant_time_eq};

const LINK: &str = "magic-link:";
/// Under this and the stored token lies the browser that asked. The reference reads nothing else in the row of a link than what
/// it writes there.
const BROWSER: &str = "magic-link-browser:";
const KIND: &str = "magic-link";

/// A link that is on its way, as it is stored: the JSON of the reference.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    r#type: String,
    email: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

/// A link that was found.
pub(super) struct Link {
    /// Its token, as it is stored.
    token: String,
    /// Whether it was bound to a browser.
    is_bound: bool,
    /// The address that it was sent to.
    pub(super) email: String,
    /// What somebody new wants to be called.
    pub(super) name: Option<String>,
    /// Whether it may be opened in this browser.
    pub(super) is_here: bool,
}

/// Stores a link that somebody asked for, in a browser or in none.
pub(super) async fn store(
    api: &Api,
    options: &MagicLinkOptions,
    token: &str,
    email: &str,
    name: Option<String>,
    browser: Option<&str>,
) -> Result<()> {
    let row = Row { r#type: KIND.into(), email: email.into(), name };
    let value = serde_json::to_string(&row)
        .map_err(|error| ApiError::internal("a link could not be written", error))?;
    let (token, life) = (stored(options, token), options.expires_in);
    let (verifications, mut changes) = (api.verifications(), api.changes());
    verifications.create_in(&mut changes, &format!("{LINK}{token}"), &value, life).await?;
    if let Some(browser) = browser {
        // After the link itself, so that it does not end before it.
        verifications.create_in(&mut changes, &format!("{BROWSER}{token}"), browser, life).await?;
    }
    changes.commit().await.map(drop)
}

impl Link {
    /// The one with a token, unless it was used, is too old or never was.
    pub(super) async fn find(api: &Api, options: &MagicLinkOptions, token: &Secret) -> Result<Option<Self>> {
        let token = stored(options, token.reveal());
        // No database can be asked for a text with a NUL in it.
        if token.contains('\0') {
            return Ok(None);
        }
        let identifiers = [format!("{LINK}{token}"), format!("{BROWSER}{token}")];
        // The browser's too old or not: a link that was bound must not come loose because that row ends a moment before its own.
        let [found, asked] =
            api.verifications().find_both_even_expired(identifiers.each_ref().map(String::as_str)).await?;
        let now = api.clock().now();
        let Some(found) = found.filter(|found| found.expires_at > now) else { return Ok(None) };
        let Ok(Row { r#type, email, name }) = serde_json::from_str(&found.value) else { return Ok(None) };
        if r#type != KIND || api.check_email(&email).is_err() {
            return Ok(None);
        }
        let is_here = match &asked {
            Some(asked) => browser::here(api)
                .is_some_and(|here| constant_time_eq(here.as_bytes(), asked.value.as_bytes())),
            None => !options.bind_to_browser,
        };
        Ok(Some(Self { token, is_bound: asked.is_some(), email, name, is_here }))
    }

    /// Adds to some changes that the link is spent: of two who try, one does.
    pub(super) async fn spend_in(&self, api: &Api, changes: &mut Changes) -> Result<()> {
        let verifications = api.verifications();
        verifications.take_in(changes, &format!("{LINK}{}", self.token)).await?;
        if self.is_bound {
            verifications.delete_in(changes, &format!("{BROWSER}{}", self.token)).await?;
        }
        Ok(())
    }
}

/// Adds to some changes the end of the links that are on their way to a user. What lies under their names is not known, but to whom
/// they went is.
pub(super) async fn end_all_in(api: &Api, changes: &mut Changes, user: &User) -> Result<()> {
    let theirs = Filter::all().and("value", Comparison::Contains, &user.email);
    let found = api.storage().find(api.table("verification")?, &Find::new(theirs)).await?;
    for row in found {
        let link = row.text("value").and_then(|value| serde_json::from_str::<Row>(value).ok());
        if link.is_some_and(|link| link.r#type == KIND && link.email == user.email)
            && let Some(id) = row.text("id")
        {
            changes.delete("verification", Filter::by("id", id)).await?;
        }
    }
    Ok(())
}

fn stored(options: &MagicLinkOptions, token: &str) -> String {
    match options.store_token {
        StoredToken::Plain => token.to_owned(),
        StoredToken::Hashed => BASE64URL_NOPAD.encode(&Sha256::digest(token.as_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_stored_as_the_reference_stores_them() {
        let row = |name: Option<&str>| Row {
            r#type: KIND.into(),
            email: "ada@x.y".into(),
            name: name.map(str::to_owned),
        };
        let text = r#"{"type":"magic-link","email":"ada@x.y","name":"Ada"}"#;
        assert_eq!(serde_json::to_string(&row(Some("Ada"))).unwrap(), text);
        assert_eq!(serde_json::to_string(&row(None)).unwrap(), r#"{"type":"magic-link","email":"ada@x.y"}"#);
        assert_eq!(serde_json::from_str::<Row>(text).unwrap(), row(Some("Ada")));
        assert!(serde_json::from_str::<Row>(r#"{"type":"magic-link","email":"a@b.co","id":1}"#).is_err());
        let hashed = MagicLinkOptions::default();
        assert_eq!(stored(&hashed, "abc"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
    }
}
