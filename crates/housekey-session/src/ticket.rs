use data_encoding::BASE64URL_NOPAD;
use housekey_core::Signer;

use crate::store::SessionId;

/// What the session cookie says: which session, since when, and whether something was flashed.
///
/// On the wire it is `base64url(flags ‖ issued ‖ id).base64url(signature)`: 24 bytes that only `APP_KEY` can sign.
/// The moment of issue lets a cookie without a record (a visitor who only got a form's token) grow old without a
/// store having to remember it. The flash flag tells the next request to load the session before a page is drawn,
/// so that views read flashed errors without waiting, and all other requests touch no store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticket {
    pub(crate) id: SessionId,
    pub(crate) issued_at: u64,
    pub(crate) has_flash: bool,
}

/// What tickets are signed for.
pub(crate) const PURPOSE: &str = "session";
const FLASH: u8 = 1;
/// 24 bytes, a dot and 32 bytes.
const LENGTH: usize = 32 + 1 + 43;

impl Ticket {
    pub(crate) fn encode(&self, signer: &Signer) -> String {
        let mut bytes = [0; 24];
        // The top byte of the seconds stays zero for two billion years; the flags live there.
        bytes[..8].copy_from_slice(&self.issued_at.to_be_bytes());
        bytes[0] = if self.has_flash { FLASH } else { 0 };
        bytes[8..].copy_from_slice(self.id.as_bytes());
        let signature = signer.sign(&bytes);
        let mut text = String::with_capacity(LENGTH);
        BASE64URL_NOPAD.encode_append(&bytes, &mut text);
        text.push('.');
        BASE64URL_NOPAD.encode_append(&signature, &mut text);
        text
    }

    /// Reads a cookie's value. Anything that we did not sign is nothing.
    pub(crate) fn decode(text: &str, signer: &Signer) -> Option<Self> {
        let (body, signature) = text.split_once('.')?;
        if body.len() != 32 || signature.len() != 43 {
            return None;
        }
        let mut bytes: [u8; 24] = BASE64URL_NOPAD.decode(body.as_bytes()).ok()?.try_into().ok()?;
        let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).ok()?;
        if !signer.verify(&bytes, &signature) {
            return None;
        }
        let has_flash = bytes[0] & FLASH != 0;
        bytes[0] = 0;
        let (issued, id) = bytes.split_first_chunk::<8>()?;
        Some(Self {
            id: SessionId::from_bytes(id.try_into().ok()?),
            issued_at: u64::from_be_bytes(*issued),
            has_flash,
        })
    }
}

#[cfg(test)]
mod tests {
    use housekey_core::{AppKey, Encrypter};
    use proptest::prelude::*;

    use super::*;

    fn signer() -> Signer {
        Encrypter::new(AppKey::generate()).signer(PURPOSE)
    }

    #[test]
    fn a_ticket_reads_back_and_a_changed_or_cut_one_is_nothing() {
        let signer = signer();
        let ticket = Ticket { id: SessionId::random(), issued_at: 1_900_000_000, has_flash: true };
        let text = ticket.encode(&signer);
        assert_eq!(Ticket::decode(&text, &signer), Some(ticket));
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(Ticket::decode(std::str::from_utf8(&changed).unwrap(), &signer), None, "byte {at}");
            assert_eq!(Ticket::decode(&text[..at], &signer), None, "cut at {at}");
        }
        assert_eq!(Ticket::decode(&text, &self::signer()), None);
    }

    #[test]
    fn a_ticket_of_the_previous_key_is_still_good() {
        let (old, new) = (AppKey::generate(), AppKey::generate());
        let ticket = Ticket { id: SessionId::random(), issued_at: 7, has_flash: false };
        let text = ticket.encode(&Encrypter::new(old.clone()).signer(PURPOSE));
        let rotated = Encrypter::new(new).with_previous(old).signer(PURPOSE);
        assert_eq!(Ticket::decode(&text, &rotated), Some(ticket));
    }

    proptest! {
        #[test]
        fn no_text_is_taken_for_a_ticket(text in ".*") {
            prop_assert_eq!(Ticket::decode(&text, &self::signer()), None);
        }
    }
}
