//! The account that a client asks about, and its tokens.

use http::StatusCode;

use crate::social::refresh::Refreshed;
use crate::social::tokens::StoredTokens;
use crate::storage::Filter;
use crate::{Api, ApiError, Field, Reader, Record, Result, codes};

/// Seconds before its end from which on an access token is renewed.
const SOON: i64 = 5;

/// Which of one's accounts is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountChoice {
    /// The one with this id of a row.
    Id(String),
    /// The one in the cookie of `account.storeAccountCookie`.
    Cookie,
}

impl From<&str> for AccountChoice {
    fn from(id: &str) -> Self {
        Self::Id(id.to_owned())
    }
}

impl From<String> for AccountChoice {
    fn from(id: String) -> Self {
        Self::Id(id)
    }
}

impl AccountChoice {
    /// One way to name an account, and nothing else: not by its provider, as clients of an older version of the reference do.
    pub(super) fn read(body: &mut Reader<'_>) -> Self {
        let by_cookie = body.optional_bool("useAccountCookie") == Some(true);
        if by_cookie && body.others(&["useAccountCookie", "userId"]).is_empty() {
            return Self::Cookie;
        }
        Self::Id(Self::read_id(body))
    }

    /// The same as it is described. One of them has to be there.
    pub(super) fn fields() -> [Field; 2] {
        let cookie = Field::boolean("useAccountCookie").optional();
        [
            Field::text("accountId").optional().about("The `id` in the list of accounts."),
            cookie.about("In its place: the account of the cookie, where there is one."),
        ]
    }

    /// The same where there is no cookie to choose.
    pub(super) fn read_id(fields: &mut Reader<'_>) -> String {
        let (id, others) = (fields.optional_text("accountId"), fields.others(&["accountId", "userId"]));
        match (&id, others.as_slice()) {
            (Some(_), []) => {}
            (Some(_), [other]) => fields.fail_with(&format!("Unrecognized key: {other}")),
            (Some(_), others) => fields.fail_with(&format!("Unrecognized keys: {}", others.join(", "))),
            (None, _) => fields.fail_with("Invalid input"),
        }
        id.unwrap_or_default()
    }
}

impl Api {
    /// An account of whoever is signed in. The session is read from the storage: tokens are not for one that was ended.
    pub(super) async fn own_account(&mut self, choice: &AccountChoice) -> Result<Record> {
        let signed_in = self.stored_session().await?;
        let signed_in = signed_in.ok_or_else(|| ApiError::empty(StatusCode::UNAUTHORIZED))?;
        let id = match choice {
            AccountChoice::Id(id) => Some(id.clone()),
            AccountChoice::Cookie => {
                self.account_in_cookie().and_then(|account| account.text("id").map(str::to_owned))
            }
        };
        let unknown = || codes::ACCOUNT_NOT_FOUND.bad_request();
        let own = Filter::by("id", id.ok_or_else(unknown)?).and_by("userId", &signed_in.user.id);
        self.core.storage.find_one(self.core.table("account")?, &own).await?.ok_or_else(unknown)
    }

    /// The tokens of an account, renewed if the access token is about to end.
    pub(super) async fn living_tokens(&mut self, account: Record) -> Result<StoredTokens> {
        let failed = || codes::FAILED_TO_GET_ACCESS_TOKEN.bad_request();
        let tokens = self.readable_tokens(&account).ok_or_else(failed)?;
        let soon = self.clock().now() + time::Duration::seconds(SOON);
        let ends = tokens.access_token_expires_at.is_some_and(|at| at < soon);
        let Some(refresh_token) = tokens.refresh_token.clone().filter(|_| ends) else { return Ok(tokens) };
        let provider = account.text("providerId").unwrap_or_default();
        let ready = self.ready_provider(provider).await.map_err(|_| failed())?;
        if !ready.refreshes() {
            return Ok(tokens);
        }
        match self.refresh_account(&ready, account, &refresh_token).await? {
            Refreshed::Done(account) => self.readable_tokens(&account).ok_or_else(failed),
            Refreshed::Failed => Err(failed()),
        }
    }

    /// The tokens of an account, unless they cannot be opened: then the log says so.
    pub(super) fn readable_tokens(&self, account: &Record) -> Option<StoredTokens> {
        let tokens = self.stored_tokens(account);
        tokens.inspect_err(|error| tracing::error!(account = account.text("id"), %error, "no token")).ok()
    }

    /// Whether there is such a provider.
    pub(super) fn has_provider(&self, id: &str) -> bool {
        self.options().social_providers.get(id).is_some()
    }
}

/// That tokens of an account cannot be had: it is one with a password, or of a provider that is gone.
pub(super) fn unsupported(provider: &str) -> ApiError {
    let message = format!("Provider {provider} is not supported.");
    codes::PROVIDER_NOT_SUPPORTED.saying(StatusCode::BAD_REQUEST, message)
}
