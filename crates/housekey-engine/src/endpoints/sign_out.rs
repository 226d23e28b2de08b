use std::sync::Arc;

use serde_json::json;

use crate::storage::Filter;
use crate::{Api, Endpoint, Field, Reply, Result, SecurityEvent, SecurityEventKind, Shape};

/// `POST /sign-out`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/sign-out", |api| Box::pin(answer(api)))
        .about("Ends this session. Nobody signed in is no error.")
        .may_take([
            Field::url("callbackURL")
                .optional()
                .about("Where the provider's page leads back to, if there is one."),
            Field::boolean("disableRedirect").optional(),
            Field::text("state").optional(),
        ])
        .answers(Shape::object([
            Field::boolean("success"),
            Field::url("url").optional().about("A page of the provider that ends its session too."),
            Field::boolean("redirect").optional(),
        ]))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    // These are for providers that want to be told; they are checked, so that a client finds its mistakes here too.
    let mut body = api.request().read_body().or_empty();
    let asked = (
        body.optional_text("callbackURL"),
        body.optional_bool("disableRedirect"),
        body.optional_text("state"),
    );
    body.finish()?;
    sign_out(api, asked).await
}

/// `callbackURL`, `disableRedirect` and `state`.
type Asked = (Option<String>, Option<bool>, Option<String>);

#[cfg(not(feature = "social"))]
async fn sign_out(api: &mut Api, _: Asked) -> Result<Reply> {
    api.sign_out().await?;
    Reply::json(&json!({ "success": true }))
}

#[cfg(feature = "social")]
async fn sign_out(api: &mut Api, asked: Asked) -> Result<Reply> {
    use http::HeaderValue;
    use http::header::LOCATION;

    let (callback_url, disable_redirect, state) = asked;
    let disable_redirect = disable_redirect.unwrap_or(false);
    let page = api.sign_out_at_provider(crate::social::SignOut { callback_url, state }).await?;
    let Some(page) = page else { return Reply::json(&json!({ "success": true })) };
    let reply = Reply::json(&json!({ "success": true, "url": page, "redirect": !disable_redirect }))?;
    Ok(match HeaderValue::try_from(crate::url::printable(&page)) {
        Ok(location) if !disable_redirect => reply.with_header(LOCATION, location),
        _ => reply,
    })
}

impl Api {
    /// Ends this client's session, if it has one, and takes away its cookies in any case. What else a plugin gave to this client
    /// ends with it.
    pub async fn sign_out(&mut self) -> Result<()> {
        for hook in &Arc::clone(&self.plugin_hooks).sign_outs {
            hook(self).await?;
        }
        let core = Arc::clone(&self.core);
        let token = self.signed_cookie(&core.cookies.session_token);
        self.clear_session_cookies();
        let Some(token) = token else { return Ok(()) };
        let event = self.sign_out_event(&token).await?;
        if self.end_session(&token, None).await?
            && let Some(event) = event
        {
            self.emit(event).await;
        }
        Ok(())
    }

    /// Whose session it is, asked before it is gone, and only where somebody wants to know.
    async fn sign_out_event(&self, token: &str) -> Result<Option<SecurityEvent>> {
        if !self.options().on_security_event.is_set() {
            return Ok(None);
        }
        let found = self.storage().find_one(self.table("session")?, &Filter::by("token", token)).await?;
        Ok(found.map(|session| SecurityEvent {
            session_id: session.text("id").map(str::to_owned),
            ..self.event(SecurityEventKind::SignOut, session.text("userId"))
        }))
    }
}
