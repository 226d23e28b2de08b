use housekey::prelude::*;
use serde::Deserialize;

/// What a short name looks like: it may stand in addresses.
const SLUG: &str = "^[a-z0-9]+(-[a-z0-9]+)*$";

/// A new organisation. Without a short name one is made from the name.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct OrganizationRequest {
    #[validate(required, max(120))]
    pub name: String,
    #[validate(
        label("short name"),
        nullable,
        max(48),
        regex(SLUG),
        message("The :field is made of small letters, digits and single dashes.")
    )]
    pub slug: Option<String>,
}

/// Another name, or short name, for an organisation.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct OrganizationChangesRequest {
    #[validate(required, max(120))]
    pub name: String,
    #[validate(
        label("short name"),
        required,
        max(48),
        regex(SLUG),
        message("The :field is made of small letters, digits and single dashes.")
    )]
    pub slug: String,
}

/// The organisation to work in from now on.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct SwitchRequest {
    /// Its id.
    #[validate(required, max(64))]
    pub organization: String,
}

/// Another role for a member.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct MemberRoleRequest {
    #[validate(required, max(64))]
    pub role: String,
}

/// Invitations: one role for all of them.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct InvitationsRequest {
    /// Addresses, with spaces, commas, semicolons or lines between them.
    #[validate(label("addresses"), required, max(4000))]
    pub emails: String,
    #[validate(required, max(64))]
    pub role: String,
}

/// What the link in the mail of an invitation carries beside the id. A link that was copied has none.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct InvitationTokenRequest {
    #[validate(nullable, max(512))]
    pub token: Option<Secret>,
}

/// An account for somebody who was invited. The address is the one the invitation went to.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct InvitedSignUpRequest {
    #[validate(required, max(120))]
    pub name: String,
    #[validate(required, min(8), max(128))]
    pub password: Secret,
    #[validate(nullable, max(512))]
    pub token: Option<Secret>,
}
