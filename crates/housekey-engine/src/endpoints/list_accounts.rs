use serde::Serialize;
use time::OffsetDateTime;

use crate::record::{Value, iso};
use crate::storage::{Direction, Filter, Find};
use crate::{Api, Endpoint, Field, Record, Reply, Result, Shape};

/// One of the ways in which a user signs in, without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub id: String,
    /// `credential` for a password, and the id of a provider otherwise.
    pub provider_id: String,
    /// The person's id at the provider.
    pub account_id: String,
    pub created_at: OffsetDateTime,
    /// What the provider lets us do on behalf of the person.
    pub scopes: Vec<String>,
}

/// `GET /list-accounts`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/list-accounts", |api| Box::pin(answer(api)))
        .about(
            "Lists the ways in which whoever is signed in can do so: a password, accounts of \
             providers.",
        )
        .answers(Shape::list(Shape::object([
            Field::text("accountId").about("The person's id at the provider."),
            Field::text("providerId").about("`credential` for a password."),
            Field::text("userId"),
            Field::date("createdAt").or_null(),
            Field::date("updatedAt").or_null(),
            Field::text("id"),
            Field::list("scopes", Shape::text()),
        ])))
        .needs_session()
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
            scopes: scopes(account).collect(),
        }
    }
}

fn scopes(account: &Record) -> impl Iterator<Item = &str> {
    account.text("scope").unwrap_or_default().split(',').filter(|scope| !scope.is_empty())
}

impl Api {
    /// The ways in which whoever is signed in can do so, the oldest first. Passkeys are not among them.
    pub async fn accounts(&mut self) -> Result<Vec<Account>> {
        let signed_in = self.require_session().await?;
        let accounts = self.accounts_of(&signed_in.user.id).await?;
        let text = |account: &Record, field| account.text(field).unwrap_or_default().to_owned();
        let read = accounts.iter().map(|account| Account {
            id: text(account, "id"),
            provider_id: text(account, "providerId"),
            account_id: text(account, "accountId"),
            created_at: account
                .get("createdAt")
                .and_then(Value::as_date)
                .unwrap_or(OffsetDateTime::UNIX_EPOCH),
            scopes: scopes(account).map(str::to_owned).collect(),
        });
        Ok(read.collect())
    }

    /// The ways in which somebody signs in, as rows with every column: hashes and tokens of providers too.
    pub async fn accounts_of(&self, user_id: &str) -> Result<Vec<Record>> {
        let find = Find::new(Filter::by("userId", user_id)).order("createdAt", Direction::Ascending);
        Ok(self.core.storage.find(self.core.table("account")?, &find).await?)
    }
}
