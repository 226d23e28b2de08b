//! One-time codes by time (RFC 6238): SHA-1, six or eight digits.
//!
//! Written out here because refusing a replay needs to know *which* step a code belongs to, which the crates for
//! this do not tell.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

use crate::{constant_time_eq, encode_component};

/// Seconds that one code lives, unless the options say otherwise.
pub(super) const PERIOD: u32 = 30;

/// The code of one step.
pub(super) fn code_at(secret: &[u8], step: u64, digits: u32) -> String {
    let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(secret) else { return String::new() };
    mac.update(&step.to_be_bytes());
    let hash = mac.finalize().into_bytes();
    // RFC 4226, 5.3: the last four bits say where the number starts.
    let offset = usize::from(hash.last().copied().unwrap_or(0) & 0xf);
    let chosen = hash.get(offset..offset + 4).and_then(|bytes| bytes.try_into().ok()).unwrap_or([0; 4]);
    let number = u64::from(u32::from_be_bytes(chosen) & 0x7fff_ffff) % 10_u64.pow(digits.min(9));
    let width = usize::try_from(digits).unwrap_or(6);
    format!("{number:0width$}")
}

/// The step (this one, the one before, the one after) that a code belongs to.
pub(super) fn matching_step(
    secret: &[u8],
    code: &str,
    seconds: i64,
    digits: u32,
    period: u32,
) -> Option<u64> {
    let now = u64::try_from(seconds).ok()? / u64::from(period.max(1));
    let mut matched = None;
    // Every step is computed and compared in full: the answer's time does not say how near a guess was.
    for step in [now.saturating_sub(1), now, now.saturating_add(1)] {
        if constant_time_eq(code_at(secret, step, digits).as_bytes(), code.as_bytes()) {
            matched = matched.or(Some(step));
        }
    }
    matched
}

/// The address that an authenticator app reads from a QR code.
pub(super) fn otpauth_uri(secret: &[u8], issuer: &str, account: &str, digits: u32, period: u32) -> String {
    let parameters = form_urlencoded::Serializer::new(String::new())
        .append_pair("secret", &BASE32_NOPAD.encode(secret))
        .append_pair("issuer", issuer)
        .append_pair("digits", &digits.to_string())
        .append_pair("period", &period.to_string())
        .finish();
    format!("otpauth://totp/{}:{}?{parameters}", encode_component(issuer), encode_component(account))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_rfc_6238() {
        let secret = b"12345678901234567890";
        for (seconds, code) in [(59, "94287082"), (1_111_111_109, "07081804"), (20_000_000_000, "65353130")] {
            assert_eq!(code_at(secret, seconds / 30, 8), code);
        }
    }

    #[test]
    fn one_step_of_drift_is_forgiven_and_two_are_not() {
        let secret = b"12345678901234567890";
        let code = code_at(secret, 100, 6);
        let at = |step: i64| matching_step(secret, &code, step * 30, 6, PERIOD);
        assert_eq!(
            (at(98), at(99), at(100), at(101), at(102)),
            (None, Some(100), Some(100), Some(100), None)
        );
    }

    #[test]
    fn the_address_is_encoded_as_in_the_reference() {
        let uri = otpauth_uri(&[b'a'; 32], "My App", "ada@example.com", 6, 30);
        assert!(uri.starts_with("otpauth://totp/My%20App:ada%40example.com?secret=MFQWCYLB"), "{uri}");
        assert!(uri.ends_with("&issuer=My+App&digits=6&period=30"), "{uri}");
    }

    proptest::proptest! {
        #[test]
        fn any_text_may_be_tried_as_a_code(code in ".{0,20}", seconds in proptest::num::i64::ANY) {
            let _ = matching_step(b"12345678901234567890", &code, seconds, 6, PERIOD);
        }
    }
}
