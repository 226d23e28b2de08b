use housekey_engine::options::CacheStrategy;
use http::Method;

use crate::fuzz::test_engine::{TestEngine, read};
use housekey_test_support::fuzz::fuzz;

/// Bodies that are right delete the account or end the session; then there must be a new one.
const BODIES_PER_ENGINE: usize = 64;

#[test]
fn every_body_gets_an_answer_that_clients_understand() {
    let mut test = TestEngine::new(CacheStrategy::Compact);
    let endpoints = test.engine.endpoints().iter().filter(|endpoint| endpoint.method() == Method::POST);
    let paths: Vec<_> = endpoints.map(|endpoint| endpoint.path().to_owned()).collect();
    let mut sent = 0;
    fuzz(env!("CARGO_MANIFEST_DIR"), "json", <[u8]>::to_vec, |input| {
        sent += 1;
        if sent % BODIES_PER_ENGINE == 0 {
            test = TestEngine::new(CacheStrategy::Compact);
        }
        for cookies in [test.ada.as_str(), ""] {
            let path = &paths[sent % paths.len()];
            let answer = test.post(path, cookies, input);
            let body = read(&answer);
            if answer.status().is_client_error() && !answer.body().is_empty() {
                assert!(body["message"].is_string(), "{path}: {answer:?}");
                let set =
                    answer.headers().get_all("set-cookie").iter().map(|header| header.to_str().unwrap());
                let mut tokens = set.filter(|cookie| cookie.contains("session_token="));
                assert!(tokens.all(|cookie| cookie.contains("Max-Age=0")), "{path}: {answer:?}");
            }
        }
    });
}
