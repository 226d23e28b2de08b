//! The kits with layers: all of them at once as a person would use them, and in one kit each alone as far as the compiler and its
//! lints see it. That the edits of every other combination fit each other, tests of the command see to, which create them all.

use std::fs;

use super::{App, accounts};
use crate::count::Count;
use crate::node;
use crate::suite::{Failure, Progress};
use crate::workspace::Workspace;

pub(crate) fn jsx(workspace: &Workspace, progress: &mut Progress) {
    test(workspace, progress, "jsx", &["check", "build"]);
}

pub(crate) fn spa(workspace: &Workspace, progress: &mut Progress) {
    test(workspace, progress, "spa", &["check", "test", "build"]);
}

// spec: LAY-1
fn test(workspace: &Workspace, progress: &mut Progress, kit: &str, scripts: &[&str]) {
    let find = || {
        let fitting = fitting(workspace, kit)?;
        if fitting.is_empty() {
            return Err(format!("there is no layer for {kit} below kits/layers").into());
        }
        Ok((fitting, Count::ONE))
    };
    let Some(all) = progress.step_with(&format!("kit {kit}: its layers"), find) else { return };
    together(workspace, progress, kit, &all, scripts);
    // Their Rust is the same in both kits but for the pages, so one of them has each alone.
    if kit == "jsx" && all.len() > 1 {
        for layer in &all {
            alone(workspace, progress, kit, layer);
        }
    }
}

/// All layers, which is where most of what breaks would break: lints, tests, scripts and a browser.
fn together(workspace: &Workspace, progress: &mut Progress, kit: &str, layers: &[String], scripts: &[&str]) {
    let step = |what: &str| format!("kit {kit} with {}: {what}", layers.join(" and "));
    let name = format!("kit-{kit}-{}", layers.join("-"));
    let create = || Ok((App::create_with(workspace, kit, layers, &name)?, Count::ONE));
    let Some(app) = progress.step_with(&step("create"), create) else { return };
    progress.step(&step("tables from its configuration"), || accounts::tables(&app));
    // The types are what the Rust of this very combination says.
    if kit == "spa" {
        progress.step(&step("types of its routes"), || accounts::types(&app));
    }
    progress.step(&step("lints"), || app.lint());
    progress.step(&step("its own tests"), || app.test_within_and(&own_tests(workspace, layers, kit)?));
    progress.step(&step("npm packages"), || Ok(node::install(&app.folder()).map(|()| Count::ONE)?));
    for script in scripts {
        progress.step(&step(&format!("npm run {script}")), || accounts::npm_run(&app, script));
    }
    progress.step(&step("in a browser"), || browser(&app, layers));
}

/// One layer, compiled with its tests. They ran with all layers, and no layer asks for a feature of the framework.
fn alone(workspace: &Workspace, progress: &mut Progress, kit: &str, layer: &str) {
    let step = |what: &str| format!("kit {kit} with {layer}: {what}");
    let name = format!("kit-{kit}-{layer}");
    let create = || Ok((App::create_with(workspace, kit, &[layer.to_owned()], &name)?, Count::ONE));
    let Some(app) = progress.step_with(&step("create"), create) else { return };
    progress.step(&step("lints"), || app.lint());
}

/// The test targets that layers bring. Those of the kit ran without layers.
fn own_tests(workspace: &Workspace, layers: &[String], kit: &str) -> Result<Vec<String>, String> {
    let mut targets = Vec::new();
    for layer in layers {
        let before = targets.len();
        for part in ["all", kit] {
            let folder = workspace.path(&format!("kits/layers/{layer}/{part}/tests"));
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
                if path.join("main.rs").is_file() {
                    targets.push(name);
                } else if let Some(name) = name.strip_suffix(".rs") {
                    targets.push(name.to_owned());
                }
            }
        }
        if targets.len() == before {
            return Err(format!("the layer {layer} has no Rust test of its own"));
        }
    }
    targets.sort();
    Ok(targets)
}

/// The browser tests of the layers, and the kit's walk over every page, which now have something of the layers on them. The rest of
/// the kit's own ran without layers.
fn browser(app: &App, layers: &[String]) -> Result<Count, Failure> {
    let names = layers.iter().map(String::as_str).chain(["every-page"]);
    let files: Vec<_> = names.map(|name| format!("{name}.test.js")).collect();
    accounts::browser_tests(app, &files)
}

/// The layers whose manifest names the kit.
fn fitting(workspace: &Workspace, kit: &str) -> Result<Vec<String>, String> {
    let folder = workspace.path("kits/layers");
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries.flatten() {
        let manifest = fs::read_to_string(entry.path().join("manifest.toml")).unwrap_or_default();
        if fits(&manifest, kit) {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn fits(manifest: &str, kit: &str) -> bool {
    let kits = manifest.lines().find(|line| line.trim_start().starts_with("kits"));
    kits.is_some_and(|line| line.contains(&format!("\"{kit}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_fits_the_kits_of_its_manifest() {
        let manifest = "about = \"For jsx.\"\nkits = [\"spa\", \"api\"]\n";
        assert!(fits(manifest, "spa") && !fits(manifest, "jsx") && !fits("", "jsx"));
    }
}
