use std::sync::Arc;

use housekey::auth::{SignedInAccount, accounts as signed_in_accounts};
use housekey::prelude::*;

/// `accounts`: for pages in the shell, behind `auth`. It finds out which accounts this browser is signed in with. Without the plugin
/// `multi_session` it asks nobody.
pub async fn accounts(request: Request, next: Next) -> Result<Response> {
    let mine = Arc::new(MyAccounts(signed_in_accounts().await?));
    Scope::read(|scope| scope.set(mine));
    Ok(next.run(request).await)
}

/// What it found out. None on a page that it does not stand in front of.
pub fn my_accounts() -> Vec<SignedInAccount> {
    let found = Scope::read(Scope::get::<MyAccounts>).flatten();
    found.map(|found| found.0.clone()).unwrap_or_default()
}

struct MyAccounts(Vec<SignedInAccount>);
