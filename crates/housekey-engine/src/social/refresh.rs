//! New tokens for a refresh token. Many providers take one once, and end the whole grant when it comes a second time: however
//! many requests need new tokens, in however many processes, one asks for them and the others wait for what it gets.

use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;

use super::ReadyProvider;
use crate::crypto::sha256;
use crate::models::Commit;
use crate::record::Value;
use crate::storage::{Comparison, Filter};
use crate::{Api, ApiError, Record, Result, Secret};

/// Seconds after which whoever claimed a refresh token is taken to be gone. A provider has ten to answer.
const CLAIM_LIFE: i64 = 30;
/// How often those who wait look.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How often they look at most: as long as a claim lives.
const LOOKS: u32 = 300;

/// How a refresh ended.
pub(super) enum Refreshed {
    /// The account as it is now.
    Done(Record),
    /// The provider did not give new tokens; the log says why.
    Failed,
}

impl Api {
    /// Refreshes the tokens of an account, as it was read before.
    // spec: SOC-7
    pub(super) async fn refresh_account(
        &mut self,
        ready: &ReadyProvider,
        account: Record,
        refresh_token: &Secret,
    ) -> Result<Refreshed> {
        let id = account.text("id").unwrap_or_default().to_owned();
        let claim = self.claim_of(&id, &account);
        if !self.claim(&claim).await? {
            return self.await_refresh(&claim, &account, &id).await;
        }
        let refreshed = self.refresh_claimed(ready, account, &id, refresh_token).await;
        let table = self.core.table("verification")?;
        if let Err(error) = self.core.storage.delete(table, &Filter::by("id", &claim)).await {
            tracing::error!(%error, "the claim on a refresh token could not be given back: it ends by itself");
        }
        refreshed
    }

    /// The claim is about this very token: one that replaced it has a claim of its own.
    fn claim_of(&self, id: &str, account: &Record) -> String {
        let stored = account.text("refreshToken").unwrap_or_default();
        let token = BASE64URL_NOPAD.encode(&sha256(stored.as_bytes()));
        self.core.id_from(&format!("oauth-refresh:{id}:{token}"))
    }

    /// Whether this request is the one that asks the provider: the primary key lets one of several.
    async fn claim(&self, claim: &str) -> Result<bool> {
        let (core, now) = (&self.core, self.clock().now());
        let table = core.table("verification")?;
        let abandoned = Filter::by("id", claim).and("expiresAt", Comparison::LessOrEqual, now);
        core.storage.delete(table, &abandoned).await?;
        let record = Record::new()
            .with("id", claim)
            .with("identifier", format!("oauth-refresh:{claim}"))
            .with("value", "claimed")
            .with("expiresAt", now + time::Duration::seconds(CLAIM_LIFE))
            .with("createdAt", now)
            .with("updatedAt", now);
        match core.storage.create(table, &record).await {
            Ok(()) => Ok(true),
            Err(error) if error.is_conflict() => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn refresh_claimed(
        &mut self,
        ready: &ReadyProvider,
        read: Record,
        id: &str,
        refresh_token: &Secret,
    ) -> Result<Refreshed> {
        // Somebody may have finished between our reading and our claim.
        let Some(now) = self.account_by_id(id).await? else { return Ok(Refreshed::Failed) };
        if is_newer(&read, &now) {
            return Ok(Refreshed::Done(now));
        }
        let tokens = match self.core.social.refresh(ready, refresh_token).await {
            Ok(tokens) if tokens.access_token.is_some() => tokens,
            Ok(_) => {
                tracing::warn!(
                    provider = ready.provider.id,
                    account = id,
                    "a refresh brought no access token"
                );
                return Ok(Refreshed::Failed);
            }
            Err(error) => {
                tracing::warn!(provider = ready.provider.id, account = id, %error, "a token could not be refreshed");
                return Ok(Refreshed::Failed);
            }
        };
        let mut fields = self.token_fields(&tokens)?;
        // An access token that does not say when it ends must not inherit the end of the one before.
        if tokens.access_token_expires_at.is_none() {
            fields.set("accessTokenExpiresAt", Value::Null);
        }
        let mut changes = self.changes();
        // A sign-in may have stored other tokens meanwhile: those stay.
        let same = Filter::by("id", id).and_by("refreshToken", now.text("refreshToken").unwrap_or_default());
        let written = changes.update_expecting("account", same, fields).await?;
        match changes.commit().await? {
            Commit::Done => {
                let mut account = now;
                account.merge(written);
                self.set_account_cookie(&account);
                Ok(Refreshed::Done(account))
            }
            Commit::Lost => Ok(match self.account_by_id(id).await? {
                Some(account) => Refreshed::Done(account),
                None => Refreshed::Failed,
            }),
        }
    }

    /// Waits for whoever asks the provider.
    async fn await_refresh(&mut self, claim: &str, read: &Record, id: &str) -> Result<Refreshed> {
        for _ in 0..LOOKS {
            tokio::time::sleep(LOOK_EVERY).await;
            let table = self.core.table("verification")?;
            // Asked before the account is: whoever is done wrote the tokens before giving the claim back.
            let is_claimed = self.core.storage.count(table, &Filter::by("id", claim)).await? > 0;
            let Some(account) = self.account_by_id(id).await? else { return Ok(Refreshed::Failed) };
            if is_newer(read, &account) {
                self.set_account_cookie(&account);
                return Ok(Refreshed::Done(account));
            }
            if !is_claimed {
                // It failed there; a second request with the same token would not do better.
                return Ok(Refreshed::Failed);
            }
        }
        Err(ApiError::internal("a refresh did not end", "the request that claimed it is still at it"))
    }

    pub(super) async fn account_by_id(&self, id: &str) -> Result<Option<Record>> {
        Ok(self.core.storage.find_one(self.core.table("account")?, &Filter::by("id", id)).await?)
    }
}

/// Whether an account got other tokens since it was read. An encrypted one differs each time that it is stored.
fn is_newer(read: &Record, now: &Record) -> bool {
    ["accessToken", "refreshToken", "accessTokenExpiresAt"]
        .iter()
        .any(|field| read.get(field) != now.get(field))
}
