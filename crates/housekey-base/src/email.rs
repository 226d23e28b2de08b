/// Whether a text is an address that accounts and forms take: the rule of the reference engine's validation. ASCII, no
/// dots at the start, at the end or in a row before the `@`, and a domain with a dot. How long it may be is for others to say.
///
/// ```
/// use housekey_base::is_email;
///
/// assert!(is_email("ada.lovelace+news@example.com"));
/// assert!(!is_email("ada@localhost"));
/// ```
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    is_local_part(local) && is_domain(domain)
}

fn is_local_part(local: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-');
    let Some((&last, rest)) = local.as_bytes().split_last() else { return false };
    !local.starts_with('.')
        && !local.contains("..")
        && allowed(last)
        && rest.iter().all(|&byte| allowed(byte) || matches!(byte, b'.' | b'\''))
}

fn is_domain(domain: &str) -> bool {
    let Some((host, top)) = domain.rsplit_once('.') else { return false };
    let label = |label: &str| {
        label.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    host.split('.').all(label) && top.len() >= 2 && top.bytes().all(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_other_texts() {
        for good in ["a@b.co", "Ada.Love-lace+1@sub.example.com", "o'hara@example.org"] {
            assert!(is_email(good), "{good}");
        }
        for bad in [
            "",
            "ada",
            "@b.co",
            "a@b",
            ".a@b.co",
            "a.@b.co",
            "a..b@c.de",
            "a@-b.co",
            "a@b.c",
            "a b@c.de",
            "a@b..co",
            "ä@b.co",
            "a@b.co\n",
        ] {
            assert!(!is_email(bad), "{bad}");
        }
    }
}
