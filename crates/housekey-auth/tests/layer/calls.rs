//! What a call to the engine does holds for the rest of the request.

use housekey_auth::engine::SignInEmail;
use housekey_auth::{OrHttpError, api, user};
use housekey_core::{Error, Result};
use housekey_http::{Routes, session};
use housekey_testing::TestApp;

use crate::support::{PASSWORD, sign_up, test_app};

fn ada() -> SignInEmail {
    SignInEmail { email: "ada@example.com".into(), password: PASSWORD.into(), ..Default::default() }
}

fn name() -> String {
    user().map_or_else(|| "nobody".to_owned(), |user| user.name.clone())
}

/// Signs in and out by one value that lives through the whole handler.
async fn in_and_out() -> Result<String> {
    let mut api = api()?;
    let mut seen = vec![name()];
    api.sign_in_email(ada()).await.or_http_error()?;
    seen.push(name());
    api.sign_out().await.or_http_error()?;
    seen.push(name());
    api.sign_in_email(ada()).await.or_http_error()?;
    seen.push(name());
    Ok(seen.join(" "))
}

/// Keeps something of the guest's, signs in, then keeps something of the member's.
async fn keeps() -> Result<&'static str> {
    session().put("before", "guest")?;
    let mut api = api()?;
    api.sign_in_email(ada()).await.or_http_error()?;
    session().put("after", "member")?;
    Ok("in")
}

async fn leaves() -> Result<&'static str> {
    let mut api = api()?;
    api.sign_out().await.or_http_error()?;
    session().put("after", "guest")?;
    Ok("out")
}

async fn breaks() -> Result<&'static str> {
    api()?.sign_in_email(ada()).await.or_http_error()?;
    Err(Error::internal("after the sign-in"))
}

async fn panics() -> Result<&'static str> {
    api()?.sign_in_email(ada()).await.or_http_error()?;
    panic!("after the sign-in");
}

async fn kept() -> Result<String> {
    let of = async |key: &str| session().get::<String>(key).await.map(Option::unwrap_or_default);
    Ok(format!("{}|{}|{}", name(), of("before").await?, of("after").await?))
}

fn routes(route: &mut Routes) {
    route.post("/in-and-out", in_and_out);
    route.post("/keeps", keeps);
    route.post("/leaves", leaves);
    route.post("/breaks", breaks);
    route.post("/panics", panics);
    route.get("/kept", kept);
}

/// A stranger to an app in which Ada has an account.
async fn stranger() -> TestApp {
    let app = test_app(|_| {}, routes).await;
    sign_up(&app, "ada@example.com").await;
    app.visitor()
}

#[tokio::test]
async fn who_is_there_is_known_as_soon_as_a_call_returns() {
    let app = stranger().await;
    app.post("/in-and-out").await.assert_ok().assert_see("nobody ada nobody ada");
    app.get("/kept").await.assert_see("ada|");
}

// spec: MID-8
#[tokio::test]
async fn what_is_kept_after_a_sign_in_is_the_members_and_after_a_sign_out_the_guests() {
    let app = stranger().await;
    let before = app.cookie("housekey_session");
    app.post("/keeps").await.assert_ok();
    app.get("/kept").await.assert_see("ada|guest|member");
    assert_ne!(app.cookie("housekey_session"), before);
    app.post("/leaves").await.assert_ok();
    app.get("/kept").await.assert_see("nobody||guest");
}

#[tokio::test]
async fn a_request_that_fails_after_a_sign_in_hands_out_no_session() {
    for path in ["/breaks", "/panics"] {
        let app = stranger().await;
        app.post(path).await.assert_status(500);
        app.get("/kept").await.assert_see("nobody|");
    }
}
