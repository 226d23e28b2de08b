/// The known word closest to `word`, if one is close enough to be what was meant.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    known
        .into_iter()
        // Two neighbours swapped count as one edit, since that is how people mistype.
        .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_finger_is_understood_and_a_different_word_is_not() {
        let known = ["auth", "guest", "throttle"];
        assert_eq!(nearest("trottle", known), Some("throttle"));
        assert_eq!(nearest("atuh", known), Some("auth"));
        assert_eq!(nearest("verified", known), None);
    }
}
