use super::{DISPLAY_USERNAME, USERNAME, UsernameOptions, codes, rules, taken};
use crate::{Api, ApiError, FieldsOrigin, Result, User, UserFields};

/// Judges the name that somebody wants to have, and puts it into the form in which it is looked up.
pub(super) async fn judge(api: &Api, options: &UsernameOptions, asked: &mut UserFields) -> Result<()> {
    match asked.origin {
        FieldsOrigin::Person => judge_person(api, options, asked).await,
        FieldsOrigin::Profile => {
            let before = asked.fields.clone();
            match judge_person(api, options, asked).await {
                Err(error) if !error.is_internal() => {
                    asked.fields = before;
                    asked.fields.take(USERNAME);
                    asked.fields.take(DISPLAY_USERNAME);
                    Ok(())
                }
                judged => judged,
            }
        }
    }
}

async fn judge_person(api: &Api, options: &UsernameOptions, asked: &mut UserFields) -> Result<()> {
    let is_new = asked.user.is_none();
    let shown = asked.fields.text(DISPLAY_USERNAME).map(str::to_owned);
    if is_new
        && let Some(shown) = &shown
        && !asked.fields.has(USERNAME)
        && rules::objection(options, shown).await?.is_none()
    {
        asked.fields.set(USERNAME, shown.clone());
    }
    let typed = asked.fields.text(USERNAME).map(str::to_owned);
    if asked.fields.has(USERNAME) {
        let name = match &typed {
            Some(typed) => Some(judge_name(api, options, asked, typed).await?),
            None => None,
        };
        check_immutable(options, asked.user.as_ref(), name.as_deref())?;
        asked.fields.set(USERNAME, name);
    }
    if !options.display_username {
        return Ok(());
    }
    if let Some(shown) = &shown
        && !rules::may_be_shown(options, shown).await?
    {
        return Err(codes::INVALID_DISPLAY_USERNAME.bad_request());
    }
    if is_new && shown.as_ref().is_none_or(String::is_empty) && typed.is_some() {
        asked.fields.set(DISPLAY_USERNAME, typed);
    }
    Ok(())
}

/// The name in the form in which it is looked up, if it can be theirs.
async fn judge_name(api: &Api, options: &UsernameOptions, asked: &UserFields, typed: &str) -> Result<String> {
    if let Some(objection) = rules::objection(options, typed).await? {
        return Err(objection.bad_request());
    }
    let name = rules::normalise(options, typed);
    let owner = asked.user.as_ref();
    // Whoever has a name keeps it, whatever was reserved since.
    let is_theirs = owner.is_some_and(|user| user.fields.text(USERNAME) == Some(&name));
    if !is_theirs && taken::is_taken(api, options, &name, owner).await? {
        return Err(codes::USERNAME_IS_ALREADY_TAKEN.bad_request());
    }
    if owner.is_none()
        && taken::hides_taken_addresses(api)
        && let Some(owner) = api.user_by_email(&asked.email).await?
    {
        taken::hold(api, &name, &owner).await?;
    }
    Ok(name)
}

fn check_immutable(
    options: &UsernameOptions,
    user: Option<&User>,
    name: Option<&str>,
) -> Result<(), ApiError> {
    let before = user.and_then(|user| user.fields.text(USERNAME)).filter(|name| !name.is_empty());
    if options.immutable_username && before.is_some() && before != name {
        return Err(codes::USERNAME_IS_IMMUTABLE.bad_request());
    }
    Ok(())
}
