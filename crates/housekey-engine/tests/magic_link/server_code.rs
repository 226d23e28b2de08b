use housekey_engine::SignIn;
use housekey_engine::plugins::magic_link::{self, FoundLink, SendMagicLink};

use crate::magic_link::{ADA, test_engine};

#[tokio::test]
// spec: KEY-3
async fn server_code_shows_a_link_before_it_spends_it() {
    let test = test_engine();
    let mut api = test.engine.api();
    let asked = SendMagicLink { email: ADA.into(), name: Some("Ada".into()), ..SendMagicLink::default() };
    magic_link::send(&mut api, asked).await.unwrap();
    let token = test.mailbox.take().token.into();

    for _ in 0..2 {
        let found = magic_link::inspect(&api, &token).await.unwrap();
        assert_eq!(found, Some(FoundLink { email: ADA.into(), is_here: true }));
    }
    let spent = magic_link::spend(&mut api, &token).await.unwrap();
    assert!(spent.is_new);
    let SignIn::Done(signed_in) = spent.sign_in else { panic!("nothing is asked") };
    assert_eq!(signed_in.user.name, "Ada");
    assert!(api.into_headers().contains_key("set-cookie"));

    let mut api = test.engine.api();
    assert_eq!(magic_link::inspect(&api, &token).await.unwrap(), None);
    assert_eq!(magic_link::spend(&mut api, &token).await.unwrap_err().code(), Some("INVALID_TOKEN"));
    assert!(api.into_headers().is_empty());
}

#[tokio::test]
async fn server_code_cannot_send_a_link_that_leads_away() {
    let test = test_engine();
    let mut api = test.engine.api();
    let asked = |callback: &str| SendMagicLink {
        email: ADA.into(),
        callback_url: Some(callback.into()),
        ..SendMagicLink::default()
    };
    let refused = magic_link::send(&mut api, asked("https://evil.test")).await.unwrap_err();
    assert_eq!(refused.code(), Some("INVALID_CALLBACK_URL"));
    magic_link::send(&mut api, asked("/fine")).await.unwrap();
    let wrong = SendMagicLink { email: "ada".into(), ..SendMagicLink::default() };
    assert_eq!(magic_link::send(&mut api, wrong).await.unwrap_err().code(), Some("INVALID_EMAIL"));
}

#[tokio::test]
async fn no_address_that_server_code_puts_in_a_link_leads_away() {
    let test = test_engine();
    let mut api = test.engine.api();
    let evil = || Some("https://evil.test".to_owned());
    let asked = SendMagicLink { email: ADA.into(), ..SendMagicLink::default() };
    let for_new = SendMagicLink { new_user_callback_url: evil(), ..asked.clone() };
    let for_errors = SendMagicLink { error_callback_url: evil(), ..asked };
    for (asked, code) in
        [(for_new, "INVALID_NEW_USER_CALLBACK_URL"), (for_errors, "INVALID_ERROR_CALLBACK_URL")]
    {
        assert_eq!(magic_link::send(&mut api, asked).await.unwrap_err().code(), Some(code));
    }
    assert!(test.mailbox.all().is_empty());
}
