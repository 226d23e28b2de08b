//! The folder that goes to the server.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::app::App;
use crate::failure::Failure;
use crate::ui;

/// Tells a folder of ours from any other: only in one of ours is anything replaced.
const MARK: &str = ".housekey-build";
const ABOUT: &str = "`housekey build` wrote this folder and replaces its parts when it runs again. What the app writes to storage/ stays.\n";

/// What an app may read at run time, by the kits' own folders. The rest is compiled into the program.
const PARTS: [&str; 3] = ["public", "lang", ".env.example"];
/// Says where a bundler's dev server runs. On a server it would send browsers to a port of their own machine.
const HOT_FILE: &str = "public/hot";

/// A folder that may be written to.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Below the app's root.
    parts: Vec<PathBuf>,
}

/// Something that was put into the folder.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

impl Folder {
    /// Looks before anything is built: a folder with other things in it is somebody's.
    pub(crate) fn open(app: &App, path: &Path, with: &[&str]) -> Result<Self, Failure> {
        let parts = PARTS.iter().map(PathBuf::from).filter(|part| app.root().join(part).exists());
        let mut parts: Vec<PathBuf> = parts.collect();
        for wish in with {
            parts.push(below(app, wish)?);
        }
        let folder = Self { path: path.to_owned(), parts };
        folder.must_be_ours(app)?;
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn must_be_ours(&self, app: &App) -> Result<(), Failure> {
        let refuse = |why: &str| {
            Err(Failure::usage(format!("{} {why}", self.path.display()))
                .help("Name a folder of its own with --out, one that is new or that `housekey build` made."))
        };
        let (Some(real), Some(root)) = (resolved(&self.path), resolved(app.root())) else {
            return refuse("leads through a folder that does not exist");
        };
        if root.starts_with(&real) {
            return refuse("holds the app itself");
        }
        if self.parts.iter().any(|part| real.starts_with(root.join(part))) {
            return refuse("lies inside a folder that is copied into it");
        }
        match fs::read_dir(&self.path).map(Iterator::count) {
            Ok(0) => Ok(()),
            Ok(_) if self.path.join(MARK).is_file() => Ok(()),
            Ok(_) => refuse("has something else in it"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => refuse(&format!("cannot be used: {error}")),
        }
    }

    /// Puts everything in, part by part: each is copied beside its place first and takes it when it is whole.
    pub(crate) fn fill(&self, app: &App, program: &Path) -> Result<Vec<Part>, Failure> {
        let failed = |what: &Path, error: &io::Error| {
            Failure::failed(format!(
                "{} could not be written to {}: {error}",
                what.display(),
                self.path.display()
            ))
        };
        let prepared = fs::create_dir_all(self.path.join("storage"))
            .and_then(|()| fs::write(self.path.join(MARK), ABOUT));
        prepared.map_err(|error| failed(Path::new("storage"), &error))?;

        let name = PathBuf::from(program.file_name().unwrap_or_default());
        let program_part = (name, program.to_owned());
        let others = self.parts.iter().map(|part| (part.clone(), app.root().join(part)));
        let mut written = Vec::new();
        for (name, source) in std::iter::once(program_part).chain(others) {
            let bytes = self.put(app, &name, &source).map_err(|error| failed(&name, &error))?;
            let slash = if source.is_dir() { "/" } else { "" };
            written.push(Part { name: format!("{}{slash}", name.display()), bytes });
        }
        Ok(written)
    }

    fn put(&self, app: &App, name: &Path, source: &Path) -> io::Result<u64> {
        let place = self.path.join(name);
        let parent = place.parent().unwrap_or(&self.path);
        fs::create_dir_all(parent)?;
        let file = place.file_name().unwrap_or_default().to_string_lossy();
        let (new, old) = (parent.join(format!(".{file}.new")), parent.join(format!(".{file}.old")));
        // Left behind by a run that was cut short.
        remove(&new)?;
        remove(&old)?;
        let bytes = Copy { root: app.root() }.copy(source, &new)?;
        if place.is_dir() {
            fs::rename(&place, &old)?;
        }
        fs::rename(&new, &place)?;
        remove(&old)?;
        Ok(bytes)
    }
}

/// A wish as a path below the app's root.
fn below(app: &App, wish: &str) -> Result<PathBuf, Failure> {
    let refuse = |why: &str| Err(Failure::usage(format!("--with={wish}: {why}")));
    let (Some(path), Some(root)) = (resolved(&app.root().join(wish)), resolved(app.root())) else {
        return refuse("there is no such file or folder in the app");
    };
    match path.strip_prefix(&root) {
        Err(_) => refuse("that lies outside the app"),
        Ok(part) if part.as_os_str().is_empty() => refuse("that is the whole app"),
        Ok(part) if part == Path::new(".env") => {
            refuse("it holds the secrets of this machine; a server has its own")
        }
        Ok(_) if !path.exists() => refuse("there is no such file or folder in the app"),
        Ok(part) => Ok(part.to_owned()),
    }
}

/// The path without links, also when its end does not exist yet. None when it steps back out of a folder that is not
/// there: where that leads is anybody's guess.
fn resolved(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = path.canonicalize() {
        return Some(real);
    }
    Some(resolved(path.parent()?)?.join(path.file_name()?))
}

fn remove(path: &Path) -> io::Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Copies what the app's own server would serve: it follows no link out of its folder, so none is followed here.
struct Copy<'a> {
    root: &'a Path,
}

impl Copy<'_> {
    /// Gives back how many bytes there are.
    fn copy(&self, from: &Path, to: &Path) -> io::Result<u64> {
        if from.is_dir() { self.folder(from, to) } else { fs::copy(from, to) }
    }

    fn folder(&self, from: &Path, to: &Path) -> io::Result<u64> {
        fs::create_dir(to)?;
        let mut bytes = 0;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let path = entry.path();
            let kind = entry.file_type()?;
            if path == self.root.join(HOT_FILE) {
                continue;
            }
            if kind.is_symlink() {
                ui::warning(&format!("{} is a link and is left out; copy what it leads to", path.display()));
                continue;
            }
            bytes += self.copy(&path, &to.join(entry.file_name()))?;
        }
        Ok(bytes)
    }
}
