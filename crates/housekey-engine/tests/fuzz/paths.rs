use housekey_engine::options::CacheStrategy;
use housekey_test_support::fuzz::fuzz;
use http::{Method, Uri};

use crate::fuzz::test_engine::{ORIGIN, TestEngine};

/// Some paths end the account or the session; then there must be a new one.
const PATHS_PER_ENGINE: usize = 64;

/// What a link in a mail could be made to look like: whatever stands in an address, nobody is sent to a stranger's.
#[test]
fn no_address_below_the_mount_breaks_it_or_leads_away() {
    let mut test = TestEngine::new(CacheStrategy::Compact);
    let mut sent = 0;
    fuzz(env!("CARGO_MANIFEST_DIR"), "paths", <[u8]>::to_vec, |input| {
        sent += 1;
        if sent % PATHS_PER_ENGINE == 0 {
            test = TestEngine::new(CacheStrategy::Compact);
        }
        // What no request line can hold never reaches an engine.
        let Ok(text) = std::str::from_utf8(input) else { return };
        if format!("/api/auth{text}").parse::<Uri>().is_err() {
            return;
        }
        for (method, cookies) in [(Method::GET, test.ada.as_str()), (Method::GET, ""), (Method::POST, "")] {
            let answer = test.send(method, text, cookies.as_bytes(), b"{}");
            assert!(!answer.status().is_server_error(), "{answer:?}");
            let Some(location) = answer.headers().get("location") else { continue };
            let base = url::Url::parse(ORIGIN).unwrap();
            let target = base.join(location.to_str().unwrap()).unwrap();
            assert_eq!(target.origin(), base.origin(), "{answer:?}");
        }
    });
}
