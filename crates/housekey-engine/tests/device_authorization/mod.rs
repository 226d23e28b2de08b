//! Signing in on a device without a keyboard: codes, polls, and what strangers try with them.

mod approval;
mod attacks;
mod polling;
mod requests;

use crate::support::{Answer, Browser, TestEngine, options};
use bytes::Bytes;
use housekey_engine::Engine;
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::device_authorization::{DeviceAuthorizationOptions, device_authorization};
use http::{Method, StatusCode};
use serde_json::{Value, json};

const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";
const CLIENT: &str = "tool";

fn built(options: EngineOptions, devices: DeviceAuthorizationOptions) -> TestEngine {
    TestEngine::new(Engine::builder(options).plugins([device_authorization(devices)]))
}

fn test_engine() -> TestEngine {
    built(options(), DeviceAuthorizationOptions::default())
}

/// The same with rows across a network, so that requests sent at the same time meet.
fn distant() -> TestEngine {
    let devices = device_authorization(DeviceAuthorizationOptions::default());
    crate::elsewhere::test_engine(|_| Engine::builder(options()).plugins([devices]))
}

/// The codes of a device that asked.
struct Codes {
    device: String,
    user: String,
}

async fn ask(device: &mut Browser) -> Codes {
    let body = json!({ "client_id": CLIENT, "scope": "read write" });
    let codes = device.post("/device/code", body).await.assert(StatusCode::OK).json();
    let text = |field: &str| codes[field].as_str().unwrap().to_owned();
    Codes { device: text("device_code"), user: text("user_code") }
}

async fn poll(device: &mut Browser, code: &str) -> Answer {
    let body = json!({ "grant_type": GRANT, "device_code": code, "client_id": CLIENT });
    device.post("/device/token", body).await
}

async fn look(browser: &mut Browser, user_code: &str) -> Answer {
    browser.get(&format!("/device?user_code={user_code}")).await
}

async fn approve(browser: &mut Browser, user_code: &str) -> Answer {
    browser.post("/device/approve", json!({ "userCode": user_code })).await
}

async fn deny(browser: &mut Browser, user_code: &str) -> Answer {
    browser.post("/device/deny", json!({ "userCode": user_code })).await
}

/// A device whose codes Ada has looked at and approved.
async fn approved(test: &TestEngine, ada: &mut Browser) -> Codes {
    let codes = ask(&mut test.browser()).await;
    look(ada, &codes.user).await.assert(StatusCode::OK);
    approve(ada, &codes.user).await.assert(StatusCode::OK);
    codes
}

impl Answer {
    /// Asserts a refusal in the form of OAuth.
    #[track_caller]
    fn says(self, status: u16, error: &str) -> Value {
        let body = self.json();
        assert_eq!((self.status.as_u16(), body["error"].as_str()), (status, Some(error)), "{body}");
        assert!(body["error_description"].is_string() && body.as_object().unwrap().len() == 2, "{body}");
        body["error_description"].clone()
    }
}

async fn form(browser: &mut Browser, path: &str, body: &'static str) -> Answer {
    let body = Bytes::from_static(body.as_bytes());
    browser.send(Method::POST, path, body, Some("application/x-www-form-urlencoded")).await
}
