use housekey_auth::config::{Callback, MagicLinkMail, MagicLinkOptions, Plugins, magic_link};
use housekey_auth::notifications::AppAccountMail;
use housekey_core::{AppConfig, Environment};
use housekey_mail::Message;
use housekey_testing::TestApp;
use serde_json::json;

use crate::support::{app_with, config, engine_post, make_tables, nothing_asked, test_app};
use crate::ways::{ADA, all_ways, app, code_to, mails, path_of, routes};

// spec: KEY-1, CFG-8
#[tokio::test]
async fn a_link_is_mailed_by_itself_and_leads_to_the_page_of_the_app() {
    let app = app().await;
    engine_post(&app, "sign-in/magic-link", &json!({ "email": ADA })).await.assert_ok();
    let mail = mails(&app).last_to(ADA);
    assert_eq!(mail.subject(), "Your link to sign in");
    for words in ["Hello,", "to sign in as ada@example.com", "works once and for 5 min"] {
        assert!(mail.text().contains(words), "{words} in {}", mail.text());
    }
    let link = mails(&app).link_to(ADA);
    assert!(path_of(&link).starts_with("/magic-link?token="), "{link}");
}

// spec: KEY-1
#[tokio::test]
async fn without_a_page_the_link_leads_to_the_engine() {
    let app = test_app(
        |auth| {
            all_ways(auth);
            auth.mail_pages.magic_link = None;
        },
        routes,
    )
    .await;
    engine_post(&app, "sign-in/magic-link", &json!({ "email": ADA, "callbackURL": "/in" })).await.assert_ok();
    let link = mails(&app).link_to(ADA);
    assert!(path_of(&link).starts_with("/api/auth/magic-link/verify?token="), "{link}");
    app.get(&path_of(&link)).await.assert_status(302);
    assert_eq!(crate::ways::who(&app).await.as_deref(), Some(ADA));
}

// spec: KEY-1, CFG-8
#[tokio::test]
async fn a_code_is_mailed_by_itself_and_its_words_say_what_it_is_for() {
    let app = app().await;
    let ada = app.user(ADA).await;
    for (kind, subject) in [
        ("sign-in", "Your code to sign in"),
        ("email-verification", "Your code to confirm your address"),
        ("forget-password", "Your code for a new password"),
    ] {
        let body = json!({ "email": ada.email, "type": kind });
        engine_post(&app, "email-otp/send-verification-otp", &body).await.assert_ok();
        let mail = mails(&app).last_to(ADA);
        assert_eq!(mail.subject(), subject, "{kind}");
        let code = code_to(&mails(&app), ADA);
        assert!(!mail.subject().contains(&code) && mail.html().contains(&code));
    }
}

// spec: KEY-2
#[tokio::test]
async fn whoever_has_proven_the_address_is_greeted_by_name_and_nobody_else() {
    let app = app().await;
    app.user(ADA).await;
    for email in [ADA, "nobody@example.com"] {
        engine_post(&app, "sign-in/magic-link", &json!({ "email": email, "name": "You won" }))
            .await
            .assert_ok();
        let text = mails(&app).last_to(email).text().to_owned();
        let greeting = if email == ADA { "Hello ada," } else { "Hello,\n" };
        assert!(text.starts_with(greeting) && !text.contains("You won"), "{text}");
    }
}

// spec: CFG-8
#[tokio::test]
async fn what_the_app_says_itself_wins() {
    let own = test_app(
        |auth| {
            let send_magic_link = Callback::new(|_: MagicLinkMail| async { Ok::<_, std::io::Error>(()) });
            auth.plugins =
                Plugins::from([magic_link(MagicLinkOptions { send_magic_link, ..Default::default() })]);
        },
        routes,
    )
    .await;
    engine_post(&own, "sign-in/magic-link", &json!({ "email": ADA })).await.assert_ok();
    mails(&own).assert_nothing_sent();

    let words = TestApp::new(|| {
        let mut auth = housekey_auth::AuthConfig { demands: nothing_asked(), ..config() };
        all_ways(&mut auth);
        app_with(auth, routes).account_mail(|mail| {
            mail.magic_link.to_mail_using(|data| {
                Message::new().subject("The key").action("Open", data.url.as_deref().unwrap_or_default())
            });
            mail.email_code.to_mail_using(|data| {
                Message::new().subject("The digits").line(data.code.clone().unwrap_or_default())
            });
        })
    });
    make_tables(&words).await;
    engine_post(&words, "sign-in/magic-link", &json!({ "email": ADA })).await.assert_ok();
    mails(&words).assert_subject(ADA, "The key");
    let body = json!({ "email": ADA, "type": "sign-in" });
    engine_post(&words, "email-otp/send-verification-otp", &body).await.assert_ok();
    mails(&words).assert_subject(ADA, "The digits");
    assert_eq!(code_to(&mails(&words), ADA).len(), 6);
}

// spec: NTF-8
#[tokio::test]
async fn neither_link_nor_code_stands_in_what_a_failing_mail_server_leaves_in_the_log() {
    use housekey_auth::notifications::AccountMailData;
    let data = AccountMailData {
        url: Some("https://x.example/magic-link?token=secret-token".into()),
        code: Some("123456".into()),
        ..Default::default()
    };
    let shown = format!("{data:?}");
    assert!(!shown.contains("secret-token") && !shown.contains("123456"), "{shown}");
    let quoted =
        housekey_mail::redact_for_log("550 refused: 123456 https://x.example/magic-link?token=secret-token");
    assert!(!quoted.contains("secret-token") && !quoted.contains("123456"), "{quoted}");
}

// spec: NTF-6
#[test]
fn every_language_has_the_words() {
    let english = [
        "Your link to sign in",
        "Somebody asked for a link to sign in as :email. If it was you, go on here.",
        "The link works once and for :minutes min. Whoever has it can sign in as you, so pass it on to nobody.",
        "Your code to sign in",
        "Your code to confirm your address",
        "Your code for a new password",
        "Your code to change your address",
        "Somebody asked for a code to sign in with this address. If it was you, type it on the page where you asked for it.",
        "Type this code on the page that asks for it, and we know that this address is yours.",
        "Somebody asked to reset the password of your account. If it was you, type this code on the page where you asked for it.",
        "Somebody who is signed in asked to change the address of their account. If it was you, type this code on the page where you asked for it.",
        "The code works once and for :minutes min. We never ask for it by phone or in a chat, so tell it to nobody.",
        "Invalid username or password",
        "Username is already taken. Please try another.",
    ];
    for language in ["de", "es", "fr", "nl"] {
        let file = format!("{}/lang/{language}.json", env!("CARGO_MANIFEST_DIR"));
        let words: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        for sentence in english {
            let translated = words[sentence].as_str().unwrap_or_else(|| panic!("{language}: {sentence}"));
            assert_ne!(translated, sentence, "{language}");
            for name in [":email", ":minutes"] {
                assert_eq!(translated.contains(name), sentence.contains(name), "{language}: {translated}");
            }
        }
    }
}

#[tokio::test]
async fn they_can_be_looked_at_in_the_mailbox() {
    let app = app().await.with_config(|config| {
        config.update::<AppConfig>(|app| app.env = Environment::Development);
    });
    make_tables(&app).await;
    let mailbox = app.get("/dev/mailbox").await;
    mailbox.assert_see("A link to sign in").assert_see("A code to sign in");
    app.get("/dev/mailbox/preview-7/html").await.assert_ok().assert_see("Your link to sign in");
    app.get("/dev/mailbox/preview-8/html").await.assert_ok().assert_see("123456");
}
