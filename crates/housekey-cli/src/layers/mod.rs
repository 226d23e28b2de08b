//! The layers inside this binary, and what a kit becomes with them.
//!
//! [`render`] is a pure function: `create --with`, `add` and `upgrade` all ask it, so they cannot disagree. A layer brings
//! files of its own, edits of the kit's files ([`edit`]) and members of its JSON files ([`json`]). It never overwrites.

mod edit;
pub(crate) mod json;

use std::collections::BTreeMap;

use self::edit::Document;
use crate::failure::Failure;
use crate::kits::{File, Kit};

/// The files of an app, by path.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A folder below `kits/layers`.
#[derive(Debug)]
pub(crate) struct Layer {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// The kits it fits.
    kits: &'static [&'static str],
    /// Commands of the app's own console for an app that was set up before it took the layer.
    pub(crate) setup: &'static [&'static str],
    /// Each with the folder it is in: `all/…`, `jsx/…`, `with-admin/all/…`.
    files: &'static [File],
}

include!(concat!(env!("OUT_DIR"), "/layers.rs"));

/// The layers of one app, each once, in the order of the manifest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layers(Vec<&'static Layer>);

impl Layers {
    /// Layers by their names, in any order, that all fit the kit.
    pub(crate) fn parse<'a>(kit: &Kit, names: impl IntoIterator<Item = &'a str>) -> Result<Self, Failure> {
        let names: Vec<&str> = names.into_iter().map(str::trim).collect();
        for name in &names {
            let Some(layer) = LAYERS.iter().find(|layer| layer.name == *name) else {
                return Err(Failure::usage(format!("there is no layer `{name}`")).help(Listed.to_string()));
            };
            if !layer.kits.contains(&kit.name) {
                return Err(Failure::usage(format!(
                    "the layer `{name}` does not fit the kit `{}`",
                    kit.name
                ))
                .help(format!("It fits these kits: {}.", layer.kits.join(", "))));
            }
        }
        Ok(Self(LAYERS.iter().filter(|layer| names.contains(&layer.name)).collect()))
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        Self(LAYERS.iter().filter(|layer| self.contains(layer.name) || other.contains(layer.name)).collect())
    }

    pub(crate) fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().copied().filter(|layer| !other.contains(layer.name)).collect())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static Layer> {
        self.0.iter().copied()
    }

    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.iter().map(|layer| layer.name).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn contains(&self, name: &str) -> bool {
        self.0.iter().any(|layer| layer.name == name)
    }
}

/// The layers in this version, for a help text.
pub(crate) struct Listed;

impl std::fmt::Display for Listed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Layers in this version:")?;
        if LAYERS.is_empty() {
            f.write_str("\n  none yet")?;
        }
        for Layer { name, about, kits, .. } in LAYERS {
            write!(f, "\n  {name:<14} {about} For {}.", kits.join(", "))?;
        }
        Ok(())
    }
}

/// The kit's files with the layers over them. Placeholders are still in them.
pub(crate) fn render(kit: &Kit, layers: &Layers) -> Result<Files, Failure> {
    let mut files: Files =
        kit.files().into_iter().map(|(path, content)| (path.to_owned(), content.to_owned())).collect();
    // By path, so that insertions of several layers at one place come in their order.
    let mut edited: BTreeMap<String, Document> = BTreeMap::new();
    for (layer, folder) in folders(kit, layers) {
        let below = |(path, content): &File| Some((path.strip_prefix(&folder)?, *content));
        for (path, content) in layer.files.iter().filter_map(below) {
            lay(&mut files, &mut edited, path, content).map_err(|why| {
                Failure::failed(format!("the layer `{}` is broken: {folder}{path}: {why}", layer.name))
                    .help("This is a mistake in Housekey, not in your app. Nothing was written.")
            })?;
        }
    }
    files.extend(edited.into_iter().map(|(path, document)| (path, document.text().into_bytes())));
    Ok(files)
}

/// Which folders are laid over the kit, in order. What a layer does for another comes when both are there.
fn folders(kit: &Kit, layers: &Layers) -> Vec<(&'static Layer, String)> {
    let plain =
        layers.iter().flat_map(|layer| [(layer, "all/".to_owned()), (layer, format!("{}/", kit.name))]);
    let with = layers.iter().flat_map(|layer| {
        layers.iter().flat_map(move |other| {
            ["all", kit.name].map(|folder| (layer, format!("with-{}/{folder}/", other.name)))
        })
    });
    plain.chain(with).collect()
}

fn lay(
    files: &mut Files,
    edited: &mut BTreeMap<String, Document>,
    path: &str,
    content: &[u8],
) -> Result<(), String> {
    if let Some(path) = path.strip_suffix(".edit") {
        if !edited.contains_key(path) {
            let original = files.get(path).ok_or_else(|| format!("there is no file `{path}` to edit"))?;
            edited.insert(path.to_owned(), Document::read(&text(original)?));
        }
        let document = edited.get_mut(path).ok_or("it is gone")?;
        return document.apply(&text(content)?);
    }
    if let Some(document) = edited.remove(path) {
        files.insert(path.to_owned(), document.text().into_bytes());
    }
    let content = match files.get(path) {
        None => content.to_owned(),
        Some(there) if path.ends_with(".json") => {
            json::with_members_of(&text(there)?, &text(content)?)?.into_bytes()
        }
        Some(_) => return Err(format!("there is a file `{path}` already; change it with `{path}.edit`")),
    };
    files.insert(path.to_owned(), content);
    Ok(())
}

