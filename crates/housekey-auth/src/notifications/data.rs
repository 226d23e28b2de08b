use std::fmt;
use std::net::IpAddr;

use housekey_core::translation::t;
use housekey_engine::User;
use housekey_mail::Message;
use time::{OffsetDateTime, UtcOffset};

use crate::Device;

/// The longest name that is greeted, in characters.
const LONGEST_NAME: usize = 60;

/// What a mail about an account is written from.
#[derive(Clone, Default)]
pub struct AccountMailData {
    /// The link, as the engine signed it. The mail that only warns has none.
    pub url: Option<String>,
    /// The code to type, in a mail that carries one.
    pub code: Option<String>,
    /// For how many seconds the link or the code of a sign-in works.
    pub expires_in: Option<u64>,
    /// What the person is called, if they said: on one line, and not too long. Not in a mail to an address that nobody has
    /// proven, where it would be the words of whoever typed the address.
    pub name: Option<String>,
    /// The address that the mail goes to.
    pub email: String,
    /// The address that an account is to move to.
    pub new_email: Option<String>,
    /// When it happened, as `2026-11-16 08:30 UTC`.
    pub at: Option<String>,
    /// The network address of whoever did it.
    pub address: Option<String>,
    /// What their browser calls itself. These are their words: [`device`](Self::device) says it in ours.
    pub user_agent: Option<String>,
    /// The organisation that it is about: on one line, not too long, and nothing that a mail program would make a link of.
    pub organization: Option<String>,
    /// Who invites, written in the same way: their name, and their address.
    pub invited_by: Option<(String, String)>,
    /// The roles that somebody has, or will have.
    pub roles: Vec<String>,
}

impl AccountMailData {
    /// For a mail to the address of an account.
    pub(super) fn of(user: &User, url: Option<String>) -> Self {
        let name = user.email_verified.then(|| one_line(&user.name)).filter(|name| !name.is_empty());
        Self { url, name, email: user.email.clone(), ..Self::default() }
    }

    /// For a mail about something that happened.
    pub(super) fn happened(mut self, at: OffsetDateTime, address: Option<&str>) -> Self {
        let at = at.to_offset(UtcOffset::UTC);
        let (date, time) = (at.date(), at.time());
        self.at = Some(format!("{date} {:02}:{:02} UTC", time.hour(), time.minute()));
        // In the short form, and nothing that is none.
        self.address =
            address.and_then(|text| text.parse::<IpAddr>().ok()).map(|address| address.to_string());
        self
    }

    /// For a mail about an organisation.
    pub(super) fn about(mut self, organization: &str, roles: &str) -> Self {
        self.organization = Some(unlinked(organization));
        self.roles = roles.split(',').map(unlinked).filter(|role| !role.is_empty()).collect();
        self
    }

    pub(super) fn organization(&self) -> &str {
        self.organization.as_deref().unwrap_or_default()
    }

    /// The roles in the reader's language, as far as there are words for them.
    pub(super) fn roles(&self) -> String {
        self.roles.iter().map(|role| t(role)).collect::<Vec<_>>().join(", ")
    }

    /// `Hello Ada,` or, for somebody without a name, `Hello,`.
    pub fn greeting(&self) -> String {
        match &self.name {
            Some(name) => t!("Hello :name,", name),
            None => t("Hello,"),
        }
    }

    /// The browser of whoever did it, in plain words: `Firefox on Linux`.
    pub fn device(&self) -> Option<String> {
        self.user_agent.as_deref().map(|user_agent| Device::of(Some(user_agent)).name)
    }

    pub(super) fn url(&self) -> &str {
        self.url.as_deref().unwrap_or_default()
    }

    /// How long it works, in minutes.
    pub(super) fn minutes(&self) -> u64 {
        (self.expires_in.unwrap_or_default() / 60).max(1)
    }

    /// When, from where and with what, a line each.
    pub(super) fn circumstances(&self) -> String {
        let unknown = || t("unknown");
        let mut lines = vec![
            t!("When: :time", time = self.at.as_deref().unwrap_or_default()),
            t!("From: :address", address = self.address.clone().unwrap_or_else(unknown)),
        ];
        if let Some(device) = self.device() {
            lines.push(t!("With: :device", device));
        }
        lines.join("\n")
    }

    /// With the button to a new password, if there is a page for it.
    pub(super) fn with_reset(&self, message: Message) -> Message {
        match &self.url {
            Some(url) => message.action(t("Reset your password"), url),
            None => message,
        }
    }
}

/// A name as it may stand in a mail: no line of its own, no end of the page, no writing backwards.
fn one_line(name: &str) -> String {
    let turns =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let plain: String =
        name.chars().filter(|c| !turns(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// A name that somebody chose, in a mail to others: mail programs make links of what looks like an address, and then it would be an
/// advertisement that comes from this app.
pub(super) fn unlinked(name: &str) -> String {
    let line = one_line(name).replace("://", " ").replace('@', " (at) ");
    let mut text = String::with_capacity(line.len());
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        text.push(letter);
        if letter == '.' && letters.peek().is_some_and(|next| next.is_alphanumeric()) {
            text.push(' ');
        }
    }
    text
}

/// The link and the code are secrets until they are used.
impl fmt::Debug for AccountMailData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountMailData").field("email", &self.email).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_short_line() {
        assert_eq!(one_line(" Ada\r\n\u{2028}Lovelace\t\u{202e}"), "Ada Lovelace");
        assert_eq!(one_line("\r\n"), "");
        let long = one_line(&"é".repeat(200));
        assert_eq!(long.chars().count(), LONGEST_NAME + 1);
    }

    #[test]
    fn what_somebody_calls_an_organisation_becomes_no_link() {
        assert_eq!(unlinked("Acme Inc."), "Acme Inc.");
        assert_eq!(unlinked("Win at https://evil.example/now"), "Win at https evil. example/now");
        assert_eq!(unlinked("mail me@evil.example\r\nBcc: x"), "mail me (at) evil. example Bcc: x");
    }

    #[test]
    fn what_happened_is_told_in_universal_time_and_with_a_short_address() {
        let at = time::macros::datetime!(2026-11-16 09:05 +1);
        let data = AccountMailData::default().happened(at, Some("2001:0db8:0000:0000:0000:0000:0000:0001"));
        assert_eq!(data.circumstances(), "When: 2026-11-16 08:05 UTC\nFrom: 2001:db8::1");
        let nowhere = AccountMailData::default().happened(at, Some("evil.example"));
        assert_eq!(nowhere.address, None);
    }
}
