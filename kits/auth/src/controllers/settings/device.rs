use housekey::prelude::*;

/// What a browser calls itself, in words: `Firefox on Linux`. And whether it is held in a hand.
pub fn device(user_agent: &str) -> (String, bool) {
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
        ("curl/", "curl"),
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
    let words = match (browser, system) {
        (Some(browser), Some(system)) => {
            t(":browser on :system", &[("browser", browser), ("system", system)])
        }
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => t("An unknown device", &[]),
    };
    (words, matches!(system, Some("iPhone" | "iPad" | "Android")))
}
