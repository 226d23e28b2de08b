//! The crates and their arrows: CONTRIBUTING.md says which crate uses which of ours, and the manifests have to agree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use crate::workspace::Workspace;

/// What stands before the names of our crates, and is left out in the picture.
const PREFIX: &str = "housekey-";

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// How many crates there are, if each uses exactly those that the picture says.
pub(crate) fn check(workspace: &Workspace) -> Result<usize, String> {
    let read = |path: PathBuf| {
        fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    };
    let drawn = drawn(&read(workspace.path("CONTRIBUTING.md"))?);
    let mut real = Arrows::new();
    let crates = workspace.path("crates");
    let folders =
        fs::read_dir(&crates).map_err(|error| format!("cannot read {}: {error}", crates.display()))?;
    for folder in folders {
        let folder = folder.map_err(|error| error.to_string())?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        real.insert(short(&name).to_owned(), used(&read(folder.join("Cargo.toml"))?));
    }
    for name in real.keys().chain(drawn.keys()) {
        let (real, drawn) = (real.get(name), drawn.get(name));
        if real != drawn {
            return Err(format!(
                "the picture in CONTRIBUTING.md says that `{name}` uses {}, its manifest says {}",
                listed(drawn),
                listed(real)
            ));
        }
    }
    Ok(real.len())
}

/// Lines of the first block that is marked as `rooms`: `http: cache core database`.
fn drawn(text: &str) -> Arrows {
    let block = text.split("```rooms\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    let lines = block.lines().filter_map(|line| line.split_once(':'));
    lines
        .map(|(name, uses)| (name.trim().to_owned(), uses.split_whitespace().map(str::to_owned).collect()))
        .collect()
}

/// Those of ours among a manifest's dependencies; what only its tests use is no arrow.
fn used(manifest: &str) -> BTreeSet<String> {
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter_map(|name| name.strip_prefix(PREFIX)).map(str::to_owned).collect()
}

fn short(name: &str) -> &str {
    name.strip_prefix(PREFIX).unwrap_or(name)
}

fn listed(names: Option<&BTreeSet<String>>) -> String {
    match names {
        None => "nothing, for it is not there".to_owned(),
        Some(names) if names.is_empty() => "none of ours".to_owned(),
        Some(names) => names.iter().map(String::as_str).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_and_the_manifests_are_read_alike() {
        let picture = "text\n```rooms\ncore:\nhttp: cache core\n```\n```rooms\nother: x\n```\n";
        let arrows = drawn(picture);
        assert_eq!(arrows.keys().collect::<Vec<_>>(), ["core", "http"]);
        let manifest = "[package]\nname = \"housekey-http\"\n\n[dependencies]\naxum = \"1\"\nhousekey-cache.workspace = true\n\
                        housekey-core = { workspace = true }\n\n[dev-dependencies]\nhousekey-view.workspace = true\n";
        assert_eq!(used(manifest), arrows["http"]);
    }
}
