//! What the owner of an account is told without having asked.

use std::path::Path;
use std::time::Duration;

use housekey_auth::engine::plugins::two_factor;
use housekey_auth::engine::plugins::two_factor::totp_code;
use housekey_auth::{Auth, AuthConfig, AuthProvider, Notices};
use housekey_core::{AppConfig, ConfigFiles};
use housekey_http::{App, TranslationProvider};
use housekey_mail::MailProvider;
use housekey_notifications::NotificationsProvider;
use housekey_testing::TestApp;
use serde_json::json;

use crate::mail::{ADA, mails, make_verified, settings};
use crate::support::{PASSWORD, engine_post, make_tables, sign_in, sign_up};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const NEW_DEVICE: &str = "A sign-in from a new device";
const LOCKOUT: &str = "Many wrong attempts to sign in";

/// An app that tells, in English unless it is asked for another language.
async fn test_app(notices: Notices) -> TestApp {
    let booted = TestApp::new(move || {
        App::new(ConfigFiles::new())
            .configure(move |all| all.update::<AuthConfig>(|auth| *auth = telling(notices)))
            .provider(TranslationProvider)
            .provider(MailProvider::new())
            .provider(NotificationsProvider::new())
            .provider(AuthProvider)
    });
    make_tables(&booted).await;
    booted
}

fn telling(notices: Notices) -> AuthConfig {
    settings(|auth| {
        auth.notices = notices;
        auth.mail_pages.forgot_password = Some("/forgot-password".into());
        auth.engine.email_verification.send_on_sign_up = Some(false);
        // Guesses are counted per account; the limits per client are not the question.
        auth.engine.rate_limit.enabled = Some(true);
        auth.engine.rate_limit.max = 10_000;
        auth.engine
            .rate_limit
            .custom_rules
            .insert("*".into(), housekey_auth::engine::options::CustomRule::Unlimited);
        auth.plugins.push(two_factor(Default::default()));
    })
}

const ALL: Notices = Notices { new_device: true, lockout: true };

/// Ada, signed in with the browser in which she signed up.
async fn ada(app: &TestApp) -> TestApp {
    let ada = app.visitor();
    sign_up(&ada, ADA).await;
    make_verified(app, ADA).await;
    ada
}

async fn guess(app: &TestApp, email: &str, times: usize) {
    for number in 0..times {
        let stranger = app.visitor().from(&format!("203.0.113.{}", number + 1));
        sign_in(&stranger, email, "a wrong password").await;
    }
}

