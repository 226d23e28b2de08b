use housekey::auth::guards::intended;
use housekey::prelude::*;

/// Where somebody wants to go on who signs in once more, because that is how they confirm that it is them.
const RETURN_TO: &str = "sign-in.return-to";

/// Remembers the page, if it is one of ours.
pub fn remember(page: Option<String>) -> Result<()> {
    match page.filter(|page| is_here(page)) {
        Some(page) => session().put(RETURN_TO, page),
        None => {
            session().forget(RETURN_TO);
            Ok(())
        }
    }
}

/// Where the sign-in leads: ask before it happens, it may leave nothing behind of the session before it.
pub async fn return_to() -> Result<Option<String>> {
    // Whoever signed out meanwhile is no longer in the middle of something.
    if user().is_none() {
        return Ok(None);
    }
    session().get(RETURN_TO).await
}

/// Goes on there, or where a sign-in leads otherwise.
pub async fn go_on(page: Option<String>) -> Result<Redirect> {
    match page {
        Some(page) => {
            session().forget(RETURN_TO);
            Ok(redirect(&page).with("status", t("Thank you. Now do again what you were about to do.")))
        }
        None => intended(&route("dashboard")?).await,
    }
}

/// `//host` is another host to a browser, and so is one with a tab between the slashes.
fn is_here(page: &str) -> bool {
    let is_plain = page.bytes().all(|byte| byte.is_ascii_graphic());
    is_plain && page.starts_with('/') && !page[1..].starts_with(['/', '\\'])
}
