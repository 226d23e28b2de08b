//! Checks tokens of the plugin [`jwt`](mod@crate::plugins::jwt) in another service.
//!
//! ```no_run
//! # async fn check(token: &str) -> Result<(), housekey_engine::jwt::VerifyError> {
//! use housekey_engine::jwt::Verifier;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct Claims {
//!     sub: String,
//!     email: String,
//! }
//!
//! // Once, when the service starts.
//! let verifier = Verifier::new("https://shop.example");
//!
//! // For every request.
//! let claims: Claims = verifier.verify(token).await?;
//! # let _ = (claims.sub, claims.email);
//! # Ok(())
//! # }
//! ```
//!
//! # What is checked
//!
//! - The key is one of the issuer's own, found by the name that the token gives it. Nothing else in the token's header says
//!   where a key comes from.
//! - The signature, by the algorithm that the *key* is for. A token that names another one is refused: `none`, HS256 with the
//!   public key as a secret, RS256 for a PS256 key.
//! - `iss` and `aud`; a token for somebody else is no token for you. `exp`, and `nbf` and `iat` where they stand in it.
//!
//! The keys are fetched once and kept. A name that is not among them makes the verifier look again, at most once in ten seconds, so that
//! made-up names cost the issuer nothing.

mod claims;
mod error;
mod keys;
mod verifier;

pub use error::VerifyError;
pub use verifier::Verifier;
