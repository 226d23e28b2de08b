//! Finds the commands a mistyped name may have meant.

/// Up to three names near `typed`, the nearest first. A bare group (`config`) names its whole group.
pub(crate) fn suggest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = typed.to_lowercase();
    let known: Vec<&str> = known.into_iter().collect();

    let group: Vec<&str> = known
        .iter()
        .copied()
        .filter(|name| name.split(':').next() == Some(&typed) && *name != typed)
        .collect();
    if !group.is_empty() {
        return group;
    }

    let mut scored: Vec<(usize, &str)> =
        known.into_iter().filter_map(|name| Some((distance(&typed, name)?, name))).collect();
    scored.sort_unstable();
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How far `typed` is from `name`; `None` when nobody would confuse them.
fn distance(typed: &str, name: &str) -> Option<usize> {
    let (a, b) = (plain(typed), plain(name));
    let allowed = (a.chars().count().max(b.chars().count()) / 3).max(1);
    let direct = strsim::osa_distance(&a, &b);
    if direct <= allowed {
        return Some(direct);
    }
    // `routes` means `route:list`, `gc` means `session:gc`: the typed word is one part of the name.
    let part = name.split(':').any(|part| {
        let part_allowed = usize::from(part.len() > 3);
        strsim::osa_distance(typed, part) <= part_allowed
    });
    part.then_some(allowed + 1)
}

/// `route-list`, `route_list` and `routelist` are all `route:list` to a person.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::suggest;

    const KNOWN: [&str; 8] = [
        "serve",
        "route:list",
        "config:cache",
        "config:clear",
        "cache:clear",
        "session:gc",
        "make:controller",
        "make:middleware",
    ];

    #[test]
    fn a_slip_of_a_finger_finds_the_command() {
        assert_eq!(suggest("sevre", KNOWN), ["serve"]);
        assert_eq!(suggest("make:contoller", KNOWN)[0], "make:controller");
        assert_eq!(suggest("ROUTE:LIST", KNOWN)[0], "route:list");
    }

    #[test]
    fn other_separators_find_the_command() {
        assert_eq!(suggest("route-list", KNOWN)[0], "route:list");
        assert_eq!(suggest("routelist", KNOWN)[0], "route:list");
    }

    #[test]
    fn one_word_of_the_name_is_enough() {
        assert_eq!(suggest("routes", KNOWN), ["route:list"]);
        assert_eq!(suggest("gc", KNOWN), ["session:gc"]);
    }

    #[test]
    fn a_group_lists_its_commands() {
        assert_eq!(suggest("config", KNOWN), ["config:cache", "config:clear"]);
    }

    #[test]
    fn nothing_near_suggests_nothing() {
        assert!(suggest("brew-coffee", KNOWN).is_empty());
        assert!(suggest("", KNOWN).is_empty());
    }
}
