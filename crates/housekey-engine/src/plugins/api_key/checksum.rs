//! The end of a key, by which scanners know it.

/// Letters of a checksum.
pub(super) const LENGTH: usize = 6;
/// The shortest text that can be a key: what is shorter has too little that is random.
const SHORTEST: usize = 32;
const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Whether a text ends as the keys that [`create`](super::create) makes: its last six letters are the CRC-32 (as in zip and PNG) of what
/// stands before them, to the base 52 (`a` to `z` are 0 to 25, `A` to `Z` 26 to 51), greatest digit first, filled up with `a`.
///
/// For whatever looks through logs, repositories and messages for keys: one text in four thousand million looks like a key by
/// accident. No key is refused for its checksum, since keys of the reference, and those of an app's own making, have none.
///
/// ```
/// use housekey_engine::plugins::api_key::has_checksum;
///
/// let key = "shop_UfCOFsHWuNpWgFqmtdRmWQwqlaXhoTSHFoxRNBbxdhLIFpRNJHYepgEVEwfbvzBt";
/// assert!(has_checksum(key));
/// assert!(!has_checksum(&key.replace("shop", "shup")));
/// ```
pub fn has_checksum(text: &str) -> bool {
    let is_shaped = text.len() >= SHORTEST
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let split = text.len().checked_sub(LENGTH).and_then(|end| text.split_at_checked(end));
    is_shaped && split.is_some_and(|(before, end)| of(before) == end)
}

/// The checksum of a text.
pub(super) fn of(text: &str) -> String {
    let mut number = crc_32(text.as_bytes());
    let mut letters = [b'a'; LENGTH];
    for place in letters.iter_mut().rev() {
        let digit = LETTERS.get((number % 52) as usize);
        *place = digit.copied().unwrap_or(b'a');
        number /= 52;
    }
    letters.iter().map(|&letter| char::from(letter)).collect()
}

fn crc_32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_the_crc_32_of_zip() {
        assert_eq!(crc_32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc_32(b""), 0);
    }

    #[test]
    fn a_checksum_is_six_letters_of_base_52() {
        assert_eq!(of(""), "aaaaaa");
        assert_eq!(of("123456789"), "iZZFoE", "computed elsewhere");
    }

    #[test]
    fn one_other_letter_is_another_checksum() {
        let text = "x".repeat(58);
        let key = format!("{text}{}", of(&text));
        assert!(has_checksum(&key));
        for position in 0..key.len() {
            let mut other = key.clone().into_bytes();
            other[position] = if other[position] == b'q' { b'r' } else { b'q' };
            assert!(!has_checksum(&String::from_utf8(other).unwrap()), "{position}");
        }
        assert!(!has_checksum(&key[1..]) && !has_checksum(&key[..63]));
        assert!(!has_checksum("") && !has_checksum("aaaaaa") && !has_checksum(&"ä".repeat(40)));
    }
}
