use serde::Serialize;

use crate::record::{Value, iso};
use crate::storage::{Direction, Filter, Find};
use crate::{Api, Endpoint, Record, Reply, Result};

/// `GET /list-accounts`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/list-accounts", |api| Box::pin(answer(api)))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let signed_in = api.require_session().await?;
    let accounts = api.accounts_of(&signed_in.user.id).await?;
    Reply::json(&accounts.iter().map(AccountView::new).collect::<Vec<_>>())
}

/// An account without its tokens and its password.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountView<'a> {
    account_id: &'a str,
    provider_id: &'a str,
    user_id: &'a str,
    created_at: Option<String>,
    updated_at: Option<String>,
    id: &'a str,
    scopes: Vec<&'a str>,
}

impl<'a> AccountView<'a> {
    fn new(account: &'a Record) -> Self {
        let text = |field| account.text(field).unwrap_or_default();
        let date = |field| account.get(field).and_then(Value::as_date).map(iso);
        Self {
            account_id: text("accountId"),
            provider_id: text("providerId"),
            user_id: text("userId"),
            created_at: date("createdAt"),
            updated_at: date("updatedAt"),
            id: text("id"),
            scopes: text("scope").split(',').filter(|scope| !scope.is_empty()).collect(),
        }
    }
}

impl Api {
    pub(crate) async fn accounts_of(&self, user_id: &str) -> Result<Vec<Record>> {
        let find = Find::new(Filter::by("userId", user_id)).order("createdAt", Direction::Ascending);
        Ok(self.core.storage.find(self.core.table("account")?, &find).await?)
    }
}
