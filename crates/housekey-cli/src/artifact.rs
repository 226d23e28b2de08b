//! Which program of a cargo build is the app's, as cargo's own messages tell it.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The app's program, once a message has named it.
#[derive(Debug, Default)]
pub(crate) struct Program(Option<PathBuf>);

impl Program {
    /// Takes note of one message of `cargo build --message-format=json`.
    pub(crate) fn note(&mut self, message: &Value, manifest: &Path) {
        if message["reason"] != "compiler-artifact" {
            return;
        }
        let is_ours = message["manifest_path"].as_str().is_some_and(|path| manifest == Path::new(path));
        let Some(executable) = message["executable"].as_str().filter(|_| is_ours) else { return };
        // A package with several programs is served by the one that carries its name.
        let is_main = message["package_id"].as_str().is_some_and(|id| names(id, &message["target"]["name"]));
        if is_main || self.0.is_none() {
            self.0 = Some(executable.into());
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.0.as_deref()
    }
}

/// Package ids look like `path+file:///work/my-app#0.1.0`, or `…/folder#my-app@0.1.0` when the folder has another name.
fn names(package_id: &str, target: &Value) -> bool {
    let (path, fragment) = package_id.rsplit_once('#').unwrap_or((package_id, ""));
    let package =
        fragment.rsplit_once('@').map_or_else(|| path.rsplit('/').next().unwrap_or(path), |(name, _)| name);
    target == package
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_program_that_carries_the_package_name_is_served() {
        assert!(names("path+file:///work/my-app#0.1.0", &json!("my-app")));
        assert!(names("path+file:///work/folder#my-app@0.1.0", &json!("my-app")));
        assert!(!names("path+file:///work/my-app#0.1.0", &json!("importer")));
    }

    #[test]
    fn a_program_of_another_package_is_not_the_apps() {
        let message = |manifest: &str, name: &str| {
            json!({
                "reason": "compiler-artifact", "manifest_path": manifest, "executable": format!("/target/{name}"),
                "package_id": "path+file:///app#my-app@0.1.0", "target": { "name": name }
            })
        };
        let manifest = Path::new("/app/Cargo.toml");
        let mut program = Program::default();
        program.note(&message("/other/Cargo.toml", "tool"), manifest);
        assert_eq!(program.path(), None);
        for name in ["importer", "my-app", "reporter"] {
            program.note(&message("/app/Cargo.toml", name), manifest);
        }
        assert_eq!(program.path(), Some(Path::new("/target/my-app")));
    }
}
