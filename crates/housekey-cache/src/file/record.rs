//! One entry as bytes on disk:
//! magic ‖ checksum (16) ‖ end of life, ns since 1970 (16) ‖ key length (4) ‖ key ‖ value.

use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use crate::Entry;

const MAGIC: &[u8; 4] = b"HKC1";
const CHECKSUM: std::ops::Range<usize> = 4..20;
const HEADER: usize = 40;

/// How "until forgotten" is written.
const NEVER: i128 = i128::MAX;

/// A decoded record, with the key it was written for.
pub(super) struct Record {
    pub(super) key: String,
    pub(super) entry: Entry,
}

pub(super) fn encode(key: &str, entry: &Entry) -> Vec<u8> {
    let end = entry.expires_at.map_or(NEVER, OffsetDateTime::unix_timestamp_nanos);
    let mut bytes = Vec::with_capacity(HEADER + key.len() + entry.value.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&[0; 16]);
    bytes.extend_from_slice(&end.to_be_bytes());
    bytes.extend_from_slice(&(key.len() as u32).to_be_bytes());
    bytes.extend_from_slice(key.as_bytes());
    bytes.extend_from_slice(&entry.value);
    let checksum = checksum(&bytes);
    bytes[CHECKSUM].copy_from_slice(&checksum);
    bytes
}

/// `None` for anything that [`encode`] did not write in full.
pub(super) fn decode(bytes: &[u8]) -> Option<Record> {
    if bytes.len() < HEADER || !bytes.starts_with(MAGIC) || bytes[CHECKSUM] != checksum(bytes) {
        return None;
    }
    let end = i128::from_be_bytes(bytes[20..36].try_into().ok()?);
    let key_length = u32::from_be_bytes(bytes[36..40].try_into().ok()?) as usize;
    let (key, value) = bytes[HEADER..].split_at_checked(key_length)?;
    let expires_at = match end {
        NEVER => None,
        end => Some(OffsetDateTime::from_unix_timestamp_nanos(end).ok()?),
    };
    Some(Record {
        key: std::str::from_utf8(key).ok()?.to_owned(),
        entry: Entry { value: value.to_vec(), expires_at },
    })
}

/// Guards against damage (a crash before the disk caught up, a flipped bit), not against forgery.
fn checksum(bytes: &[u8]) -> [u8; 16] {
    let digest = Sha256::digest(&bytes[CHECKSUM.end..]);
    let mut checksum = [0; 16];
    checksum.copy_from_slice(&digest[..16]);
    checksum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_as_it_was_and_no_part_of_it_does() {
        let expires_at = Some(OffsetDateTime::from_unix_timestamp_nanos(1_700_000_000_123_456_789).unwrap());
        let entry = Entry { value: vec![0, 1, 2, 255], expires_at };
        let bytes = encode("a key", &entry);
        let record = decode(&bytes).unwrap();
        assert_eq!((record.key.as_str(), &record.entry), ("a key", &entry));
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end]).is_none(), "cut at {end}");
        }
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x10;
            assert!(decode(&flipped).is_none(), "flipped at {at}");
        }
    }
}
