use housekey_core::translation::t;

/// What a browser is, in plain words: names that we know and nothing else. What it calls itself is text of whoever sent the
/// request, and has no place on a page or in a mail of ours.
///
/// ```
/// use housekey_auth::Device;
///
/// let device = Device::of(Some("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"));
/// assert_eq!((device.name.as_str(), device.is_mobile), ("Firefox on Linux", false));
/// assert_eq!(Device::of(Some("You won! See evil.example")).name, "An unknown device");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// `Firefox on Linux`, in the language that is spoken now.
    pub name: String,
    /// Whether it is held in a hand.
    pub is_mobile: bool,
}

impl Device {
    /// By what a browser calls itself (`User-Agent`).
    pub fn of(user_agent: Option<&str>) -> Self {
        let user_agent = user_agent.unwrap_or_default();
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
        let name = match (browser, system) {
            (Some(browser), Some(system)) => {
                t!(":browser on :system", browser, system)
            }
            (Some(name), None) | (None, Some(name)) => name.to_owned(),
            (None, None) => t("An unknown device"),
        };
        Self { name, is_mobile: matches!(system, Some("iPhone" | "iPad" | "Android")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_named_and_its_own_words_are_not_repeated() {
        for (user_agent, name, is_mobile) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox on Linux",
                false,
            ),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1", "Safari on iPhone", true),
            ("Chrome/1 Safari/1 Edg/1", "Edge", false),
            ("You won! See evil.example", "An unknown device", false),
        ] {
            assert_eq!(Device::of(Some(user_agent)), Device { name: name.into(), is_mobile }, "{user_agent}");
        }
        assert_eq!(Device::of(None).name, "An unknown device");
    }
}
