use housekey::{CorsConfig, HttpConfig, default, env, env_list};

/// The server, and the limits of a request.
pub fn http() -> HttpConfig {
    HttpConfig {
        // This machine only, unless told otherwise: a container sets 0.0.0.0, a laptop in a café should not.
        host: env("HOST", "127.0.0.1"),
        port: env("PORT", 3000_u16),

        // Two megabytes. A route that takes uploads says so itself: `.body_limit(20 * 1024 * 1024)`.
        body_limit: 2 * 1024 * 1024,

        // Seconds. Long enough for a slow page, short enough that a stuck one does not hold a connection for ever.
        request_timeout: env("REQUEST_TIMEOUT", 30_u64),
        header_timeout: 15,

        // Seconds that running requests get to finish when the server is asked to stop. Keep it below the patience
        // of whatever stops it: Docker waits ten, Kubernetes thirty.
        shutdown_grace: env("SHUTDOWN_GRACE", 10_u64),

        // Only these proxies are believed when they say who a visitor is. Anyone can send the same headers.
        trusted_proxies: env_list("TRUSTED_PROXIES"),

        // Other sites whose scripts may call this one. None: browsers keep them out.
        cors: CorsConfig { origins: env_list("CORS_ORIGINS"), ..default() },

        ..default()
    }
}