fn text(content: &[u8]) -> Result<String, String> {
    String::from_utf8(content.to_owned()).map_err(|_| "it is not text".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kits::KITS;

    /// Every set of layers that fits the kit, the empty one first.
    fn combinations(kit: &Kit) -> Vec<Layers> {
        let fitting: Vec<&'static Layer> =
            LAYERS.iter().filter(|layer| layer.kits.contains(&kit.name)).collect();
        let sets = 0..1_usize << fitting.len();
        let chosen = |set: usize| fitting.iter().enumerate().filter(move |(bit, _)| set >> bit & 1 == 1);
        sets.map(|set| Layers(chosen(set).map(|(_, layer)| *layer).collect())).collect()
    }

    // spec: LAY-1
    #[test]
    fn every_kit_renders_with_every_combination_of_its_layers() {
        for kit in KITS {
            for layers in combinations(kit) {
                let files = render(kit, &layers).unwrap_or_else(|failure| {
                    panic!("{} with {:?}: {failure}", kit.name, layers.names());
                });
                assert!(files.keys().all(|path| !path.ends_with(".edit")), "an edit is no file of an app");
                for (path, content) in files.iter().filter(|(path, _)| path.ends_with(".json")) {
                    let valid = serde_json::from_slice::<serde_json::Value>(content);
                    assert!(valid.is_ok(), "{} with {:?}: {path}", kit.name, layers.names());
                }
            }
        }
    }

    // spec: LAY-1
    #[test]
    fn without_a_layer_a_kit_is_what_it_was() {
        for kit in KITS {
            let files = render(kit, &Layers::default()).unwrap();
            let own: Files =
                kit.files().into_iter().map(|(path, own)| (path.to_owned(), own.to_owned())).collect();
            assert_eq!(files, own);
        }
    }

    #[test]
    fn a_layer_may_not_overwrite_and_says_which_file_it_would() {
        let mut files: Files = [("a.rs".to_owned(), b"one\n".to_vec())].into();
        let mut edited = BTreeMap::new();
        let refused = lay(&mut files, &mut edited, "a.rs", b"two\n").unwrap_err();
        assert!(refused.contains("`a.rs`") && refused.contains("`a.rs.edit`"), "{refused}");
        assert!(lay(&mut files, &mut edited, "b.rs.edit", b"@after x\ny\n").is_err());
        lay(&mut files, &mut edited, "b.rs", b"x\n").unwrap();
        lay(&mut files, &mut edited, "b.rs.edit", b"@after x\ny\n").unwrap();
        assert_eq!(edited["b.rs"].text(), "x\ny\n");
    }

    #[test]
    fn what_a_layer_does_for_another_comes_when_both_are_there_and_last() {
        static FIRST: Layer = Layer {
            name: "first",
            about: "",
            kits: &["none"],
            setup: &[],
            files: &[
                ("all/first.txt", b"1\n"),
                ("with-second/all/second.txt.edit", b"@after 2\nfor the second\n"),
                ("with-second/none/both.txt", b"both\n"),
            ],
        };
        static SECOND: Layer = Layer {
            name: "second",
            about: "",
            kits: &["none"],
            setup: &[],
            files: &[("none/second.txt", b"2\n"), ("jsx/other.txt", b"of another kit\n")],
        };
        let none = Kit::find("none").unwrap();
        let both = render(none, &Layers(vec![&FIRST, &SECOND])).unwrap();
        assert_eq!(both["second.txt"], b"2\nfor the second\n");
        assert!(
            both.contains_key("first.txt")
                && both.contains_key("both.txt")
                && !both.contains_key("other.txt")
        );
        let second = render(none, &Layers(vec![&SECOND])).unwrap();
        assert_eq!(second["second.txt"], b"2\n");
        let first = render(none, &Layers(vec![&FIRST])).unwrap();
        assert!(!first.contains_key("both.txt") && !first.contains_key("second.txt"));
    }

    #[test]
    fn a_list_of_words_can_be_edited_and_added_to() {
        let mut files: Files = [("a.json".to_owned(), b"{\n  \"a\": [\n    1\n  ]\n}\n".to_vec())].into();
        let mut edited = BTreeMap::new();
        lay(&mut files, &mut edited, "a.json.edit", b"@replace 1\n    1,\n    2\n").unwrap();
        lay(&mut files, &mut edited, "a.json", b"{\"b\": 3}").unwrap();
        assert_eq!(files["a.json"], b"{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": 3\n}\n");
        lay(&mut files, &mut edited, "a.json.edit", b"@replace 2\n    5\n").unwrap();
        assert!(edited["a.json"].text().contains("    5\n"));
    }

    #[test]
    fn an_unknown_layer_is_refused_with_the_list() {
        let jsx = Kit::find("jsx").unwrap();
        let refused = Layers::parse(jsx, ["teapots"]).unwrap_err().to_string();
        assert!(refused.contains("`teapots`") && refused.contains("Layers in this version"), "{refused}");
    }

    #[test]
    fn layers_come_in_the_order_of_the_manifest_and_each_once() {
        let jsx = Kit::find("jsx").unwrap();
        let all: Vec<&str> =
            LAYERS.iter().filter(|layer| layer.kits.contains(&"jsx")).map(|layer| layer.name).collect();
        let twice_backwards = all.iter().rev().chain(all.iter()).copied();
        assert_eq!(Layers::parse(jsx, twice_backwards).unwrap().names(), all);
    }
}
