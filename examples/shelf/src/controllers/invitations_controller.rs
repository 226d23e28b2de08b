use std::time::Duration;

use housekey::auth::engine::{SignInEmail, SignUpEmail};
use housekey::auth::{Auth, api, create_account};
use housekey::axum::extract::Query;
use housekey::notifications::route as address;
use housekey::prelude::*;

use super::pages::{member_of, private, shortest_password};
use crate::models::User;
use crate::notifications::Invitation;
use crate::requests::invitation::{InvitationForm, Invited, JoinForm};
use crate::views::pages::invitations::{Join, invite, join};

const THREE_DAYS: Duration = Duration::from_secs(3 * 86_400);

/// `GET /invitations/new`
pub async fn create(CurrentUser(user): CurrentUser) -> Result<View> {
    Ok(private(view(invite(&member_of(&user)))))
}

/// `POST /invitations`
pub async fn store(CurrentUser(user): CurrentUser, Valid(form): Valid<InvitationForm>) -> Result<Redirect> {
    let email = form.email.to_lowercase();
    let url = signed_url("join", [("email", email.as_str()), ("role", form.role.as_str())], THREE_DAYS)?;
    notify(&address("mail", &email), Invitation { by: user.name.clone(), url }).await?;
    Ok(back().with("status", t!("An invitation is on its way to :email.", email)))
}

/// `GET /join`, signed. Opening it changes nothing: programs that protect mailboxes open every link.
pub async fn show(Query(invited): Query<Invited>) -> Result<View> {
    let action = signed_path("join.store", [("email", &invited.email), ("role", &invited.role)], THREE_DAYS)?;
    let is_member = User::query()?.where_eq(User::email, invited.email.as_str()).exists().await?;
    let shortest = shortest_password()?;
    Ok(private(view(join(&Join { email: invited.email, action, is_member, shortest }))))
}

/// `POST /join`, signed: the link came to the address, so the address is proven.
pub async fn join_library(Query(invited): Query<Invited>, Valid(form): Valid<JoinForm>) -> Result<Redirect> {
    let account = SignUpEmail {
        name: form.name,
        email: invited.email.clone(),
        password: form.password.clone(),
        ..default()
    };
    let made = create_account(&*Auth::current()?, account, true).await?;
    User::query()?.where_eq(User::id, made.id).update(record! { User::role => invited.role }).await?;
    let input = SignInEmail { email: invited.email, password: form.password, ..default() };
    api()?.sign_in_email(input).await.or_field_error("password")?;
    Ok(redirect(&route("books.index")?).with("status", t("Welcome to the library.")))
}
