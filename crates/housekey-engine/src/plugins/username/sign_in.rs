use http::StatusCode;

use super::{codes, find, options, rules};
use crate::{Api, Endpoint, Field, Reply, Result, Secret, Shape, SignIn, SignInPassword};

/// A person who says who they are by their name.
#[derive(Clone, Debug, Default)]
pub struct SignInUsername {
    /// Their name, in any spelling.
    pub username: String,
    pub password: Secret,
    /// Where the browser should go, and where the link in a verification mail leads.
    pub callback_url: Option<String>,
    /// Whether the session outlives the browser; yes when unset.
    pub remember_me: Option<bool>,
}

/// `POST /sign-in/username`
pub(super) fn endpoint() -> Endpoint {
    let refused = [codes::USERNAME_TOO_SHORT, codes::USERNAME_TOO_LONG, codes::INVALID_USERNAME];
    Endpoint::post("/sign-in/username", |api| Box::pin(answer(api)))
        .about("Signs in with a username and a password.")
        .takes([
            Field::text("username").example("ada"),
            Field::secret("password"),
            Field::boolean("rememberMe").optional().about("Whether the session outlives the browser."),
            Field::url("callbackURL").optional(),
        ])
        .answers(Shape::object([
            Field::boolean("redirect"),
            Field::text("token"),
            Field::url("url").optional(),
            Field::row("user", "user"),
        ]))
        .may_challenge()
        .refuses(StatusCode::UNAUTHORIZED, [codes::INVALID_USERNAME_OR_PASSWORD])
        .refuses(StatusCode::UNPROCESSABLE_ENTITY, refused)
        .refuses(StatusCode::FORBIDDEN, [crate::codes::EMAIL_NOT_VERIFIED])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let input = SignInUsername {
        username: body.text("username"),
        password: body.secret("password"),
        remember_me: body.optional_bool("rememberMe"),
        callback_url: body.optional_text("callbackURL"),
    };
    body.finish()?;
    api.check_sign_in_origin().await?;
    let url = input.callback_url.clone().filter(|url| !url.is_empty());
    let sign_in = sign_in(api, input).await?;
    // As in the reference, whoever is asked for a second factor is sent nowhere yet.
    sign_in.reply(api, url.as_deref().filter(|_| matches!(sign_in, SignIn::Done(_))))
}

/// Signs in with a name and a password.
///
/// A wrong password, a name that is nobody's and one whose owner has no password give the same answer after the same work. Wrong
/// passwords count for the account, whether its name or its address was given.
// spec: KEY-2 SEC-4
pub async fn sign_in(api: &mut Api, input: SignInUsername) -> Result<SignIn> {
    let options = options(api)?;
    let refusal = codes::INVALID_USERNAME_OR_PASSWORD;
    if input.username.is_empty() || input.password.reveal().is_empty() {
        return Err(refusal.unauthorized());
    }
    if let Some(objection) = rules::objection(&options, &input.username).await? {
        return Err(objection.unprocessable());
    }
    let name = rules::normalise(&options, &input.username);
    let user = find(api, &name).await?;
    let sign_in = api
        .sign_in_password(SignInPassword {
            // A name that is nobody's is counted as what it is: no address can be the same.
            name: format!("username:{name}"),
            user,
            password: input.password,
            callback_url: input.callback_url,
            remember_me: input.remember_me,
            refusal,
        })
        .await?;
    // Events say how somebody proved who they are, by a password. What they typed beside it matters to whoever asks next time.
    api.set_sign_in_method("username");
    Ok(sign_in)
}
