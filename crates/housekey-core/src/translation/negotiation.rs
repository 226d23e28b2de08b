/// The best of the available languages for an `Accept-Language` header, or nothing when none fits.
///
/// ```
/// use housekey_core::translation::negotiate;
///
/// assert_eq!(negotiate("fr-CH, de;q=0.9, en;q=0.8", &["en", "de"]), Some("de"));
/// assert_eq!(negotiate("de-AT", &["en", "de"]), Some("de"));
/// assert_eq!(negotiate("ja", &["en", "de"]), None);
/// ```
pub fn negotiate<'a>(header: &str, available: &[&'a str]) -> Option<&'a str> {
    let mut wanted: Vec<(&str, f32)> = header.split(',').take(MOST).filter_map(preference).collect();
    // Stable: of two languages wanted equally, the one named first wins.
    wanted.sort_by(|a, b| b.1.total_cmp(&a.1));
    wanted.into_iter().find_map(|(tag, _)| best(tag, available))
}

/// A header names a few languages; reading thousands would only serve somebody who wants us busy.
const MOST: usize = 32;

fn preference(part: &str) -> Option<(&str, f32)> {
    let (tag, parameters) = part.split_once(';').unwrap_or((part, ""));
    let weight = match parameters.trim().strip_prefix("q=") {
        Some(weight) => weight.trim().parse().ok().filter(|weight| (0.0..=1.0).contains(weight))?,
        None => 1.0,
    };
    (weight > 0.0).then_some((tag.trim(), weight))
}

fn best<'a>(tag: &str, available: &[&'a str]) -> Option<&'a str> {
    let general = |tag: &str| tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    let exactly = available.iter().find(|language| language.eq_ignore_ascii_case(tag));
    exactly.or_else(|| available.iter().find(|language| general(language) == general(tag))).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn weights_decide_and_refused_languages_are_not_chosen() {
        assert_eq!(negotiate("en;q=0.1, de;q=0.9", &["en", "de"]), Some("de"));
        assert_eq!(negotiate("de;q=0, en;q=0.1", &["en", "de"]), Some("en"));
        assert_eq!(negotiate("pt-br", &["pt-BR", "pt"]), Some("pt-BR"));
        assert_eq!(negotiate("de;q=NaN", &["de"]), None);
        assert_eq!(negotiate("", &["de"]), None);
    }

    proptest! {
        #[test]
        fn no_header_makes_it_panic(header in ".*") {
            let _ = negotiate(&header, &["en", "de"]);
        }
    }
}
