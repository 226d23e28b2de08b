use super::fold;

/// Characters of the password that must be neither the person's nor the app's.
const OWN_CHARACTERS: usize = 6;
/// What is shorter than this is found in too many words to mean anybody.
const SHORTEST_PART: usize = 4;
/// No column holds a longer name or address; a request can.
const LONGEST_TEXT: usize = 512;

/// Whether a folded password is little more than what is known of a person: an address, a name. Only letters and digits
/// count, so that `ada.lovelace` and `Ada_Lovelace!` are the same.
pub(super) fn is_personal<'a>(password: &str, known: impl IntoIterator<Item = &'a str>) -> bool {
    let mut parts: Vec<String> = known.into_iter().flat_map(parts).collect();
    // The longest first: what it contains must not tear it apart.
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    let whole = letters(password);
    let left = parts.iter().fold(whole.clone(), |left, part| left.replace(part.as_str(), " "));
    left != whole && letters(&left).chars().count() < OWN_CHARACTERS
}

/// A text, what stands in front of its `@`, and the words in it.
fn parts(text: &str) -> Vec<String> {
    let text = fold(&text.chars().take(LONGEST_TEXT).collect::<String>());
    let called = text.rsplit_once('@').map_or(text.as_str(), |(local, _)| local);
    let words = called.split(|letter: char| !letter.is_alphanumeric()).map(str::to_owned);
    let all = [letters(&text), letters(called)].into_iter().chain(words);
    all.filter(|part| part.chars().count() >= SHORTEST_PART).collect()
}

fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ada(password: &str) -> bool {
        is_personal(&fold(password), ["ada.byron@example.com", "Ada Lovelace", "My App"])
    }

    #[test]
    fn a_name_an_address_or_the_app_with_little_added_is_no_password() {
        for password in [
            "Lovelace1",
            "ada.lovelace1815",
            "ADA_LOVELACE",
            "1815-Lovelace!",
            "lovelacelovelace",
            "ada.byron@example.com",
            "adabyron12345",
            "byron byron",
            "ByronLovelace22",
            "myapp2026",
        ] {
            assert!(ada(password), "{password}");
        }
    }

    #[test]
    fn a_password_that_has_enough_of_its_own_may_contain_a_name() {
        for password in [
            "lovelace-horse-battery-staple",
            "correct horse",
            "adaadaada",
            "byron4Ever&ever",
            "🐎🔋📎🐎🔋📎🐎🔋",
        ] {
            assert!(!ada(password), "{password}");
        }
    }

    #[test]
    fn where_nothing_is_known_nothing_is_personal() {
        for known in [["", "", ""], ["a@b.c", "Al", "X"], ["@", " ", "--"]] {
            assert!(!is_personal("a@b.c al x", known), "{known:?}");
        }
    }

    #[test]
    fn a_name_is_known_in_any_alphabet_and_case() {
        assert!(is_personal(&fold("STRASSER99"), ["Jörg Straßer"]));
        assert!(is_personal(&fold("σωκράτησ1"), ["ΣΩΚΡΆΤΗΣ"]));
        assert!(is_personal(&fold("山田太郎2026"), ["山田 太郎"]));
    }

    #[test]
    fn a_name_as_long_as_a_book_is_read_only_at_its_beginning() {
        let book = format!("Lovelace {}", "x".repeat(1_000_000));
        assert!(is_personal("lovelace1", [book.as_str()]));
    }
}
