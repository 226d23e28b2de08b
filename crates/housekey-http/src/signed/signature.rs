use data_encoding::BASE64URL_NOPAD;
use housekey_core::Encrypter;

use crate::routing::{decode, encode_segment};

/// The parameters that are ours.
pub(super) const SIGNATURE: &str = "signature";
pub(super) const EXPIRES: &str = "expires";

const PURPOSE: &str = "signed address";

/// What is wrong with an address.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Not ours, or not any more: something was changed, added or cut off.
    Changed,
    Expired,
}

pub(super) fn sign(encrypter: &Encrypter, path: &str, query: Option<&str>) -> String {
    let signature = encrypter.sign(signed_text(path, query, &[]).as_bytes(), PURPOSE);
    BASE64URL_NOPAD.encode(&signature)
}

/// Whether we made this address, and it is not over. `ignored` are parameters that others may have added.
pub(super) fn check(
    encrypter: &Encrypter,
    path: &str,
    query: &str,
    ignored: &[String],
    now: u64,
) -> Result<(), Refusal> {
    let signature = only(query, SIGNATURE).and_then(|text| BASE64URL_NOPAD.decode(text.as_bytes()).ok());
    let signature = signature.ok_or(Refusal::Changed)?;
    let is_signed = |ignored: &[String]| {
        let text = signed_text(path, Some(query), ignored);
        encrypter.verify(text.as_bytes(), &signature, PURPOSE)
    };
    // An ignored parameter may also be one that we wrote ourselves.
    if !is_signed(ignored) && !is_signed(&[]) {
        return Err(Refusal::Changed);
    }
    // Only now: whether an address is over is nothing that somebody else's address is told.
    let has_end = form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == EXPIRES);
    match only(query, EXPIRES).and_then(|text| text.parse::<u64>().ok()) {
        Some(end) if now >= end => Err(Refusal::Expired),
        None if has_end => Err(Refusal::Changed),
        _ => Ok(()),
    }
}

/// The value of a parameter that is there once.
fn only(query: &str, name: &str) -> Option<String> {
    let mut values = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == name);
    let value = values.next()?.1.into_owned();
    values.next().is_none().then_some(value)
}

/// One spelling for all that mean the same: programs on the way escape more or less than we do, and put parameters in
/// another order. Values of one name keep theirs, because a handler would see the difference.
fn signed_text(path: &str, query: Option<&str>, ignored: &[String]) -> String {
    let path = path.trim_end_matches('/').split('/');
    let mut text =
        path.map(|segment| encode_segment(&decode(segment)).into_owned()).collect::<Vec<_>>().join("/");
    let mut pairs: Vec<_> = form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .filter(|(name, _)| name != SIGNATURE && !ignored.iter().any(|ignored| ignored == name))
        .collect();
    pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
    // No segment has a question mark in it, so the two halves cannot run into each other.
    text.push('?');
    let start = text.len();
    form_urlencoded::Serializer::for_suffix(&mut text, start).extend_pairs(pairs);
    text
}

#[cfg(test)]
mod tests {
    use housekey_core::AppKey;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_that_mean_the_same_are_one() {
        let text = |path, query| signed_text(path, Some(query), &[]);
        assert_eq!(text("/a%7Eb/", "y=1&x=a%20b"), text("/a~b", "x=a+b&y=1"));
        assert_ne!(text("/a%2Fb", ""), text("/a/b", ""));
        assert_ne!(text("/a", "x=1&x=2"), text("/a", "x=2&x=1"));
        assert_ne!(text("/a", "x=1&y=2"), text("/a", "x=1%26y=2"));
    }

    proptest! {
        #[test]
        fn no_other_address_has_the_same_text(
            one in ("/[a-c/%?&=]{0,4}", "[a-c=&%3F]{0,8}"),
            other in ("/[a-c/%?&=]{0,4}", "[a-c=&%3F]{0,8}"),
        ) {
            let meaning = |(path, query): &(String, String)| {
                let mut pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
                pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
                let segments: Vec<_> =
                    path.trim_end_matches('/').split('/').map(|segment| decode(segment).into_owned()).collect();
                (segments, pairs)
            };
            let text = |(path, query): &(String, String)| signed_text(path, Some(query), &[]);
            prop_assert_eq!(text(&one) == text(&other), meaning(&one) == meaning(&other));
        }

        #[test]
        fn no_query_makes_the_check_panic(query in "[a-z=&%0-9é]{0,60}") {
            let key = Encrypter::new(AppKey::generate());
            prop_assert_eq!(check(&key, "/a", &query, &["a".into()], 0), Err(Refusal::Changed));
            let query = format!("{query}&signature={}", "A".repeat(43));
            prop_assert_eq!(check(&key, "/a", &query, &["a".into()], 0), Err(Refusal::Changed));
        }
    }
}
