use std::sync::Arc;

use http::StatusCode;
use serde::Serialize;

use super::{AnonymousOptions, IS_ANONYMOUS, codes, is_anonymous, options};
use crate::{
    Api, ApiError, Commit, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape, SignedIn, User,
    UserView, random,
};

/// The host of addresses that cannot be anybody's: `.invalid` is nobody's domain (RFC 2606).
const NOWHERE: &str = "anonymous.placeholder.invalid";

/// `POST /sign-in/anonymous`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/sign-in/anonymous", |api| Box::pin(answer(api)))
        .about("Signs in somebody who does not say who they are.")
        .answers(Shape::object([Field::text("token"), Field::row("user", "user")]))
        .refuses(StatusCode::BAD_REQUEST, [codes::ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        token: &'a str,
        user: UserView<'a>,
    }
    api.check_sign_in_origin().await?;
    let signed_in = sign_in(api).await?;
    let (token, user) = (signed_in.session.token.as_str(), api.user_view(&signed_in.user)?);
    Reply::json(&Body { token, user })
}

/// Makes an anonymous user and signs them in.
pub async fn sign_in(api: &mut Api) -> Result<Arc<SignedIn>> {
    let options = options(api)?;
    if api.stored_session().await?.is_some_and(|signed_in| is_anonymous(&signed_in.user)) {
        return Err(codes::ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY.bad_request());
    }
    let record = Record::new()
        .with("name", name(&options).await?)
        .with("email", email(api, &options).await?)
        .with("emailVerified", false)
        .with(IS_ANONYMOUS, true);
    let mut changes = api.changes();
    let user = User::from_record(changes.create("user", record).await?)?;
    let session = api.prepare_session(&mut changes, &user.id, None).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(codes::FAILED_TO_CREATE_USER.with(StatusCode::INTERNAL_SERVER_ERROR));
    }
    api.set_sign_in_method("anonymous");
    let signed_in = api.adopt_session(SignedIn::new(session, user), None).await;
    api.emit(api.sign_in_event(SecurityEventKind::SignUp, &signed_in.user.id)).await;
    Ok(signed_in)
}

async fn name(options: &AnonymousOptions) -> Result<String> {
    let made = options.generate_name.call(()).await.transpose();
    let made = made.map_err(|error| ApiError::internal("anonymous.generateName failed", error))?;
    Ok(made.filter(|name| !name.is_empty()).unwrap_or_else(|| "Anonymous".into()))
}

async fn email(api: &Api, options: &AnonymousOptions) -> Result<String> {
    let made = options.generate_random_email.call(()).await.transpose();
    let made = made.map_err(|error| ApiError::internal("anonymous.generateRandomEmail failed", error))?;
    if let Some(made) = made.filter(|email| !email.is_empty()) {
        api.check_email(&made).map_err(|_| codes::INVALID_EMAIL_FORMAT.bad_request())?;
        return Ok(made.to_lowercase());
    }
    let id = random::alphanumeric(32).to_lowercase();
    Ok(match &options.email_domain_name {
        Some(domain) => format!("temp-{id}@{}", domain.to_lowercase()),
        None => format!("{id}@{NOWHERE}"),
    })
}
