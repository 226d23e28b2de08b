//! Signing out at the provider, too: for people at a computer that is not theirs.

use std::cmp::Reverse;
use std::time::Duration;

use url::Url;

use crate::record::Value;
use crate::storage::Filter;
use crate::wire::check_target;
use crate::{Api, Record, Result, codes};

/// How long a provider may take to say where its sign-out is. Signing out here must not wait for it.
const DISCOVERY_TIMEOUT: Duration = Duration::from_secs(3);

/// Somebody who signs out.
#[derive(Clone, Debug, Default)]
pub struct SignOut {
    /// Where the provider sends the browser afterwards. It must be trusted here and registered there.
    pub callback_url: Option<String>,
    /// What the provider gives back with it.
    pub state: Option<String>,
}

impl Api {
    /// Ends this client's session as [`sign_out`](Self::sign_out) does, and gives the page at which the provider ends its own,
    /// if it has one: the browser should go there.
    pub async fn sign_out_at_provider(&mut self, input: SignOut) -> Result<Option<String>> {
        check_target(self, input.callback_url.as_deref(), codes::INVALID_CALLBACK_URL).await?;
        let page = self.end_session_page(&input).await?;
        self.sign_out().await?;
        Ok(page)
    }

    async fn end_session_page(&self, input: &SignOut) -> Result<Option<String>> {
        let Some(token) = self.signed_cookie(&self.core.cookies.session_token) else { return Ok(None) };
        if self.options().social_providers.is_empty() {
            return Ok(None);
        }
        let session = self.storage().find_one(self.table("session")?, &Filter::by("token", token)).await?;
        let Some(user_id) = session.as_ref().and_then(|session| session.text("userId")) else {
            return Ok(None);
        };
        let mut accounts = self.accounts_of(user_id).await?;
        accounts.sort_by_key(|account| Reverse(account.get("updatedAt").and_then(Value::as_date)));
        for account in accounts {
            if let Some(page) = self.page_for(&account, input).await {
                return Ok(Some(page));
            }
        }
        Ok(None)
    }

    async fn page_for(&self, account: &Record, input: &SignOut) -> Option<String> {
        let provider = self.options().social_providers.get(account.text("providerId")?)?;
        let settings = &provider.settings;
        let may_have = settings.end_session_endpoint.is_some() || provider.spec().discovery.is_some();
        if settings.disable_provider_logout || !may_have {
            return None;
        }
        let ready =
            tokio::time::timeout(DISCOVERY_TIMEOUT, self.core.social.ready(&provider.id)).await.ok()??;
        let mut url = Url::parse(ready.spec.end_session_endpoint.as_deref()?).ok()?;
        let mut parameters: Vec<(&str, String)> = Vec::new();
        let id_token = account.text("idToken").filter(|token| !token.is_empty());
        parameters.extend(id_token.map(|token| ("id_token_hint", token.to_owned())));
        let given = input.callback_url.as_deref().filter(|url| !url.is_empty());
        if let Some(target) = given.or(settings.post_logout_redirect_uri.as_deref()) {
            parameters.push(("post_logout_redirect_uri", self.absolute(target)));
            parameters.push(("client_id", provider.client_id().to_owned()));
            parameters.extend(input.state.clone().map(|state| ("state", state)));
        }
        if !parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(parameters);
        }
        Some(url.into())
    }

    fn absolute(&self, target: &str) -> String {
        let base = Url::parse(self.core.base.origin()).ok();
        match Url::options().base_url(base.as_ref()).parse(target) {
            Ok(url) => url.into(),
            Err(_) => target.to_owned(),
        }
    }
}
