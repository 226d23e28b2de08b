use housekey_auth::config::{Callback, InvitationMail, OrganizationOptions, organization};
use housekey_auth::notifications::AppAccountMail;
use housekey_auth::{ActiveOrganization, AuthConfig};
use housekey_mail::Message;
use housekey_testing::TestApp;
use serde_json::json;

use crate::organizations::{app, joined, mails, organization_of, routes, somebody, with_plugins};
use crate::support::{app_with, config, engine_post, make_tables, nothing_asked, test_app};

pub(crate) async fn invite(visitor: &TestApp, email: &str) -> serde_json::Value {
    let body = json!({ "email": email, "role": "member" });
    let sent = engine_post(visitor, "organization/invite-member", &body).await;
    sent.assert_ok();
    sent.json()
}

// spec: ORG-5
#[tokio::test]
async fn an_invitation_is_mailed_with_a_link_to_the_page_that_asks() {
    let app = app().await;
    let (_, ada) = somebody(&app, "ada@example.com").await;
    organization_of(&ada, "acme").await;
    let invitation = invite(&ada, "new@example.com").await;
    let mail = mails(&app).last_to("new@example.com");
    assert_eq!(mail.subject(), "You are invited to ACME");
    assert!(mail.text().contains("ada (ada@example.com) invites you to join ACME."), "{}", mail.text());
    let link = mails(&app).link_to("new@example.com");
    let id = invitation["id"].as_str().unwrap();
    assert!(link.contains(&format!("/invitations/{id}?token=")), "{link}");
    let proof = link.split("token=").nth(1).unwrap();
    assert!(!invitation.to_string().contains(proof), "whoever invites is not told what proves the mailbox");
    let listed = ada.get("/api/auth/organization/list-invitations").await.text();
    assert!(listed.contains(id) && !listed.contains(proof));
}

// spec: ORG-5
#[tokio::test]
async fn the_name_of_an_organization_is_no_advertisement() {
    let app = app().await;
    let (_, ada) = somebody(&app, "ada@example.com").await;
    let body = json!({ "name": "Win at https://evil.example/now\r\nBcc: all@example.com", "slug": "evil" });
    engine_post(&ada, "organization/create", &body).await.assert_ok();
    invite(&ada, "new@example.com").await;
    let mail = mails(&app).last_to("new@example.com");
    assert!(!mail.subject().contains('\n') && !mail.text().contains("evil.example"), "{}", mail.text());
    assert_eq!(mails(&app).sent_to("all@example.com").len(), 0);
}

// spec: ORG-3
#[tokio::test]
async fn a_member_is_told_of_another_role_and_of_the_end() {
    let app = app().await;
    let (_, ada) = somebody(&app, "ada@example.com").await;
    let acme = organization_of(&ada, "acme").await;
    let (bob, browser) = somebody(&app, "bob@example.com").await;
    let member = joined(&app, &acme, &bob, &browser, "member").await;
    let body = json!({ "memberId": member, "role": "admin" });
    engine_post(&ada, "organization/update-member-role", &body).await.assert_ok();
    let mail = mails(&app).last_to("bob@example.com");
    assert_eq!(mail.subject(), "Your role in ACME has changed");
    assert!(mail.text().contains("Your role in ACME is now: admin."), "{}", mail.text());
    engine_post(&ada, "organization/remove-member", &json!({ "memberIdOrEmail": member })).await.assert_ok();
    assert_eq!(mails(&app).last_to("bob@example.com").subject(), "You are no longer a member of ACME");
    assert_eq!(mails(&app).sent_to("ada@example.com").len(), 0);
}

// spec: ORG-5, CFG-8
#[tokio::test]
async fn what_the_app_says_itself_wins() {
    let own = test_app(
        |auth: &mut AuthConfig| {
            let send_invitation = Callback::new(|_: InvitationMail| async { Ok::<_, std::io::Error>(()) });
            with_plugins(auth);
            auth.plugins =
                [organization(OrganizationOptions { send_invitation, ..Default::default() })].into();
        },
        |_| (),
    )
    .await;
    let (_, ada) = somebody(&own, "ada@example.com").await;
    organization_of(&ada, "acme").await;
    invite(&ada, "new@example.com").await;
    assert_eq!(mails(&own).sent_to("new@example.com").len(), 0);

    let words = TestApp::new(|| {
        let mut auth = AuthConfig { demands: nothing_asked(), ..config() };
        with_plugins(&mut auth);
        app_with(auth, routes).account_mail(|mail| {
            mail.invitation.to_mail_using(|data| {
                Message::new().subject(format!("Join {}", data.organization.as_deref().unwrap_or_default()))
            });
        })
    });
    make_tables(&words).await;
    let (_, ada) = somebody(&words, "ada@example.com").await;
    organization_of(&ada, "acme").await;
    invite(&ada, "new@example.com").await;
    assert_eq!(mails(&words).last_to("new@example.com").subject(), "Join ACME");
}

#[tokio::test]
async fn every_language_has_the_words() {
    let english = [
        "You are invited to :organization",
        ":name (:address) invites you to join :organization.",
        "See the invitation",
        "The invitation is for :email and works once.",
        "Your role in :organization has changed",
        "Your role in :organization is now: :role.",
        "You are no longer a member of :organization",
        "You are no longer a member of :organization, and see nothing of it any more.",
        "If you think that this is a mistake, ask an owner of the organization.",
        "You are not in an organization.",
        "Your role in the organization does not allow this.",
        "Only admins may see this.",
    ];
    for language in ["de", "es", "fr", "nl"] {
        let file = format!("{}/lang/{language}.json", env!("CARGO_MANIFEST_DIR"));
        let words: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        for sentence in english {
            let translated = words[sentence].as_str().unwrap_or_else(|| panic!("{language}: {sentence}"));
            assert_ne!(translated, sentence, "{language}");
            let names = |text: &str| {
                text.split(|c: char| !c.is_alphanumeric() && c != ':')
                    .filter(|w| w.starts_with(':') && w.len() > 1)
                    .count()
            };
            assert_eq!(names(translated), names(sentence), "{language}: {translated}");
        }
    }
}

#[tokio::test]
async fn they_can_be_looked_at_in_the_mailbox() {
    let development = |config: &mut housekey_core::Config| {
        config.update::<housekey_core::AppConfig>(|app| app.env = housekey_core::Environment::Development);
    };
    let app = app().await.with_config(development);
    make_tables(&app).await;
    let mailbox = app.get("/dev/mailbox").await;
    mailbox.assert_see("An invitation").assert_see("Another role").assert_see("No longer a member");
    app.get("/dev/mailbox/preview-7/html").await.assert_ok().assert_see("Analytical Engines");
}

/// What clients and jobs need to hold on to.
#[test]
fn an_active_organization_can_be_sent_between_threads() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<ActiveOrganization>();
}
