use housekey_core::{AppConfig, Environment};
use housekey_mail::Message;
use housekey_testing::TestApp;
use serde_json::json;

use crate::mail::{ADA, NEW, app, ask_for_reset, mails, make_verified, reset_token, test_app};
use crate::support::{PASSWORD, engine_post, make_tables, sign_up};

// spec: NTF-5
#[tokio::test]
async fn an_app_writes_a_mail_in_its_own_words_around_the_link_that_the_engine_signed() {
    let app = test_app(|mail| {
        mail.reset_password.to_mail_using(|data| {
            Message::new()
                .subject("Your new key")
                .greeting(format!("Dear {}", data.name.as_deref().unwrap_or("stranger")))
                .action("Cut it", data.url.as_deref().unwrap())
        });
    })
    .await;
    sign_up(&app, ADA).await;
    make_verified(&app, ADA).await;
    ask_for_reset(&app, ADA).await;
    let mails = mails(&app);
    mails.assert_subject(ADA, "Your new key").assert_subject(ADA, "Confirm your e-mail address");
    assert!(mails.last_to(ADA).text().contains("Dear ada"));
    let body = json!({ "token": reset_token(&mails.link_to(ADA)), "newPassword": "another good password" });
    engine_post(&app, "reset-password", &body).await.assert_ok();
}

// spec: NTF-5
#[tokio::test]
async fn somebody_without_a_name_is_greeted_without_one() {
    let app = test_app(|mail| {
        mail.reset_password.to_mail_using(|data| Message::new().subject(format!("{:?}", data.name)));
    })
    .await;
    let body = json!({ "name": "", "email": ADA, "password": PASSWORD });
    engine_post(&app, "sign-up/email", &body).await.assert_ok();
    let mails = mails(&app);
    assert!(mails.last_to(ADA).text().contains("Hello,"), "{}", mails.last_to(ADA).text());
    ask_for_reset(&app, ADA).await;
    mails.assert_subject(ADA, "None");
}

// spec: NTF-7
#[tokio::test]
async fn subject_greeting_lines_and_button_stand_in_text_and_html_alike() {
    let app = test_app(|_| ()).await;
    sign_up(&app, ADA).await;
    make_verified(&app, ADA).await;
    ask_for_reset(&app, ADA).await;
    let mail = mails(&app).last_to(ADA);
    let link = mails(&app).link_to(ADA);
    assert_eq!(mail.subject(), "Reset your password");
    for words in
        ["Hello ada,", "Somebody asked to reset the password", "Choose a new password", "for an hour"]
    {
        assert!(mail.text().contains(words), "{words} in {}", mail.text());
        assert!(mail.html().contains(words), "{words} in {}", mail.html());
    }
    assert!(mail.text().contains(&link));
}

#[tokio::test]
async fn what_people_call_themselves_is_text_in_every_mail_and_no_header() {
    let app = test_app(|_| ()).await;
    let name = "<img src=x onerror=alert(1)>\r\nBcc: eve@example.com";
    let body = json!({ "name": name, "email": ADA, "password": PASSWORD });
    engine_post(&app, "sign-up/email", &body).await.assert_ok();
    make_verified(&app, ADA).await;
    ask_for_reset(&app, ADA).await;
    let greeted = mails(&app).last_to(ADA);
    assert!(
        greeted.text().starts_with("Hello <img src=x onerror=alert(1)> Bcc: eve@example.com,\n"),
        "{}",
        greeted.text()
    );
    for mail in mails(&app).sent_to(ADA) {
        assert!(!mail.html().contains("<img src=x"), "{}", mail.html());
        assert_eq!(mail.recipients().count(), 1);
        assert!(mail.headers().iter().all(|(name, _)| !name.eq_ignore_ascii_case("bcc")));
    }
}

// spec: NTF-5
#[tokio::test]
async fn a_name_stands_only_in_mail_to_an_address_that_was_proven_and_is_not_long() {
    const BAIT: &str = "You won! See evil.example";
    let app = test_app(|_| ()).await;
    let mails = mails(&app);
    let body = json!({ "name": BAIT, "email": ADA, "password": PASSWORD });
    engine_post(&app, "sign-up/email", &body).await.assert_ok();
    ask_for_reset(&app, ADA).await;
    // Not proven, so it is replaced at once, and the new one is asked.
    engine_post(&app, "change-email", &json!({ "newEmail": NEW })).await.assert_ok();
    mails.assert_count(3).assert_sent_to(NEW);

    // Proven, the account still writes to a new address, which is a stranger's until it is proven too.
    make_verified(&app, NEW).await;
    engine_post(&app, "change-email", &json!({ "newEmail": "stranger@example.com" })).await.assert_ok();
    let agree = crate::mail::token(&mails.link_to(NEW));
    app.get(&format!("/api/auth/verify-email?token={agree}")).await.assert_ok();
    mails.assert_count(5).assert_sent_to("stranger@example.com");
    let to_strangers = mails.all().into_iter().filter(|sent| !sent.mail.text().contains("is to move to"));
    for sent in to_strangers {
        assert!(!sent.mail.text().contains("evil.example"), "{}", sent.mail.text());
        assert!(sent.mail.text().starts_with("Hello,"), "{}", sent.mail.text());
    }

    engine_post(&app, "update-user", &json!({ "name": "x".repeat(200) })).await.assert_ok();
    ask_for_reset(&app, NEW).await;
    let greeting = format!("Hello {}…,\n", "x".repeat(60));
    assert!(mails.last_to(NEW).text().starts_with(&greeting), "{}", mails.last_to(NEW).text());
}

#[tokio::test]
async fn all_of_them_can_be_looked_at_in_the_mailbox_and_in_the_apps_own_words() {
    use housekey_auth::notifications::AppAccountMail;
    let booted = TestApp::new(|| {
        app(|_| ()).account_mail(|mail| {
            mail.password_changed
                .to_mail_using(|_| Message::new().subject("A new lock").line("It is yours?"));
        })
    })
    .with_config(|config| config.update::<AppConfig>(|app| app.env = Environment::Development));
    make_tables(&booted).await;
    let mailbox = booted.get("/dev/mailbox").await;
    mailbox.assert_ok();
    for name in [
        "Reset your password",
        "Confirm your address",
        "Your password was changed",
        "Move to another address",
        "An account already",
        "A new device",
        "Many wrong passwords",
    ] {
        mailbox.assert_see(name);
    }
    booted.get("/dev/mailbox/preview-0/html").await.assert_ok().assert_see("Choose a new password");
    booted.get("/dev/mailbox/preview-1/html").await.assert_ok().assert_see("Confirm the address");
    booted.get("/dev/mailbox/preview-2/html").await.assert_ok().assert_see("It is yours?");
    booted.get("/dev/mailbox/preview-3/html").await.assert_ok().assert_see("countess@example.com");
    booted.get("/dev/mailbox/preview-4/html").await.assert_ok().assert_see("/forgot-password");
    booted.get("/dev/mailbox/preview-5/html").await.assert_ok().assert_see("Firefox on Linux");
    booted.get("/dev/mailbox/preview-6/html").await.assert_ok().assert_see("203.0.113.9");
}
