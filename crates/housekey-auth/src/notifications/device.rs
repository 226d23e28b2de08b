use housekey_core::translation::t;

/// What a browser calls itself, in plain words: `Firefox on Linux`. Names that we know and nothing else: the rest is text of
/// whoever signed in, and has no place in a mail of ours.
pub(super) fn device(user_agent: &str) -> String {
    let first = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    // In this order: every one of them claims to be some of the others.
    let browser = first(&[
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = first(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => {
            t(":browser on :system", &[("browser", browser), ("system", system)])
        }
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => t("An unknown device", &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_named_and_its_own_words_are_not_repeated() {
        assert_eq!(
            device("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
            "Firefox on Linux"
        );
        assert_eq!(device("Chrome/1 Safari/1 Edg/1"), "Edge");
        assert_eq!(device("You won! See evil.example"), "An unknown device");
    }
}
