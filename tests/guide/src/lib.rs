//! Compiles the examples of the guide: every chapter is documentation of a module here, so `cargo test --doc` tries
//! its Rust blocks. `cargo xtask test` fails when a chapter that shows Rust is missing from this list.

#[doc = include_str!("../../../docs/getting-started.md")]
pub mod getting_started {}

#[doc = include_str!("../../../docs/app-shape.md")]
pub mod app_shape {}

#[doc = include_str!("../../../docs/configuration.md")]
pub mod configuration {}

#[doc = include_str!("../../../docs/console.md")]
pub mod console {}

#[doc = include_str!("../../../docs/logging.md")]
pub mod logging {}

#[doc = include_str!("../../../docs/testing.md")]
pub mod testing {}

#[doc = include_str!("../../../docs/deployment.md")]
pub mod deployment {}

#[doc = include_str!("../../../docs/maintenance.md")]
pub mod maintenance {}

#[doc = include_str!("../../../docs/routing.md")]
pub mod routing {}

#[doc = include_str!("../../../docs/middleware.md")]
pub mod middleware {}

#[doc = include_str!("../../../docs/validation.md")]
pub mod validation {}

#[doc = include_str!("../../../docs/translation.md")]
pub mod translation {}

#[doc = include_str!("../../../docs/sessions.md")]
pub mod sessions {}

#[doc = include_str!("../../../docs/signed-addresses.md")]
pub mod signed_addresses {}

#[doc = include_str!("../../../docs/errors.md")]
pub mod errors {}

#[doc = include_str!("../../../docs/openapi.md")]
pub mod openapi {}

#[doc = include_str!("../../../docs/websockets.md")]
pub mod websockets {}

#[doc = include_str!("../../../docs/database.md")]
pub mod database {}

#[doc = include_str!("../../../docs/migrations.md")]
pub mod migrations {}

#[doc = include_str!("../../../docs/models.md")]
pub mod models {}

#[doc = include_str!("../../../docs/relationships.md")]
pub mod relationships {}

#[doc = include_str!("../../../docs/storage.md")]
pub mod storage {}

#[doc = include_str!("../../../docs/uploads.md")]
pub mod uploads {}

#[doc = include_str!("../../../docs/http-client.md")]
pub mod http_client {}

#[doc = include_str!("../../../docs/cache.md")]
pub mod cache {}

#[doc = include_str!("../../../docs/queue.md")]
pub mod queue {}

#[doc = include_str!("../../../docs/events.md")]
pub mod events {}

#[doc = include_str!("../../../docs/live.md")]
pub mod live {}

#[doc = include_str!("../../../docs/scheduling.md")]
pub mod scheduling {}

#[doc = include_str!("../../../docs/mail.md")]
pub mod mail {}

#[doc = include_str!("../../../docs/notifications.md")]
pub mod notifications {}

#[doc = include_str!("../../../docs/views.md")]
pub mod views {}

#[doc = include_str!("../../../docs/shell.md")]
pub mod shell {}

#[doc = include_str!("../../../docs/static-files.md")]
pub mod static_files {}

#[doc = include_str!("../../../docs/types.md")]
pub mod types {}

#[doc = include_str!("../../../docs/accounts.md")]
pub mod accounts {}

#[doc = include_str!("../../../docs/current-user.md")]
pub mod current_user {}

#[doc = include_str!("../../../docs/account-guards.md")]
pub mod account_guards {}

#[doc = include_str!("../../../docs/authorization.md")]
pub mod authorization {}

#[doc = include_str!("../../../docs/account-mail.md")]
pub mod account_mail {}

#[doc = include_str!("../../../docs/two-factor-and-passkeys.md")]
pub mod two_factor_and_passkeys {}

#[doc = include_str!("../../../docs/magic-link.md")]
pub mod magic_link {}

#[doc = include_str!("../../../docs/email-codes.md")]
pub mod email_codes {}

#[doc = include_str!("../../../docs/device-sign-in.md")]
pub mod device_sign_in {}

#[doc = include_str!("../../../docs/one-time-tokens.md")]
pub mod one_time_tokens {}

#[doc = include_str!("../../../docs/captcha.md")]
pub mod captcha {}

#[doc = include_str!("../../../docs/breached-passwords.md")]
pub mod breached_passwords {}

#[doc = include_str!("../../../docs/usernames.md")]
pub mod usernames {}

#[doc = include_str!("../../../docs/several-accounts.md")]
pub mod several_accounts {}

#[doc = include_str!("../../../docs/anonymous.md")]
pub mod anonymous {}

#[doc = include_str!("../../../docs/social.md")]
pub mod social {}

#[doc = include_str!("../../../docs/api-keys.md")]
pub mod api_keys {}

#[doc = include_str!("../../../docs/jwt.md")]
pub mod jwt {}

#[doc = include_str!("../../../docs/account-events.md")]
pub mod account_events {}

#[doc = include_str!("../../../docs/cookie-cache.md")]
pub mod cookie_cache {}

#[doc = include_str!("../../../docs/behind-a-proxy.md")]
pub mod behind_a_proxy {}

#[doc = include_str!("../../../docs/jsx-kit.md")]
pub mod jsx_kit {}

#[doc = include_str!("../../../docs/api-kit.md")]
pub mod api_kit {}

#[doc = include_str!("../../../docs/spa-kit.md")]
pub mod spa_kit {}

#[doc = include_str!("../../../docs/security-headers.md")]
pub mod security_headers {}

#[doc = include_str!("../../../docs/throttling.md")]
pub mod throttling {}

#[doc = include_str!("../../../README.md")]
pub mod readme {}

#[doc = include_str!("../../../docs/organizations.md")]
pub mod organizations {}

#[doc = include_str!("../../../docs/auth-plugins.md")]
pub mod auth_plugins {}

#[doc = include_str!("../../../docs/admin.md")]
pub mod admin {}
