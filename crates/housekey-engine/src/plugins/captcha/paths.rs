/// Where somebody who is not signed in guesses at a password, makes an account or has a mail sent to an address that they typed. The
/// reference knows the first three: whoever guarded only those would leave a door beside each of them open.
const USUAL: [&str; 11] = [
    "/sign-up/email",
    "/sign-in/email",
    "/request-password-reset",
    "/sign-in/username",
    "/sign-in/magic-link",
    "/sign-in/email-otp",
    "/sign-in/anonymous",
    "/email-otp/send-verification-otp",
    "/email-otp/request-password-reset",
    "/forget-password/email-otp",
    "/send-verification-email",
];

/// Whether the captcha stands before a path, if it stands before these patterns; without one, before the usual paths.
pub(super) fn is_guarded(patterns: &[String], path: &str) -> bool {
    if patterns.is_empty() {
        return USUAL.contains(&path);
    }
    patterns.iter().any(|pattern| matches(pattern, path))
}

/// The first pattern that stands before none of these paths.
pub(super) fn misspelt<'a>(patterns: &'a [String], paths: &[&str]) -> Option<&'a str> {
    let mut patterns = patterns.iter().map(String::as_str);
    patterns.find(|pattern| !paths.iter().any(|path| matches(pattern, path)))
}

/// Whether a path is one of a pattern, in which `*` stands for anything within a segment and `**` for anything at all.
fn matches(pattern: &str, path: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == path };
    let Some(path) = path.strip_prefix(start) else { return false };
    let (rest, crosses) = rest.strip_prefix('*').map_or((rest, false), |rest| (rest, true));
    // From behind every character that the star may stand for.
    let ends = path.char_indices().map(|(at, letter)| (at, letter == '/')).chain([(path.len(), false)]);
    for (at, is_end) in ends {
        if path.get(at..).is_some_and(|behind| matches(rest, behind)) {
            return true;
        }
        if is_end && !crosses {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything_within_a_segment_and_two_for_anything() {
        for (pattern, path, expected) in [
            ("/sign-in/email", "/sign-in/email", true),
            ("/sign-in/email", "/sign-in/email/x", false),
            ("/sign-in/*", "/sign-in/email", true),
            ("/sign-in/*", "/sign-up/email", false),
            ("/sign-*", "/sign-out", true),
            ("/sign-*", "/sign-up/email", false),
            ("/sign-**", "/sign-up/email", true),
            ("*", "/anything", false),
            ("**", "/anything/at/all", true),
            ("/*/email", "/sign-in/email", true),
            ("/*/email", "/sign-in/social", false),
            ("/a*b*c", "/a-b-b-c", true),
            ("/a*b*c", "/a-c-b", false),
            ("/a*/b*", "/a/b/c", false),
            ("/**/c", "/a/b/c", true),
            ("/ab*ba", "/aba", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn without_a_list_it_is_every_door_for_strangers() {
        assert!(is_guarded(&[], "/sign-up/email") && is_guarded(&[], "/sign-in/username"));
        assert!(!is_guarded(&[], "/get-session"));
    }
}
