use http::StatusCode;
use serde::Serialize;
use time::OffsetDateTime;

use super::own_account::{AccountChoice, unsupported};
use crate::record::iso;
use crate::social::refresh::Refreshed;
use crate::{Api, Endpoint, Field, Reply, Result, Secret, Shape, codes};

/// The tokens of an account after a refresh.
#[derive(Clone, Debug)]
pub struct RefreshedTokens {
    pub access_token: Secret,
    /// The new one, or the old one where the provider gave none.
    pub refresh_token: Secret,
    pub access_token_expires_at: Option<OffsetDateTime>,
    pub refresh_token_expires_at: Option<OffsetDateTime>,
    /// The scopes that were granted, as they are stored.
    pub scope: Option<String>,
    pub id_token: Option<Secret>,
    pub provider_id: String,
    /// The id of the account's row.
    pub account_id: String,
}

/// `POST /refresh-token`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/refresh-token", |api| Box::pin(answer(api)))
        .about("Renews the tokens of an account at a provider.")
        .takes(AccountChoice::fields())
        .answers(Shape::object([
            Field::secret("accessToken"),
            Field::secret("refreshToken"),
            Field::date("accessTokenExpiresAt").optional(),
            Field::date("refreshTokenExpiresAt").or_null(),
            Field::text("scope").or_null(),
            Field::secret("idToken").or_null(),
            Field::text("providerId"),
            Field::text("accountId"),
        ]))
        .needs_session()
        .refuses(StatusCode::BAD_REQUEST, [codes::ACCOUNT_NOT_FOUND, codes::REFRESH_TOKEN_NOT_FOUND])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Body<'a> {
        access_token: &'a str,
        refresh_token: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        access_token_expires_at: Option<String>,
        refresh_token_expires_at: Option<String>,
        scope: Option<&'a str>,
        id_token: Option<&'a str>,
        provider_id: &'a str,
        account_id: &'a str,
    }
    let mut body = api.request().read_body();
    let choice = AccountChoice::read(&mut body);
    body.finish()?;
    let tokens = api.refresh_token(choice).await?;
    Reply::json(&Body {
        access_token: tokens.access_token.reveal(),
        refresh_token: tokens.refresh_token.reveal(),
        access_token_expires_at: tokens.access_token_expires_at.map(iso),
        refresh_token_expires_at: tokens.refresh_token_expires_at.map(iso),
        scope: tokens.scope.as_deref(),
        id_token: tokens.id_token.as_ref().map(Secret::reveal),
        provider_id: &tokens.provider_id,
        account_id: &tokens.account_id,
    })
}

impl Api {
    /// Renews the tokens of an account of whoever is signed in, by the id of its row. Of several who ask at the same time one
    /// asks the provider, and all get what it gave.
    pub async fn refresh_token(&mut self, account: impl Into<AccountChoice>) -> Result<RefreshedTokens> {
        let account = self.own_account(&account.into()).await?;
        let provider = account.text("providerId").unwrap_or_default().to_owned();
        if !self.has_provider(&provider) {
            return Err(unsupported(&provider));
        }
        let failed = || codes::FAILED_TO_REFRESH_ACCESS_TOKEN.bad_request();
        let ready = self.ready_provider(&provider).await.map_err(|_| failed())?;
        if !ready.refreshes() {
            let message = format!("Provider {provider} does not support token refreshing.");
            return Err(codes::TOKEN_REFRESH_NOT_SUPPORTED.saying(StatusCode::BAD_REQUEST, message));
        }
        let refresh_token = self.readable_tokens(&account).ok_or_else(failed)?.refresh_token;
        let refresh_token = refresh_token.ok_or_else(|| codes::REFRESH_TOKEN_NOT_FOUND.bad_request())?;
        let Refreshed::Done(account) = self.refresh_account(&ready, account, &refresh_token).await? else {
            return Err(failed());
        };
        let tokens = self.readable_tokens(&account).ok_or_else(failed)?;
        Ok(RefreshedTokens {
            access_token: tokens.access_token.unwrap_or_default(),
            refresh_token: tokens.refresh_token.unwrap_or_default(),
            access_token_expires_at: tokens.access_token_expires_at,
            refresh_token_expires_at: tokens.refresh_token_expires_at,
            scope: tokens.scope,
            id_token: tokens.id_token,
            provider_id: provider,
            account_id: account.text("id").unwrap_or_default().to_owned(),
        })
    }
}
