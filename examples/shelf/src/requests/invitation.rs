use housekey::prelude::*;
use serde::Deserialize;

/// Whom a librarian invites, and as what.
#[derive(Debug, Deserialize, Validated)]
pub struct InvitationForm {
    #[validate(label("e-mail address"), required, email, max(254))]
    pub email: String,
    #[validate(required, one_of(["reader", "librarian"]))]
    pub role: String,
}

/// What the address of an invitation says. It is signed, so it is true.
#[derive(Clone, Debug, Deserialize)]
pub struct Invited {
    pub email: String,
    pub role: String,
}

/// What somebody who was invited sends.
#[derive(Debug, Deserialize, Validated)]
pub struct JoinForm {
    #[validate(required, max(120))]
    pub name: String,
    #[validate(required, min(8), max(128))]
    pub password: Secret,
}
