//! Every action with every kind of nonsense, as a form and as JSON: it is refused at its field, nothing that was typed is
//! lost, and nothing falls over.

use std::time::Duration;

use housekey::serde_json::{Map, Value, json};
use housekey::testing::{TestApp, TestRequest, TestResponse};

use crate::support::{ANOTHER, PASSWORD, confirm_password, mails, somebody};

const A_MINUTE: Duration = Duration::from_secs(60);

/// Who sends it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sender {
    Guest,
    Member,
}

/// An action that takes input: a good one, of which one field is spoiled at a time.
struct Action {
    method: &'static str,
    path: &'static str,
    sender: Sender,
    good: Value,
}

fn actions() -> Vec<Action> {
    let action = |method, path, sender, good| Action { method, path, sender, good };
    let new = json!({ "token": "abc", "password": ANOTHER, "password_confirmation": ANOTHER });
    let change =
        json!({ "current_password": PASSWORD, "password": ANOTHER, "password_confirmation": ANOTHER });
    let first = json!({ "password": ANOTHER, "password_confirmation": ANOTHER });
    vec![
        action(
            "POST",
            "/sign-in",
            Sender::Guest,
            json!({ "email": "ada@example.com", "password": PASSWORD }),
        ),
        action(
            "POST",
            "/sign-up",
            Sender::Guest,
            json!({ "name": "Ada", "email": "ada@example.com", "password": PASSWORD }),
        ),
        action("POST", "/forgot-password", Sender::Guest, json!({ "email": "ada@example.com" })),
        action("POST", "/verify-email/send", Sender::Guest, json!({ "email": "ada@example.com" })),
        action("POST", "/reset-password", Sender::Guest, new),
        action("POST", "/verify-email/confirm", Sender::Guest, json!({ "token": "abc" })),
        action("POST", "/change-email/confirm", Sender::Guest, json!({ "token": "abc" })),
        action("POST", "/two-factor-challenge", Sender::Guest, json!({ "code": "123456" })),
        action("POST", "/two-factor-challenge/recovery", Sender::Guest, json!({ "code": "abcde-12345" })),
        action("POST", "/confirm-password", Sender::Member, json!({ "password": PASSWORD })),
        action("POST", "/confirm-password/passkey", Sender::Member, json!({ "response": "{}" })),
        action("POST", "/settings/profile", Sender::Member, json!({ "name": "Ada" })),
        action("POST", "/settings/profile/email", Sender::Member, json!({ "email": "new@example.com" })),
        action("PUT", "/settings/password", Sender::Member, change),
        action("POST", "/settings/password", Sender::Member, first),
        action("POST", "/settings/two-factor/confirm", Sender::Member, json!({ "code": "123456" })),
        action("PATCH", "/settings/passkeys/one", Sender::Member, json!({ "name": "Laptop" })),
    ]
}

/// What no field takes.
fn nonsense() -> [Value; 9] {
    let endless = "x".repeat(20_000);
    let nul = "ada\0@example.com";
    [
        json!(""),
        json!(endless),
        json!(nul),
        json!(7),
        json!(true),
        json!(null),
        json!(["Ada"]),
        json!({ "a": 1 }),
        json!([[{ "a": [1] }]]),
    ]
}

impl Action {
    async fn visitor(&self, app: &TestApp) -> TestApp {
        match self.sender {
            Sender::Guest => app.visitor(),
            Sender::Member => {
                let visitor = app.signed_in(&somebody(app).await).await;
                confirm_password(&visitor).await;
                visitor
            }
        }
    }

    fn request(&self, visitor: &TestApp) -> TestRequest {
        visitor.request(self.method.parse().unwrap(), self.path)
    }

    /// The names of what is sent, but for what only repeats another.
    fn fields(&self) -> Vec<String> {
        let names = self.good.as_object().unwrap().keys();
        names.filter(|name| !name.ends_with("_confirmation")).cloned().collect()
    }

    fn with(&self, field: &str, value: Option<&Value>) -> Map<String, Value> {
        let mut body = self.good.as_object().unwrap().clone();
        match value {
            Some(value) => drop(body.insert(field.to_owned(), value.clone())),
            None => drop(body.remove(field)),
        }
        body
    }
}

fn shown(value: Option<&Value>) -> String {
    let mut text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    text.truncate(40);
    text
}

