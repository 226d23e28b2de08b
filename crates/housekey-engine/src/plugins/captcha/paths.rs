use super::CaptchaOptions;

const USUAL: [&str; 3] = ["/sign-up/email", "/sign-in/email", "/request-password-reset"];

/// Whether the captcha stands before a path.
pub(super) fn is_guarded(options: &CaptchaOptions, path: &str) -> bool {
    if options.endpoints.is_empty() {
        return USUAL.contains(&path);
    }
    options.endpoints.iter().any(|pattern| matches(pattern, path))
}

/// Whether a path is one of a pattern, in which `*` stands for anything.
fn matches(pattern: &str, path: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == path };
    let Some(mut path) = path.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        match path.split_once(part) {
            Some((_, behind)) => path = behind,
            None => return false,
        }
    }
    path.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, path, expected) in [
            ("/sign-in/email", "/sign-in/email", true),
            ("/sign-in/email", "/sign-in/email/x", false),
            ("/sign-in/*", "/sign-in/email", true),
            ("/sign-in/*", "/sign-up/email", false),
            ("*", "/anything/at/all", true),
            ("/*/email", "/sign-in/email", true),
            ("/*/email", "/sign-in/social", false),
            ("/a*b*c", "/a-b-b-c", true),
            ("/a*b*c", "/a-c-b", false),
            ("/ab*ba", "/aba", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn without_a_list_it_is_the_reference_s() {
        let options = CaptchaOptions::default();
        assert!(is_guarded(&options, "/sign-up/email") && !is_guarded(&options, "/get-session"));
    }
}
