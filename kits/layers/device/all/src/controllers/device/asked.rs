use housekey::auth::Device;
use housekey::auth::engine::plugins::device_authorization::DeviceRequest;
use time::OffsetDateTime;

use crate::controllers::settings::place::place;

/// How many letters of a name that a device gave itself are shown, and of a word that says what it wants.
const LONGEST_NAME: usize = 64;
const LONGEST_SCOPE: usize = 32;
/// How many such words.
const MOST_SCOPES: usize = 12;

/// What a device asks for, for the person who decides. Whoever started it wrote most of this, and may have talked that person into
/// entering the code: it is shown as a claim, and it cannot push the warning off the page.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The code as it was entered.
    pub entered: String,
    /// The code as devices show it.
    pub code: String,
    /// What the device calls itself. Nobody has checked it, unless `validate_client` did.
    pub client: String,
    /// What it wants, in its own words.
    pub scopes: Vec<String>,
    /// The address that it asked from.
    pub address: String,
    /// The program that asked.
    pub program: String,
    /// When it asked.
    pub at: Option<OffsetDateTime>,
}

impl Asked {
    pub fn new(entered: &str, request: DeviceRequest) -> Self {
        let scope = request.scope.unwrap_or_default();
        let mut words = scope.split_whitespace().map(|word| plain(word, LONGEST_SCOPE));
        let mut scopes: Vec<String> = words.by_ref().take(MOST_SCOPES).collect();
        scopes.extend(words.next().map(|_| "…".to_owned()));
        Self {
            entered: entered.to_owned(),
            code: grouped(entered),
            client: plain(request.client_id.as_deref().unwrap_or_default(), LONGEST_NAME),
            scopes,
            address: place(request.ip_address.as_deref()),
            program: program(request.user_agent.as_deref()),
            at: request.asked_at,
        }
    }
}

/// A code in capital letters and groups of four, so that it can be compared.
fn grouped(code: &str) -> String {
    let letters: Vec<char> = code.chars().filter(char::is_ascii_alphanumeric).collect();
    let groups = letters.chunks(4).map(|four| four.iter().collect::<String>().to_ascii_uppercase());
    groups.collect::<Vec<_>>().join("-")
}

/// Text of a stranger, in the letters that RFC 6749 has for it: none that hide, or turn the line around.
fn plain(text: &str, longest: usize) -> String {
    let printable = |letter: char| letter.is_ascii_graphic() || letter == ' ';
    let mut letters = text.chars().map(|letter| if printable(letter) { letter } else { '\u{fffd}' });
    let mut short: String = letters.by_ref().take(longest).collect();
    short.extend(letters.next().map(|_| '…'));
    short
}

/// A program that we know by its name; another one by the first word that it says about itself.
fn program(user_agent: Option<&str>) -> String {
    let known = Device::of(user_agent).name;
    match user_agent.unwrap_or_default().split_whitespace().next() {
        Some(own) if known == Device::of(None).name => plain(own, LONGEST_NAME),
        _ => known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_shown_as_devices_show_it_however_it_was_typed() {
        for typed in ["ABCD2345", "abcd-2345", " ab cd 23 45 "] {
            assert_eq!(grouped(typed), "ABCD-2345", "{typed}");
        }
        assert_eq!(grouped("abcdef"), "ABCD-EF");
    }

    #[test]
    fn what_a_device_says_stays_short_and_in_its_place() {
        let asked = Asked::new(
            "ABCD2345",
            DeviceRequest {
                client_id: Some(format!("Support\u{202e}!{}", "x".repeat(200))),
                scope: Some(format!("{} {}", "long".repeat(100), "read ".repeat(100))),
                asked_at: None,
                ip_address: Some("203.0.113.7".into()),
                user_agent: Some("shop-cli/1.2 (you won, see evil.example)".into()),
            },
        );
        assert!(asked.client.starts_with("Support\u{fffd}!x") && asked.client.chars().count() == 65);
        assert_eq!((asked.scopes.len(), asked.scopes[0].chars().count()), (13, 33));
        assert_eq!((asked.program.as_str(), asked.address.as_str()), ("shop-cli/1.2", "203.0.113.7"));
    }

    #[test]
    fn a_program_that_says_nothing_is_unknown() {
        assert_eq!(program(None), Device::of(None).name);
        assert_eq!(program(Some(" ")), Device::of(None).name);
        assert_eq!(program(Some("curl/8.5.0")), "curl");
    }
}
