use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

/// The place of a file below a folder, taken from an address. Whatever could lead elsewhere never becomes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePath(String);

const WELL_KNOWN: &str = ".well-known";

impl FilePath {
    /// Reads the path of a request. Refused: what does not decode to UTF-8, encoded slashes, backslashes, colons
    /// (drives and streams on Windows), control characters, empty segments, and hidden segments, which `.` and
    /// `..` are too.
    pub fn parse(raw: &str) -> Option<Self> {
        let raw = raw.strip_prefix('/')?;
        if contains_encoded_slash(raw) {
            return None;
        }
        let decoded = percent_decode_str(raw).decode_utf8().ok()?;
        Self::plain(&decoded)
    }

    /// A path from the configuration: plain text, held to the same rules.
    pub(crate) fn trusted(path: &str) -> Option<Self> {
        Self::plain(path.trim_start_matches('/'))
    }

    /// A path as plain text, held to the same rules.
    ///
    /// ```
    /// use housekey_static_files::FilePath;
    ///
    /// assert!(FilePath::plain("avatars/7.png").is_some());
    /// assert!(FilePath::plain("../.env").is_none() && FilePath::plain("/etc/passwd").is_none());
    /// ```
    pub fn plain(path: &str) -> Option<Self> {
        if path.chars().any(|character| character.is_control() || matches!(character, '\\' | ':')) {
            return None;
        }
        let mut segments = path.split('/').enumerate();
        let visible = segments.all(|(position, segment)| match segment {
            "" => false,
            WELL_KNOWN => position == 0,
            segment => !segment.starts_with('.'),
        });
        (visible && path != WELL_KNOWN).then(|| Self(path.to_owned()))
    }

    /// The decoded path, without a slash in front.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last segment.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// Whether it is worth a look at the disk: pages of an application rarely have an extension.
    pub(crate) fn may_be_a_file(&self) -> bool {
        self.name().contains('.') || self.0.starts_with(".well-known/")
    }

    /// Where it is below a folder.
    pub fn below(&self, folder: &Path) -> PathBuf {
        let mut path = folder.to_owned();
        path.extend(self.0.split('/'));
        path
    }

    /// Whether a relative path read back from the disk (a link's target, say) obeys the same rules.
    pub(crate) fn is_servable(relative: &Path) -> bool {
        let segments: Option<Vec<&str>> = relative.iter().map(|segment| segment.to_str()).collect();
        segments.is_some_and(|segments| Self::plain(&segments.join("/")).is_some())
    }
}

fn contains_encoded_slash(raw: &str) -> bool {
    raw.as_bytes().windows(3).any(|window| window.eq_ignore_ascii_case(b"%2f"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ordinary_addresses_become_paths() {
        for (raw, path) in [
            ("/robots.txt", "robots.txt"),
            ("/build/assets/app-B1a2c3D4.js", "build/assets/app-B1a2c3D4.js"),
            ("/a%20b.txt", "a b.txt"),
            ("/gr%C3%BC%C3%9Fe.html", "grüße.html"),
            ("/%252e%252e.txt", "%2e%2e.txt"),
            ("/.well-known/security.txt", ".well-known/security.txt"),
        ] {
            assert_eq!(FilePath::parse(raw).as_ref().map(FilePath::as_str), Some(path), "{raw}");
        }
    }

    #[test]
    fn addresses_that_could_lead_elsewhere_become_nothing() {
        for raw in [
            "",
            "/",
            "//etc/passwd",
            "/..",
            "/../.env",
            "/a/../../.env",
            "/%2e%2e/.env",
            "/.%2E/.env",
            "/a/..%2f.env",
            "/a%2Fb.txt",
            "/..%5c.env",
            "/..\\.env",
            "/c:/windows/win.ini",
            "/a.txt::$DATA",
            "/a%00.txt",
            "/a%0a.txt",
            "/%ff.txt",
            "/%c0%ae%c0%ae/.env",
            "/.env",
            "/.git/config",
            "/a/.htaccess",
            "/a/.well-known/x",
            "/./a.txt",
            "/.well-known",
            "/.well-known/.env",
            "/.well-known/../.env",
            "/a/",
            "a.txt",
        ] {
            assert_eq!(FilePath::parse(raw), None, "{raw}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_asked_for_the_path_stays_below_its_folder(raw in hostile_path()) {
            let Some(path) = FilePath::parse(&raw) else { return Ok(()) };
            let joined = path.below(Path::new("/srv/public"));
            let rest = joined.strip_prefix("/srv/public").unwrap();
            prop_assert!(rest.components().all(|part| matches!(part, std::path::Component::Normal(_))));
            prop_assert!(!joined.to_str().unwrap().contains('\0'));
            prop_assert!(rest.starts_with(WELL_KNOWN) || !path.as_str().split('/').any(|part| part.starts_with('.')));
            prop_assert!(FilePath::is_servable(rest));
        }
    }

    fn hostile_path() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("/"),
            Just(".."),
            Just("."),
            Just("%2e"),
            Just("%2E%2e"),
            Just("%2f"),
            Just("%5c"),
            Just("\\"),
            Just("%00"),
            Just("%"),
            Just("%zz"),
            Just("%c3"),
            Just(".well-known"),
            Just("a"),
            Just("é"),
            Just("%252e"),
        ];
        let pieces =
            proptest::collection::vec(piece, 0..12).prop_map(|pieces| format!("/{}", pieces.concat()));
        prop_oneof![pieces, any::<String>().prop_map(|text| format!("/{text}"))]
    }
}
