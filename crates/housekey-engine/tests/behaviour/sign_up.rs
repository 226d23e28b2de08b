use housekey_engine::options::{AdditionalField, FieldKind};
use housekey_engine::{ApiError, Callback, User};
use http::StatusCode;
use serde_json::json;

use crate::support::{PASSWORD, TestEngine, options};

#[tokio::test]
async fn signing_up_makes_a_user_an_account_and_a_session() {
    let test = TestEngine::new(options());
    let mut browser = test.browser();
    let body = json!({ "name": "Ada", "email": "Ada@Example.com", "password": PASSWORD, "emailVerified": true, "id": "mine" });
    let answer = browser.post("/sign-up/email", body).await.assert(StatusCode::OK);
    let json = answer.json();
    assert_eq!(json["user"]["email"], "ada@example.com");
    assert_eq!(json["user"]["emailVerified"], false);
    assert_eq!(json["user"]["image"], json!(null));
    assert_ne!(json["user"]["id"], "mine");
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    assert!(
        text.starts_with(r#"{"token":""#) && text.ends_with(&format!(r#""id":{}}}}}"#, json["user"]["id"])),
        "{text}"
    );

    let account = &test.rows("account").await[0];
    assert_eq!(account.text("issuer"), Some("local:credential"));
    assert_eq!(
        (account.text("accountId"), account.text("userId")),
        (json["user"]["id"].as_str(), json["user"]["id"].as_str())
    );
    assert!(account.text("password").unwrap().starts_with("$argon2id$"));

    let cookie = answer.cookie("session_token").unwrap();
    assert_eq!(cookie.attributes, "Max-Age=604800; Path=/; HttpOnly; SameSite=Lax");
    assert!(cookie.value.starts_with(json["token"].as_str().unwrap()));
    assert_eq!(browser.session().await["user"]["name"], "Ada");
}

#[tokio::test]
async fn an_address_can_be_used_once_in_any_spelling() {
    let test = TestEngine::new(options());
    test.ada().await;
    let answer = test.browser().sign_up("ADA@example.com").await;
    answer.refused(422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");
    assert_eq!(test.rows("user").await.len(), 1);
}

#[tokio::test]
async fn of_two_who_sign_up_at_the_same_time_one_wins_and_nothing_is_left_of_the_other() {
    let test = TestEngine::new(options());
    let (mut first, mut second) = (test.browser(), test.browser());
    let (first, second) = tokio::join!(first.sign_up("ada@example.com"), second.sign_up("ada@example.com"));
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422]);
    for table in ["user", "account", "session"] {
        assert_eq!(test.rows(table).await.len(), 1, "{table}");
    }
}

