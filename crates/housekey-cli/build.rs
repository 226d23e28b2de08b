//! Puts the kits into the binary: every file of every part and layer, the manifests, and the changelog's steps of
//! upgrading, as one generated table each.
//!
//! A build script and not a macro, because only a build script can tell cargo to look at the kits again when a file
//! in them is added, changed or removed.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../..").canonicalize()?;
    let (kits, changelog) = (root.join("kits"), root.join("CHANGELOG.md"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", kits.display());
    println!("cargo::rerun-if-changed={}", changelog.display());

    let Manifest { kits: described, order } = manifest(&fs::read_to_string(kits.join("manifest.toml"))?)?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("kits.rs"), table_of_kits(&kits, &described)?)?;
    fs::write(out.join("layers.rs"), table_of_layers(&kits, &described, &order)?)?;
    fs::write(out.join("steps.rs"), table_of_steps(&fs::read_to_string(changelog)?)?)?;
    Ok(())
}

fn table_of_kits(kits: &Path, described: &[Kit]) -> Outcome<String> {
    let mut parts: Vec<&str> =
        described.iter().flat_map(|kit| kit.layers.iter().map(String::as_str)).collect();
    parts.sort_unstable();
    parts.dedup();
    let mut code = String::from("pub(crate) static KITS: &[Kit] = &[\n");
    for kit in described {
        let Kit { name, about, layers, without, secrets, setup, demo } = kit;
        write!(code, "    Kit {{ name: {name:?}, about: {about:?}, parts: &{layers:?}, ")?;
        writeln!(
            code,
            "without: &{without:?}, secrets: &{secrets:?}, setup: &{setup:?}, demo: {demo:?} }},"
        )?;
    }
    code.push_str("];\n\nstatic PARTS: &[Part] = &[\n");
    for part in parts {
        writeln!(code, "    Part {{ name: {part:?}, files: &[{}] }},", included(&kits.join(part))?)?;
    }
    code.push_str("];\n");
    Ok(code)
}

/// The layers that are there, in the order in which they are laid over a kit.
fn table_of_layers(kits: &Path, described: &[Kit], order: &[String]) -> Outcome<String> {
    let home = kits.join("layers");
    let mut there: Vec<String> = Vec::new();
    if home.is_dir() {
        for entry in fs::read_dir(&home)? {
            let name = entry?.file_name().into_string().map_err(|_| "a layer's name is not UTF-8")?;
            if !order.contains(&name) {
                return Err(format!("kits/layers/{name}: name it in `order` of kits/manifest.toml").into());
            }
            there.push(name);
        }
    }
    let mut code = String::from("pub(crate) static LAYERS: &[Layer] = &[\n");
    for name in order.iter().filter(|name| there.contains(name)) {
        let folder = home.join(name);
        // A folder that somebody has only begun.
        let Ok(text) = fs::read_to_string(folder.join("manifest.toml")) else {
            return Err(format!("kits/layers/{name}/manifest.toml is missing").into());
        };
        let Layer { about, kits: fits, setup } = layer(name, &text)?;
        if let Some(unknown) = fits.iter().find(|kit| !described.iter().any(|known| known.name == **kit)) {
            return Err(format!("kits/layers/{name}/manifest.toml: there is no kit `{unknown}`").into());
        }
        check_folders(&folder, &fits, order)?;
        writeln!(
            code,
            "    Layer {{ name: {name:?}, about: {about:?}, kits: &{fits:?}, setup: &{setup:?}, files: &[{}] }},",
            included(&folder)?
        )?;
    }
    code.push_str("];\n");
    Ok(code)
}

/// `all`, the kits it fits, and `with-` another layer, which has such folders again: a file elsewhere would be forgotten.
fn check_folders(folder: &Path, fits: &[String], order: &[String]) -> Outcome<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        match name.strip_prefix("with-") {
            Some(other) if order.iter().any(|layer| layer == other) => {
                check_folders(&entry.path(), fits, &[])?;
            }
            None if name == "all" || fits.contains(&name) || name == "manifest.toml" => {}
            _ => return Err(format!("{} is no folder of a layer", entry.path().display()).into()),
        }
    }
    Ok(())
}

/// The bullets below `### Upgrading` of every version.
fn table_of_steps(changelog: &str) -> Outcome<String> {
    let mut code = String::from("pub(crate) static STEPS: &[&str] = &[\n");
    let (mut inside, mut steps): (bool, Vec<String>) = (false, Vec::new());
    for line in changelog.lines() {
        if line.starts_with('#') {
            inside = line == "### Upgrading";
        } else if let Some(text) = line.strip_prefix("- ").filter(|_| inside) {
            steps.push(text.trim().to_owned());
        } else if let Some(last) = steps.last_mut().filter(|_| inside && !line.trim().is_empty()) {
            last.push(' ');
            last.push_str(line.trim());
        }
    }
    for step in steps {
        writeln!(code, "    {step:?},")?;
    }
    code.push_str("];\n");
    Ok(code)
}

