//! Passkeys through the front door: a device in software answers what the endpoints ask, truly or falsely.

mod at_rest;
mod authentication;
pub(crate) mod authenticator;
mod banned;
mod events;
mod faults;
mod forged;
mod management;
mod recovery;
mod registration;
mod sessionless;

use crate::support::{Answer, Browser, ORIGIN, TestEngine, options};
use authenticator::Device;
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::passkey::{PasskeyOptions, passkey};
use housekey_engine::{Engine, EngineBuilder};
use http::StatusCode;
use serde_json::{Value, json};

const RP_ID: &str = "localhost";
const CREATE: &str = "/passkey/generate-register-options";
const SIGN: &str = "/passkey/generate-authenticate-options";

fn with(passkey_options: PasskeyOptions) -> EngineBuilder {
    let options = EngineOptions { app_name: "My App".into(), ..options() };
    Engine::builder(options).plugins([passkey(passkey_options)])
}

fn test_engine() -> TestEngine {
    TestEngine::new(with(PasskeyOptions::default()))
}

fn device() -> Device {
    Device::new(ORIGIN, RP_ID)
}

/// Begins a ceremony and gives its challenge.
async fn challenge(browser: &mut Browser, path: &str) -> String {
    let options = browser.get(path).await.assert(StatusCode::OK).json();
    options["challenge"].as_str().unwrap().to_owned()
}

async fn send_registration(browser: &mut Browser, response: Value) -> Answer {
    browser.post("/passkey/verify-registration", json!({ "response": response })).await
}

async fn send_assertion(browser: &mut Browser, response: Value) -> Answer {
    browser.post("/passkey/verify-authentication", json!({ "response": response })).await
}

async fn register(browser: &mut Browser, device: &Device) -> Answer {
    let challenge = challenge(browser, CREATE).await;
    send_registration(browser, device.create(&challenge)).await
}

async fn sign_in(browser: &mut Browser, device: &Device) -> Answer {
    let challenge = challenge(browser, SIGN).await;
    send_assertion(browser, device.sign(&challenge)).await
}

/// Ada, signed in, and a device with a passkey of hers.
async fn ada_with_device(test: &TestEngine) -> (Browser, Device) {
    let (mut browser, device) = (test.ada().await, device());
    register(&mut browser, &device).await.assert(StatusCode::OK);
    (browser, device)
}

async fn bob(test: &TestEngine) -> Browser {
    let mut browser = test.browser();
    browser.sign_up("bob@example.com").await.assert(StatusCode::OK);
    browser
}
