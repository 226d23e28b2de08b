use housekey_engine::plugins::multi_session;
use housekey_engine::{SignIn, SignInEmail};
use http::header::SET_COOKIE;

use crate::multi_session::{active, browser_of, email, list, test_engine};
use crate::support::PASSWORD;

/// A page of the app's own signs somebody in: the answer carries the cookies as that of the endpoint does.
#[tokio::test]
async fn a_sign_in_by_server_code_is_kept_too() {
    let test = test_engine();
    test.ada().await;
    let (mut browser, [_]) = browser_of(&test, ["bob"]).await;
    let (mut api, begun) = test.engine.begin_request(browser.cookie_header(), None).await;
    begun.unwrap();
    let input = SignInEmail { email: email("ada"), password: PASSWORD.into(), ..SignInEmail::default() };
    assert!(matches!(api.sign_in_email(input).await.unwrap(), SignIn::Done(_)));
    let headers = test.engine.finish_request(api, false).await.unwrap();
    for header in headers.get_all(SET_COOKIE) {
        let (name, value) = header.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
        browser.cookies.insert(name.into(), value.into());
    }
    assert_eq!(list(&mut browser).await, ["bob", "ada"]);
}

#[tokio::test]
async fn the_endpoints_are_functions_too() {
    let test = test_engine();
    let (browser, [ada, _, _]) = browser_of(&test, ["ada", "bob", "carl"]).await;
    let mut api = test.engine.api_for(&browser.cookie_header());
    let emails = async |api: &housekey_engine::Api| {
        let accounts = multi_session::list(api).await.unwrap();
        accounts.iter().map(|account| account.user.email.clone()).collect::<Vec<_>>()
    };
    assert_eq!(emails(&api).await, [email("ada"), email("bob"), email("carl")]);
    let switched = multi_session::set_active(&mut api, &ada).await.unwrap();
    assert_eq!(switched.user.email, email("ada"));
    assert_eq!(api.session().await.unwrap().unwrap().user.email, email("ada"));
    assert!(multi_session::set_active(&mut api, "nothing").await.is_err());
    multi_session::revoke(&mut api, &ada).await.unwrap();
    assert_eq!(emails(&api).await, [email("bob"), email("carl")]);
    assert_eq!(api.session().await.unwrap().unwrap().user.email, email("bob"));
}

#[tokio::test]
async fn only_the_active_account_can_be_signed_out() {
    let test = test_engine();
    let (mut browser, _) = browser_of(&test, ["ada", "bob"]).await;
    let mut api = test.engine.api_for(&browser.cookie_header());
    multi_session::sign_out(&mut api).await.unwrap();
    assert_eq!(api.session().await.unwrap().unwrap().user.email, email("ada"));
    assert_eq!(active(&mut browser).await, None, "the session of the old cookie is over");
    assert_eq!(test.rows("session").await.len(), 1);
}
