//! Signing in somebody who got a mail: what a link and a code have in common.

use crate::{Api, Changes, FieldsOrigin, Record, Result, SecurityEventKind, SignIn, User, UserFields};

/// Somebody who is not known yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Newcomer {
    pub(super) name: Option<String>,
    pub(super) image: Option<String>,
    /// Columns of plugins and of the app's own.
    pub(super) fields: Record,
}

/// Somebody who is in, or who is asked for a second factor.
#[derive(Debug)]
pub(super) struct SignInOutcome {
    pub(super) sign_in: SignIn,
    /// Whether a user was made for them.
    pub(super) is_new: bool,
}

/// Signs in a user who got a mail, together with the changes that spend what was in it. `None` when somebody else spent it.
///
/// Until the address was proven anybody could have signed up with it: the mail is the first proof then, and every other way into
/// the account ends.
// spec: SEC-2
pub(super) async fn sign_in(
    api: &mut Api,
    mut changes: Changes,
    user: User,
) -> Result<Option<SignInOutcome>> {
    let is_first = !user.email_verified;
    let user = if is_first { api.prove_email_in(&mut changes, &user).await? } else { user };
    let Some(sign_in) = api.sign_in_user_with(changes, user.clone(), None).await? else { return Ok(None) };
    if is_first {
        api.emit_first_proof(&user).await;
    }
    Ok(Some(SignInOutcome { sign_in, is_new: false }))
}

/// Makes a user for an address that a mail has proven, and signs them in. `None` when somebody else spent what was in it, or has
/// taken the address meanwhile.
pub(super) async fn sign_up(
    api: &mut Api,
    mut changes: Changes,
    email: &str,
    newcomer: Newcomer,
) -> Result<Option<SignInOutcome>> {
    let email = email.to_lowercase();
    let asked = UserFields {
        user: None,
        email: email.clone(),
        fields: newcomer.fields,
        origin: FieldsOrigin::Person,
    };
    let mut record = api.check_user_fields(asked.clone()).await?;
    record.merge(
        Record::new()
            .with("name", newcomer.name.unwrap_or_default())
            .with("email", email)
            .with("emailVerified", true)
            .with("image", newcomer.image),
    );
    let user = User::from_record(changes.create("user", record).await?)?;
    let Some(sign_in) = api.sign_in_user_with(changes, user.clone(), None).await? else {
        // Whoever was faster may have taken something else than the address: a name that only one can have.
        api.check_user_fields(asked).await?;
        return Ok(None);
    };
    api.emit(api.sign_in_event(SecurityEventKind::SignUp, &user.id)).await;
    Ok(Some(SignInOutcome { sign_in, is_new: true }))
}
