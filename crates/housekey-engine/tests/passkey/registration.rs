use ciborium::Value as Cbor;
use data_encoding::{BASE64, BASE64URL_NOPAD};
use housekey_engine::options::{ModelNames, TableNames};
use housekey_engine::plugins::passkey::{
    Attachment, AuthenticatorSelection, PasskeyOptions, Requirement, passkey,
};
use http::StatusCode;
use serde_json::{Value, json};

use crate::passkey::authenticator::{CAN_BE_COPIED, Device, IS_COPIED, Key, USER_PRESENT};
use crate::passkey::{
    CREATE, RP_ID, SIGN, ada_with_device, bob, challenge, device, register, send_registration, test_engine,
    with,
};
use crate::support::{ORIGIN, TestEngine};

#[tokio::test]
async fn the_browser_is_told_what_to_ask_the_device() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let answer = browser.get(CREATE).await.assert(StatusCode::OK);
    let cookie = answer.cookie("better-auth-passkey").unwrap();
    assert_eq!(cookie.attributes, "Max-Age=300; Path=/; HttpOnly; SameSite=Lax");
    let mut options = answer.json();
    let (challenge, handle) = (options["challenge"].take(), options["user"]["id"].take());
    assert_eq!(BASE64URL_NOPAD.decode(challenge.as_str().unwrap().as_bytes()).unwrap().len(), 32);
    assert_eq!(BASE64URL_NOPAD.decode(handle.as_str().unwrap().as_bytes()).unwrap().len(), 32);
    assert_eq!(
        options,
        json!({
            "challenge": null,
            "rp": { "name": "My App", "id": "localhost" },
            "user": { "id": null, "name": "ada@example.com", "displayName": "ada@example.com" },
            "pubKeyCredParams": [
                { "alg": -8, "type": "public-key" },
                { "alg": -7, "type": "public-key" },
                { "alg": -257, "type": "public-key" },
            ],
            "timeout": 60000,
            "attestation": "none",
            "excludeCredentials": [],
            "authenticatorSelection":
                { "residentKey": "preferred", "userVerification": "preferred", "requireResidentKey": false },
            "extensions": { "credProps": true },
            "hints": [],
        })
    );
    let rows = test.rows("verification").await;
    let stored: Value = serde_json::from_str(rows[0].text("value").unwrap()).unwrap();
    let user = test.rows("user").await[0].text("id").unwrap().to_owned();
    assert_eq!(
        stored,
        json!({
            "type": "registration",
            "expectedChallenge": challenge,
            "userData": { "id": user, "name": "ada@example.com", "displayName": "ada@example.com" },
            "context": null,
        })
    );
}

#[tokio::test]
async fn the_page_and_the_app_choose_the_device() {
    let test = TestEngine::new(with(PasskeyOptions {
        rp_id: Some("example.com".into()),
        rp_name: Some("Example".into()),
        authenticator_selection: AuthenticatorSelection {
            resident_key: Requirement::Required,
            authenticator_attachment: Some(Attachment::Platform),
            ..AuthenticatorSelection::default()
        },
        ..PasskeyOptions::default()
    }));
    let mut browser = test.ada().await;
    let options = browser.get(CREATE).await.json();
    assert_eq!(options["rp"], json!({ "name": "Example", "id": "example.com" }));
    let selection = &options["authenticatorSelection"];
    assert_eq!(
        (&selection["residentKey"], &selection["requireResidentKey"], &selection["authenticatorAttachment"]),
        (&json!("required"), &json!(true), &json!("platform"))
    );
    let path = format!("{CREATE}?authenticatorAttachment=cross-platform&name=Work");
    let options = browser.get(&path).await.json();
    assert_eq!(options["authenticatorSelection"]["authenticatorAttachment"], "cross-platform");
    assert_eq!(
        (&options["user"]["name"], &options["user"]["displayName"]),
        (&json!("Work"), &json!("ada@example.com"))
    );
    let wrong = browser.get(&format!("{CREATE}?authenticatorAttachment=usb")).await;
    let wrong = wrong.refused(400, "VALIDATION_ERROR").json();
    assert_eq!(
        wrong["message"],
        r#"[query.authenticatorAttachment] Invalid option: expected one of "platform"|"cross-platform""#
    );
}

