use housekey::auth::{Feature, offers};
use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::view::Shell;

use crate::controllers::auth::captcha::{CHECK_MAIL, FORGOT_PASSWORD, SIGN_IN, SIGN_UP, captcha_before};
use crate::views::pages::welcome::{Welcome, welcome};

/// `GET /`
pub async fn index() -> View {
    let name = user().map(|user| user.name.clone());
    view(welcome(&Welcome { name, sign_up_open: offers(Feature::SignUp) }))
}

/// The document of guests. It may load the widget of a captcha, where `config/auth.rs` turns one on.
pub async fn guests() -> Result<Shell> {
    captcha_before(&[SIGN_IN, SIGN_UP, FORGOT_PASSWORD, CHECK_MAIL].concat())?;
    Ok(shell("src/auth.ts"))
}

/// `GET /health`: for load balancers and for the lamp over the door.
pub async fn health() -> &'static str {
    "ok"
}

/// `GET /.well-known/passkey-endpoints`
pub async fn passkey_endpoints() -> Result<Json<Value>> {
    let app = service::<AppConfig>().unwrap_or_default();
    let page = format!("{}/settings/passkeys", app.url.trim_end_matches('/'));
    Ok(Json(json!({ "enroll": page, "manage": page })))
}
