//! What is wrong with an app is said when it boots.

use housekey_auth::{AuthConfig, AuthProvider};
use housekey_core::{AppConfig, ConfigFiles, Env, Environment};
use housekey_http::App;
use housekey_live::{AppLive, LiveConfig, LiveProvider};
use housekey_mail::MailProvider;
use housekey_notifications::NotificationsProvider;

fn mistake(app: App) -> String {
    let app = app.env(Env::empty()).configure(|config| {
        config.update::<AppConfig>(|app| app.env = Environment::Testing);
    });
    app.boot().unwrap_err().to_string()
}

fn with(change: impl FnOnce(&mut LiveConfig) + Send + 'static) -> App {
    App::new(ConfigFiles::new())
        .configure(|config| config.update::<LiveConfig>(change))
        .provider(LiveProvider)
}

#[test]
fn a_carrier_that_cannot_carry_does_not_boot() {
    let unknown = mistake(with(|config| config.driver = "pigeon".into()));
    assert!(unknown.contains("`pigeon`") && unknown.contains("`postgres`"), "{unknown}");
    let sqlite = mistake(with(|config| config.driver = "postgres".into()));
    assert!(sqlite.contains("`sqlite`") && sqlite.contains("config/live.rs"), "{sqlite}");
    let missing = mistake(with(|config| {
        (config.driver, config.connection) = ("redis".into(), Some("pubsub".into()));
    }));
    assert!(missing.contains("`pubsub`"), "{missing}");
}

#[test]
fn channels_that_cannot_be_meant_do_not_boot() {
    let wrong = mistake(with(|_| ()).live(|live| {
        live.public("books.*");
    }));
    assert!(wrong.contains("`books.*`"), "{wrong}");
    let twice = mistake(
        with(|_| ())
            .live(|live| {
                live.public("books.{book}");
            })
            .live(|live| {
                live.public("books.{id}");
            }),
    );
    assert!(twice.contains("are the same"), "{twice}");
}

#[test]
fn accounts_that_could_not_tell_of_a_sign_out_do_not_boot() {
    let app = App::new(ConfigFiles::new()).configure(|config| {
        config.update::<AuthConfig>(|auth| {
            auth.engine.secret = "a secret of the tests, with more than 32 characters".into();
        });
    });
    let app = app.provider(MailProvider::new()).provider(NotificationsProvider::new());
    let late = mistake(app.provider(AuthProvider).provider(LiveProvider));
    assert!(late.contains("in front of AuthProvider"), "{late}");
}
