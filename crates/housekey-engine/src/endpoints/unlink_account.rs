use http::StatusCode;
use std::sync::Arc;

use serde_json::json;

use crate::models::{CREDENTIAL, Changes, Commit};
use crate::record::Value;
use crate::storage::Filter;
use crate::{Api, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape, codes};

/// The table of the plugin for passkeys, which sign in by themselves.
const PASSKEYS: &str = "passkey";

/// `POST /unlink-account`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/unlink-account", |api| Box::pin(answer(api)))
        .about("Takes away one of one's own ways to sign in, but not the last one.")
        .takes([Field::text("accountId").about("The `id` in the list of accounts.")])
        .answers(Shape::status())
        .needs_session()
        .refuses(StatusCode::BAD_REQUEST, [codes::FAILED_TO_UNLINK_LAST_ACCOUNT])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = body.text("accountId");
    body.finish()?;
    api.unlink_account(&id).await?;
    Reply::json(&json!({ "status": true }))
}

impl Api {
    /// Takes away one of one's own ways to sign in, by the id of its row; not the last one, unless the options allow it. What
    /// cannot be signed in with any more, such as an account of a provider that is gone, is none.
    // spec: SOC-6
    pub async fn unlink_account(&mut self, id: &str) -> Result<()> {
        let core = Arc::clone(&self.core);
        let signed_in = match self.is_presence_confirmed() {
            true => self.require_stored_session().await?,
            false => self.require_fresh_session().await?,
        };
        let user_id = &signed_in.user.id;
        let last = || codes::FAILED_TO_UNLINK_LAST_ACCOUNT.bad_request();
        let accounts = self.accounts_of(user_id).await?;
        let (own, others): (Vec<_>, Vec<_>) =
            accounts.iter().partition(|account| account.text("id") == Some(id));
        let others_that_work: Vec<_> = others.iter().filter(|account| self.signs_in(account)).collect();
        let mut changes = Changes::new(&core);
        let mut writes = vec![(id, None)];
        if !core.options.account.account_linking.allow_unlinking_all {
            let has_passkey = self.has_passkey(user_id).await?;
            // Which of one's accounts it is does not matter while there is but one: so it is in the reference.
            if !has_passkey && (accounts.len() <= 1 || (!own.is_empty() && others_that_work.is_empty())) {
                return Err(last());
            }
            // The one that stays is part of the condition: of two requests that take away one each, one is lost.
            if let Some(stays) = others_that_work.first().filter(|_| !has_passkey) {
                writes.push((stays.text("id").unwrap_or_default(), Some(stays)));
            }
        }
        // In one order whoever asks, so that two do not wait for each other's rows.
        writes.sort_unstable_by_key(|(id, _)| *id);
        for (id, stays) in writes {
            let row = Filter::by("id", id).and_by("userId", user_id);
            match stays {
                None => changes.delete_expecting("account", row).await?,
                Some(account) => {
                    let updated = account.get("updatedAt").cloned().unwrap_or(Value::Null);
                    let same = Record::new().with("userId", user_id).with("updatedAt", updated);
                    changes.update_expecting("account", row, same).await?;
                }
            }
        }
        if changes.commit().await? == Commit::Lost {
            let is_there =
                self.accounts_of(user_id).await?.iter().any(|account| account.text("id") == Some(id));
            return Err(if is_there { last() } else { codes::ACCOUNT_NOT_FOUND.bad_request() });
        }
        let provider = own.first().and_then(|account| account.text("providerId")).unwrap_or_default();
        let event = self.event(SecurityEventKind::AccountUnlinked, Some(user_id));
        self.emit(event.with("provider", provider)).await;
        Ok(())
    }

    /// Whether an account is a way in, as the options are now.
    fn signs_in(&self, account: &Record) -> bool {
        match account.text("providerId") {
            Some(CREDENTIAL) => {
                self.options().email_and_password.enabled
                    && account.text("password").is_some_and(|hash| !hash.is_empty())
            }
            #[cfg(feature = "social")]
            Some(provider) => self.options().social_providers.get(provider).is_some(),
            _ => false,
        }
    }

    async fn has_passkey(&self, user_id: &str) -> Result<bool> {
        let Some(table) = self.core.schema.table(PASSKEYS) else { return Ok(false) };
        Ok(self.core.storage.count(table, &Filter::by("userId", user_id)).await? > 0)
    }
}
