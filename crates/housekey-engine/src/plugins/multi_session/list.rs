use std::sync::Arc;

use super::{AccountView, cookies};
use crate::{Api, Endpoint, Field, Reply, Result, Shape, SignedIn};

/// `GET /multi-session/list-device-sessions`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/multi-session/list-device-sessions", |api| Box::pin(answer(api)))
        .about("Lists the accounts that are signed in in this browser.")
        .answers(Shape::list(Shape::object([Field::row("session", "session"), Field::row("user", "user")])))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let accounts = list(api).await?;
    let views = accounts.iter().map(|account| AccountView::of(api, account)).collect::<Result<Vec<_>>>()?;
    Reply::json(&views)
}

/// The accounts that are signed in in this browser, one session of each, the oldest first. Those that ended, by whoever's doing,
/// are not among them.
pub async fn list(api: &Api) -> Result<Vec<Arc<SignedIn>>> {
    let (living, _) = cookies::living(api).await?;
    let mut accounts: Vec<Arc<SignedIn>> = Vec::new();
    for (_, account) in living {
        if accounts.iter().all(|other| other.user.id != account.user.id) {
            accounts.push(account);
        }
    }
    Ok(accounts)
}