#[tokio::test]
// spec: CFG-7
async fn passwords_have_a_shortest_and_a_longest_length_in_utf_16() {
    let test = TestEngine::new(options());
    let mut browser = test.browser();
    let mut try_password = async |password: &str| {
        let body = json!({ "name": "", "email": "ada@example.com", "password": password });
        browser.post("/sign-up/email", body).await
    };
    try_password("1234567").await.refused(400, "PASSWORD_TOO_SHORT");
    try_password(&"x".repeat(129)).await.refused(400, "PASSWORD_TOO_LONG");
    try_password("").await.refused(400, "VALIDATION_ERROR");
    // Four characters outside the basic plane are eight units.
    try_password("\u{1f511}\u{1f511}\u{1f511}\u{1f511}").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn what_no_column_can_hold_is_refused() {
    let test = TestEngine::new(options());
    let long = format!("{}@example.com", "x".repeat(300));
    let refused = test.browser().sign_up(&long).await.refused(400, "VALIDATION_ERROR");
    assert!(refused.json()["message"].as_str().unwrap().contains("<=255"));
    let body = json!({ "name": "A\u{0}da", "email": "ada@example.com", "password": PASSWORD });
    test.browser().post("/sign-up/email", body).await.refused(400, "VALIDATION_ERROR");
    assert!(test.rows("user").await.is_empty());
}

#[tokio::test]
async fn when_addresses_must_be_proven_a_taken_one_looks_like_a_new_one() {
    let existing: std::sync::Arc<std::sync::Mutex<Vec<String>>> = std::sync::Arc::default();
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.require_email_verification = true;
        options.email_verification.send_verification_email = mailbox.link("verify");
        let seen = existing.clone();
        options.email_and_password.on_existing_user_sign_up = Callback::new(move |user: User| {
            seen.lock().unwrap().push(user.email);
            async { Ok::<_, ApiError>(()) }
        });
        options
    });
    let new = test.browser().sign_up("ada@example.com").await.assert(StatusCode::OK);
    assert!(new.cookies.is_empty());
    assert_eq!(test.mailbox.take().to, "ada@example.com");
    let taken = test.browser().sign_up("ada@example.com").await.assert(StatusCode::OK);
    let shape =
        |json: serde_json::Value| json["user"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(shape(new.json()), shape(taken.json()));
    assert_eq!(taken.json()["token"], json!(null));
    assert_ne!(taken.json()["user"]["id"], new.json()["user"]["id"]);
    assert!(test.mailbox.all().is_empty());
    assert_eq!(test.rows("user").await.len(), 1);
    assert_eq!(*existing.lock().unwrap(), ["ada@example.com"]);
}

#[tokio::test]
async fn signing_up_need_not_sign_in_and_a_mail_is_sent_when_asked_for() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.auto_sign_in = false;
        options.email_verification.send_verification_email = mailbox.link("verify");
        options.email_verification.send_on_sign_up = Some(true);
        options
    });
    let answer = test.browser().sign_up("ada@example.com").await.assert(StatusCode::OK);
    assert_eq!(answer.json()["token"], json!(null));
    assert!(answer.cookies.is_empty() && test.rows("session").await.is_empty());
    let mail = test.mailbox.take();
    assert!(mail.url.starts_with("http://localhost:3000/api/auth/verify-email?token="), "{}", mail.url);
    assert!(mail.url.ends_with("&callbackURL=%2F"));
}

#[tokio::test]
async fn columns_of_the_app_s_own_follow_their_rules() {
    let mut options = options();
    let fields = &mut options.user.additional_fields;
    fields.insert(
        "age".into(),
        AdditionalField { kind: FieldKind::Number, required: true, ..Default::default() },
    );
    fields.insert(
        "role".into(),
        AdditionalField { input: Some(false), default_value: Some("member".into()), ..Default::default() },
    );
    fields.insert("closed".into(), AdditionalField { input: Some(false), ..Default::default() });
    fields.insert("note".into(), AdditionalField { returned: false, ..Default::default() });
    let test = TestEngine::new(options);
    let body = |extra: serde_json::Value| {
        let mut body = json!({ "name": "Ada", "email": "ada@example.com", "password": PASSWORD });
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        body
    };
    let mut browser = test.browser();
    browser.post("/sign-up/email", body(json!({}))).await.refused(400, "MISSING_FIELD");
    browser.post("/sign-up/email", body(json!({ "age": "old" }))).await.refused(400, "VALIDATION_ERROR");
    browser
        .post("/sign-up/email", body(json!({ "age": 36, "closed": "open" })))
        .await
        .refused(400, "FIELD_NOT_ALLOWED");
    // A closed column with a default has that, whatever is sent.
    let all = json!({ "age": 36, "note": "shy", "unknown": 1, "role": "admin" });
    let answer = browser.post("/sign-up/email", body(all)).await;
    let user = answer.assert(StatusCode::OK).json()["user"].clone();
    assert_eq!((&user["age"], &user["role"], user.get("note")), (&json!(36), &json!("member"), None));
    assert_eq!(test.rows("user").await[0].text("note"), Some("shy"));
}
