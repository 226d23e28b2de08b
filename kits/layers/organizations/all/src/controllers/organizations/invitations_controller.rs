use housekey::auth::engine::plugins::organization::{
    NewInvitation, OrganizationRef, cancel_invitation, invite_member,
};
use housekey::auth::{api, require_organization};
use housekey::prelude::*;

use super::addresses::addresses;
use super::invitations::expect_invitation;
use crate::requests::organizations::InvitationsRequest;

/// How many can be invited with one form.
const AT_ONCE: usize = 20;

/// `POST /settings/organization/invitations`: one for each address. What is wrong with one keeps no other from being sent,
/// and comes back with the reason.
pub async fn store(Valid(form): Valid<InvitationsRequest>) -> Result<Redirect> {
    if !require_organization()?.may("invitation", "create") {
        return Err(Error::forbidden(t("Only owners and admins invite people.")));
    }
    let addresses = addresses(&form.emails);
    if addresses.is_empty() {
        return Err(at_addresses([t("Write at least one address.")]));
    }
    if addresses.len() > AT_ONCE {
        return Err(at_addresses([t!("At most :count addresses at once.", count = AT_ONCE)]));
    }
    let mut sent = 0;
    let mut refused = Vec::new();
    for email in addresses {
        let input = NewInvitation {
            email: email.clone(),
            roles: vec![form.role.clone()],
            organization: OrganizationRef::Active,
            resend: false,
            team_ids: Vec::new(),
            fields: default(),
        };
        match invite_member(&mut api()?, input).await {
            Ok(_) => sent += 1,
            Err(error) if error.is_internal() => return Err(error).or_http_error(),
            Err(error) => refused.push(format!("{email}: {}", t(error.message()))),
        }
    }
    if sent == 0 {
        return Err(at_addresses(refused));
    }
    let done = back()
        .with("status", t_plural("The invitation is on its way.|:count invitations are on their way.", sent));
    Ok(if refused.is_empty() {
        done
    } else {
        done.with("warning", t!("Not sent: :reasons", reasons = refused.join(" · ")))
    })
}

/// `POST /settings/organization/invitations/{id}/resend`: the same invitation once more, with all its time again.
pub async fn resend(Path(id): Path<String>) -> Result<Redirect> {
    let mut api = api()?;
    let invitation = expect_invitation(&mut api, &id).await?;
    let input = NewInvitation {
        email: invitation.email.clone(),
        roles: invitation.role.iter().flat_map(|roles| roles.split(',')).map(str::to_owned).collect(),
        organization: OrganizationRef::Active,
        resend: true,
        team_ids: Vec::new(),
        fields: default(),
    };
    invite_member(&mut api, input).await.or_field_error("emails")?;
    let email = invitation.email;
    Ok(back().with("status", t!("The invitation to :email is on its way again.", email)))
}

/// `DELETE /settings/organization/invitations/{id}`
pub async fn destroy(Path(id): Path<String>) -> Result<Redirect> {
    let mut api = api()?;
    let invitation = expect_invitation(&mut api, &id).await?;
    cancel_invitation(&mut api, &invitation.id).await.or_field_error("emails")?;
    let email = invitation.email;
    Ok(back()
        .with("status", t!("The invitation to :email is taken back. Its link does nothing any more.", email)))
}

fn at_addresses(messages: impl IntoIterator<Item = String>) -> Error {
    let mut errors = FieldErrors::new();
    for message in messages {
        errors.add("emails", message);
    }
    Error::invalid(errors)
}
