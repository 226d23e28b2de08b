use housekey::{AppConfig, Environment, env};

/// What the app is called and where it runs.
pub fn app() -> AppConfig {
    AppConfig {
        // What people see, in titles and messages.
        name: env("APP_NAME", "{{title}}"),

        // An unset environment is production: forgetting it must not open anything.
        env: env("APP_ENV", Environment::Production),

        // Error pages that show causes and code. Production refuses to boot with it.
        debug: env("APP_DEBUG", false),

        // Links in mails and redirects start with this, and https in it makes cookies secure.
        url: env("APP_URL", "http://localhost:3000"),

        // The language the app speaks, and the one for sentences that have no translation yet.
        locale: env("APP_LOCALE", "en"),
        fallback_locale: "en".into(),
    }
}
