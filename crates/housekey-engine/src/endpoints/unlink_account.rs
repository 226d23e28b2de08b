use std::sync::Arc;

use serde_json::json;

use crate::models::{Changes, Commit};
use crate::storage::Filter;
use crate::{Api, Endpoint, Reply, Result, SecurityEventKind, codes};

/// `POST /unlink-account`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/unlink-account", |api| Box::pin(answer(api)))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = body.text("accountId");
    body.finish()?;
    api.unlink_account(&id).await?;
    Reply::json(&json!({ "status": true }))
}

impl Api {
    /// Takes away one of one's own ways to sign in, by the id of its row; not the last one, unless the options allow it.
    pub async fn unlink_account(&mut self, id: &str) -> Result<()> {
        let core = Arc::clone(&self.core);
        let signed_in = self.require_fresh_session().await?;
        let accounts = self.accounts_of(&signed_in.user.id).await?;
        if accounts.len() <= 1 && !core.options.account.account_linking.allow_unlinking_all {
            return Err(codes::FAILED_TO_UNLINK_LAST_ACCOUNT.bad_request());
        }
        let mut changes = Changes::new(&core);
        let own = Filter::by("id", id).and_by("userId", &signed_in.user.id);
        changes.delete_expecting("account", own).await?;
        match changes.commit().await? {
            Commit::Done => {
                self.emit(self.event(SecurityEventKind::AccountUnlinked, Some(&signed_in.user.id))).await;
                Ok(())
            }
            Commit::Lost => Err(codes::ACCOUNT_NOT_FOUND.bad_request()),
        }
    }
}
