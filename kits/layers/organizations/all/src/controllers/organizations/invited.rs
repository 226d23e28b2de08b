use housekey::auth::{Invited, invited};
use housekey::prelude::*;

/// The page of an invitation.
#[derive(Clone, Debug)]
pub enum InvitedPage {
    /// There is no such invitation, or it was answered, taken back or has run out: which of these, nobody learns.
    Gone,
    /// It waits.
    Open { invitation: Invited, visitor: Visitor },
}

/// Who opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visitor {
    /// Nobody is signed in. Whether the address has an account is not told.
    Guest,
    /// Whom it is for.
    Recipient,
    /// Somebody else, with this address.
    Somebody(String),
}

/// What the page of an invitation shows. `token` is what the link in the mail carries.
pub async fn invited_page(id: &str, token: Option<&str>) -> Result<InvitedPage> {
    let Some(invitation) = invited(id, token).await? else { return Ok(InvitedPage::Gone) };
    let visitor = match user() {
        None => Visitor::Guest,
        Some(user) if user.email.eq_ignore_ascii_case(&invitation.email) => Visitor::Recipient,
        Some(user) => Visitor::Somebody(user.email.clone()),
    };
    Ok(InvitedPage::Open { invitation, visitor })
}
