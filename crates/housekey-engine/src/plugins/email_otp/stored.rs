//! Codes as they lie in their rows.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

use super::{EmailOtpOptions, StoredCode};
use crate::{Api, Result, constant_time_eq};

/// How a code is stored under an identifier.
pub(super) fn stored(api: &Api, options: &EmailOtpOptions, identifier: &str, otp: &str) -> Result<String> {
    Ok(match options.store_otp {
        StoredCode::Plain => otp.to_owned(),
        StoredCode::Encrypted => api.encrypt(otp)?,
        StoredCode::Hashed => BASE64URL_NOPAD.encode(&Sha256::digest(otp.as_bytes())),
        StoredCode::Keyed => BASE64URL_NOPAD.encode(&api.mac(&keyed(identifier, otp))),
    })
}

/// Whether a code is the one that is stored.
pub(super) fn is_same(
    api: &Api,
    options: &EmailOtpOptions,
    identifier: &str,
    kept: &str,
    otp: &str,
) -> Result<bool> {
    Ok(match options.store_otp {
        StoredCode::Encrypted => constant_time_eq(api.decrypt(kept)?.as_bytes(), otp.as_bytes()),
        StoredCode::Keyed => {
            let kept = BASE64URL_NOPAD.decode(kept.as_bytes());
            kept.is_ok_and(|kept| api.is_mac(&keyed(identifier, otp), &kept))
        }
        StoredCode::Plain | StoredCode::Hashed => {
            constant_time_eq(kept.as_bytes(), stored(api, options, identifier, otp)?.as_bytes())
        }
    })
}

/// The code that is stored, where it can be read again.
pub(super) fn readable(api: &Api, options: &EmailOtpOptions, kept: &str) -> Result<Option<String>> {
    Ok(match options.store_otp {
        StoredCode::Plain => Some(kept.to_owned()),
        StoredCode::Encrypted => Some(api.decrypt(kept)?),
        StoredCode::Hashed | StoredCode::Keyed => None,
    })
}

/// What the hash is made of. The identifier is part of it: a row that is moved to another address is worth nothing there.
fn keyed(identifier: &str, otp: &str) -> String {
    format!("email-otp!{identifier}!{otp}")
}
