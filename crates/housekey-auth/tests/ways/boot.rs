use housekey_auth::{AuthConfig, Feature, offers};
use housekey_http::Routes;

use crate::support::test_app;
use crate::ways::all_ways;

fn routes(route: &mut Routes) {
    route.get("/offered", async || {
        let offered = Feature::ALL.into_iter().filter(|feature| offers(*feature));
        offered.map(Feature::name).collect::<Vec<_>>().join(" ")
    });
    route.get("/by-link", async || "here").middleware("offers:magic-link");
    route.get("/by-code", async || "here").middleware("offers:email-code");
    route.get("/by-name", async || "here").middleware("offers:username");
    route.get("/several", async || "here").middleware("offers:several-accounts");
}

const PATHS: [&str; 4] = ["/by-link", "/by-code", "/by-name", "/several"];

// spec: CFG-6
#[tokio::test]
async fn pages_are_told_which_ways_there_are() {
    let app = test_app(all_ways, routes).await;
    app.get("/offered").await.assert_see("magic-link email-code username several-accounts");
    for path in PATHS {
        app.get(path).await.assert_ok();
    }
    let plain = test_app(|_| (), routes).await;
    for path in PATHS {
        plain.get(path).await.assert_status(404);
    }
    fn without_passwords(auth: &mut AuthConfig) {
        all_ways(auth);
        auth.engine.email_and_password.enabled = false;
    }
    let bare = test_app(without_passwords, routes).await;
    bare.get("/by-name").await.assert_status(404);
    bare.get("/by-link").await.assert_ok();
}

// spec: KEY-1, CLI-6
#[tokio::test]
async fn their_routes_are_listed_and_their_columns_are_in_the_schema() {
    let app = test_app(all_ways, routes).await;
    let listed: Vec<_> = app.application().routes().list().into_iter().map(|route| route.path).collect();
    for path in [
        "/sign-in/magic-link",
        "/magic-link/verify",
        "/sign-in/email-otp",
        "/email-otp/send-verification-otp",
        "/sign-in/username",
        "/multi-session/set-active",
    ] {
        assert!(listed.contains(&format!("/api/auth{path}")), "{path}");
    }
    let auth = app.services().require::<housekey_auth::Auth>().unwrap();
    let user = auth.engine().schema().table("user").unwrap();
    assert!(user.column("username").is_some() && user.column("displayUsername").is_some());
}