// spec: ERR-1, RTE-4
#[housekey::test]
async fn a_script_is_told_which_field_is_nonsense(app: TestApp) {
    let mails = mails(&app);
    for action in actions() {
        let visitor = action.visitor(&app).await;
        for field in action.fields() {
            let nonsense = nonsense();
            for value in nonsense.iter().map(Some).chain([None]) {
                let answer = action.request(&visitor).json(&action.with(&field, value)).await;
                let told = format!("{} {field}={}: {}", action.path, shown(value), answer.text());
                assert_eq!(answer.status(), 422, "{told}");
                assert!(answer.json::<Value>()["errors"][&field].is_array(), "{told}");
                app.advance(A_MINUTE);
            }
        }
    }
    mails.assert_nothing_sent();
}

// spec: ERR-1
#[housekey::test]
async fn a_browser_goes_back_to_its_form_with_what_was_typed(app: TestApp) {
    for action in actions() {
        let visitor = action.visitor(&app).await;
        for field in action.fields() {
            for value in ["", &"x".repeat(20_000), "ada\0@example.com"] {
                let body = action.with(&field, Some(&value.into()));
                let mut form: Vec<(&str, &str)> =
                    body.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap())).collect();
                if action.method != "POST" {
                    form.push(("_method", action.method));
                }
                let answer = visitor.post(action.path).form(&form).referer("/the-form").await;
                expect_form_again(&action, &visitor, &answer, &field, &form).await;
                app.advance(A_MINUTE);
            }
        }
    }
}

async fn expect_form_again(
    action: &Action,
    visitor: &TestApp,
    answer: &TestResponse,
    field: &str,
    form: &[(&str, &str)],
) {
    let told = format!("{} {field}: {}", action.path, answer.status());
    // Where the server draws the page that asks for the password, that is the answer: it still holds what waits for it.
    if action.path == "/confirm-password" && answer.status() == 422 {
        return;
    }
    assert_eq!((answer.status().as_u16(), answer.header("location")), (303, Some("/the-form")), "{told}");
    answer.assert_invalid(field);
    let waiting = visitor.session().await;
    for (name, value) in form {
        let old = &waiting["_form"]["old"][*name];
        let is_secret = ["password", "token", "code", "_method"].iter().any(|secret| name.contains(secret));
        match is_secret {
            true => assert!(old.is_null(), "{told}: {name} is nobody's business"),
            false => assert!(value.starts_with(old.as_str().unwrap_or("?")), "{told}: {name} is lost"),
        }
    }
}

#[housekey::test]
async fn a_box_that_is_neither_ticked_nor_not_is_refused(app: TestApp) {
    let (ada, minute) = (somebody(&app).await, A_MINUTE);
    for value in [json!("perhaps"), json!([]), json!({}), json!(null), json!(3)] {
        let sign_in = json!({ "email": ada.email, "password": PASSWORD, "remember": value });
        app.post("/sign-in").json(&sign_in).await.assert_status(422).assert_invalid("remember");
        let code = json!({ "code": "123456", "trust_device": value });
        app.post("/two-factor-challenge").json(&code).await.assert_status(422).assert_invalid("trust_device");
        app.advance(minute);
    }
}

#[housekey::test]
async fn what_cannot_be_read_at_all_is_the_senders_fault(app: TestApp) {
    let bodies: [(&str, &[u8]); 9] = [
        ("application/json", b"{"),
        ("application/json", b"[]"),
        ("application/json", b"\"text\""),
        ("application/json", b"null"),
        ("application/json", b"{\"name\":\"\xff\xfe\"}"),
        ("application/json", b""),
        (
            "application/x-www-form-urlencoded",
            b"name=%FF%FE&email=%C3&password=%80&code=%FF&token=%FF&response=%FF",
        ),
        (
            "multipart/form-data; boundary=x",
            b"--x\r\ncontent-disposition: form-data; name=\"name\"\r\n\r\n\xff",
        ),
        ("text/plain", b"name=Ada"),
    ];
    for action in actions() {
        let visitor = action.visitor(&app).await;
        let token = visitor.csrf_token().await;
        for (kind, body) in bodies {
            let sent = action.request(&visitor).header("x-csrf-token", &token);
            let answer = sent.header("accept", "application/json").body(kind, body.to_vec()).await;
            let status = answer.status().as_u16();
            assert!(matches!(status, 400 | 415 | 422), "{} {kind}: {status} {}", action.path, answer.text());
            app.advance(A_MINUTE);
        }
    }
}

