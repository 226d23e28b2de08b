use crate::options::{CustomRule, RateLimitOptions, RateLimitRequest, RateRule};
use crate::wire::Incoming;
use crate::{ApiError, Result};

/// What guesses and what sends mail: three in ten seconds, three in a minute.
const BUILT_IN: [(&str, RateRule); 9] = [
    ("/sign-in*", RateRule { window: 10, max: 3 }),
    ("/sign-up*", RateRule { window: 10, max: 3 }),
    ("/change-password*", RateRule { window: 10, max: 3 }),
    ("/change-email*", RateRule { window: 10, max: 3 }),
    ("/request-password-reset", RateRule { window: 60, max: 3 }),
    ("/send-verification-email", RateRule { window: 60, max: 3 }),
    ("/forget-password*", RateRule { window: 60, max: 3 }),
    ("/email-otp/send-verification-otp", RateRule { window: 60, max: 3 }),
    ("/email-otp/request-password-reset", RateRule { window: 60, max: 3 }),
];

/// The rule for a request; `None` is no limit. The general one, then ours, then a plugin's, then the app's own.
pub(super) async fn rule_for(
    limits: &RateLimitOptions,
    plugin_rules: &[(String, RateRule)],
    incoming: &Incoming,
) -> Result<Option<RateRule>> {
    let path = incoming.path();
    let mut rule = RateRule { window: limits.window, max: limits.max };
    if let Some((_, built_in)) = BUILT_IN.iter().find(|(pattern, _)| pattern_matches(pattern, path)) {
        rule = *built_in;
    }
    if let Some((_, of_plugin)) = plugin_rules.iter().find(|(pattern, _)| pattern_matches(pattern, path)) {
        rule = *of_plugin;
    }
    let exact = limits.custom_rules.get(path);
    let custom = exact.or_else(|| {
        let mut patterns = limits.custom_rules.iter();
        patterns.find(|(pattern, _)| pattern_matches(pattern, path)).map(|(_, rule)| rule)
    });
    match custom {
        None => Ok(Some(rule)),
        Some(CustomRule::Unlimited) => Ok(None),
        Some(CustomRule::Fixed(rule)) => Ok(Some(*rule)),
        Some(CustomRule::Function(function)) => {
            let request = RateLimitRequest { path: path.to_owned(), headers: incoming.headers.clone(), rule };
            match function.call(request).await {
                None => Ok(Some(rule)),
                Some(decided) => decided.map_err(|error| ApiError::internal("a rate rule failed", error)),
            }
        }
    }
}

/// Whether a path matches a pattern in which `*` stands for any characters.
fn pattern_matches(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<_> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(position) = rest.find(part) else { return false };
        rest = rest.get(position + part.len()..).unwrap_or_default();
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, path, matches) in [
            ("/sign-in*", "/sign-in/email", true),
            ("/sign-in/email", "/sign-in/email", true),
            ("/sign-in/email", "/sign-in/email2", false),
            ("/two-factor/*", "/two-factor/enable", true),
            ("/two-factor/*", "/two-factors", false),
            ("*", "/anything", true),
            ("/a*c", "/abc", true),
            ("/a*b*c", "/a-b-c", true),
            ("/a*b", "/abc", false),
        ] {
            assert_eq!(pattern_matches(pattern, path), matches, "{pattern} {path}");
        }
    }
}