// spec: SEC-12
#[tokio::test]
async fn a_sign_in_from_a_new_device_is_told_once() {
    let app = test_app(ALL).await;
    let mails = mails(&app);
    let ada = ada(&app).await;
    engine_post(&ada, "sign-out", &json!({})).await.assert_ok();
    sign_in(&ada, ADA, PASSWORD).await.assert_ok();
    mails.assert_nothing_sent();

    let elsewhere = app.visitor().from("203.0.113.9").with_header("user-agent", FIREFOX);
    sign_in(&elsewhere, ADA, "a wrong password").await.assert_status(401);
    mails.assert_nothing_sent();
    sign_in(&elsewhere, ADA, PASSWORD).await.assert_ok();
    mails.assert_count(1).assert_subject(ADA, NEW_DEVICE);
    let text = mails.last_to(ADA).text().to_owned();
    for words in ["203.0.113.9", "Firefox on Linux", "UTC", "reset your password at once", "Hello ada,"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(mails.link_to(ADA), "http://localhost:3000/forgot-password");

    engine_post(&elsewhere, "sign-out", &json!({})).await.assert_ok();
    sign_in(&elsewhere, ADA, PASSWORD).await.assert_ok();
    mails.assert_count(1);
}

// spec: SEC-12
#[tokio::test]
async fn a_proof_of_another_account_or_a_forged_one_makes_no_device_known() {
    let app = test_app(ALL).await;
    let mails = mails(&app);
    let _ada = ada(&app).await;
    let eve = app.visitor();
    sign_up(&eve, "eve@example.com").await;
    // Eve's browser is known to Eve's account alone.
    sign_in(&eve, ADA, PASSWORD).await.assert_ok();
    mails.assert_count(1).assert_subject(ADA, NEW_DEVICE);

    let forger = app.visitor().with_header("cookie", "better-auth.known_device=AAAA!device-x.c2lnbmVk");
    sign_in(&forger, ADA, PASSWORD).await.assert_ok();
    mails.assert_count(2);
}

// spec: SEC-12
#[tokio::test]
async fn the_first_sign_in_of_an_account_is_no_news() {
    let booted = TestApp::new(|| {
        let mut config = telling(ALL);
        config.engine.email_and_password.require_email_verification = true;
        crate::support::app_with(config, |_| ())
    });
    make_tables(&booted).await;
    let mails = mails(&booted);
    let body = json!({ "name": "Ada", "email": ADA, "password": PASSWORD });
    engine_post(&booted, "sign-up/email", &body).await.assert_ok();
    make_verified(&booted, ADA).await;
    sign_in(&booted.visitor(), ADA, PASSWORD).await.assert_ok();
    mails.assert_nothing_sent();
    sign_in(&booted.visitor(), ADA, PASSWORD).await.assert_ok();
    mails.assert_count(1).assert_subject(ADA, NEW_DEVICE);
}

/// Turns the second factor on for whoever is signed in.
async fn with_second_factor(app: &TestApp, ada: &TestApp) {
    engine_post(ada, "two-factor/enable", &json!({ "password": PASSWORD })).await.assert_ok();
    let code = code(app).await;
    engine_post(ada, "two-factor/verify-totp", &json!({ "code": code })).await.assert_ok();
    app.advance(Duration::from_secs(60));
}

async fn code(app: &TestApp) -> String {
    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let user = api.user_by_email(ADA).await.unwrap().unwrap();
    totp_code(&api, &user).await.unwrap()
}

// spec: SEC-12
#[tokio::test]
async fn with_a_second_factor_it_is_told_when_the_code_was_right() {
    let app = test_app(ALL).await;
    let mails = mails(&app);
    let ada = ada(&app).await;
    with_second_factor(&app, &ada).await;
    mails.clear();

    let elsewhere = app.visitor();
    sign_in(&elsewhere, ADA, PASSWORD).await.assert_ok().assert_json_path("twoFactorRedirect", true);
    mails.assert_nothing_sent();
    let right = code(&app).await;
    engine_post(&elsewhere, "two-factor/verify-totp", &json!({ "code": right })).await.assert_ok();
    mails.assert_count(1).assert_subject(ADA, NEW_DEVICE);
}

// spec: SEC-12
#[tokio::test]
async fn many_wrong_passwords_are_told_once_per_lock() {
    let app = test_app(ALL).await;
    let mails = mails(&app);
    let _ada = ada(&app).await;
    guess(&app, ADA, 9).await;
    mails.assert_nothing_sent();
    guess(&app, ADA, 20).await;
    mails.assert_count(1).assert_subject(ADA, LOCKOUT);
    assert!(mails.last_to(ADA).text().contains("your password was not found"));

    app.advance(Duration::from_secs(301));
    guess(&app, ADA, 20).await;
    mails.assert_count(2);
}

// spec: SEC-12
#[tokio::test]
async fn an_address_without_an_account_or_without_proof_is_told_nothing() {
    let app = test_app(ALL).await;
    guess(&app, "nobody@example.com", 20).await;
    // Whoever typed a stranger's address into the sign-up cannot have them written to.
    sign_up(&app, "stranger@example.com").await;
    guess(&app, "stranger@example.com", 20).await;
    sign_in(&app.visitor().from("203.0.113.77"), "stranger@example.com", PASSWORD).await;
    mails(&app).assert_nothing_sent();
}

// spec: SEC-12
#[tokio::test]
async fn many_wrong_codes_are_told_once_and_as_what_they_are() {
    let app = test_app(ALL).await;
    let mails = mails(&app);
    let ada = ada(&app).await;
    with_second_factor(&app, &ada).await;
    mails.clear();
    for _ in 0..4 {
        let thief = app.visitor();
        sign_in(&thief, ADA, PASSWORD).await.assert_ok();
        let right: u32 = code(&app).await.parse().unwrap();
        let wrong = format!("{:06}", (right + 500_000) % 1_000_000);
        for _ in 0..5 {
            engine_post(&thief, "two-factor/verify-totp", &json!({ "code": wrong })).await;
        }
    }
    mails.assert_count(1).assert_subject(ADA, LOCKOUT);
    assert!(mails.last_to(ADA).text().contains("who knows your password"));
}

// spec: SEC-12
#[tokio::test]
async fn each_of_them_can_be_turned_off() {
    for notices in [
        Notices::default(),
        Notices { new_device: true, lockout: false },
        Notices { new_device: false, lockout: true },
    ] {
        let app = test_app(notices).await;
        let _ada = ada(&app).await;
        sign_in(&app.visitor(), ADA, PASSWORD).await.assert_ok();
        guess(&app, ADA, 20).await;
        let subjects: Vec<String> =
            mails(&app).all().iter().map(|sent| sent.mail.subject().to_owned()).collect();
        assert_eq!(subjects.contains(&NEW_DEVICE.to_owned()), notices.new_device);
        assert_eq!(subjects.contains(&LOCKOUT.to_owned()), notices.lockout);
    }
}

// spec: SEC-12, NTF-6
#[tokio::test]
async fn they_are_translated_and_whoever_guesses_does_not_choose_the_language() {
    let app = test_app(ALL).await;
    let mails = mails(&app);
    let _ada = ada(&app).await;
    let german = app.visitor().with_header("accept-language", "de").with_header("user-agent", FIREFOX);
    sign_in(&german, ADA, PASSWORD).await.assert_ok();
    mails.assert_subject(ADA, "Anmeldung von einem neuen Gerät");
    assert!(mails.last_to(ADA).text().contains("Mit: Firefox unter Linux"), "{}", mails.last_to(ADA).text());

    let app = app.with_config(|config| config.update::<AppConfig>(|app| app.locale = "de".into()));
    make_tables(&app).await;
    let mails = crate::mail::mails(&app);
    let _ada = self::ada(&app).await;
    guess(&app.with_header("accept-language", "nl"), ADA, 20).await;
    mails.assert_subject(ADA, "Viele falsche Anmeldeversuche");
}

/// The catalogues have the same sentences, each in its own words.
// spec: NTF-6
#[test]
fn every_language_that_comes_along_says_everything() {
    let read = |language: &str| -> std::collections::BTreeMap<String, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("lang/{language}.json"));
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    let german = read("de");
    for language in ["es", "fr", "nl"] {
        let other = read(language);
        assert!(german.keys().eq(other.keys()), "{language}");
        for (sentence, said) in other {
            for word in sentence.split_whitespace().filter(|word| word.starts_with(':')) {
                let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
                assert!(said.contains(word), "{language}: {said:?} lacks {word}");
            }
        }
    }
}
