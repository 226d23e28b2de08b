use sha2::{Digest, Sha256};

use super::{Checked, Expected, Refusal, cbor, require};
use crate::constant_time_eq;

const USER_PRESENT: u8 = 1;
const USER_VERIFIED: u8 = 1 << 2;
const CAN_BE_COPIED: u8 = 1 << 3;
const IS_COPIED: u8 = 1 << 4;
const HAS_CREDENTIAL: u8 = 1 << 6;
const HAS_EXTENSIONS: u8 = 1 << 7;

/// What the device says: for whom it answers, who was there, how often it was used, and at registration its new key.
pub(super) struct AuthenticatorData<'a> {
    rp_id_hash: &'a [u8; 32],
    flags: u8,
    pub(super) counter: u32,
    pub(super) credential: Option<Credential<'a>>,
}

/// A key that was just made.
pub(super) struct Credential<'a> {
    pub(super) aaguid: &'a [u8; 16],
    pub(super) id: &'a [u8],
    /// The COSE key, byte for byte.
    pub(super) public_key: &'a [u8],
}

impl<'a> AuthenticatorData<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Checked<Self> {
        let mut rest = bytes;
        let rp_id_hash = take_array::<32>(&mut rest)?;
        let [flags] = *take_array::<1>(&mut rest)?;
        let counter = u32::from_be_bytes(*take_array::<4>(&mut rest)?);
        let credential = if flags & HAS_CREDENTIAL == 0 { None } else { Some(Credential::take(&mut rest)?) };
        if flags & HAS_EXTENSIONS != 0 {
            require(cbor::take(&mut rest)?.is_map(), "the extensions are no map")?;
        }
        require(rest.is_empty(), "the authenticator data goes on after its end")?;
        Ok(Self { rp_id_hash, flags, counter, credential })
    }

    pub(super) fn check(&self, expected: &Expected<'_>) -> Checked<()> {
        let ours = constant_time_eq(self.rp_id_hash, &Sha256::digest(expected.rp_id.as_bytes()));
        require(ours, "the key is for another domain")?;
        require(self.has(USER_PRESENT), "nobody was there")?;
        require(self.is_user_verified() || !expected.user_verified, "the user was not verified")?;
        require(self.can_be_copied() || !self.is_copied(), "a key that cannot be copied was copied")?;
        // The column is a signed number of 32 bits in most databases.
        require(i32::try_from(self.counter).is_ok(), "the counter is beyond what can be stored")
    }

    pub(super) fn is_user_verified(&self) -> bool {
        self.has(USER_VERIFIED)
    }

    pub(super) fn can_be_copied(&self) -> bool {
        self.has(CAN_BE_COPIED)
    }

    pub(super) fn is_copied(&self) -> bool {
        self.has(IS_COPIED)
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

impl<'a> Credential<'a> {
    fn take(rest: &mut &'a [u8]) -> Checked<Self> {
        let aaguid = take_array::<16>(rest)?;
        let length = u16::from_be_bytes(*take_array::<2>(rest)?);
        let id = take(rest, usize::from(length))?;
        let start = *rest;
        require(cbor::take(rest)?.is_map(), "the key is no map")?;
        let public_key = start.get(..start.len() - rest.len()).unwrap_or_default();
        Ok(Self { aaguid, id, public_key })
    }
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Checked<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(length).ok_or(TOO_SHORT)?;
    *rest = left;
    Ok(taken)
}

fn take_array<'a, const N: usize>(rest: &mut &'a [u8]) -> Checked<&'a [u8; N]> {
    let (taken, left) = rest.split_first_chunk().ok_or(TOO_SHORT)?;
    *rest = left;
    Ok(taken)
}

const TOO_SHORT: Refusal = Refusal("the authenticator data ends too soon");
