//! The engine through its public API. One program: as many as there are folders, each would be linked with the whole engine.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod admin;
mod anonymous;
mod api_key;
mod behaviour;
#[cfg(feature = "http-client")]
mod breached_passwords;
#[cfg(feature = "http-client")]
mod captcha;
mod device_authorization;
mod elsewhere;
mod email_otp;
#[cfg(feature = "passkeys")]
mod faults;
mod fuzz;
#[cfg(feature = "jwt")]
mod jwt;
mod last_login_method;
mod magic_link;
mod multi_session;
mod one_time_token;
#[cfg(all(feature = "jwt", feature = "passkeys", feature = "social"))]
mod openapi;
mod organization;
mod outside;
#[cfg(feature = "passkeys")]
mod passkey;
mod sink;
#[cfg(feature = "social")]
mod social;
mod stall;
mod stands_alone;
mod support;
mod username;
