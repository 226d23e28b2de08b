//! Which files matter, and a word when one of them changes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::event::Event;
use crate::app::App;
use crate::ui;

/// Folders whose every file is part of the app. What the bundler looks after (styles, scripts) is not in here.
const FOLDERS: [&str; 5] = ["src", "config", "database", "lang", "resources/views"];
/// Files at the root that matter. Not `Cargo.lock`: cargo writes it itself, in the middle of a build.
const FILES: [&str; 3] = ["Cargo.toml", "build.rs", ".env"];

/// Watches until it is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    watcher: Option<RecommendedWatcher>,
    root: PathBuf,
}

impl Watch {
    pub(crate) fn start(app: &App, events: Sender<Event>) -> Self {
        let root = app.root().canonicalize().unwrap_or_else(|_| app.root().to_owned());
        let below = root.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            if is_a_change(event.kind) {
                for path in event.paths.into_iter().filter(|path| matters(&below, path)) {
                    let _ = events.send(Event::Changed(path));
                }
            }
        });
        let watcher = watcher
            .inspect_err(|error| {
                ui::warning(&format!(
                    "files cannot be watched ({error}); restart `housekey dev` to see changes"
                ));
            })
            .ok();
        let mut watch = Self { watcher, root };
        watch.cover();
        watch
    }

    /// Watches every folder there is. Called again after changes, since a folder may be new: the root itself is
    /// watched without what lies below it, because `target` and `node_modules` do.
    pub(crate) fn cover(&mut self) {
        let Some(watcher) = &mut self.watcher else { return };
        // Watching twice is harmless, and a file that an editor replaces needs its folder watched, not itself.
        let _ = watcher.watch(&self.root, RecursiveMode::NonRecursive);
        if self.root.join("resources").is_dir() {
            let _ = watcher.watch(&self.root.join("resources"), RecursiveMode::NonRecursive);
        }
        for folder in FOLDERS.map(|folder| self.root.join(folder)).iter().filter(|folder| folder.is_dir()) {
            if let Err(error) = watcher.watch(folder, RecursiveMode::Recursive) {
                ui::warning(&format!("{} cannot be watched: {error}", folder.display()));
            }
        }
    }
}

/// Reading is no change: cargo reads every source it compiles.
fn is_a_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

fn matters(root: &Path, path: &Path) -> bool {
    let Ok(below) = path.strip_prefix(root) else { return false };
    if is_an_editors(below) {
        return false;
    }
    FILES.iter().any(|file| below == Path::new(file))
        || FOLDERS.iter().any(|folder| below.starts_with(folder))
}

/// Swap files, backups and the like: written on every key stroke, part of nothing.
fn is_an_editors(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.ends_with('~')
        || name.starts_with(".#")
        || name.starts_with('#')
        || [".swp", ".swx", ".swo", ".tmp", ".bak"].iter().any(|ending| name.ends_with(ending))
        || name == "4913"
        || name == ".DS_Store"
}

/// True when only the compiler can make a difference of it: if it finds nothing new, the app need not restart.
pub(crate) fn is_compiled(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs" || extension == "toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_matters_and_what_tools_write_does_not() {
        let root = Path::new("/app");
        for path in
            ["src/lib.rs", "config/app.rs", "lang/en.json", "resources/views/a.html", "Cargo.toml", ".env"]
        {
            assert!(matters(root, &root.join(path)), "{path}");
        }
        for path in [
            "target/debug/app",
            "node_modules/x.js",
            "resources/css/app.css",
            "storage/framework/restarted",
            "public/hot",
            "Cargo.lock",
            "src/.lib.rs.swp",
            "src/4913",
            "src/lib.rs~",
            ".git/index",
        ] {
            assert!(!matters(root, &root.join(path)), "{path}");
        }
    }

    #[test]
    fn reading_a_file_is_no_change() {
        assert!(!is_a_change(EventKind::Access(AccessKind::Open(AccessMode::Any))));
        assert!(is_a_change(EventKind::Access(AccessKind::Close(AccessMode::Write))));
        assert!(is_a_change(EventKind::Modify(notify::event::ModifyKind::Any)));
    }
}
