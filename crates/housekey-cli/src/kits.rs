//! The kits inside this binary, and how parts become the files of one app.

use std::collections::BTreeMap;

use crate::failure::Failure;

/// One line of `kits/manifest.toml`.
#[derive(Debug)]
pub(crate) struct Kit {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// The names of `.env.example` that get a fresh value in `.env`.
    pub(crate) secrets: &'static [&'static str],
    /// Commands of the app's own console that make a new app ready, in order.
    pub(crate) setup: &'static [&'static str],
    /// Who can sign in after that.
    pub(crate) demo: Option<&'static str>,
    parts: &'static [&'static str],
    /// Files and folders of the lower parts that are left out.
    without: &'static [&'static str],
}

struct Part {
    name: &'static str,
    files: &'static [File],
}

pub(crate) type File = (&'static str, &'static [u8]);

include!(concat!(env!("OUT_DIR"), "/kits.rs"));

impl Kit {
    pub(crate) fn find(name: &str) -> Result<&'static Self, Failure> {
        if let Some(kit) = KITS.iter().find(|kit| kit.name == name) {
            return Ok(kit);
        }
        Err(Failure::usage(format!("there is no kit `{name}`"))
            .help(format!("Kits in this version:\n{}", list())))
    }

    /// The files of the app, by path. A file of a later part has replaced the earlier one's of the same name.
    pub(crate) fn files(&self) -> BTreeMap<&'static str, &'static [u8]> {
        let parts: Vec<&Part> =
            self.parts.iter().filter_map(|name| PARTS.iter().find(|part| part.name == *name)).collect();
        merge(&parts, self.without)
    }
}

/// The kits that can be created, one on each line.
pub(crate) fn list() -> String {
    let lines: Vec<String> =
        KITS.iter().map(|kit| format!("  --kit={:<6} {}", kit.name, kit.about)).collect();
    lines.join("\n")
}

/// Lays the parts over one another. What is left out is left out of the lower ones: the kit's own part is whole.
fn merge(parts: &[&Part], without: &[&str]) -> BTreeMap<&'static str, &'static [u8]> {
    let Some((own, lower)) = parts.split_last() else { return BTreeMap::new() };
    let stays = |(path, _): &File| !without.iter().any(|left_out| is_at_or_below(path, left_out));
    let lower = lower.iter().flat_map(|part| part.files.iter().copied()).filter(stays);
    lower.chain(own.files.iter().copied()).collect()
}

fn is_at_or_below(path: &str, place: &str) -> bool {
    path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_part_replaces_a_file_of_the_same_name() {
        let base = Part { name: "base", files: &[("a", b"base"), ("b", b"base")] };
        let upper = Part { name: "upper", files: &[("b", b"upper"), ("c", b"upper")] };

        let files = merge(&[&base, &upper], &[]);

        assert_eq!(files["a"], b"base");
        assert_eq!(files["b"], b"upper");
        assert_eq!(files["c"], b"upper");
    }

    #[test]
    fn what_a_kit_does_without_is_left_out_of_the_lower_parts_only() {
        let base = Part {
            name: "base",
            files: &[("a", b"base"), ("b/c", b"base"), ("bc", b"base"), ("b/d", b"base")],
        };
        let upper = Part { name: "upper", files: &[("b/d", b"upper")] };

        let files = merge(&[&base, &upper], &["a", "b"]);

        assert_eq!(files.keys().copied().collect::<Vec<_>>(), ["b/d", "bc"]);
        assert_eq!(files["b/d"], b"upper");
    }

    #[test]
    fn a_kit_leaves_out_only_what_its_parts_have() {
        for kit in KITS {
            let parts = PARTS.iter().filter(|part| kit.parts.contains(&part.name));
            let paths: Vec<&str> = parts.flat_map(|part| part.files).map(|(path, _)| *path).collect();
            for left_out in kit.without {
                let known = paths.iter().any(|path| is_at_or_below(path, left_out));
                assert!(known, "{} leaves out `{left_out}`, which no part has", kit.name);
            }
        }
    }

    #[test]
    fn every_kit_of_the_manifest_has_files_and_a_purpose() {
        for kit in KITS {
            assert!(!kit.about.is_empty());
            assert_eq!(
                kit.parts.iter().filter(|name| PARTS.iter().any(|part| part.name == **name)).count(),
                kit.parts.len()
            );
            assert!(kit.files().contains_key("Cargo.toml"));
        }
    }

    #[test]
    fn the_kits_are_four_and_another_is_unknown() {
        let names: Vec<&str> = KITS.iter().map(|kit| kit.name).collect();
        assert_eq!(names, ["none", "api", "jsx", "spa"]);
        assert!(Kit::find("bogus").unwrap_err().to_string().contains("there is no kit `bogus`"));
    }
}
