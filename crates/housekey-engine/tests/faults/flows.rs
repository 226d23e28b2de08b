use std::time::Duration;

use housekey_engine::Record;
use housekey_engine::plugins::two_factor::totp_code;
use housekey_engine::storage::Records as _;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::faults::TestEngine;
use crate::passkey::authenticator::Device;
use crate::support::{ORIGIN, PASSWORD};

const ADA: &str = "ada@example.com";

/// A request that works, after what must come before it.
pub(crate) struct Flow {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: Option<Value>,
}

impl Flow {
    /// Leads an engine to where an endpoint has something to do, and gives the request.
    pub(crate) async fn prepare(endpoint: &str, test: &mut TestEngine) -> Self {
        let (method, path) = endpoint.split_once(' ').unwrap();
        if path != "/sign-up/email" {
            test.browser.sign_up(ADA).await.assert(StatusCode::OK);
        }
        let method: Method = method.parse().unwrap();
        let to_post = method == Method::POST;
        let (path, body) = match path {
            "/reset-password/:token" | "/verify-email" | "/delete-user/callback" => {
                (link(test, path).await, json!({}))
            }
            _ => (path.to_owned(), body(path, test).await),
        };
        Self { method, path, body: to_post.then_some(body) }
    }
}

/// The path of a link that a mail brought.
async fn link(test: &mut TestEngine, path: &str) -> String {
    let (ask, body) = match path {
        "/reset-password/:token" => ("/request-password-reset", json!({ "email": ADA })),
        "/verify-email" => ("/send-verification-email", json!({ "email": ADA })),
        _ => ("/delete-user", json!({})),
    };
    test.browser.post(ask, body).await.assert(StatusCode::OK);
    let url = test.mailbox.take().url;
    url.strip_prefix(ORIGIN).unwrap().strip_prefix("/api/auth").unwrap().to_owned()
}

async fn body(path: &str, test: &mut TestEngine) -> Value {
    let password = || json!({ "password": PASSWORD });
    match path {
        "/ok"
        | "/error"
        | "/sign-out"
        | "/list-sessions"
        | "/list-accounts"
        | "/delete-user"
        | "/revoke-sessions"
        | "/revoke-other-sessions"
        | "/passkey/generate-register-options"
        | "/passkey/generate-authenticate-options" => json!({}),
        "/sign-up/email" => json!({ "name": "Ada", "email": ADA, "password": PASSWORD }),
        "/sign-in/email" => {
            test.browser.cookies.clear();
            json!({ "email": ADA, "password": PASSWORD })
        }
        "/get-session" => {
            // Due for a renewal.
            test.clock.advance(Duration::from_secs(2 * 86_400));
            json!({})
        }
        "/request-password-reset" | "/send-verification-email" => json!({ "email": ADA }),
        "/reset-password" => {
            test.browser
                .post("/request-password-reset", json!({ "email": ADA }))
                .await
                .assert(StatusCode::OK);
            json!({ "newPassword": "a new password", "token": test.mailbox.take().token })
        }
        "/change-email" => json!({ "newEmail": "countess@example.com" }),
        "/change-password" => {
            json!({ "currentPassword": PASSWORD, "newPassword": "a new password", "revokeOtherSessions": true })
        }
        "/two-factor/enable" => password(),
        "/update-user" => json!({ "name": "Countess" }),
        "/update-session" => json!({ "theme": "dark" }),
        "/revoke-session" => {
            let session = test.browser.session().await;
            json!({ "token": session["session"]["token"] })
        }
        "/unlink-account" => json!({ "accountId": second_account(test).await }),
        "/two-factor/disable" | "/two-factor/generate-backup-codes" | "/two-factor/get-totp-uri" => {
            enrol(test).await;
            password()
        }
        "/two-factor/verify-backup-code" => {
            let code = enrol(test).await;
            challenge(test).await;
            json!({ "code": code, "trustDevice": true })
        }
        "/two-factor/verify-totp" => {
            enrol(test).await;
            challenge(test).await;
            json!({ "code": code(test).await, "trustDevice": true })
        }
        "/two-factor/send-otp" => {
            enrol(test).await;
            challenge(test).await;
            json!({})
        }
        "/two-factor/verify-otp" => {
            enrol(test).await;
            challenge(test).await;
            test.browser.post("/two-factor/send-otp", json!({})).await.assert(StatusCode::OK);
            json!({ "code": test.mailbox.take().token })
        }
        "/passkey/verify-registration" => {
            let asked = asked(test, "/passkey/generate-register-options").await;
            json!({ "response": device().create(&asked), "createSession": true })
        }
        "/passkey/verify-authentication" => {
            let device = device();
            register(test, &device).await;
            let asked = asked(test, "/passkey/generate-authenticate-options").await;
            json!({ "response": device.sign(&asked) })
        }
        "/passkey/list-user-passkeys" => {
            register(test, &device()).await;
            json!({})
        }
        "/passkey/update-passkey" | "/passkey/delete-passkey" => {
            json!({ "id": register(test, &device()).await, "name": "Renamed" })
        }
        other => panic!("{other} has no flow here: say what must come before it, and what it is sent"),
    }
}

/// Turns the second factor on; gives a backup code.
async fn enrol(test: &mut TestEngine) -> Value {
    let enabled = test.browser.post("/two-factor/enable", json!({ "password": PASSWORD })).await;
    let backup_code = enabled.assert(StatusCode::OK).json()["backupCodes"][0].clone();
    let right = json!({ "code": code(test).await });
    test.browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
    // That code is spent.
    test.clock.advance(Duration::from_secs(30));
    backup_code
}

/// Signs in with the password only.
async fn challenge(test: &mut TestEngine) {
    test.browser.cookies.clear();
    test.browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
}

async fn code(test: &TestEngine) -> String {
    let api = test.engine.api();
    let ada = api.user_by_email(ADA).await.unwrap().unwrap();
    totp_code(&api, &ada).await.unwrap()
}

/// Another way in, as a provider would leave one.
async fn second_account(test: &TestEngine) -> &'static str {
    let ada = test.engine.api().user_by_email(ADA).await.unwrap().unwrap();
    let now = test.clock.now();
    let account = Record::new()
        .with("id", "another-account")
        .with("issuer", "local:oauth:example")
        .with("accountId", "1")
        .with("providerId", "example")
        .with("userId", &ada.id)
        .with("createdAt", now)
        .with("updatedAt", now);
    test.rows.create(test.engine.schema().table("account").unwrap(), &account).await.unwrap();
    "another-account"
}

fn device() -> Device {
    Device::new(ORIGIN, "localhost")
}

async fn asked(test: &mut TestEngine, path: &str) -> String {
    let options = test.browser.get(path).await.assert(StatusCode::OK).json();
    options["challenge"].as_str().unwrap().to_owned()
}

/// Registers a passkey; gives the id of its row.
async fn register(test: &mut TestEngine, device: &Device) -> Value {
    let asked = asked(test, "/passkey/generate-register-options").await;
    let body = json!({ "response": device.create(&asked) });
    let registered = test.browser.post("/passkey/verify-registration", body).await;
    registered.assert(StatusCode::OK).json()["id"].clone()
}
