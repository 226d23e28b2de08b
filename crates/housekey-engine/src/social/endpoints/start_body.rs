//! The body of `/sign-in/social` and `/link-social`, which are nearly the same, and their answer.

use http::HeaderValue;
use http::header::LOCATION;
use serde::Serialize;
use serde_json::Value;

use super::id_token::IdToken;
use super::start::{MOST_ADDITIONAL_DATA, SocialStart, StartOptions};
use crate::social::RESERVED_PARAMETERS as RESERVED;
use crate::url::printable;
use crate::{Api, Field, Reader, Reply, Result, Shape};

pub(super) struct StartBody {
    pub(super) provider: String,
    pub(super) callback_url: Option<String>,
    pub(super) error_callback_url: Option<String>,
    pub(super) new_user_callback_url: Option<String>,
    pub(super) request_sign_up: Option<bool>,
    pub(super) disable_redirect: bool,
    pub(super) id_token: Option<IdToken>,
    pub(super) start_options: StartOptions,
}

impl StartBody {
    pub(super) fn read(api: &Api) -> Result<Self> {
        let mut body = api.request().read_body();
        let read = Self {
            provider: provider(api, &mut body),
            callback_url: body.optional_text("callbackURL"),
            error_callback_url: body.optional_text("errorCallbackURL"),
            new_user_callback_url: body.optional_text("newUserCallbackURL"),
            request_sign_up: body.optional_bool("requestSignUp"),
            disable_redirect: body.optional_bool("disableRedirect").unwrap_or(false),
            start_options: StartOptions {
                scopes: body.optional_texts("scopes").unwrap_or_default(),
                login_hint: body.optional_text("loginHint"),
                additional_params: additional_params(&mut body),
                additional_data: body.optional_record("additionalData").unwrap_or_default(),
            },
            id_token: None,
        };
        let size = serde_json::to_string(&read.start_options.additional_data).map_or(0, |json| json.len());
        if size > MOST_ADDITIONAL_DATA {
            body.add_error(
                "additionalData",
                &format!("Too big: expected at most {MOST_ADDITIONAL_DATA} bytes of JSON"),
            );
        }
        let id_token = body.optional_record("idToken");
        body.finish()?;
        let id_token = id_token.map(IdToken::read).transpose()?;
        Ok(Self { id_token, ..read })
    }
}

/// The same as it is described.
pub(super) fn fields() -> Vec<Field> {
    let id_token = Shape::object([
        Field::secret("token"),
        Field::text("nonce").optional(),
        Field::secret("accessToken").optional(),
        Field::secret("refreshToken").optional(),
        Field::new("user", Shape::map(Shape::any())).optional(),
    ]);
    let id_token = Field::new("idToken", id_token).optional();
    vec![
        Field::text("provider").about("The id of the provider.").example("google"),
        Field::url("callbackURL").optional().about("Where the browser goes at the end."),
        Field::url("errorCallbackURL").optional().about("Where it goes if something is wrong."),
        Field::url("newUserCallbackURL").optional().about("Where it goes with a new account."),
        Field::boolean("requestSignUp")
            .optional()
            .about("Whether a new account is wanted where none is made by itself."),
        Field::boolean("disableRedirect").optional().about("Whether the client goes to the `url` itself."),
        id_token.about("What an app got from the provider itself."),
        Field::list("scopes", Shape::text()).optional(),
        Field::text("loginHint").optional(),
        Field::new("additionalParams", Shape::map(Shape::text())).optional(),
        Field::new("additionalData", Shape::map(Shape::any())).optional(),
    ]
}

/// Where the browser has to go.
pub(super) fn shape() -> Shape {
    Shape::object([Field::url("url"), Field::boolean("redirect"), Field::boolean("status").optional()])
}

/// Any text: the reference says no more about what is wrong.
fn provider(api: &Api, body: &mut Reader<'_>) -> String {
    match api.request().field("provider") {
        Some(Value::String(provider)) if !provider.contains('\0') => provider.clone(),
        _ => {
            body.add_error("provider", "Invalid input");
            String::new()
        }
    }
}

fn additional_params(body: &mut Reader<'_>) -> Vec<(String, String)> {
    let params = body.optional_text_map("additionalParams").unwrap_or_default();
    if params.iter().any(|(name, _)| RESERVED.contains(&name.as_str())) {
        let reserved = RESERVED.join(", ");
        let what = format!("additionalParams cannot include reserved OAuth parameters: {reserved}");
        body.add_error("additionalParams", &what);
    }
    params
}

/// Where to go, for a client's script, and as a header unless it does that itself.
pub(super) fn answer(start: &SocialStart, disable_redirect: bool) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        url: &'a str,
        redirect: bool,
    }
    let reply = Reply::json(&Body { url: &start.url, redirect: !disable_redirect })?;
    Ok(match HeaderValue::try_from(printable(&start.url)) {
        Ok(location) if !disable_redirect => reply.with_header(LOCATION, location),
        _ => reply,
    })
}
