//! Who somebody is that comes from a provider: somebody we know, somebody we know by their address, or somebody new.

mod accounts;
mod link;
mod validate;

use std::sync::Arc;

use super::linking::SameAddress;
use super::refusal::Refusal;
use super::{Profile, ReadyProvider, TokenSet};
use crate::models::{Changes, Commit};
use crate::storage::Filter;
use crate::{Api, FieldsOrigin, Record, SecurityEventKind, SignIn, User, UserFields};

type Outcome<T> = std::result::Result<T, Refusal>;

/// How often somebody is looked up again because another request was faster.
const ATTEMPTS: usize = 3;
/// What a user's name may be long, in characters.
const LONGEST_NAME: usize = 255;

/// Somebody who comes from a provider.
#[derive(Clone, Copy)]
pub(super) struct ProviderIdentity<'a> {
    pub(super) ready: &'a ReadyProvider,
    pub(super) profile: &'a Profile,
    pub(super) tokens: &'a TokenSet,
    /// Whether the start asked for an account to be made.
    pub(super) request_sign_up: bool,
    /// Whether a client brought an id token, and nobody came by a redirect.
    pub(super) by_id_token: bool,
    /// Where the link of a verification mail leads.
    pub(super) callback_url: Option<&'a str>,
}

/// Somebody who is in, or who is asked for a second factor.
pub(super) struct SignInOutcome {
    pub(super) sign_in: SignIn,
    /// Whether a user was made for them.
    pub(super) is_new: bool,
}

/// What is to be written for somebody, and who they are then.
struct Decision {
    changes: Changes,
    user: User,
    /// Their account at the provider, as it will be.
    account: Record,
    kind: Kind,
    /// Whether this proves the address.
    proves_address: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Known,
    Linked,
    New,
}

impl Api {
    /// Signs in whoever comes from a provider. Everything that is written for them is written together with the session; when
    /// another request was faster, whoever it made is found instead.
    pub(super) async fn welcome(&mut self, identity: ProviderIdentity<'_>) -> Outcome<SignInOutcome> {
        let outcome = self.try_welcome(identity).await;
        if let Err(Refusal::Code(refusal)) = &outcome {
            let event = self.event(SecurityEventKind::SignInRefused, refusal.user_id.as_deref());
            let event = event.with("method", "social").with("provider", &identity.ready.provider.id);
            self.emit(event.with("reason", refusal.code)).await;
        }
        outcome
    }

    async fn try_welcome(&mut self, identity: ProviderIdentity<'_>) -> Outcome<SignInOutcome> {
        let settings = &identity.ready.provider.settings;
        let email = address(identity.profile)
            .ok_or_else(|| Refusal::code("email_not_found", "the provider gave no usable address of mail"))?;
        self.set_sign_in_method("social");
        self.set_sign_in_provider(&identity.ready.provider.id);
        if settings.trusted_for_two_factor {
            self.confirm_two_factors();
        }
        for _ in 0..ATTEMPTS {
            let Decision { changes, user, account, kind, proves_address } =
                self.decide(identity, &email).await?;
            if settings.require_email_verification && !user.email_verified {
                if changes.commit().await? == Commit::Lost {
                    continue;
                }
                self.tell(identity, &user, kind, proves_address).await;
                let why = "requireEmailVerification is on, and our user has not proved the address";
                return Err(Refusal::about(&user, "email_not_verified", why));
            }
            let Some(sign_in) = self.sign_in_user_with(changes, user.clone(), None).await? else { continue };
            self.tell(identity, &user, kind, proves_address).await;
            self.set_account_cookie(&account);
            return Ok(SignInOutcome { sign_in, is_new: kind == Kind::New });
        }
        Err(Refusal::code("unable_to_create_session", "other requests changed the same rows again and again"))
    }

    async fn decide(&self, identity: ProviderIdentity<'_>, email: &str) -> Outcome<Decision> {
        if let Some(found) = self.find_account(identity).await? {
            let user = self.user(found.row.text("userId").unwrap_or_default()).await?;
            let gone = || Refusal::code("unable_to_link_account", "the user of this account is gone");
            return self.know(identity, found, user.ok_or_else(gone)?, email).await;
        }
        match self.user_by_email(email).await? {
            Some(user) => self.recognise(identity, user, email).await,
            None => self.make_user(identity, email).await,
        }
    }

