//! Signed values: `value.signature`, the signature in padded base64, as the reference's cookies carry them.
//!
//! The name of the cookie is not part of the signature. What may stand in for what is therefore decided where a
//! value is used: a session token is looked up, a challenge carries its own prefix.

use data_encoding::BASE64;

use super::Keys;

const SIGNATURE_LENGTH: usize = 44;

impl Keys {
    /// `value.signature`.
    pub(crate) fn sign(&self, value: &str) -> String {
        format!("{value}.{}", BASE64.encode(&self.mac(&[value.as_bytes()])))
    }

    /// The value, if the signature is ours: of the current secret or of one before it.
    pub(crate) fn verify<'a>(&self, signed: &'a str) -> Option<&'a str> {
        let (value, signature) = signed.rsplit_once('.')?;
        if signature.len() != SIGNATURE_LENGTH || !signature.ends_with('=') {
            return None;
        }
        let signature = BASE64.decode(signature.as_bytes()).ok()?;
        self.is_mac(&[value.as_bytes()], &signature).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::SecretVersion;

    #[test]
    fn the_signature_is_that_of_the_reference() {
        let signed = Keys::for_tests().sign("true");
        assert_eq!(signed, "true.5dXPxhEcZHBq5LJ2t+g8bCevH2sVo2Db3WeTY7ZUhgc=");
        assert_eq!(Keys::for_tests().verify(&signed), Some("true"));
    }

    #[test]
    fn a_value_may_hold_dots() {
        let keys = Keys::for_tests();
        assert_eq!(keys.verify(&keys.sign("a.b.c")), Some("a.b.c"));
    }

    #[test]
    fn what_was_altered_or_cut_does_not_verify() {
        let keys = Keys::for_tests();
        let signed = keys.sign("token");
        for forged in
            ["", ".", "token", "token.", &signed[..signed.len() - 1], &signed.replace("token", "tokem")]
        {
            assert_eq!(keys.verify(forged), None, "{forged}");
        }
        let other = Keys::new(&"another secret, long enough to be used".into(), &[]);
        assert_eq!(other.verify(&signed), None);
    }

    #[test]
    // spec: SEC-10
    fn what_a_former_secret_signed_is_ours_and_what_is_signed_now_is_signed_with_the_current_one() {
        let version = |version, value: &str| SecretVersion { version, value: value.into() };
        let (first, second) = (version(1, "the first secret"), version(2, "the second secret"));
        let before = Keys::new(&"the first secret".into(), &[]);
        let rotated = Keys::new(&"".into(), &[second.clone(), first]);
        let dropped = Keys::new(&"".into(), &[second]);
        assert_eq!(rotated.verify(&before.sign("token")), Some("token"));
        assert_eq!(dropped.verify(&before.sign("token")), None);
        assert_eq!(dropped.verify(&rotated.sign("token")), Some("token"));
        assert_eq!(before.verify(&rotated.sign("token")), None);
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_taken_for_signed_and_none_stops_the_engine(text in ".{0,200}") {
            proptest::prop_assert_eq!(Keys::for_tests().verify(&text), None);
        }
    }
}