#[tokio::test]
async fn a_device_registers_and_its_key_is_kept_in_plain_columns() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let mut device = device();
    (device.counter, device.flags) = (7, USER_PRESENT | CAN_BE_COPIED | IS_COPIED);
    let challenge = challenge(&mut browser, CREATE).await;
    let body = json!({ "response": device.create(&challenge), "name": "  My phone " });
    let answer = browser.post("/passkey/verify-registration", body).await.assert(StatusCode::OK);
    let passkey = answer.json();
    let row = &test.rows("passkey").await[0];
    let user = &test.rows("user").await[0];
    let created_at = passkey["createdAt"].as_str().unwrap();
    assert_eq!(
        passkey,
        json!({
            "name": "My phone",
            "publicKey": BASE64.encode(&device.cose()),
            "userId": user.text("id"),
            "credentialID": device.credential_id(),
            "counter": 7,
            "deviceType": "multiDevice",
            "backedUp": true,
            "transports": "internal,hybrid",
            "createdAt": created_at,
            "aaguid": "adadadad-adad-adad-adad-adadadadadad",
            "id": row.text("id"),
        })
    );
    let text = String::from_utf8(answer.body.to_vec()).unwrap();
    assert!(
        text.starts_with(r#"{"name":"My phone","publicKey":"#),
        "fields come in the schema's order: {text}"
    );
    assert_eq!(row.text("publicKey"), passkey["publicKey"].as_str());
    assert!(test.rows("verification").await.is_empty(), "the challenge is spent");
}

#[tokio::test]
async fn every_kind_of_key_that_is_asked_for_is_taken() {
    let test = test_engine();
    let mut browser = test.ada().await;
    for key in [Key::ed25519(), Key::p256(), Key::rsa()] {
        let device = Device::with(key, ORIGIN, RP_ID);
        register(&mut browser, &device).await.assert(StatusCode::OK);
        crate::passkey::sign_in(&mut test.browser(), &device).await.assert(StatusCode::OK);
    }
    let known = browser.get(CREATE).await.json()["excludeCredentials"].clone();
    assert_eq!(known.as_array().unwrap().len(), 3);
    assert_eq!(known[0]["transports"], json!(["internal", "hybrid"]));
    assert_eq!(known[0]["type"], "public-key");
}

#[tokio::test]
async fn what_the_device_leaves_out_is_empty() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let mut device = device();
    device.transports = Value::Null;
    let passkey = register(&mut browser, &device).await.assert(StatusCode::OK).json();
    assert_eq!((&passkey["transports"], &passkey["name"]), (&json!(""), &Value::Null));
    assert_eq!((&passkey["deviceType"], &passkey["backedUp"]), (&json!("singleDevice"), &json!(false)));
}

#[tokio::test]
async fn an_attestation_is_not_looked_at_but_none_must_be_empty() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let mut attested = device();
    let statement = Cbor::Map(vec![(Cbor::Text("sig".into()), Cbor::Bytes(vec![1, 2, 3]))]);
    attested.attestation = ("packed", statement.clone());
    register(&mut browser, &attested).await.assert(StatusCode::OK);
    let mut lying = device();
    lying.attestation = ("none", statement);
    register(&mut browser, &lying).await.refused(400, "FAILED_TO_VERIFY_REGISTRATION");
}

#[tokio::test]
async fn registering_needs_a_recent_sign_in() {
    let test = test_engine();
    let mut stranger = test.browser();
    stranger.get(CREATE).await.refused(401, "UNAUTHORIZED");
    let response = device().create("anything");
    send_registration(&mut stranger, response.clone()).await.refused(401, "UNAUTHORIZED");
    let mut browser = test.ada().await;
    test.advance(86_400);
    browser.get(CREATE).await.refused(403, "SESSION_NOT_FRESH");
    send_registration(&mut browser, response).await.refused(403, "SESSION_NOT_FRESH");
    stranger
        .post("/passkey/verify-registration", json!({ "name": 5 }))
        .await
        .refused(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn a_registration_from_elsewhere_is_refused() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let lies: [fn(&mut Device); 6] = [
        |device| device.origin = "http://evil.example".into(),
        |device| device.rp_id = "evil.example".into(),
        |device| device.cross_origin = true,
        |device| device.flags = 0,
        |device| device.flags = USER_PRESENT | IS_COPIED,
        |device| device.counter = u32::MAX,
    ];
    for (number, lie) in lies.into_iter().enumerate() {
        let mut device = device();
        lie(&mut device);
        let answer = register(&mut browser, &device).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "lie {number}");
        answer.refused(400, "FAILED_TO_VERIFY_REGISTRATION");
    }
    assert!(test.rows("passkey").await.is_empty());
    browser.headers.remove("origin");
    browser.headers.insert("referer", format!("{ORIGIN}/settings").parse().unwrap());
    register(&mut browser, &device()).await.refused(400, "FAILED_TO_VERIFY_REGISTRATION");
}

#[tokio::test]
async fn the_options_can_name_the_origins() {
    let origin = vec!["https://app.example.com".to_owned(), ORIGIN.to_owned()];
    let test = TestEngine::new(with(PasskeyOptions { origin, ..PasskeyOptions::default() }));
    let mut browser = test.ada().await;
    let device = Device::new("https://app.example.com", RP_ID);
    register(&mut browser, &device).await.assert(StatusCode::OK);
    let device = Device::new("https://app.example.com.evil.example", RP_ID);
    register(&mut browser, &device).await.refused(400, "FAILED_TO_VERIFY_REGISTRATION");
}