    /// Somebody whose account is on file.
    async fn know(
        &self,
        identity: ProviderIdentity<'_>,
        found: accounts::FoundAccount,
        user: User,
        email: &str,
    ) -> Outcome<Decision> {
        self.validate(identity, "sign-in", email).await?;
        let mut changes = self.changes();
        let mut fields = found.new_key.clone();
        if self.options().account.update_account_on_sign_in {
            fields.merge(self.token_fields(identity.tokens)?);
            // What was granted may be less than what is stored; the reference leaves it.
            fields.set("updatedAt", self.clock().now());
        }
        let mut account = found.row;
        if !fields.is_empty() {
            let same = Filter::by("id", account.text("id").unwrap_or_default())
                .and_by("accountId", account.text("accountId").unwrap_or_default());
            account.merge(changes.update_expecting("account", same, fields).await?);
        }
        let (user, proves_address) =
            self.bring_up_to_date(&mut changes, identity, user, email, false).await?;
        Ok(Decision { changes, user, account, kind: Kind::Known, proves_address })
    }

    /// Somebody whose address is that of a user.
    async fn recognise(&self, identity: ProviderIdentity<'_>, user: User, email: &str) -> Outcome<Decision> {
        let same = SameAddress {
            provider_verified: identity.profile.user.email_verified,
            provider_trusted: self.trusts_provider(&identity.ready.provider.id).await,
            local_verified: user.email_verified,
        };
        if let Some(why) = same.objection(&self.options().account.account_linking) {
            return Err(Refusal::about(&user, "account_not_linked", why));
        }
        self.validate(identity, "link-account", email).await?;
        let mut changes = self.changes();
        let account = self.account_record(identity, &user.id)?;
        let account = changes.create("account", account).await?;
        let (user, proves_address) = self.bring_up_to_date(&mut changes, identity, user, email, true).await?;
        Ok(Decision { changes, user, account, kind: Kind::Linked, proves_address })
    }

    /// Somebody new.
    async fn make_user(&self, identity: ProviderIdentity<'_>, email: &str) -> Outcome<Decision> {
        let settings = &identity.ready.provider.settings;
        if settings.disable_sign_up {
            return Err(Refusal::code("signup_disabled", "disableSignUp is on for this provider"));
        }
        if settings.disable_implicit_sign_up && !identity.request_sign_up {
            let why =
                "disableImplicitSignUp is on for this provider, and the start did not say requestSignUp";
            return Err(Refusal::code("signup_disabled", why));
        }
        self.validate(identity, "create-user", email).await?;
        let profile = &identity.profile.user;
        let mut record = self.mapped_fields(identity, None, email).await?;
        record.merge(
            Record::new()
                .with("name", name(profile.name.as_deref()).unwrap_or_default())
                .with("email", email)
                .with("emailVerified", profile.email_verified)
                .with("image", image(profile.image.as_deref())),
        );
        let mut changes = self.changes();
        let user = User::from_record(changes.create("user", record).await?)?;
        let account = self.account_record(identity, &user.id)?;
        let account = changes.create("account", account).await?;
        Ok(Decision { changes, user, account, kind: Kind::New, proves_address: false })
    }

    /// The columns of plugins and of the app's own that a profile was mapped to, as far as plugins take them.
    async fn mapped_fields(
        &self,
        identity: ProviderIdentity<'_>,
        user: Option<&User>,
        email: &str,
    ) -> Outcome<Record> {
        let fields = self.mapped_input("user", &identity.profile.user.extra)?;
        let origin = FieldsOrigin::Profile;
        let asked = UserFields { user: user.cloned(), email: email.to_owned(), fields, origin };
        Ok(self.check_user_fields(asked).await?)
    }

