use std::fmt::Debug;

use housekey_auth::config::*;
use housekey_engine::Engine;

use crate::support::schema_of;

/// The names of what differs, as the struct spells them.
fn changed<T: Secure + Debug>() -> Vec<String> {
    let (plain, secured) = (format!("{:#?}", T::default()), format!("{:#?}", T::secure()));
    let pairs = plain.lines().zip(secured.lines());
    pairs
        .filter(|(plain, secured)| plain != secured)
        .map(|(plain, _)| plain.trim().split(':').next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn the_guide_lists_every_setting_that_secure_changes() {
    let guide = include_str!("../../../../docs/accounts.md");
    let (_, section) = guide.split_once("### Secure settings").unwrap();
    let (section, _) = section.split_once("It turns no feature on").unwrap();

    let layer = changed::<AuthConfig>();
    assert!(layer.len() > 8, "{layer:?}");
    let plugins = changed::<TwoFactorOptions>();
    #[cfg(feature = "passkeys")]
    let plugins = [plugins, changed::<PasskeyOptions>()].concat();
    for name in layer.iter().chain(&plugins) {
        assert!(section.contains(name), "{name} is not among the secure settings of docs/accounts.md");
    }
}

#[test]
fn secure_settings_need_no_table_and_no_column() {
    let with_everything = |mut options: EngineOptions, plugins: Vec<Plugin>| {
        options.secret = "a secret of at least thirty-two characters".into();
        options.email_and_password.enabled = true;
        options.user.change_email.enabled = true;
        options.user.delete_user.enabled = true;
        schema_of(Engine::builder(options).plugins(plugins.into_iter().collect::<Plugins>()))
    };
    assert_eq!(
        with_everything(default(), vec![two_factor(default())]),
        with_everything(secure(), vec![two_factor(secure())]),
    );
    #[cfg(feature = "passkeys")]
    assert_eq!(
        with_everything(default(), vec![passkey(default())]),
        with_everything(default(), vec![passkey(secure())]),
    );
}

#[test]
fn a_line_above_secure_decides_for_itself() {
    let rules = PasswordRules { refuse_common: false, ..secure() };
    let options = EngineOptions {
        email_and_password: EmailAndPassword { password_rules: rules, ..secure() },
        session: default(),
        ..secure()
    };
    let json = serde_json::to_value(AuthConfig { engine: options, ..secure() }).unwrap();
    assert_eq!(json["emailAndPassword"]["passwordRules"]["refuseCommon"], false);
    assert_eq!(json["emailAndPassword"]["passwordRules"]["refusePersonal"], true);
    assert_eq!(json["emailAndPassword"]["hideUnverified"], true);
    assert_eq!(
        (&json["session"]["maxLifetime"], &json["session"]["revokeOnSignIn"]),
        (&0.into(), &false.into())
    );
    assert_eq!(json["advanced"]["useHostCookies"], true);
    assert_eq!(json["notices"]["lockout"], true);
}
