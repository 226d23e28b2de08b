//! Answers cut short or changed anywhere: refused, never believed, never a failure of ours.

use data_encoding::BASE64URL_NOPAD;
use http::StatusCode;
use serde_json::{Value, json};

use crate::passkey::{
    CREATE, SIGN, ada_with_device, challenge, device, send_assertion, send_registration, test_engine,
};

#[tokio::test]
async fn a_registration_that_misses_anything_is_refused() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let pointers =
        ["/id", "/rawId", "/type", "/response", "/response/clientDataJSON", "/response/attestationObject"];
    for pointer in pointers {
        for wrong in [Value::Null, json!(5), json!("\u{0}"), json!(""), json!({}), json!("AA"), json!([[[]]])]
        {
            let asked = challenge(&mut browser, CREATE).await;
            let mut response = device().create(&asked);
            *response.pointer_mut(pointer).unwrap() = wrong;
            send_registration(&mut browser, response).await.refused(400, "FAILED_TO_VERIFY_REGISTRATION");
        }
    }
    for odd in [Value::Null, json!([]), json!("x"), json!({})] {
        challenge(&mut browser, CREATE).await;
        send_registration(&mut browser, odd).await.refused(400, "FAILED_TO_VERIFY_REGISTRATION");
    }
    challenge(&mut browser, CREATE).await;
    browser.post("/passkey/verify-registration", json!({})).await.refused(400, "VALIDATION_ERROR");
    assert!(test.rows("passkey").await.is_empty());
}

#[tokio::test]
async fn an_assertion_that_is_cut_or_changed_is_refused() {
    let test = test_engine();
    let (_, device) = ada_with_device(&test).await;
    let mut browser = test.browser();
    let forgeries: [fn(&mut Vec<u8>); 3] =
        [|bytes| bytes.truncate(bytes.len() - 1), |bytes| bytes.push(0), |bytes| bytes[4] ^= 1];
    for (field, status) in [("clientDataJSON", 400), ("authenticatorData", 400), ("signature", 401)] {
        for forge in forgeries {
            let asked = challenge(&mut browser, SIGN).await;
            let mut response = device.sign(&asked);
            let slot = &mut response["response"][field];
            let mut bytes = BASE64URL_NOPAD.decode(slot.as_str().unwrap().as_bytes()).unwrap();
            forge(&mut bytes);
            *slot = json!(BASE64URL_NOPAD.encode(&bytes));
            send_assertion(&mut browser, response).await.refused(status, "AUTHENTICATION_FAILED");
        }
    }
    assert_eq!(browser.session().await, Value::Null);
}

#[tokio::test]
async fn a_stored_key_that_cannot_be_read_signs_nobody_in() {
    use housekey_engine::Record;
    use housekey_engine::storage::{Filter, Records as _};
    let test = test_engine();
    let (_, device) = ada_with_device(&test).await;
    let table = test.engine.schema().table("passkey").unwrap();
    for broken in ["", "!", "AAAA", "oA=="] {
        let changes = Record::new().with("publicKey", broken);
        test.storage.update(table, &Filter::all(), &changes).await.unwrap();
        crate::passkey::sign_in(&mut test.browser(), &device).await.refused(400, "AUTHENTICATION_FAILED");
    }
}

#[tokio::test]
async fn an_answer_of_great_length_is_refused() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let asked = challenge(&mut browser, CREATE).await;
    let mut response = device().create(&asked);
    response["response"]["transports"] = json!(vec!["x".repeat(1000); 100]);
    let answer = send_registration(&mut browser, response).await.assert(StatusCode::OK).json();
    assert_eq!(answer["transports"], "", "what is no transport is not kept");
    let mut long = device();
    long.id = vec![7; 1023];
    let asked = challenge(&mut browser, CREATE).await;
    let answer = send_registration(&mut browser, long.create(&asked)).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
}
