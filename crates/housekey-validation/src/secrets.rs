use crate::words::words;

/// Whether a field's name says that its value must not be kept or shown again: passwords, tokens, secrets, codes
/// that open something.
pub fn is_secret_name(name: &str) -> bool {
    const PARTS: [&str; 11] =
        ["password", "passwd", "passphrase", "secret", "token", "otp", "totp", "pin", "cvc", "cvv", "apikey"];
    // Codes that are part of an address or a choice, and that people hate to type twice.
    const HARMLESS: [&str; 9] =
        ["postal", "post", "zip", "country", "area", "language", "currency", "dialling", "color"];

    let words: Vec<String> = words(name);
    let holds = |part: &str| {
        words.iter().any(|word| word.trim_end_matches('s') == part || word.starts_with("password"))
    };
    if PARTS.iter().any(|part| holds(part)) {
        return true;
    }
    let follows =
        |first: &str, second: &str| words.windows(2).any(|pair| pair[0] == first && pair[1] == second);
    let is_key = follows("api", "key") || follows("private", "key");
    let is_code = words.last().is_some_and(|last| last == "code" || last == "codes")
        && !words.iter().any(|word| HARMLESS.contains(&word.as_str()));
    let is_card = follows("card", "number");
    is_key || is_code || is_card
}

#[cfg(test)]
mod tests {
    use super::is_secret_name;

    #[test]
    fn what_opens_something_is_secret_and_what_describes_somebody_is_not() {
        for secret in [
            "password",
            "password_confirmation",
            "current_password",
            "newPassword",
            "passwords",
            "_token",
            "token",
            "api_token",
            "csrfToken",
            "secret",
            "client_secret",
            "code",
            "recovery_code",
            "backupCodes",
            "otp",
            "totp_code",
            "pin",
            "apiKey",
            "api_key",
            "card_number",
            "PASSWORD",
            "user[password]",
        ] {
            assert!(is_secret_name(secret), "{secret}");
        }
        for open in
            ["name", "email", "postal_code", "countryCode", "zip_code", "opinion", "description", "encoder"]
        {
            assert!(!is_secret_name(open), "{open}");
        }
    }
}
