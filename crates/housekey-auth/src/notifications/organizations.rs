use std::future::Future;

use housekey_core::{Background, service};
use housekey_engine::Callback;
use housekey_engine::plugins::organization::{InvitationMail, MemberHook, OrganizationOptions};
use housekey_notifications::route;

use super::data::unlinked;
use super::recipient::Recipient;
use super::wiring::{place, settings, tell};
use super::{
    AccountMailData, InvitationNotification, MemberRemovedNotification, MemberRoleChangedNotification,
};
use crate::organization::prove;
use crate::{Auth, AuthConfig};

/// Fills the callbacks of the organization plugin where the app set none. Without a page for invitations nobody could do anything
/// with the mail, so none is sent.
// spec: ORG-5, CFG-8
pub(crate) fn wire_organizations(options: &mut OrganizationOptions, config: &AuthConfig, base_url: &str) {
    if let Some(page) = &config.mail_pages.invitation {
        let page = place(base_url.trim_end_matches('/'), page);
        options.send_invitation.or_set(|| Callback::new(move |mail| invite(mail, page.clone())));
    }
    options.hooks.after_update_member_role.or_set(|| {
        Callback::new(|hook: MemberHook| {
            behind_the_answer("a changed role", async {
                let MemberHook { organization, member, user, new_role } = hook;
                let role = new_role.as_deref().unwrap_or(&member.role);
                let data = AccountMailData::of(&user, None).about(&organization.name, role);
                let settings = settings().member_role_changed.clone();
                match user.email_verified {
                    true => {
                        tell(Recipient::of(&user), MemberRoleChangedNotification { data, settings }).await
                    }
                    false => Ok(()),
                }
            })
        })
    });
    options.hooks.after_remove_member.or_set(|| {
        Callback::new(|hook: MemberHook| {
            behind_the_answer("a removed member", async {
                let MemberHook { organization, user, .. } = hook;
                let data = AccountMailData::of(&user, None).about(&organization.name, "");
                let settings = settings().member_removed.clone();
                match user.email_verified {
                    true => tell(Recipient::of(&user), MemberRemovedNotification { data, settings }).await,
                    false => Ok(()),
                }
            })
        })
    });
}

/// The link carries the id, and beside it what nobody but the reader of this mail gets to see.
async fn invite(mail: InvitationMail, page: String) -> Result<(), std::io::Error> {
    let InvitationMail { invitation, organization, inviter, .. } = mail;
    let auth = Auth::current().map_err(|error| std::io::Error::other(error.to_string()))?;
    let proof = prove(&auth.engine().api(), &invitation.id, &invitation.email);
    let url = format!("{}/{}?token={proof}", page.trim_end_matches('/'), invitation.id);
    let data = AccountMailData { url: Some(url), email: invitation.email.clone(), ..Default::default() };
    let mut data = data.about(&organization.name, invitation.role.as_deref().unwrap_or_default());
    data.invited_by = Some((unlinked(&inviter.user.name), inviter.user.email));
    let settings = settings().invitation.clone();
    tell(route("mail", &invitation.email), InvitationNotification { data, settings }).await
}

/// The hooks of organisations are called before the answer, which shall not wait for a mail server.
async fn behind_the_answer(
    what: &'static str,
    work: impl Future<Output = Result<(), std::io::Error>> + Send + 'static,
) -> Result<(), std::io::Error> {
    let Some(background) = service::<Background>() else { return work.await };
    background.spawn(what, async move {
        if let Err(error) = work.await {
            tracing::error!(what, %error, "a mail about an organisation could not be sent");
        }
    });
    Ok(())
}
