use housekey_engine::options::CacheStrategy;
use serde_json::Value;

use crate::fuzz::test_engine::{TestEngine, cookie, read};
use housekey_test_support::fuzz::{fuzz, replace};

#[test]
fn no_cookie_header_makes_a_session_but_the_one_that_carries_it() {
    let test = TestEngine::new(CacheStrategy::Compact);
    let token = cookie(&test.ada, "session_token").to_owned();
    let data = cookie(&test.ada, "session_data").to_owned();
    let bare = token.split_once('.').unwrap().0.to_owned();
    let fill = |input: &[u8]| replace(input, &[("{token}", &token), ("{data}", &data)]);
    fuzz(env!("CARGO_MANIFEST_DIR"), "cookies", fill, |input| {
        let answer = test.get("/get-session", input);
        assert_eq!(answer.status(), 200, "{answer:?}");
        match read(&answer) {
            Value::Null => {}
            session => {
                assert_eq!(session["session"]["token"], bare.as_str());
                assert!(String::from_utf8_lossy(input).contains(&bare), "a session without its token");
            }
        }
    });
}
