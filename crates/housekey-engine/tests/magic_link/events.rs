use housekey_engine::plugins::magic_link::MagicLinkOptions;

use crate::magic_link::{ADA, built, link};
use crate::sink::Events;
use crate::support::{TestEngine, options};

#[tokio::test]
// spec: KEY-2, SEC-9
async fn what_a_link_does_is_told_and_its_token_is_not() {
    let events = Events::default();
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.on_security_event = events.sink();
        built(mailbox, options, MagicLinkOptions::default())
    });
    let mail = link(&test, ADA).await;
    assert_eq!(events.take(), Vec::<String>::new());
    test.browser().open(&mail.url).await;
    assert_eq!(events.take(), ["sign-in magic-link", "sign-up magic-link"]);
    test.browser().open(&mail.url).await;
    assert_eq!(events.take(), ["sign-in-refused magic-link invalid-link"]);
    test.browser().open(&link(&test, ADA).await.url).await;
    let told = format!("{:?}", events.all());
    assert_eq!(events.take(), ["sign-in magic-link"]);
    assert!(!told.contains(&mail.token));

    test.browser().sign_up("bob@example.com").await;
    events.take();
    test.browser().open(&link(&test, "bob@example.com").await.url).await;
    assert_eq!(events.take(), ["sign-in magic-link", "email-verified yes", "sessions-revoked all"]);
}

#[tokio::test]
async fn a_mail_does_not_print_its_link() {
    let mail = housekey_engine::plugins::magic_link::MagicLinkMail {
        email: ADA.into(),
        url: "https://app.example/secret".into(),
        token: "secret".into(),
        metadata: None,
        user: None,
    };
    let printed = format!("{mail:?}");
    assert!(!printed.contains("secret") && !printed.contains(ADA), "{printed}");
}
