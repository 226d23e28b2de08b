use housekey::session::{SameSite, SecureCookie, SessionConfig};
use housekey::{default, env};

/// How visitors are remembered between requests. A visitor who stores nothing gets no cookie.
pub fn session() -> SessionConfig {
    SessionConfig {
        // `file` survives a restart; `memory` does not, and one process does not see another's.
        driver: env("SESSION_DRIVER", "file"),

        // Minutes without a visit after which a session is over.
        lifetime: env("SESSION_LIFETIME", 120_u64),

        // `auto` sends the cookie over https only, as soon as APP_URL is https.
        secure: env("SESSION_SECURE_COOKIE", SecureCookie::Auto),

        // The cookie comes along when somebody follows a link to the app, but not with another site's requests.
        same_site: env("SESSION_SAME_SITE", SameSite::Lax),

        // What is stored can be read with APP_KEY only, so a stolen disk tells nothing.
        encrypt: true,

        ..default()
    }
}
