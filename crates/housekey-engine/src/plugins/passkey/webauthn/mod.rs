//! What a site checks of a device's answer. Nothing here touches the storage, and no input makes it panic.
//!
//! This is our own and not `webauthn-rs` 0.6, which builds without OpenSSL but keeps the state of a ceremony in types
//! with private fields. A challenge in the reference's JSON gets into them only by imitating what they serialise to, which
//! the next version may change. Its tree is 226 locked packages: a pre-release of `rsa` is among them, and X.509 for
//! attestations, which nobody asks for here. What is left without attestation is small: `ciborium` reads CBOR, and `ring`, which is in
//! every build with TLS already, checks the signatures of all three kinds.

mod assertion;
mod attestation;
mod authenticator_data;
mod cbor;
mod client_data;
mod credential;
mod public_key;

use std::fmt;

pub(super) use assertion::{KnownCredential, verify_assertion};
pub(super) use attestation::{NewCredential, verify_attestation};
pub(super) use public_key::ALGORITHMS;

/// What an answer must agree with.
pub(super) struct Expected<'a> {
    /// The challenge, in base64url.
    pub(super) challenge: &'a str,
    /// The pages that it may have been given on.
    pub(super) origins: &'a [String],
    /// The domain that the key is for.
    pub(super) rp_id: &'a str,
    /// Whether the device must have made sure who uses it.
    pub(super) user_verified: bool,
}

/// Why an answer is not believed. For the log: clients are not told.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal(&'static str);

/// The only refusal that the reference answers differently from the others.
pub(super) const WRONG_SIGNATURE: Refusal = Refusal("the signature is wrong");

type Checked<T> = Result<T, Refusal>;

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Refuses unless something holds.
fn require(holds: bool, otherwise: &'static str) -> Checked<()> {
    if holds { Ok(()) } else { Err(Refusal(otherwise)) }
}

#[cfg(test)]
mod tests;
