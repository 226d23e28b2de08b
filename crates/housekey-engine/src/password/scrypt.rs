//! The reference's scrypt: N=16384, r=16, p=1, 64 bytes, stored as `<salt hex>:<key hex>`.
//!
//! The salt given to scrypt is the 32-character hex *text*, not the 16 bytes it spells.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use scrypt::{Params, scrypt};

use crate::constant_time_eq;
use crate::random;

pub(super) fn hash(password: &str) -> Option<String> {
    let salt = HEXLOWER.encode(&random::bytes::<16>());
    let key = derive(password, &salt)?;
    Some(format!("{salt}:{}", HEXLOWER.encode(&key)))
}

pub(super) fn verify(password: &str, stored: &str) -> bool {
    let Some((salt, key)) = stored.split_once(':') else { return false };
    let Ok(key) = HEXLOWER_PERMISSIVE.decode(key.as_bytes()) else { return false };
    key.len() == 64 && derive(password, salt).is_some_and(|derived| constant_time_eq(&derived, &key))
}

fn derive(password: &str, salt: &str) -> Option<[u8; 64]> {
    let mut key = [0; 64];
    scrypt(password.as_bytes(), salt.as_bytes(), &Params::new(14, 16, 1).ok()?, &mut key).ok()?;
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_made_by_node_is_verified() {
        // crypto.scryptSync("correct horse", "00112233445566778899aabbccddeeff", 64, {N:16384,r:16,p:1,maxmem:2**26})
        let stored = concat!(
            "00112233445566778899aabbccddeeff:",
            "13af89ff6a88bb0fb3277e79ba724c6c0731b15919ca892969d63abd1534b867d110179e3bc8af39995ede0f9b2ac14b2b97573df10ba3802c498dbeb61e4f64"
        );
        assert!(verify("correct horse", stored));
        assert!(!verify("correct house", stored));
    }
}
