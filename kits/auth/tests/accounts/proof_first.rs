//! `require_email_verification`: nobody is in before their address is proven, and nobody learns who has an account.

use housekey::auth::AuthConfig;
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use crate::support::{ANOTHER, PASSWORD, SESSION, mails, sign_in, signed_in_as, somebody, stored, token_for};

const NEW: &str = "new@example.com";

fn proof_first(app: &TestApp) -> TestApp {
    app.with_config(|config| {
        config.update::<AuthConfig>(|auth| auth.engine.email_and_password.require_email_verification = true);
    })
}

// spec: SEC-5
#[housekey::test]
async fn who_signs_up_looks_into_their_mail_and_is_in_after_that(app: TestApp) {
    let app = proof_first(&app);
    let mails = mails(&app);
    let form = [("name", "Ada"), ("email", NEW), ("password", PASSWORD)];
    let answer = app.post("/sign-up").form(&form).await;
    answer.assert_status(303).assert_redirect(&app.route("verify-email.sent"));
    assert_eq!(signed_in_as(&app).await, None);
    app.get(&app.route("verify-email.sent")).await.assert_status(200);

    // Too early: the right password gets the link once more, and nothing else.
    let early = sign_in(&app, NEW, PASSWORD).await;
    early.assert_status(422).assert_invalid("email").assert_see("we sent you the link again");
    assert!(app.cookie(SESSION).is_none());
    mails.assert_count(2);

    let token = token_for(&mails, NEW);
    app.post("/verify-email/confirm").json(&json!({ "token": token })).await.assert_ok();
    sign_in(&app, NEW, PASSWORD).await.assert_ok().assert_json_path("redirect", "/dashboard");
    assert_eq!(signed_in_as(&app).await.as_deref(), Some(NEW));
    mails.assert_count(2);
}

// spec: SEC-5
#[housekey::test]
async fn a_sign_up_with_an_address_that_is_known_is_answered_like_any_other_at_both_doors(app: TestApp) {
    let app = proof_first(&app);
    let (ada, mails) = (somebody(&app).await, mails(&app));
    let body = |email: &str| json!({ "name": "Eve", "email": email, "password": ANOTHER });
    let known = app.visitor().post("/sign-up").json(&body(&ada.email)).await;
    let unknown = app.visitor().post("/sign-up").json(&body(NEW)).await;
    assert_eq!((known.status(), known.text()), (unknown.status(), unknown.text()));
    assert_eq!(known.json::<Value>(), json!({ "redirect": app.route("verify-email.sent") }));

    let engine = app.visitor().with_header("origin", "http://localhost:3000");
    let known = engine.post("/api/auth/sign-up/email").json(&body(&ada.email)).await;
    let unknown = engine.post("/api/auth/sign-up/email").json(&body("newer@example.com")).await;
    assert_eq!((known.status(), unknown.status()), (200.try_into().unwrap(), 200.try_into().unwrap()));
    assert!(known.header("set-cookie").is_none() && unknown.header("set-cookie").is_none());

    let told = mails.sent_to(ada.email.as_str());
    assert_eq!(told.len(), 2);
    for mail in told {
        assert_eq!(mail.subject(), "You have an account already");
        assert!(
            mail.text().contains(&app.route("sign-in"))
                && mail.text().contains(&app.route("forgot-password"))
        );
        assert!(!mail.text().contains("Eve"), "{}", mail.text());
    }
    assert_eq!(stored(&app, &ada).await.name, ada.name);
    assert!(sign_in(&app, &ada.email, ANOTHER).await.status() == 422, "nobody's password changed");
}

// spec: SEC-5
#[housekey::test]
async fn who_signs_up_and_then_signs_in_does_not_learn_whether_the_address_was_known(app: TestApp) {
    let app = proof_first(&app);
    let (ada, mails) = (somebody(&app).await, mails(&app));
    for email in [ada.email.as_str(), NEW] {
        let body = json!({ "name": "Eve", "email": email, "password": ANOTHER });
        app.visitor().post("/sign-up").json(&body).await.assert_ok();
    }
    mails.clear();
    let known = sign_in(&app.visitor(), &ada.email, ANOTHER).await;
    let unknown = sign_in(&app.visitor(), NEW, ANOTHER).await;
    let told = |answer: &TestResponse| (answer.status(), answer.json::<Value>()["errors"].clone());
    assert_eq!(told(&known), told(&unknown));

    let engine = app.visitor().with_header("origin", "http://localhost:3000");
    let credentials = |email: &str| json!({ "email": email, "password": ANOTHER });
    let known = engine.post("/api/auth/sign-in/email").json(&credentials(&ada.email)).await;
    let unknown = engine.post("/api/auth/sign-in/email").json(&credentials(NEW)).await;
    known.assert_status(401);
    assert_eq!((known.status(), known.text()), (unknown.status(), unknown.text()));
    mails.assert_count(2).assert_sent_to(NEW);
}

// spec: SEC-5
#[housekey::test]
async fn the_link_is_sent_again_to_whom_it_concerns_and_the_answer_does_not_tell(app: TestApp) {
    let app = proof_first(&app);
    let (ada, mails) = (somebody(&app).await, mails(&app));
    let form = json!({ "name": "New", "email": NEW, "password": PASSWORD });
    app.post("/sign-up").json(&form).await.assert_ok();
    mails.clear();
    let mut answers = Vec::new();
    for email in [NEW, ada.email.as_str(), "nobody@example.com"] {
        let answer = app.visitor().post("/verify-email/send").json(&json!({ "email": email })).await;
        answer.assert_ok();
        answers.push(answer.text());
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    mails.assert_count(1).assert_sent_to(NEW);
}
