use std::sync::Arc;

use housekey::prelude::*;

use crate::controllers::organizations::mine::{Mine, mine};

/// `organizations`: for pages in the shell, behind `auth`. It finds out which organisations whoever is signed in can switch to.
pub async fn organizations(request: Request, next: Next) -> Result<Response> {
    let mine = Arc::new(MyOrganizations(mine().await?));
    Scope::read(|scope| scope.set(mine));
    Ok(next.run(request).await)
}

/// What it found out. `None` on a page that it does not stand in front of.
pub fn my_organizations() -> Option<Vec<Mine>> {
    let found = Scope::read(Scope::get::<MyOrganizations>).flatten()?;
    Some(found.0.clone())
}

struct MyOrganizations(Vec<Mine>);