#[tokio::test]
async fn a_challenge_serves_once_and_not_for_long() {
    let test = test_engine();
    let mut browser = test.ada().await;
    send_registration(&mut browser, device().create("none")).await.refused(400, "CHALLENGE_NOT_FOUND");

    let asked = challenge(&mut browser, CREATE).await;
    send_registration(&mut browser, device().create(&asked)).await.assert(StatusCode::OK);
    send_registration(&mut browser, device().create(&asked)).await.refused(400, "CHALLENGE_NOT_FOUND");

    let asked = challenge(&mut browser, CREATE).await;
    let wrong = device().create("c29tZXRoaW5nIGVsc2U");
    send_registration(&mut browser, wrong).await.refused(400, "FAILED_TO_VERIFY_REGISTRATION");
    send_registration(&mut browser, device().create(&asked)).await.refused(400, "CHALLENGE_NOT_FOUND");

    let asked = challenge(&mut browser, CREATE).await;
    test.advance(301);
    send_registration(&mut browser, device().create(&asked)).await.refused(400, "CHALLENGE_NOT_FOUND");

    let of_sign_in = challenge(&mut browser, SIGN).await;
    send_registration(&mut browser, device().create(&of_sign_in)).await.refused(400, "CHALLENGE_NOT_FOUND");
    assert_eq!(test.rows("passkey").await.len(), 1);
}

#[tokio::test]
async fn a_challenge_of_someone_else_is_refused() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let mut bob = bob(&test).await;
    let asked = challenge(&mut ada, CREATE).await;
    let name = "better-auth.better-auth-passkey";
    bob.cookies.insert(name.into(), ada.cookies[name].clone());
    let answer = send_registration(&mut bob, device().create(&asked)).await;
    answer.refused(401, "YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY");
    assert!(test.rows("passkey").await.is_empty());
}

#[tokio::test]
async fn a_forged_cookie_finds_no_challenge() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let asked = challenge(&mut browser, CREATE).await;
    let name = "better-auth.better-auth-passkey";
    let session = browser.cookies["better-auth.session_token"].clone();
    for forged in ["", "x", "abcdefghijklmnopqrstuvwxyzabcdef.AAAA", session.as_str()] {
        browser.cookies.insert(name.into(), forged.into());
        let answer = send_registration(&mut browser, device().create(&asked)).await;
        answer.refused(400, "CHALLENGE_NOT_FOUND");
    }
}

#[tokio::test]
async fn a_credential_belongs_to_one_person_once() {
    let test = test_engine();
    let (mut ada, device) = ada_with_device(&test).await;
    register(&mut ada, &device).await.refused(400, "PREVIOUSLY_REGISTERED");
    let mut bob = bob(&test).await;
    register(&mut bob, &device).await.refused(400, "PREVIOUSLY_REGISTERED");
    let mut twin = crate::passkey::device();
    twin.id.clone_from(&device.id);
    register(&mut bob, &twin).await.refused(400, "PREVIOUSLY_REGISTERED");
    assert_eq!(test.rows("passkey").await.len(), 1);
}

#[tokio::test]
async fn a_user_who_was_deleted_meanwhile_gets_no_passkey() {
    let mut builder = with(PasskeyOptions::default());
    builder.options.user.delete_user.enabled = true;
    let test = TestEngine::new(builder);
    let mut browser = test.ada().await;
    let asked = challenge(&mut browser, CREATE).await;
    let cookies = browser.cookies.clone();
    browser.post("/delete-user", json!({})).await.assert(StatusCode::OK);
    browser.cookies = cookies;
    send_registration(&mut browser, device().create(&asked)).await.refused(401, "UNAUTHORIZED");
    assert!(test.rows("passkey").await.is_empty());
}

#[tokio::test]
async fn a_session_comes_along_when_it_is_wanted() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let asked = challenge(&mut browser, CREATE).await;
    let body = json!({ "response": device().create(&asked), "createSession": true });
    let answer = browser.post("/passkey/verify-registration", body).await.assert(StatusCode::OK);
    assert!(answer.cookie("session_token").is_some());
    let registered = answer.json();
    assert_eq!(registered["user"]["email"], "ada@example.com");
    assert_eq!(browser.session().await["session"]["token"], registered["session"]["token"]);
}

#[test]
// spec: TBL-3
fn the_table_takes_the_name_it_is_given() {
    let names = ModelNames::from([(
        "passkey".into(),
        TableNames { model_name: Some("keys".into()), ..Default::default() },
    )]);
    let test = TestEngine::new(with(PasskeyOptions { schema: names, ..PasskeyOptions::default() }));
    let table = test.engine.schema().table("passkey").unwrap();
    assert_eq!(table.name, "keys");
    let indexes: Vec<_> = table.indexes.iter().map(|index| index.name.as_str()).collect();
    assert_eq!(indexes, ["keys_userId_idx", "keys_credentialID_idx"]);
    assert_eq!(passkey(PasskeyOptions::default()).id(), "passkey");
}
