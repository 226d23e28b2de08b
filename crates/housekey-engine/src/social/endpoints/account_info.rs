use serde::Serialize;
use serde_json::Value;

use super::own_account::AccountChoice;
use crate::social::{ProfileHints, ProfileUser, TokenSet};
use crate::{Api, Endpoint, Field, Reply, Result, Shape, codes};

/// What a provider says about the owner of an account, now.
#[derive(Clone, Debug)]
pub struct AccountInfo {
    pub user: ProfileUser,
    /// The profile as the provider wrote it.
    pub data: Value,
    pub account: AccountOwner,
}

/// The account that the profile belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountOwner {
    pub id: String,
    pub provider_id: String,
    /// The person's id at the provider.
    pub account_id: String,
}

/// `GET /account-info`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/account-info", |api| Box::pin(answer(api)))
        .about("Tells what a provider says about an account of whoever is signed in.")
        .takes([Field::text("accountId").about("The `id` in the list of accounts.")])
        .answers(Shape::object([
            Field::new(
                "user",
                Shape::object([
                    Field::text("name"),
                    Field::email("email").or_null(),
                    Field::url("image").optional(),
                    Field::boolean("emailVerified"),
                ]),
            ),
            Field::new("data", Shape::any()).about("The profile, as the provider gave it."),
            Field::new(
                "account",
                Shape::object([Field::text("id"), Field::text("providerId"), Field::text("accountId")]),
            ),
        ]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct User<'a> {
        name: &'a str,
        email: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        image: Option<&'a str>,
        email_verified: bool,
    }
    #[derive(Serialize)]
    struct Body<'a> {
        user: User<'a>,
        data: &'a Value,
        account: &'a AccountOwner,
    }
    let mut query = api.request().read_query();
    let id = AccountChoice::read_id(&mut query);
    query.finish()?;
    let info = api.account_info(&id).await?;
    Reply::json(&Body {
        user: User {
            name: info.user.name.as_deref().unwrap_or_default(),
            email: info.user.email.as_deref(),
            image: info.user.image.as_deref(),
            email_verified: info.user.email_verified,
        },
        data: &info.data,
        account: &info.account,
    })
}

impl Api {
    /// Asks the provider of an account, by the id of its row, who its owner is.
    pub async fn account_info(&mut self, id: &str) -> Result<AccountInfo> {
        let account = self.own_account(&AccountChoice::from(id)).await?;
        let text = |name: &str| account.text(name).unwrap_or_default().to_owned();
        let owner =
            AccountOwner { id: text("id"), provider_id: text("providerId"), account_id: text("accountId") };
        let ready = self.ready_provider(&owner.provider_id).await;
        let ready = ready.map_err(|_| codes::PROVIDER_NOT_CONFIGURED.bad_request())?;
        let tokens = self.living_tokens(account).await?;
        if tokens.access_token.is_none() {
            return Err(codes::ACCESS_TOKEN_NOT_FOUND.bad_request());
        }
        let tokens = TokenSet {
            scopes: tokens.scopes(),
            access_token: tokens.access_token,
            refresh_token: tokens.refresh_token,
            id_token: tokens.id_token,
            ..TokenSet::default()
        };
        let hints = ProfileHints { stored: true, ..ProfileHints::default() };
        let profile = self.core.social.profile(&ready, &tokens, hints).await.map_err(|error| {
            tracing::warn!(provider = owner.provider_id, %error, "there is no profile for an account");
            codes::FAILED_TO_GET_USER_INFO.unauthorized()
        })?;
        Ok(AccountInfo { user: profile.user, data: profile.data, account: owner })
    }
}
