use housekey_engine::options::CacheStrategy;
use housekey_engine::plugins::two_factor;
use serde_json::json;

use crate::fuzz::test_engine::{PASSWORD, TestEngine, read};
use housekey_test_support::fuzz::{fuzz, replace};

#[test]
fn nothing_but_the_right_code_is_a_second_factor() {
    let test = TestEngine::new(CacheStrategy::Compact);
    let enable =
        test.post("/two-factor/enable", &test.ada, json!({ "password": PASSWORD }).to_string().as_bytes());
    let codes = read(&enable)["backupCodes"].clone();
    test.post("/two-factor/send-otp", &test.ada, b"{}");
    let code = test.block_on(async {
        let api = test.engine.api();
        let user = api.user_by_email("ada@example.com").await.unwrap().unwrap();
        two_factor::totp_code(&api, &user).await.unwrap()
    });
    // A right code with something around it. The bare ones would be right, and are not tried.
    let fill = |input: &[u8]| {
        replace(
            input,
            &[("{code}", &format!("{code} ")), ("{backup}", &format!(" {}", codes[0].as_str().unwrap()))],
        )
    };
    fuzz(env!("CARGO_MANIFEST_DIR"), "codes", fill, |input| {
        let typed = String::from_utf8_lossy(input);
        let right = typed == code || codes.as_array().unwrap().iter().any(|code| *code == *typed);
        if right {
            return;
        }
        let body = json!({ "code": typed }).to_string();
        for path in ["/two-factor/verify-totp", "/two-factor/verify-backup-code", "/two-factor/verify-otp"] {
            let answer = test.post(path, &test.ada, body.as_bytes());
            assert!(answer.status().is_client_error(), "{path}: {answer:?}");
            read(&answer);
        }
    });
}
