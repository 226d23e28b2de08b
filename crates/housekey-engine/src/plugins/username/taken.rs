use super::{UsernameOptions, find, reserved};
use crate::{Api, Result, User};

/// Ten years.
const LIFE: u32 = 315_360_000;

/// Whether a name, in the form in which it is looked up, is nobody's to take but perhaps of one.
pub(super) async fn is_taken(
    api: &Api,
    options: &UsernameOptions,
    name: &str,
    except: Option<&User>,
) -> Result<bool> {
    let owner = find(api, name).await?;
    if let Some(owner) = owner {
        return Ok(except.is_none_or(|user| user.id != owner.id));
    }
    if reserved::is_reserved(&options.reserved, name) {
        return Ok(true);
    }
    let held = api.verifications().find(&identifier(name)).await?;
    Ok(held.is_some_and(|held| except.is_none_or(|user| user.id != held.value)))
}

/// Keeps a name that somebody asked for when they signed up with an address that is taken, where sign-up does not tell so. Were it
/// still free a moment later, that would tell. It is kept for the owner of the address.
// spec: SEC-5
pub(super) async fn hold(api: &Api, name: &str, owner: &User) -> Result<()> {
    api.verifications().create(&identifier(name), &owner.id, LIFE).await
}

/// Whether sign-up answers to an address that is taken as to any other.
pub(super) fn hides_taken_addresses(api: &Api) -> bool {
    let options = &api.options().email_and_password;
    options.require_email_verification || !options.auto_sign_in
}

fn identifier(name: &str) -> String {
    format!("username-held:{name}")
}
