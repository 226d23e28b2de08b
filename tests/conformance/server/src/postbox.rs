use std::sync::{Arc, Mutex, PoisonError};

use housekey_engine::Callback;
use housekey_engine::options::{ChangeEmailMail, LinkMail};
use housekey_engine::plugins::anonymous::LinkedAccount;
use housekey_engine::plugins::email_otp::EmailOtpMail;
use housekey_engine::plugins::magic_link::MagicLinkMail;
use housekey_engine::plugins::organization::InvitationMail;
use housekey_engine::plugins::two_factor::OtpMail;
use serde_json::{Value, json};

/// Where mails end up. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Postbox(Arc<Mutex<Vec<Value>>>);

impl Postbox {
    /// Takes every mail out.
    pub(crate) fn empty(&self) -> Vec<Value> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn put(&self, mail: Value) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(mail);
    }

    pub(crate) fn links(&self, kind: &'static str) -> Callback<LinkMail> {
        self.callback(move |mail: LinkMail| {
            json!({ "kind": kind, "to": mail.user.email, "url": mail.url, "token": mail.token })
        })
    }

    pub(crate) fn changes(&self, kind: &'static str) -> Callback<ChangeEmailMail> {
        self.callback(move |mail: ChangeEmailMail| {
            json!({
                "kind": kind, "to": mail.user.email, "newEmail": mail.new_email, "url": mail.url, "token": mail.token,
            })
        })
    }

    pub(crate) fn codes(&self, kind: &'static str) -> Callback<OtpMail> {
        self.callback(move |mail: OtpMail| json!({ "kind": kind, "to": mail.user.email, "otp": mail.otp }))
    }

    pub(crate) fn magic_links(&self, kind: &'static str) -> Callback<MagicLinkMail> {
        self.callback(move |mail: MagicLinkMail| {
            let MagicLinkMail { email, url, token, metadata, .. } = mail;
            let mut told = json!({ "kind": kind, "to": email, "url": url, "token": token });
            if let Some(metadata) = metadata {
                told["metadata"] = metadata.into();
            }
            told
        })
    }

    pub(crate) fn email_codes(&self, kind: &'static str) -> Callback<EmailOtpMail> {
        self.callback(move |mail: EmailOtpMail| {
            json!({ "kind": kind, "to": mail.email, "otp": mail.otp, "type": mail.kind.name() })
        })
    }

    pub(crate) fn invitations(&self, kind: &'static str) -> Callback<InvitationMail> {
        self.callback(move |mail: InvitationMail| {
            let InvitationMail { invitation, organization, inviter, .. } = mail;
            json!({
                "kind": kind, "id": invitation.id, "role": invitation.role, "to": invitation.email,
                "organization": organization.name, "inviter": inviter.user.email, "inviterRole": inviter.member.role,
                "status": invitation.status.name(),
            })
        })
    }

    /// Told of a visitor who became somebody.
    pub(crate) fn links_of_visitors(&self, kind: &'static str) -> Callback<LinkedAccount> {
        self.callback(move |linked: LinkedAccount| {
            json!({ "kind": kind, "visitor": linked.anonymous.user.email, "to": linked.user.user.email })
        })
    }

    /// Told of a user: not a mail, but the suite wants to know that it happened.
    pub(crate) fn news(&self, kind: &'static str) -> Callback<housekey_engine::User> {
        self.callback(move |user: housekey_engine::User| json!({ "kind": kind, "to": user.email }))
    }

    fn callback<A: 'static>(&self, describe: impl Fn(A) -> Value + Send + Sync + 'static) -> Callback<A> {
        let postbox = self.clone();
        Callback::new(move |mail| {
            postbox.put(describe(mail));
            async { Ok::<_, std::convert::Infallible>(()) }
        })
    }
}
