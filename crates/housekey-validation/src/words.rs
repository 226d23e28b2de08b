/// A field's name in lower-case words: `firstName` and `first_name` are `first name`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut after_lower = false;
    for char in name.chars() {
        let starts_word = char.is_uppercase() && after_lower;
        if (starts_word || !char.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if char.is_alphanumeric() {
            word.extend(char.to_lowercase());
        }
        after_lower = char.is_lowercase() || char.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_become_words() {
        assert_eq!(words("firstName").join(" "), "first name");
        assert_eq!(words("_current-password").join(" "), "current password");
        assert_eq!(words("API_key").join(" "), "api key");
        assert_eq!(words("line2Text").join(" "), "line2 text");
    }
}
