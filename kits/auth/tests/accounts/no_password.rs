//! People who have no password, because they sign in by mail: what is dangerous asks them to sign in once more, and then they may.

use std::time::Duration;

use housekey::auth::AuthConfig;
use housekey::auth::config::{email_otp, magic_link, secure};
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::models::User;

use crate::support::{
    ANOTHER, code_for, code_of, mails, sign_in, signed_in_as, somebody, somebody_careful, token_for,
    without_password,
};

/// How somebody signs in once more.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Link,
    Code,
}

/// The app with links and codes by mail, and a provider to connect.
fn with_mail(app: &TestApp) -> TestApp {
    let app = app.with_env("GITHUB_CLIENT_ID", "an id").with_env("GITHUB_CLIENT_SECRET", "a secret");
    app.with_config(|config| {
        config.update::<AuthConfig>(|auth| {
            auth.plugins.push(magic_link(secure()));
            auth.plugins.push(email_otp(secure()));
        });
    })
}

/// Their browser, a quarter of an hour after they signed in.
async fn left_open(app: &TestApp, user: &User) -> TestApp {
    without_password(app, user).await;
    let visitor = app.signed_in(user).await;
    app.advance(Duration::from_mins(15));
    visitor
}

/// Asks for a mail where others enter the password, and uses it.
async fn sign_in_again(app: &TestApp, visitor: &TestApp, user: &User, way: Way, page: &str) -> TestResponse {
    let body = json!({ "return_to": page });
    match way {
        Way::Link => {
            visitor.post("/confirm-password/link").json(&body).await.assert_ok();
            let token = token_for(&mails(app), &user.email);
            visitor.post("/magic-link").json(&json!({ "token": token })).await
        }
        Way::Code => {
            visitor.post("/confirm-password/code").json(&body).await.assert_ok();
            let code = code_for(&mails(app), &user.email);
            visitor.post("/sign-in/code/enter").json(&json!({ "code": code })).await
        }
    }
}

async fn act(visitor: &TestApp, act: &str, body: &Value) -> TestResponse {
    let (method, path) = act.split_once(' ').unwrap();
    let request = match method {
        "PATCH" => visitor.patch(path),
        "DELETE" => visitor.delete(path),
        _ => visitor.post(path),
    };
    request.json(body).await
}

// spec: SEC-1, STA-8
#[housekey::test]
async fn what_is_dangerous_is_refused_until_they_signed_in_once_more_and_done_then(app: TestApp) {
    let app = with_mail(&app);
    let password = json!({ "password": ANOTHER, "password_confirmation": ANOTHER });
    for (way, last) in [(Way::Link, "DELETE /settings/account"), (Way::Code, "POST /settings/password")] {
        let ada = somebody(&app).await;
        let visitor = left_open(&app, &ada).await;
        let new = json!({ "email": format!("new.{}", ada.email) });
        let acts = [
            ("POST /settings/profile/email", &new, 200),
            ("POST /settings/two-factor", &json!({}), 200),
            ("POST /settings/accounts/github", &json!({}), 200),
            ("DELETE /settings/accounts/nothing", &json!({}), 404),
            ("PATCH /settings/passkeys/nothing", &json!({ "name": "A key" }), 404),
            ("DELETE /settings/passkeys/nothing", &json!({}), 404),
            ("DELETE /settings/sessions", &json!({}), 200),
            (last, &password, 200),
        ];
        for (what, body, _) in &acts {
            let refused = act(&visitor, what, body).await;
            assert_eq!(refused.status(), 423, "{what}: {}", refused.text());
        }
        let signed_in = sign_in_again(&app, &visitor, &ada, way, "/settings/account").await;
        signed_in.assert_ok().assert_json_path("redirect", "/settings/account");
        assert_eq!(signed_in_as(&visitor).await, Some(ada.email.clone()));
        for (what, body, status) in &acts {
            let done = act(&visitor, what, body).await;
            assert_eq!(done.status(), *status, "{way:?}, {what}: {}", done.text());
        }
        if way == Way::Code {
            sign_in(&app.visitor(), &ada.email, ANOTHER).await.assert_ok();
        } else {
            assert_eq!(signed_in_as(&visitor).await, None);
        }
    }
}

// spec: SEC-1, KEY-2
#[housekey::test]
async fn the_second_factor_is_part_of_signing_in_once_more(app: TestApp) {
    let app = with_mail(&app);
    let (ada, _) = somebody_careful(&app).await;
    for way in [Way::Link, Way::Code] {
        let visitor = left_open(&app, &ada).await;
        let half = sign_in_again(&app, &visitor, &ada, way, "/settings/account").await;
        let to = half.assert_ok().json::<Value>();
        assert!(to["redirect"].as_str().unwrap().ends_with("/two-factor-challenge"), "{way:?}: {to}");
        assert_eq!(signed_in_as(&visitor).await, None, "half a sign-in is none");
        let code = code_of(&app, &ada).await;
        visitor.post("/two-factor-challenge").json(&json!({ "code": code })).await.assert_ok();
        visitor.delete("/settings/sessions").json(&json!({})).await.assert_ok();
    }
}

// spec: SEC-1
#[housekey::test]
async fn nobody_is_led_to_another_site_or_gets_somebody_elses_mail(app: TestApp) {
    let app = with_mail(&app);
    let ada = somebody(&app).await;
    for page in ["https://evil.example/", "//evil.example/", "/\t/evil.example/", "/\\evil.example"] {
        let visitor = left_open(&app, &ada).await;
        let signed_in = sign_in_again(&app, &visitor, &ada, Way::Code, page).await;
        signed_in.assert_ok().assert_json_path("redirect", "/dashboard");
    }
    // The address is that of the account, whatever the form says.
    let (eve, visitor) = (somebody(&app).await, left_open(&app, &ada).await);
    let body = json!({ "email": eve.email, "return_to": "/settings/account" });
    visitor.post("/confirm-password/link").json(&body).await.assert_ok();
    mails(&app).assert_not_sent_to(eve.email.as_str());
    // And a guest has nothing to confirm.
    app.visitor().post("/confirm-password/link").json(&body).await.assert_status(401);
}
