use http::StatusCode;
use serde::Serialize;
use time::OffsetDateTime;

use super::own_account::{AccountChoice, unsupported};
use crate::record::iso;
use crate::{Api, Endpoint, Field, Reply, Result, Secret, Shape, codes};

/// What calls a provider's interfaces on behalf of a user.
#[derive(Clone, Debug)]
pub struct AccessToken {
    /// Empty when the provider gave none.
    pub token: Secret,
    /// When it ends, if the provider said so.
    pub expires_at: Option<OffsetDateTime>,
    /// What it is good for.
    pub scopes: Vec<String>,
    pub id_token: Option<Secret>,
}

/// `POST /get-access-token`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/get-access-token", |api| Box::pin(answer(api)))
        .about("Gives an access token of an account at a provider, renewed if it is about to end.")
        .takes(AccountChoice::fields())
        .answers(Shape::object([
            Field::secret("accessToken"),
            Field::date("accessTokenExpiresAt").optional(),
            Field::list("scopes", Shape::text()),
            Field::secret("idToken").optional(),
        ]))
        .needs_session()
        .refuses(StatusCode::BAD_REQUEST, [codes::ACCOUNT_NOT_FOUND])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Body<'a> {
        access_token: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        access_token_expires_at: Option<String>,
        scopes: &'a [String],
        #[serde(skip_serializing_if = "Option::is_none")]
        id_token: Option<&'a str>,
    }
    let mut body = api.request().read_body();
    let choice = AccountChoice::read(&mut body);
    body.finish()?;
    let token = api.access_token(choice).await?;
    Reply::json(&Body {
        access_token: token.token.reveal(),
        access_token_expires_at: token.expires_at.map(iso),
        scopes: &token.scopes,
        id_token: token.id_token.as_ref().map(Secret::reveal),
    })
}

impl Api {
    /// An access token of an account of whoever is signed in, by the id of its row. One that is about to end is renewed first,
    /// once, however many ask.
    pub async fn access_token(&mut self, account: impl Into<AccountChoice>) -> Result<AccessToken> {
        let account = self.own_account(&account.into()).await?;
        let provider = account.text("providerId").unwrap_or_default();
        if !self.has_provider(provider) {
            return Err(unsupported(provider));
        }
        let tokens = self.living_tokens(account).await?;
        Ok(AccessToken {
            scopes: tokens.scopes(),
            token: tokens.access_token.unwrap_or_default(),
            expires_at: tokens.access_token_expires_at,
            id_token: tokens.id_token,
        })
    }
}
