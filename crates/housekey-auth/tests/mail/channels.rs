use housekey_auth::notifications::{
    AccountMailData, ChangeEmailNotification, PasswordChangedNotification, ResetPasswordNotification,
    VerifyEmailNotification,
};
use housekey_auth::{Auth, engine::User};
use housekey_notifications::{Notifiable, NotifiableKey, Notifications, StoredNotification, inbox, tables};
use housekey_testing::TestApp;
use serde_json::{Value, json};

use crate::mail::{ADA, NEW, ask_for_reset, mails, make_verified, reset, reset_token, test_app};
use crate::support::{engine_post, sign_up};

struct Member(User);

impl Notifiable for Member {
    fn notifiable_key(&self) -> Option<NotifiableKey> {
        Some(NotifiableKey::new("user", &self.0.id))
    }

    fn route_for(&self, _: &str) -> Option<String> {
        None
    }
}

async fn member(app: &TestApp, email: &str) -> Member {
    let auth = app.services().require::<Auth>().unwrap();
    Member(auth.engine().api().user_by_email(email).await.unwrap().unwrap())
}

async fn make_inbox(app: &TestApp) {
    let auth = app.services().require::<Auth>().unwrap();
    auth.database().unwrap().schema(tables::create).await.unwrap();
}

async fn stored(app: &TestApp) -> Vec<StoredNotification> {
    let ada = member(app, ADA).await;
    app.within(async { inbox().unwrap().unread(&ada).await.unwrap() }).await
}

// spec: NTF-3
#[tokio::test]
async fn unless_the_app_says_otherwise_they_go_by_mail_alone() {
    let app = test_app(|_| ()).await;
    make_inbox(&app).await;
    sign_up(&app, ADA).await;
    reset(&app, ADA).await;
    mails(&app).assert_count(3);
    assert_eq!(stored(&app).await.len(), 0);
}

// spec: NTF-3, NTF-4
#[tokio::test]
async fn the_database_channel_keeps_that_a_reset_was_asked_for_and_not_the_token() {
    let app = test_app(|mail| {
        mail.reset_password.channels(["mail", "database"]);
    })
    .await;
    make_inbox(&app).await;
    sign_up(&app, ADA).await;
    ask_for_reset(&app, ADA).await;
    let mails = mails(&app);
    mails.assert_subject(ADA, "Reset your password");
    let stored = stored(&app).await;
    assert_eq!(stored.len(), 1, "the mail about the address went by mail only");
    assert_eq!(stored[0].data, json!({ "email": ADA }));
    let token = reset_token(&mails.link_to(ADA));
    assert!(!stored[0].data.to_string().contains(&token));
}

// spec: NTF-3
#[tokio::test]
async fn a_notification_may_leave_mail_out_altogether() {
    let app = test_app(|mail| {
        mail.password_changed.channels(["database"]);
    })
    .await;
    make_inbox(&app).await;
    sign_up(&app, ADA).await;
    reset(&app, ADA).await;
    let mails = mails(&app);
    assert!(mails.sent_to(ADA).iter().all(|mail| mail.subject() != "Your password was changed"), "{mails}");
    assert_eq!(stored(&app).await.len(), 1);
}

// spec: NTF-4, NTF-8
#[tokio::test]
async fn what_is_kept_of_any_of_them_holds_no_link() {
    let app = test_app(|mail| {
        for one in [
            &mut mail.reset_password,
            &mut mail.verify_email,
            &mut mail.password_changed,
            &mut mail.change_email,
        ] {
            one.channels(["mail", "database"]);
        }
    })
    .await;
    let fake = app.services().require::<Notifications>().unwrap().fake();
    sign_up(&app, ADA).await;
    make_verified(&app, ADA).await;
    engine_post(&app, "change-email", &json!({ "newEmail": NEW })).await.assert_ok();
    ask_for_reset(&app, ADA).await;
    let ada = member(&app, ADA).await;
    let link = fake.mail_to::<ResetPasswordNotification>(&ada).action_url().unwrap().to_owned();
    let body = json!({ "token": reset_token(&link), "newPassword": "another good password" });
    engine_post(&app, "reset-password", &body).await.assert_ok();

    let email = json!({ "email": ADA });
    let kept: [(Value, Value); 4] = [
        (fake.data_to::<ResetPasswordNotification>(&ada, "database"), email.clone()),
        (fake.data_to::<VerifyEmailNotification>(&ada, "database"), email.clone()),
        (fake.data_to::<PasswordChangedNotification>(&ada, "database"), email),
        (fake.data_to::<ChangeEmailNotification>(&ada, "database"), json!({ "email": ADA, "newEmail": NEW })),
    ];
    for (kept, expected) in kept {
        assert_eq!(kept, expected);
    }
}

// spec: NTF-8
#[test]
fn what_a_mail_is_written_from_does_not_show_its_link_when_it_is_debugged() {
    let data = AccountMailData {
        url: Some("https://a.example/?token=hunter2".into()),
        email: ADA.into(),
        ..AccountMailData::default()
    };
    assert!(!format!("{data:?}").contains("hunter2"));
}
