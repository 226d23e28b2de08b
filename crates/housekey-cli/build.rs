//! Puts the kits into the binary: every file of every layer, and the manifest, as one generated table.
//!
//! A build script and not a macro, because only a build script can tell cargo to look at the kits again when a file
//! in them is added, changed or removed.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let kits = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../kits").canonicalize()?;
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", kits.display());

    let manifest = manifest(&fs::read_to_string(kits.join("manifest.toml"))?)?;
    let mut layers: Vec<&str> =
        manifest.iter().flat_map(|kit| kit.layers.iter().map(String::as_str)).collect();
    layers.sort_unstable();
    layers.dedup();

    let mut code = String::from("pub(crate) static KITS: &[Kit] = &[\n");
    for kit in &manifest {
        let Kit { name, about, layers, without, secrets, setup, demo } = kit;
        write!(code, "    Kit {{ name: {name:?}, about: {about:?}, layers: &{layers:?}, ")?;
        writeln!(
            code,
            "without: &{without:?}, secrets: &{secrets:?}, setup: &{setup:?}, demo: {demo:?} }},"
        )?;
    }
    code.push_str("];\n\nstatic LAYERS: &[Layer] = &[\n");
    for layer in layers {
        writeln!(code, "    Layer {{ name: {layer:?}, files: &[")?;
        for file in files(&kits.join(layer))? {
            let name =
                file.strip_prefix(kits.join(layer))?.to_str().ok_or("a kit file's name is not UTF-8")?;
            let name = name.replace('\\', "/");
            writeln!(code, "        ({name:?}, include_bytes!({file:?})),")?;
        }
        code.push_str("    ] },\n");
    }
    code.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("kits.rs"), code)?;
    Ok(())
}

/// Every file below `folder`, sorted, without what tools leave behind when someone works inside a kit.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    const LEFT_BEHIND: [&str; 5] = ["target", "node_modules", ".env", "Cargo.lock", "package-lock.json"];
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("kit layer {}: {error}", folder.display()))?;
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

/// Reads the manifest. It refuses what it does not understand, so a typing error stops the build and not a user.
fn manifest(text: &str) -> Result<Vec<Kit>, Box<dyn Error>> {
    let mut kits: Vec<Kit> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let refuse = |why: &str| format!("kits/manifest.toml, line {}: {why}: {line}", index + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            kits.push(Kit { name: name.to_owned(), ..Kit::default() });
            continue;
        }
        let (key, value) = line.split_once('=').ok_or_else(|| refuse("expected `key = value`"))?;
        let kit = kits.last_mut().ok_or_else(|| refuse("a value before the first kit"))?;
        let value = value.trim();
        match key.trim() {
            "about" => kit.about = string(value).ok_or_else(|| refuse("expected a string"))?,
            "layers" => kit.layers = list(value).ok_or_else(|| refuse("expected a list of strings"))?,
            "without" => kit.without = list(value).ok_or_else(|| refuse("expected a list of strings"))?,
            "secrets" => kit.secrets = list(value).ok_or_else(|| refuse("expected a list of strings"))?,
            "setup" => kit.setup = list(value).ok_or_else(|| refuse("expected a list of strings"))?,
            "demo" => kit.demo = Some(string(value).ok_or_else(|| refuse("expected a string"))?),
            _ => return Err(refuse("unknown key").into()),
        }
    }
    Ok(kits)
}

fn string(value: &str) -> Option<String> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains(['"', '\\'])).then(|| inner.to_owned())
}

fn list(value: &str) -> Option<Vec<String>> {
    let inner = value.strip_prefix('[')?.strip_suffix(']')?;
    inner.split(',').map(str::trim).filter(|item| !item.is_empty()).map(string).collect()
}