    /// Takes over what the provider says about a user, as far as the options want that. The user as they are then, and
    /// whether their address is proved by it.
    async fn bring_up_to_date(
        &self,
        changes: &mut Changes,
        identity: ProviderIdentity<'_>,
        user: User,
        email: &str,
        linking: bool,
    ) -> Outcome<(User, bool)> {
        let core = Arc::clone(&self.core);
        let profile = &identity.profile.user;
        let replaces =
            identity.ready.provider.settings.override_user_info_on_sign_in && !identity.by_id_token;
        let mut fields = Record::new();
        if replaces || (linking && core.options.account.account_linking.update_user_info_on_link) {
            fields.merge(self.taken_over(identity, &user).await?);
        }
        if replaces && email != user.email {
            if self.user_by_email(email).await?.is_some() {
                tracing::warn!(
                    provider = identity.ready.provider.id,
                    user = user.id,
                    "the address that the provider gives belongs to another user: the old one stays"
                );
            } else {
                fields.set("email", email);
                fields.set("emailVerified", profile.email_verified);
            }
        }
        let proves_address = profile.email_verified && email == user.email && !user.email_verified;
        if proves_address {
            fields.set("emailVerified", true);
        }
        if fields.is_empty() {
            return Ok((user, false));
        }
        // The address is part of the condition: what was said about one must not be written to another.
        let same = Filter::by("id", &user.id).and_by("email", &user.email);
        let written = changes.update_expecting("user", same, fields).await?;
        Ok((user.changed(&written)?, proves_address))
    }

    /// Tells what was written.
    async fn tell(&self, identity: ProviderIdentity<'_>, user: &User, kind: Kind, proves_address: bool) {
        let provider = &identity.ready.provider.id;
        match kind {
            Kind::Known => {}
            Kind::Linked => self.tell_linked(user, provider, "address").await,
            Kind::New => {
                let event = self.sign_in_event(SecurityEventKind::SignUp, &user.id);
                self.emit(event).await;
                let verification = &self.options().email_verification;
                if !user.email_verified && verification.send_on_sign_up.unwrap_or(false) {
                    self.send_verification(user, identity.callback_url).await;
                }
            }
        }
        if proves_address {
            self.emit(self.event(SecurityEventKind::EmailVerified, Some(&user.id))).await;
        }
    }

    pub(super) async fn tell_linked(&self, user: &User, provider: &str, by: &'static str) {
        let event = self.event(SecurityEventKind::AccountLinked, Some(&user.id));
        self.emit(event.with("provider", provider).with("by", by)).await;
    }

    /// Whether the options take a provider's word for an address that it does not say to have proved.
    pub(super) async fn trusts_provider(&self, id: &str) -> bool {
        let linking = &self.options().account.account_linking;
        if linking.trusted_providers.iter().any(|trusted| trusted == id) {
            return true;
        }
        match linking.trusted_providers_for.call(self.origin_request()).await {
            Some(Ok(trusted)) => trusted.iter().any(|trusted| trusted == id),
            Some(Err(error)) => {
                tracing::error!(%error, "the function for trusted providers failed: none is trusted more");
                false
            }
            None => false,
        }
    }
}

/// The address as it is stored. One that no mail can be sent to is none.
pub(super) fn address(profile: &Profile) -> Option<String> {
    let email = profile.user.email.as_deref()?.trim().to_lowercase();
    housekey_base::is_email(&email).then_some(email)
}

/// A name that its column can hold.
fn name(given: Option<&str>) -> Option<String> {
    given.map(|name| name.chars().filter(|&letter| letter != '\0').take(LONGEST_NAME).collect())
}

fn image(given: Option<&str>) -> Option<&str> {
    given.filter(|image| !image.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::social::ProfileUser;

    #[test]
    fn an_address_is_stored_in_lower_case_and_one_that_is_none_is_not_taken() {
        let of = |email: Option<&str>| {
            let user = ProfileUser { email: email.map(str::to_owned), ..ProfileUser::default() };
            address(&Profile::new(user, serde_json::Value::Null))
        };
        assert_eq!(of(Some(" Ada@Example.com")).as_deref(), Some("ada@example.com"));
        assert_eq!(
            of(Some("7@twitter.placeholder.invalid")).as_deref(),
            Some("7@twitter.placeholder.invalid")
        );
        for none in [None, Some(""), Some("ada"), Some("ada@\0example.com")] {
            assert_eq!(of(none), None, "{none:?}");
        }
    }

    #[test]
    fn a_name_is_cut_to_what_its_column_holds() {
        assert_eq!(name(Some("A\0da")).as_deref(), Some("Ada"));
        assert_eq!(name(Some(&"é".repeat(300))).unwrap().chars().count(), 255);
        assert_eq!(name(None), None);
    }
}
