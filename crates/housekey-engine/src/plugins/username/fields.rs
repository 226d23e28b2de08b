use super::{DISPLAY_USERNAME, LOOKS, USERNAME, UsernameOptions, codes, rules, taken};
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
    let shown = asked.fields.text(DISPLAY_USERNAME).filter(|shown| !shown.is_empty()).map(str::to_owned);
    if asked.user.is_none()
        && let Some(shown) = &shown
        && !asked.fields.has(USERNAME)
        && rules::objection(options, shown).await?.is_none()
    {
        asked.fields.set(USERNAME, shown.clone());
    }
    let typed = asked.fields.text(USERNAME).map(str::to_owned);
    let name = match &typed {
        Some(typed) => Some(formed(options, typed).await?),
        None => None,
    };
    // Whether a name is taken is told last, to somebody whose request is right in all else: every answer costs a name.
    if asked.fields.has(USERNAME) {
        check_immutable(options, asked.user.as_ref(), name.as_deref())?;
    }
    if options.display_username {
        judge_shown(options, asked, shown, typed, name.as_deref()).await?;
    }
    if let Some(name) = &name {
        claim(api, options, asked, name).await?;
    }
    if asked.fields.has(USERNAME) {
        asked.fields.set(USERNAME, name);
    }
    Ok(())
}

/// The name in the form in which it is looked up, if it can be one.
async fn formed(options: &UsernameOptions, typed: &str) -> Result<String> {
    match rules::objection(options, typed).await? {
        Some(objection) => Err(objection.bad_request()),
        None => Ok(rules::normalise(options, typed)),
    }
}

/// Judges what is to be shown, which follows the name where nothing is said of it.
async fn judge_shown(
    options: &UsernameOptions,
    asked: &mut UserFields,
    shown: Option<String>,
    typed: Option<String>,
    name: Option<&str>,
) -> Result<()> {
    let says_name = asked.fields.has(USERNAME);
    if let Some(shown) = shown {
        let before = asked.user.as_ref().and_then(|user| user.fields.text(USERNAME));
        let name = if says_name { name } else { before };
        return match rules::may_be_shown(options, &shown, name).await? {
            true => Ok(()),
            false => Err(codes::INVALID_DISPLAY_USERNAME.bad_request()),
        };
    }
    // Where an app lets people show what they like, a new name leaves it alone.
    let follows = asked.user.is_none() || !options.display_username_validator.is_set();
    if says_name && follows {
        asked.fields.set(DISPLAY_USERNAME, typed);
    }
    Ok(())
}

/// Makes sure that a name can be theirs.
async fn claim(api: &Api, options: &UsernameOptions, asked: &UserFields, name: &str) -> Result<()> {
    let owner = asked.user.as_ref();
    // Whoever has a name keeps it, whatever was reserved since.
    let is_theirs = owner.is_some_and(|user| user.fields.text(USERNAME) == Some(name));
    if !is_theirs {
        if let Some(owner) = owner {
            count(api, owner).await?;
        }
        if taken::is_taken(api, options, name, owner).await? {
            return Err(codes::USERNAME_IS_ALREADY_TAKEN.bad_request());
        }
    }
    if owner.is_none()
        && taken::hides_taken_addresses(api)
        && let Some(owner) = api.user_by_email(&asked.email).await?
    {
        taken::hold(api, name, &owner).await?;
    }
    Ok(())
}

/// Counts one more name that somebody who has an account asks for: else a change of it would tell of any number of names whether they
/// are taken. By where it comes from, because anybody can make many accounts. Sign-up has a limit of its own.
async fn count(api: &Api, owner: &User) -> Result<()> {
    let whose = api.counted_address().unwrap_or_else(|| owner.id.clone());
    api.throttle("username", &whose, &[LOOKS]).await
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
