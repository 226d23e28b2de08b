use serde_json::{Map, Value as Json, json};

use super::{MagicLinkMail, MagicLinkOptions, browser, options, row};
use crate::{Api, Endpoint, Field, Reply, Result, Shape, codes, random, with_minimum_duration};

/// What mails of this kind are counted as.
const MAIL: &str = "magic-link";

/// Somebody who wants to be sent a link.
#[derive(Clone, Debug, Default)]
pub struct SendMagicLink {
    pub email: String,
    /// What they are called, if they are new.
    pub name: Option<String>,
    /// Where the link leads; to the app's own address when unset.
    pub callback_url: Option<String>,
    /// Where it leads somebody who is new.
    pub new_user_callback_url: Option<String>,
    /// Where it leads with what is wrong with it, in `error`.
    pub error_callback_url: Option<String>,
    /// For whatever sends the mail.
    pub metadata: Option<Map<String, Json>>,
}

/// `POST /sign-in/magic-link`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/sign-in/magic-link", |api| Box::pin(answer(api)))
        .about(
            "Sends a link by mail that signs in whoever opens it. The answer is the same for every address.",
        )
        .takes([
            Field::email("email"),
            Field::text("name").optional().about("What somebody new is called."),
            Field::url("callbackURL").optional().about("Where the link leads."),
            Field::url("newUserCallbackURL").optional().about("Where it leads somebody who is new."),
            Field::url("errorCallbackURL").optional().about("Where it leads if it does not work."),
            Field::new("metadata", Shape::map(Shape::any())).optional().about("For whatever sends the mail."),
        ])
        .answers(Shape::status())
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let input = SendMagicLink {
        email: body.email("email"),
        name: body.optional_text("name"),
        callback_url: body.optional_text("callbackURL"),
        new_user_callback_url: body.optional_text("newUserCallbackURL"),
        error_callback_url: body.optional_text("errorCallbackURL"),
        metadata: body.optional_record("metadata"),
    };
    body.finish()?;
    api.check_sign_in_origin().await?;
    send(api, input).await?;
    Reply::json(&json!({ "status": true }))
}

/// Sends a link. Whether the address is anybody's tells neither what comes back nor the time that it takes; an address that was
/// sent too many is sent no more for a while.
// spec: KEY-1, SEC-5
pub async fn send(api: &mut Api, input: SendMagicLink) -> Result<()> {
    let options = options(api)?;
    api.check_email(&input.email)?;
    api.check_target(input.callback_url.as_deref(), codes::INVALID_CALLBACK_URL).await?;
    api.check_target(input.new_user_callback_url.as_deref(), codes::INVALID_NEW_USER_CALLBACK_URL).await?;
    api.check_target(input.error_callback_url.as_deref(), codes::INVALID_ERROR_CALLBACK_URL).await?;
    let browser = options.bind_to_browser.then(|| browser::remember(api, options.expires_in));
    let clock = api.clock().clone();
    with_minimum_duration(&clock, deliver(api, &options, input, browser)).await
}

async fn deliver(
    api: &Api,
    options: &MagicLinkOptions,
    input: SendMagicLink,
    browser: Option<String>,
) -> Result<()> {
    // What a link proves is the address that it went to, and that is the one on file.
    let email = input.email.to_lowercase();
    if !api.may_mail(MAIL, &email, options.expires_in).await {
        return Ok(());
    }
    let user = api.user_by_email(&email).await?;
    if user.is_none() && options.disable_sign_up {
        tracing::debug!("a link was asked for an address that is not known, and nobody may sign up");
        return Ok(());
    }
    let token = random::alphanumeric(32);
    let url = link(api, &token, &input);
    row::store(api, options, &token, &email, input.name, browser.as_deref()).await?;
    let mail = MagicLinkMail { email, url, token, metadata: input.metadata, user };
    api.send("sendMagicLink", &options.send_magic_link, mail).await;
    Ok(())
}

/// The address of a link, written as JavaScript writes it.
fn link(api: &Api, token: &str, input: &SendMagicLink) -> String {
    let given = |url: &Option<String>| url.clone().filter(|url| !url.is_empty());
    let callback = given(&input.callback_url).unwrap_or_else(|| "/".to_owned());
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("token", token).append_pair("callbackURL", &callback);
    let others = [
        ("newUserCallbackURL", given(&input.new_user_callback_url)),
        ("errorCallbackURL", given(&input.error_callback_url)),
    ];
    for (name, url) in others {
        if let Some(url) = url {
            query.append_pair(name, &url);
        }
    }
    api.endpoint_url(&format!("/magic-link/verify?{}", query.finish()))
}
