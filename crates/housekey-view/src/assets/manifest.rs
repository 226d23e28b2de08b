use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use super::problem::AssetProblem;
use super::tag::Tag;

/// What a build left behind: which file each entry became, and which other files it needs.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    chunks: BTreeMap<String, Chunk>,
    /// Tags that other plugins of the bundler inject.
    pub(super) injected: Vec<Tag>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Chunk {
    file: String,
    is_entry: bool,
    css: Vec<String>,
    imports: Vec<String>,
}

impl Manifest {
    /// Reads `manifest.json`, and `tags.json` beside it. `None` when there is no build.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, AssetProblem> {
        let Some(text) = read(path)? else { return Ok(None) };
        let chunks = parse(path, &text)?;
        let tags = path.with_file_name("tags.json");
        let injected = match read(&tags)? {
            Some(text) => parse(&tags, &text)?,
            None => Vec::new(),
        };
        Ok(Some(Self { chunks, injected }))
    }

    /// The tags for these entries, in the order a browser should meet them: styles, then what the scripts import,
    /// then the scripts. Each file once, however many entries share it.
    pub(super) fn tags(&self, entries: &[impl AsRef<str>], prefix: &str) -> Result<Vec<Tag>, AssetProblem> {
        let (mut styles, mut preloads, mut scripts) = (Files::default(), Files::default(), Files::default());
        for entry in entries {
            let entry = entry.as_ref();
            let chunk = self.entry(entry)?;
            self.collect(chunk, &mut styles, &mut preloads, &mut HashSet::new());
            if chunk.file.ends_with(".css") {
                styles.add(&chunk.file);
            } else {
                scripts.add(&chunk.file);
            }
        }
        let url = |file: &&str| format!("{prefix}{file}");
        let styles = styles.0.iter().map(|file| Tag::stylesheet(&url(file)));
        let preloads = preloads.0.iter().filter(|file| !scripts.0.contains(file));
        let preloads =
            preloads.map(|file| Tag::new("link", &[("rel", "modulepreload"), ("href", &url(file))]));
        let scripts = scripts.0.iter().map(|file| Tag::module(&url(file)));
        Ok(styles.chain(preloads).chain(scripts).collect())
    }

    /// The file that a source file became.
    pub(super) fn file(&self, source: &str) -> Result<&str, AssetProblem> {
        match self.chunks.get(source) {
            Some(chunk) => Ok(&chunk.file),
            None => Err(AssetProblem::UnknownEntry {
                entry: source.to_owned(),
                known: self.chunks.keys().cloned().collect(),
            }),
        }
    }

    fn entry(&self, name: &str) -> Result<&Chunk, AssetProblem> {
        self.chunks.get(name).filter(|chunk| chunk.is_entry).ok_or_else(|| {
            let entries = self.chunks.iter().filter(|(_, chunk)| chunk.is_entry);
            let known = entries.map(|(name, _)| name.clone()).collect();
            AssetProblem::UnknownEntry { entry: name.to_owned(), known }
        })
    }

    /// Imports first: their styles come before those of the file that builds on them. Chunks may import in a circle.
    fn collect<'a>(
        &'a self,
        chunk: &'a Chunk,
        styles: &mut Files<'a>,
        preloads: &mut Files<'a>,
        seen: &mut HashSet<&'a str>,
    ) {
        for import in &chunk.imports {
            if let Some(imported) = self.chunks.get(import).filter(|_| seen.insert(import)) {
                self.collect(imported, styles, preloads, seen);
                preloads.add(&imported.file);
            }
        }
        chunk.css.iter().for_each(|file| styles.add(file));
    }
}

/// Files in order, each once.
#[derive(Default)]
struct Files<'a>(Vec<&'a str>);

impl<'a> Files<'a> {
    fn add(&mut self, file: &'a str) {
        if !self.0.contains(&file) {
            self.0.push(file);
        }
    }
}

fn read(path: &Path) -> Result<Option<String>, AssetProblem> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(AssetProblem::Unreadable { file: path.to_owned(), reason: error.to_string() }),
    }
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path, text: &str) -> Result<T, AssetProblem> {
    serde_json::from_str(text)
        .map_err(|error| AssetProblem::Unreadable { file: path.to_owned(), reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let chunks = serde_json::from_str(
            r#"{
                "a.ts": { "file": "assets/a.js", "isEntry": true, "imports": ["_s.js", "_t.js"], "css": ["assets/a.css"] },
                "b.ts": { "file": "assets/b.js", "isEntry": true, "imports": ["_s.js"] },
                "c.css": { "file": "assets/c.css", "isEntry": true },
                "_s.js": { "file": "assets/s.js", "imports": ["_t.js"], "css": ["assets/s.css"] },
                "_t.js": { "file": "assets/t.js", "imports": ["_s.js"], "css": ["assets/t.css"] }
            }"#,
        );
        Manifest { chunks: chunks.unwrap(), injected: Vec::new() }
    }

    fn tags(entries: &[&str]) -> Vec<String> {
        let tags = manifest().tags(entries, "/build/").unwrap();
        tags.iter()
            .map(|tag| {
                let mut html = String::new();
                tag.write(&mut html, None);
                html
            })
            .collect()
    }

    #[test]
    fn styles_of_imports_come_first_every_file_once_and_circles_end() {
        assert_eq!(
            tags(&["c.css", "a.ts", "b.ts"]),
            [
                r#"<link href="/build/assets/c.css" rel="stylesheet">"#,
                r#"<link href="/build/assets/t.css" rel="stylesheet">"#,
                r#"<link href="/build/assets/s.css" rel="stylesheet">"#,
                r#"<link href="/build/assets/a.css" rel="stylesheet">"#,
                r#"<link href="/build/assets/t.js" rel="modulepreload">"#,
                r#"<link href="/build/assets/s.js" rel="modulepreload">"#,
                r#"<script src="/build/assets/a.js" type="module"></script>"#,
                r#"<script src="/build/assets/b.js" type="module"></script>"#,
            ]
        );
    }

    #[test]
    fn an_unknown_entry_names_those_that_exist() {
        let problem = manifest().tags(&["z.ts"], "/").unwrap_err().to_string();
        assert!(problem.starts_with("the build has no entry `z.ts`; it has a.ts, b.ts, c.css."), "{problem}");
        // A chunk that is no entry is not to be asked for.
        assert!(manifest().tags(&["_s.js"], "/").is_err());
    }
}
