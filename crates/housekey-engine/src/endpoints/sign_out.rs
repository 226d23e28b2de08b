use std::sync::Arc;

use serde_json::json;

use crate::{Api, Endpoint, Reply, Result};

/// `POST /sign-out`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/sign-out", |api| Box::pin(answer(api)))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    api.sign_out().await?;
    Reply::json(&json!({ "success": true }))
}

impl Api {
    /// Ends this client's session, if it has one, and takes away its cookies in any case.
    pub async fn sign_out(&mut self) -> Result<()> {
        let core = Arc::clone(&self.core);
        let token = self.signed_cookie(&core.cookies.session_token);
        self.forget_cookies();
        if let Some(token) = token {
            self.end_session(&token, None).await?;
        }
        Ok(())
    }
}
