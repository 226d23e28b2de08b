use std::path::Path;

use housekey_auth::{AuthConfig, AuthProvider, OrHttpError, api};
use housekey_core::ConfigFiles;
use housekey_core::translation::{Locale, locale};
use housekey_http::{App, TranslationProvider};
use housekey_mail::MailProvider;
use housekey_notifications::NotificationsProvider;
use housekey_testing::TestApp;
use serde_json::json;

use crate::mail::{ADA, app, ask_for_reset, mails, make_verified, settings};
use crate::support::{PASSWORD, engine_post, make_tables, sign_up};

/// An app that speaks the languages of these catalogues.
async fn speaking(folder: &Path, catalogues: &[(&str, &str)]) -> TestApp {
    std::fs::create_dir_all(folder.join("lang")).unwrap();
    for (language, words) in catalogues {
        std::fs::write(folder.join(format!("lang/{language}.json")), words).unwrap();
    }
    let folder = folder.to_owned();
    let booted = TestApp::new(move || {
        App::new(ConfigFiles::new())
            .root(&folder)
            .configure(|all| all.update::<AuthConfig>(|auth| *auth = settings(|_| ())))
            .provider(TranslationProvider)
            .provider(MailProvider::new())
            .provider(NotificationsProvider::new())
            .provider(AuthProvider)
            .routes(|route| {
                route.get("/language", async || locale());
                route.post("/reset-in-english", async || {
                    Locale::new("en").apply();
                    api()?.request_password_reset(ADA, None).await.or_http_error()
                });
            })
    });
    make_tables(&booted).await;
    booted
}

/// The subject of the reset mail for a browser that asks for these languages.
async fn subject(app: &TestApp, accept: &str) -> String {
    let visitor = app.with_header("accept-language", accept);
    ask_for_reset(&visitor, ADA).await;
    mails(app).last_to(ADA).subject().to_owned()
}

// spec: NTF-6
#[tokio::test]
async fn a_mail_speaks_the_language_of_who_asked_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let app = speaking(folder.path(), &[("de", "{}"), ("nl", "{}")]).await;
    sign_up(&app, ADA).await;
    make_verified(&app, ADA).await;
    assert_eq!(subject(&app, "de-AT, en;q=0.5").await, "Passwort zurücksetzen");
    assert!(mails(&app).last_to(ADA).text().contains("Hallo ada,"), "{}", mails(&app).last_to(ADA).text());
    assert_eq!(subject(&app, "en").await, "Reset your password");
    assert_eq!(subject(&app, "ja").await, "Reset your password", "a language that nobody speaks here");
    assert_ne!(subject(&app, "nl").await, "Reset your password");
}

// spec: NTF-6
#[tokio::test]
async fn the_languages_that_come_along_need_no_catalogue_of_the_app_and_its_pages_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    // As a new app: its own catalogue is an English one.
    let app = speaking(folder.path(), &[("en", "{}")]).await;
    sign_up(&app, ADA).await;
    make_verified(&app, ADA).await;
    for (accept, expected) in [
        ("de-AT, en;q=0.5", "Passwort zurücksetzen"),
        ("es", "Restablece tu contraseña"),
        ("fr-CH, de;q=0.9", "Réinitialisez votre mot de passe"),
        ("nl", "Stel je wachtwoord opnieuw in"),
        ("en, de;q=0.5", "Reset your password"),
        ("ja", "Reset your password"),
    ] {
        assert_eq!(subject(&app, accept).await, expected, "{accept}");
    }
    assert!(mails(&app).last_to(ADA).text().contains("Hello ada,"));
    app.get("/language").header("accept-language", "de").await.assert_see("en");

    // Somebody who was asked has the last word, also about the mail.
    let chosen = app.with_header("accept-language", "de");
    chosen.post("/reset-in-english").await.assert_ok();
    assert_eq!(mails(&app).last_to(ADA).subject(), "Reset your password");
}

// spec: NTF-6
#[tokio::test]
async fn the_words_of_the_app_win_over_those_that_come_along_and_what_lacks_stays_english() {
    let folder = tempfile::tempdir().unwrap();
    let german = r#"{ "Reset your password": "Neues Passwort" }"#;
    let app = speaking(folder.path(), &[("de", german), ("sv", r#"{ "Hello :name,": "Hej :name," }"#)]).await;
    sign_up(&app, ADA).await;
    make_verified(&app, ADA).await;
    assert_eq!(subject(&app, "de").await, "Neues Passwort");
    assert!(mails(&app).last_to(ADA).text().contains("Neues Passwort wählen"), "the rest is ours");
    assert_eq!(subject(&app, "sv").await, "Reset your password");
    assert!(mails(&app).last_to(ADA).text().contains("Hej ada,"));
}

// spec: NTF-6
#[tokio::test]
async fn without_a_translator_every_mail_is_english() {
    let booted = TestApp::new(|| app(|_| ()));
    make_tables(&booted).await;
    sign_up(&booted, ADA).await;
    assert_eq!(subject(&booted, "de").await, "Reset your password");
}

// spec: NTF-6
#[tokio::test]
async fn every_sentence_of_every_mail_is_translated_into_the_languages_that_come_along() {
    let folder = tempfile::tempdir().unwrap();
    let languages = ["de", "es", "fr", "nl"];
    let app = speaking(folder.path(), &languages.map(|language| (language, "{}"))).await;
    let words = async |accept: &str, email: &str| {
        let visitor = app.visitor().with_header("accept-language", accept);
        let body = json!({ "name": "Ada", "email": email, "password": PASSWORD });
        engine_post(&visitor, "sign-up/email", &body).await.assert_ok();
        crate::mail::make_verified(&app, email).await;
        engine_post(&visitor, "change-email", &json!({ "newEmail": format!("new.{email}") }))
            .await
            .assert_ok();
        crate::mail::reset(&visitor, email).await;
        let sent = mails(&app).sent_to(email);
        assert_eq!(sent.len(), 4);
        sent.iter()
            .flat_map(|mail| mail.text().lines().map(str::to_owned).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let english = words("en", "en@example.com").await;
    for language in languages {
        let translated = words(language, &format!("{language}@example.com")).await;
        let same: Vec<_> = translated
            .iter()
            .filter(|line| line.split_whitespace().count() > 3 && english.contains(line))
            .collect();
        assert!(same.is_empty(), "{language}: {same:?}");
    }
}