/// Those that take nothing are not impressed by what they are given.
#[housekey::test]
async fn an_action_without_input_does_what_it_does_whatever_it_is_sent(app: TestApp) {
    for (method, path) in [
        ("POST", "/sign-out"),
        ("POST", "/verify-email/resend"),
        ("DELETE", "/settings/profile/email"),
        ("POST", "/settings/two-factor"),
        ("DELETE", "/settings/two-factor"),
        ("POST", "/settings/two-factor/recovery-codes"),
        ("DELETE", "/settings/passkeys/%00"),
        ("DELETE", "/settings/passkeys/one"),
        ("DELETE", "/settings/sessions/%F0%9F%97%9D"),
        ("DELETE", "/settings/sessions"),
        ("DELETE", "/settings/account"),
    ] {
        for body in ["[]", "{", "\"x\"", "{\"id\":[1],\"userId\":\"1\",\"password\":{}}"] {
            let visitor = app.signed_in(&somebody(&app).await).await;
            confirm_password(&visitor).await;
            let token = visitor.csrf_token().await;
            let sent = visitor.request(method.parse().unwrap(), path).header("x-csrf-token", &token);
            let answer = sent.header("accept", "application/json").body("application/json", body).await;
            assert!(answer.status().as_u16() < 500, "{method} {path} {body}: {}", answer.text());
        }
    }
}

const MARKUP: &str = r#""><img src=x onerror=alert(1)>"#;

// spec: NTF-1
#[housekey::test]
async fn html_in_a_name_is_text_in_every_mail(app: TestApp) {
    let mails = mails(&app);
    let email = "eve@example.com";
    let body = json!({ "name": MARKUP, "email": email, "password": PASSWORD });
    app.post("/sign-up").json(&body).await.assert_ok();
    let token = crate::support::token_for(&mails, email);
    app.post("/verify-email/confirm").json(&json!({ "token": token })).await.assert_ok();
    mails.clear();
    confirm_password(&app).await;
    app.post("/settings/profile/email").json(&json!({ "email": "new@example.com" })).await.assert_ok();
    let elsewhere = app.visitor();
    elsewhere.post("/forgot-password").json(&json!({ "email": email })).await.assert_ok();
    let token = crate::support::token_for(&mails, email);
    let new = json!({ "token": token, "password": ANOTHER, "password_confirmation": ANOTHER });
    elsewhere.post("/reset-password").json(&new).await.assert_ok();

    let sent = mails.sent_to(email);
    assert_eq!(sent.len(), 3, "to move, to reset, and that it was reset");
    for mail in sent {
        assert!(!mail.html().contains("<img src=x"), "{}: {}", mail.subject(), mail.html());
        assert!(mail.html().contains("&lt;img src=x"), "{}: {}", mail.subject(), mail.html());
        // Nothing reads markup there; what is escaped would be seen as it is.
        assert!(mail.text().contains(MARKUP), "{}: {}", mail.subject(), mail.text());
        assert!(!mail.subject().contains("img"), "{}", mail.subject());
    }
}

#[housekey::test]
async fn a_name_of_several_lines_adds_no_header_to_a_mail(app: TestApp) {
    let mails = mails(&app);
    let name = "Eve\r\nBcc: victim@example.com\r\n\r\nBuy now";
    let body = json!({ "name": name, "email": "eve@example.com", "password": PASSWORD });
    let answer = app.post("/sign-up").json(&body).await;
    assert!(answer.status().as_u16() < 500);
    for mail in mails.sent_to("eve@example.com") {
        assert_eq!((mail.recipients().count(), mail.bcc().len()), (1, 0));
        assert!(mail.headers().iter().all(|(name, _)| !name.eq_ignore_ascii_case("bcc")));
    }
}

#[housekey::test]
async fn an_address_that_could_not_sign_in_makes_no_account(app: TestApp) {
    for email in ["jürgen@example.com", "o/hara@example.com", "a!b@example.com"] {
        let form =
            json!({ "name": "Ada", "email": email, "password": PASSWORD, "password_confirmation": PASSWORD });
        app.visitor().post("/sign-up").json(&form).await.assert_status(422).assert_invalid("email");
    }
}
