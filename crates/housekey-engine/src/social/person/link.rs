//! Connecting an account because its owner, who is signed in, asks for it.

use super::{Outcome, ProviderIdentity, address};
use crate::models::Commit;
use crate::social::refusal::Refusal;
use crate::social::state::Link;
use crate::social::tokens::joined_scopes;
use crate::storage::{Comparison, Filter};
use crate::{Api, Record, User};

/// The purpose of the key that encrypts the session in which somebody asked for a link.
const SESSION_PURPOSE: &str = "oauth-link-session-token";

impl Api {
    /// The session token as a flow keeps it.
    pub(in crate::social) fn encrypt_session_token(&self, token: &str) -> Option<String> {
        self.core.keys.for_purpose(SESSION_PURPOSE).encrypt(token)
    }

    /// The user who asked for a link, if the session in which they did is still there. Whoever was signed out meanwhile, by
    /// themselves or because somebody else was in their account, connects nothing any more.
    pub(in crate::social) async fn linking_user(&mut self, link: &Link) -> Outcome<User> {
        let over = || Refusal::code("unable_to_link_account", "the session that asked for the link is over");
        match &link.encrypted_session_token {
            Some(sealed) => {
                let token = self.core.keys.for_purpose(SESSION_PURPOSE).decrypt(sealed).ok_or_else(over)?;
                let living = Filter::by("token", token).and_by("userId", &link.user_id).and(
                    "expiresAt",
                    Comparison::Greater,
                    self.clock().now(),
                );
                let sessions = self.core.table("session")?;
                self.core.storage.find_one(sessions, &living).await?.ok_or_else(over)?;
            }
            // An older version of the reference began this: it must be the one who is signed in now.
            None => {
                let signed_in = self.stored_session().await?;
                signed_in.filter(|signed_in| signed_in.user.id == link.user_id).ok_or_else(over)?;
            }
        }
        self.user(&link.user_id).await?.ok_or_else(over)
    }

    /// Connects an account with a user. `email` is their address when they asked.
    pub(in crate::social) async fn link_person(
        &mut self,
        identity: ProviderIdentity<'_>,
        user: &User,
        email: &str,
    ) -> Outcome<()> {
        let linking = self.options().account.account_linking.clone();
        let provider = identity.ready.provider.id.clone();
        let is_others = |row: &Record| row.text("userId") != Some(user.id.as_str());
        // Whoever brings an id token is told this before anything else, as in the reference.
        if identity.by_id_token
            && self.find_account(identity).await?.is_some_and(|found| is_others(&found.row))
        {
            return Err(taken(user));
        }
        if linking.enabled == Some(false) {
            return Err(refuse(user, "unable_to_link_account", "account.accountLinking.enabled is false"));
        }
        if !identity.profile.user.email_verified && !self.trusts_provider(&provider).await {
            let why =
                "the provider does not say that it proved the address, and is not among trustedProviders";
            return Err(refuse(user, "unable_to_link_account", why));
        }
        let given = address(identity.profile);
        if !linking.allow_different_emails && given.as_deref() != Some(email.to_lowercase().as_str()) {
            let why = "the account has another address than the user, and allowDifferentEmails is off";
            return Err(refuse(user, "email_does_not_match", why));
        }
        for _ in 0..super::ATTEMPTS {
            self.validate(identity, "link-account", given.as_deref().unwrap_or_default()).await?;
            let mut changes = self.changes();
            let found = self.find_account(identity).await?;
            let is_new = found.is_none();
            let account = match found {
                Some(found) if is_others(&found.row) => return Err(taken(user)),
                Some(found) => {
                    let mut fields = found.new_key;
                    fields.merge(self.token_fields(identity.tokens)?);
                    if !identity.by_id_token {
                        let scope = joined_scopes(found.row.text("scope"), &identity.tokens.scopes);
                        fields.set("scope", scope);
                    }
                    let same = Filter::by("id", found.row.text("id").unwrap_or_default());
                    let mut account: Record = found.row;
                    account.merge(changes.update_expecting("account", same, fields).await?);
                    account
                }
                None => changes.create("account", self.account_record(identity, &user.id)?).await?,
            };
            if is_new && linking.update_user_info_on_link {
                let fields = self.taken_over(identity, user).await?;
                if !fields.is_empty() {
                    changes.update_expecting("user", Filter::by("id", &user.id), fields).await?;
                }
            }
            if changes.commit().await? == Commit::Lost {
                continue;
            }
            if is_new {
                self.tell_linked(user, &provider, "owner").await;
            }
            self.set_account_cookie(&account);
            return Ok(());
        }
        Err(refuse(user, "unable_to_link_account", "other requests changed the same rows again and again"))
    }

    /// Name, picture and columns of one's own from the provider; never the address.
    pub(super) async fn taken_over(&self, identity: ProviderIdentity<'_>, user: &User) -> Outcome<Record> {
        let profile = &identity.profile.user;
        let mut fields = self.mapped_fields(identity, Some(user), &user.email).await?;
        if let Some(name) = super::name(profile.name.as_deref()) {
            fields.set("name", name);
        }
        if let Some(image) = super::image(profile.image.as_deref()) {
            fields.set("image", image);
        }
        Ok(fields)
    }
}

fn taken(user: &User) -> Refusal {
    refuse(user, "account_already_linked_to_different_user", "another user has connected this account")
}

fn refuse(user: &User, code: &'static str, why: &'static str) -> Refusal {
    Refusal::about(user, code, why)
}
