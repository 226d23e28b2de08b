//! Who visits, and how a page is read.

use housekey::database::Factory;
use housekey::prelude::*;
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

pub const PASSWORD: &str = UserFactory::PASSWORD;

/// The pages that only members see.
pub const OF_MEMBERS: [&str; 10] = [
    "/dashboard",
    "/verify-email",
    "/confirm-password",
    "/settings/profile",
    "/settings/password",
    "/settings/two-factor",
    "/settings/passkeys",
    "/settings/sessions",
    "/settings/appearance",
    "/settings/account",
];

pub async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// Takes somebody's password away, as if they had only ever signed in by mail.
pub async fn without_password(app: &TestApp, user: &User) {
    let own = async { db()?.table("account").where_eq("userId", user.id.as_str()).delete().await };
    app.within(own).await.unwrap();
}

pub async fn sign_in(visitor: &TestApp, user: &User) -> TestResponse {
    visitor.post("/sign-in").form(&[("email", user.email.as_str()), ("password", PASSWORD)]).await
}

/// A visitor who is somebody and has just entered the password again.
pub async fn sure_of(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.signed_in(user).await;
    visitor.post("/confirm-password").form(&[("password", PASSWORD)]).await.assert_status(303);
    visitor
}

/// What stands in a field of a form.
pub fn value_of(page: &TestResponse, field: &str) -> String {
    let html = page.text();
    let rest = html
        .split(&format!("name=\"{field}\""))
        .nth(1)
        .unwrap_or_else(|| panic!("no field {field} in {html}"));
    let value = rest.split('>').next().and_then(|tag| tag.split("value=\"").nth(1)).unwrap_or_default();
    value.split('"').next().unwrap_or_default().to_owned()
}

/// A mail's link, as a browser opens it.
pub fn path_of(link: &str) -> String {
    link.split_once("localhost:3000").map_or(link, |(_, path)| path).to_owned()
}

/// Sends a form from its page until it is too often.
pub async fn until_refused(visitor: &TestApp, page: &str, path: &str, form: &[(&str, &str)]) -> TestResponse {
    for _ in 0..8 {
        let answer = visitor.post(path).form(form).referer(page).await;
        if answer.status() == 429 {
            return answer;
        }
        // What an attempt before it left to be said is said on its page.
        visitor.get(page).await;
    }
    panic!("{path} never says that it is enough")
}