/// The files of a folder as the items of a table: path and content.
fn included(folder: &Path) -> Outcome<String> {
    let mut items = String::from("\n");
    for file in files(folder)? {
        let name = file.strip_prefix(folder)?.to_str().ok_or("a kit file's name is not UTF-8")?;
        writeln!(items, "        ({:?}, include_bytes!({file:?})),", name.replace('\\', "/"))?;
    }
    items.push_str("    ");
    Ok(items)
}

/// Every file below `folder`, sorted, without what tools leave behind when someone works inside a kit.
fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    const LEFT_BEHIND: [&str; 5] = ["target", "node_modules", ".env", "Cargo.lock", "package-lock.json"];
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        if LEFT_BEHIND.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            found.extend(files(&entry.path())?);
        } else {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

struct Manifest {
    kits: Vec<Kit>,
    /// Of the layers that an app can have.
    order: Vec<String>,
}

#[derive(Default)]
struct Kit {
    name: String,
    about: String,
    layers: Vec<String>,
    without: Vec<String>,
    secrets: Vec<String>,
    setup: Vec<String>,
    demo: Option<String>,
}

#[derive(Default)]
struct Layer {
    about: String,
    kits: Vec<String>,
    setup: Vec<String>,
}

/// Reads the manifest. It refuses what it does not understand, so a typing error stops the build and not a user.
fn manifest(text: &str) -> Outcome<Manifest> {
    let mut manifest = Manifest { kits: Vec::new(), order: Vec::new() };
    for line in Line::all("kits/manifest.toml", text) {
        match line? {
            Line { key: "[]", value, .. } => {
                manifest.kits.push(Kit { name: value.to_owned(), ..Kit::default() });
            }
            line if line.key == "order" && manifest.kits.is_empty() => manifest.order = line.list()?,
            line => {
                let kit =
                    manifest.kits.last_mut().ok_or_else(|| line.refuse("a value before the first kit"))?;
                match line.key {
                    "about" => kit.about = line.string()?,
                    "layers" => kit.layers = line.list()?,
                    "without" => kit.without = line.list()?,
                    "secrets" => kit.secrets = line.list()?,
                    "setup" => kit.setup = line.list()?,
                    "demo" => kit.demo = Some(line.string()?),
                    _ => return Err(line.refuse("unknown key").into()),
                }
            }
        }
    }
    Ok(manifest)
}

fn layer(name: &str, text: &str) -> Outcome<Layer> {
    let file = format!("kits/layers/{name}/manifest.toml");
    let mut layer = Layer::default();
    for line in Line::all(&file, text) {
        let line = line?;
        match line.key {
            "about" => layer.about = line.string()?,
            "kits" => layer.kits = line.list()?,
            "setup" => layer.setup = line.list()?,
            _ => return Err(line.refuse("unknown key").into()),
        }
    }
    if layer.about.is_empty() || layer.kits.is_empty() {
        return Err(format!("{file}: `about` and `kits` must be there").into());
    }
    Ok(layer)
}

/// A line of a manifest: `key = value`, or `[name]`, whose key is `[]`.
struct Line<'a> {
    key: &'a str,
    value: &'a str,
    place: String,
}

impl<'a> Line<'a> {
    fn all(file: &str, text: &'a str) -> impl Iterator<Item = Outcome<Self>> {
        text.lines().enumerate().filter_map(move |(index, line)| {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                return None;
            }
            let place = format!("{file}, line {}", index + 1);
            if let Some(value) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                return Some(Ok(Self { key: "[]", value, place }));
            }
            let Some((key, value)) = line.split_once('=') else {
                return Some(Err(format!("{place}: expected `key = value`: {line}").into()));
            };
            Some(Ok(Self { key: key.trim(), value: value.trim(), place }))
        })
    }

    fn refuse(&self, why: &str) -> String {
        format!("{}: {why}: {} = {}", self.place, self.key, self.value)
    }

    fn string(&self) -> Outcome<String> {
        Ok(string(self.value).ok_or_else(|| self.refuse("expected a string"))?)
    }

    fn list(&self) -> Outcome<Vec<String>> {
        let inner = self.value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let items = inner.and_then(|inner| {
            inner.split(',').map(str::trim).filter(|item| !item.is_empty()).map(string).collect()
        });
        Ok(items.ok_or_else(|| self.refuse("expected a list of strings"))?)
    }
}

fn string(value: &str) -> Option<String> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains(['"', '\\'])).then(|| inner.to_owned())
}
