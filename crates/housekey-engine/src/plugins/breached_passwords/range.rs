use sha1::{Digest, Sha1};

use crate::constant_time_eq;

const PREFIX: usize = 5;
const SUFFIX: usize = 35;

/// A password as the service knows it: SHA-1 in capital hexadecimal digits. It never leaves this process as a whole.
pub(super) struct Hashed(String);

impl Hashed {
    pub(super) fn of(password: &str) -> Self {
        Self(data_encoding::HEXUPPER.encode(&Sha1::digest(password.as_bytes())))
    }

    /// What the service is told.
    pub(super) fn prefix(&self) -> &str {
        self.0.split_at_checked(PREFIX).map_or("", |(prefix, _)| prefix)
    }

    fn suffix(&self) -> &str {
        self.0.split_at_checked(PREFIX).map_or("", |(_, suffix)| suffix)
    }
}

/// An answer of the service: everything that begins with a prefix, and how often it was seen.
#[derive(Debug)]
pub(super) struct Range(Vec<Entry>);

#[derive(Debug)]
struct Entry {
    suffix: String,
    count: u64,
}

impl Range {
    /// Reads an answer; `None` when it is none. A page of a proxy that stands between must not be read as "never seen".
    pub(super) fn parse(body: &str) -> Option<Self> {
        let lines = body.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let entries = lines.filter(|line| !line.is_empty()).map(|line| {
            let (suffix, count) = line.split_once(':')?;
            let is_suffix = suffix.len() == SUFFIX && suffix.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_count = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
            let count = count.parse().ok()?;
            (is_suffix && is_count).then(|| Entry { suffix: suffix.to_ascii_uppercase(), count })
        });
        let entries = entries.collect::<Option<Vec<_>>>()?;
        (!entries.is_empty()).then_some(Self(entries))
    }

    /// Whether a password is among them. Every line is compared, whichever it is: time must not tell which suffix it was. Lines
    /// that were never seen are padding.
    pub(super) fn contains(&self, password: &Hashed) -> bool {
        let wanted = password.suffix().as_bytes();
        self.0.iter().fold(false, |found, entry| {
            found | (constant_time_eq(entry.suffix.as_bytes(), wanted) & (entry.count > 0))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SHA-1 of `password`, as everybody knows it.
    const PASSWORD: &str = "1E4C9B93F3F0682250B6CF8331B7EE68FD8";

    #[test]
    fn five_letters_are_told_and_the_rest_is_compared() {
        let hashed = Hashed::of("password");
        assert_eq!((hashed.prefix(), hashed.suffix()), ("5BAA6", PASSWORD));
        let other = "0".repeat(35);
        let range = Range::parse(&format!("{other}:3\r\n{PASSWORD}:9545824\r\n")).unwrap();
        assert!(range.contains(&hashed));
        assert!(!range.contains(&Hashed::of("another")));
        assert!(Range::parse(&format!("{}:1", PASSWORD.to_lowercase())).unwrap().contains(&hashed));
    }

    #[test]
    fn padding_is_nobody_s_password() {
        assert!(!Range::parse(&format!("{PASSWORD}:0\n")).unwrap().contains(&Hashed::of("password")));
    }

    #[test]
    fn what_is_no_answer_is_not_read_as_one() {
        let short = &PASSWORD[1..];
        for body in [
            "",
            "\r\n",
            "<html>a proxy</html>",
            PASSWORD,
            &format!("{PASSWORD}:"),
            &format!("{PASSWORD}:-1"),
            &format!("{PASSWORD}:+1"),
            &format!("{PASSWORD}:1.5"),
            &format!("{PASSWORD}:99999999999999999999999"),
            &format!("{short}:1"),
            &format!("{PASSWORD}:1\n<html>"),
        ] {
            assert!(Range::parse(body).is_none(), "{body:?}");
        }
    }
}
