use std::sync::{Arc, Mutex};

use housekey_auth::MailPages;
use housekey_auth::engine::Callback;
use housekey_auth::engine::options::LinkMail;
use housekey_auth::notifications::{
    ChangeEmailNotification, PasswordChangedNotification, ResetPasswordNotification, VerifyEmailNotification,
};
use housekey_notifications::Notifications;
use housekey_testing::TestApp;
use serde_json::json;

use crate::mail::{ADA, NEW, app, ask_for_reset, mails, make_verified, reset, test_app, token};
use crate::support::{engine_post, make_tables, sign_up};

// spec: NTF-1
#[tokio::test]
async fn each_of_the_four_reaches_the_one_it_is_for() {
    let app = test_app(|_| ()).await;
    let mails = mails(&app);
    sign_up(&app, "someone.else@example.com").await;
    mails.clear();
    let app = app.visitor();

    sign_up(&app, ADA).await;
    mails.assert_count(1).assert_subject(ADA, "Confirm your e-mail address");
    assert!(mails.link_to(ADA).contains("/api/auth/verify-email?token="), "{}", mails.link_to(ADA));
    mails.clear();

    make_verified(&app, ADA).await;
    engine_post(&app, "change-email", &json!({ "newEmail": NEW })).await.assert_ok();
    mails.assert_count(1).assert_subject(ADA, "Confirm your new e-mail address").assert_not_sent_to(NEW);
    assert!(mails.last_to(ADA).text().contains(NEW), "it says where to");
    mails.clear();

    reset(&app, ADA).await;
    mails
        .assert_count(2)
        .assert_subject(ADA, "Reset your password")
        .assert_subject(ADA, "Your password was changed");
    assert_eq!(mails.last_to(ADA).subject(), "Your password was changed");
    assert_eq!(mails.last_to(ADA).message().action_url(), None, "the warning has nothing to click");
}

// spec: NTF-1
#[tokio::test]
async fn an_address_without_an_account_is_sent_nothing() {
    let app = test_app(|_| ()).await;
    ask_for_reset(&app, "nobody@example.com").await;
    mails(&app).assert_nothing_sent();
}

// spec: NTF-2
#[tokio::test]
async fn they_are_notifications_that_the_fake_of_that_package_sees() {
    let app = test_app(|_| ()).await;
    let fake = app.services().require::<Notifications>().unwrap().fake();
    sign_up(&app, ADA).await;
    make_verified(&app, ADA).await;
    engine_post(&app, "change-email", &json!({ "newEmail": NEW })).await.assert_ok();
    ask_for_reset(&app, ADA).await;
    fake.assert_count::<VerifyEmailNotification>(1)
        .assert_count::<ChangeEmailNotification>(1)
        .assert_count::<ResetPasswordNotification>(1)
        .assert_count::<PasswordChangedNotification>(0);
    mails(&app).assert_nothing_sent();
}

// spec: CFG-8
#[tokio::test]
async fn a_callback_of_the_app_wins_over_ours() {
    let own: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&own);
    let booted = TestApp::new(move || {
        let seen = Arc::clone(&seen);
        app(move |auth| {
            let seen = Arc::clone(&seen);
            auth.engine.email_and_password.send_reset_password = Callback::new(move |mail: LinkMail| {
                seen.lock().unwrap().push(mail.user.email);
                async { Ok::<_, std::io::Error>(()) }
            });
        })
    });
    make_tables(&booted).await;
    sign_up(&booted, ADA).await;
    let mails = mails(&booted);
    mails.assert_count(1);
    ask_for_reset(&booted, ADA).await;
    assert_eq!(*own.lock().unwrap(), [ADA]);
    mails.assert_count(1);
}

// spec: NTF-5
#[tokio::test]
async fn links_lead_to_pages_of_the_app_where_it_names_some() {
    let booted = TestApp::new(|| {
        app(|auth| {
            auth.mail_pages = MailPages {
                reset_password: Some("/new-password".into()),
                verify_email: Some("/welcome".into()),
                ..MailPages::default()
            };
        })
    });
    make_tables(&booted).await;
    sign_up(&booted, ADA).await;
    let mails = mails(&booted);
    assert!(mails.link_to(ADA).starts_with("http://localhost:3000/welcome?token="), "{}", mails.link_to(ADA));
    ask_for_reset(&booted, ADA).await;
    let link = mails.link_to(ADA);
    assert!(link.starts_with("http://localhost:3000/new-password?token="), "{link}");
    let body = json!({ "token": token(&link), "newPassword": "another good password" });
    engine_post(&booted, "reset-password", &body).await.assert_ok();
}
