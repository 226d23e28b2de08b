//! Where a module of the app is, and the `mod` lines that make a new one known, in their sorted places.
//!
//! The app's own declarations decide, as they do for the compiler: `#[path = "../database/seeders/mod.rs"] pub mod
//! seeders;` in `src/lib.rs` is where seeders live. What is not declared yet goes below `src/`.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use housekey_build::declarations::{block, declaration, path_attribute, with_module};
use housekey_core::Result;

use crate::Problem;

/// Where a module's file is or will be, and what has to be declared for it.
#[derive(Debug)]
pub(crate) struct ModuleFile {
    pub(crate) file: PathBuf,
    /// Files that lack a `mod` line, with the text they will have.
    missing: Vec<(PathBuf, String)>,
}

impl ModuleFile {
    /// Follows the declarations from the crate's root to the module `path`. Nothing is written.
    pub(crate) fn of(source: &Path, path: &[&str]) -> Result<Self> {
        let mut walk = Walk::begin(source)?;
        let mut missing = Vec::new();
        for (depth, name) in path.iter().enumerate() {
            let text = read_or_empty(&walk.file)?;
            if let Some(edited) = with_module(&text, &walk.inline, name) {
                missing.push((walk.file.clone(), edited));
            }
            walk.enter(&text, name, depth + 1 == path.len());
        }
        Ok(Self { file: walk.file, missing })
    }

    /// A file that no module declares.
    pub(crate) fn undeclared(file: PathBuf) -> Self {
        Self { file, missing: Vec::new() }
    }

    /// Writes the missing `mod` lines and answers the files it changed.
    pub(crate) fn declare(self) -> Result<Vec<PathBuf>> {
        // The innermost first: should one fail, nothing that is part of the build names a missing file.
        for (path, text) in self.missing.iter().rev() {
            fs::write(path, text)
                .map_err(|error| Problem::new(format!("cannot write {}: {error}", path.display())))?;
        }
        Ok(self.missing.into_iter().map(|(path, _)| path).collect())
    }
}

/// How code elsewhere in the app names a type of a module: `models::post::Post` or, where the module is private and
/// its parent passes the type on, `models::Post`.
pub(crate) fn path_of_type(source: &Path, path: &[&str], name: &str) -> Result<TypePath> {
    let mut walk = Walk::begin(source)?;
    let mut visible = Vec::new();
    for (depth, module) in path.iter().enumerate() {
        let text = read_or_empty(&walk.file)?;
        let Some(line) = declaration(&text, &walk.inline, module) else { return Ok(TypePath::Nowhere) };
        // All of the crate sees what its root declares.
        if depth == 0 || line.trim_start().starts_with("pub") {
            visible.push(*module);
        } else if !passes_on(&text, name) {
            return Ok(TypePath::Private { parent: walk.file, module: (*module).to_owned() });
        }
        walk.enter(&text, module, depth + 1 == path.len());
    }
    visible.push(name);
    Ok(TypePath::Visible(visible.join("::")))
}

/// What [`path_of_type`] found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TypePath {
    Visible(String),
    /// The module is declared without `pub` and nobody passes its type on.
    Private {
        parent: PathBuf,
        module: String,
    },
    /// No such module is declared.
    Nowhere,
}

/// A step by step walk down the modules of a crate, by the compiler's rules for where their files are.
struct Walk {
    /// The file that holds the module we are in.
    file: PathBuf,
    /// Where the files of its children are, unless a `#[path]` says otherwise.
    folder: PathBuf,
    /// The modules written out in the file, `mod x { … }`, that we are in.
    inline: Vec<String>,
}

impl Walk {
    fn begin(source: &Path) -> Result<Self> {
        Ok(Self { file: crate_root(source)?, folder: source.to_owned(), inline: Vec::new() })
    }

    /// Goes into the child `name` of the module we are in, whose file has this text.
    fn enter(&mut self, text: &str, name: &str, is_last: bool) {
        let below = self.folder.join(name);
        let inner: Vec<String> = self.inline.iter().cloned().chain([name.to_owned()]).collect();
        if !is_last && block(text, &inner).is_some() {
            self.inline = inner;
            self.folder = below;
        } else if let Some(path) = path_attribute(text, &self.inline, name) {
            let beside = if self.inline.is_empty() { self.file.parent() } else { Some(&*self.folder) };
            self.file = tidy(&beside.unwrap_or(&self.folder).join(path));
            self.folder = self.file.parent().map(Path::to_owned).unwrap_or_default();
            self.inline.clear();
        } else {
            // Its own way of writing modules is kept: `x.rs` beside the folder if that is there, else `x/mod.rs`.
            let beside = self.folder.join(format!("{name}.rs"));
            self.file = if is_last || beside.is_file() { beside } else { below.join("mod.rs") };
            self.folder = below;
            self.inline.clear();
        }
    }
}

fn crate_root(source: &Path) -> Result<PathBuf> {
    let found = ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|path| path.is_file());
    found.ok_or_else(|| {
        Problem::new(format!("there is neither lib.rs nor main.rs in {}", source.display()))
            .remedy("Run this in the root of a Housekey app.")
            .into()
    })
}

/// `src/../database/x.rs` → `database/x.rs`.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        if part != Component::ParentDir || !tidy.pop() {
            tidy.push(part);
        }
    }
    tidy
}

fn read_or_empty(path: &Path) -> Result<String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(Problem::new(format!("cannot read {}: {error}", path.display())).into()),
    }
}

/// Whether a `pub use` of the file names the type.
fn passes_on(text: &str, name: &str) -> bool {
    let is_word = |part: &str| {
        part.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name)
    };
    text.split(';').any(|item| {
        item.lines().any(|line| line.trim_start().starts_with("pub use "))
            && item.rsplit("pub use ").next().is_some_and(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn declare(source: &Path, path: &[&str]) -> Vec<PathBuf> {
        ModuleFile::of(source, path).unwrap().declare().unwrap()
    }

    #[test]
    fn every_module_on_the_way_is_declared() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path();
        fs::write(source.join("lib.rs"), "pub mod routes;\n").unwrap();
        fs::create_dir_all(source.join("controllers/admin")).unwrap();

        let changed = declare(source, &["controllers", "admin", "user_controller"]);

        assert_eq!(changed.len(), 3);
        let read = |path: &str| fs::read_to_string(source.join(path)).unwrap();
        assert_eq!(read("lib.rs"), "pub mod controllers;\npub mod routes;\n");
        assert_eq!(read("controllers/mod.rs"), "pub mod admin;\n");
        assert_eq!(read("controllers/admin/mod.rs"), "pub mod user_controller;\n");
        assert!(declare(source, &["controllers", "admin", "user_controller"]).is_empty());
    }

    #[test]
    fn the_apps_own_way_of_writing_modules_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path();
        fs::write(source.join("main.rs"), "mod controllers;\nmod views;\n").unwrap();
        fs::write(source.join("controllers.rs"), "").unwrap();
        fs::create_dir_all(source.join("views/pages/team")).unwrap();
        fs::write(source.join("views/mod.rs"), "pub mod pages {\n    pub mod home;\n}\n").unwrap();

        declare(source, &["controllers", "user_controller"]);
        declare(source, &["views", "pages", "team", "list"]);

        let read = |path: &str| fs::read_to_string(source.join(path)).unwrap();
        assert_eq!(read("controllers.rs"), "pub mod user_controller;\n");
        assert_eq!(read("views/mod.rs"), "pub mod pages {\n    pub mod home;\n    pub mod team;\n}\n");
        assert_eq!(read("views/pages/team/mod.rs"), "pub mod list;\n");
    }

    #[test]
    fn a_module_is_followed_to_where_its_path_attribute_says() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("src");
        fs::create_dir_all(&source).unwrap();
        fs::create_dir_all(folder.path().join("database/seeders")).unwrap();
        let root = "pub mod routes;\n\n#[path = \"../database/seeders/mod.rs\"]\npub mod seeders;\n";
        fs::write(source.join("lib.rs"), root).unwrap();
        fs::write(folder.path().join("database/seeders/mod.rs"), "mod demo;\n").unwrap();

        let place = ModuleFile::of(&source, &["seeders", "shop", "story_seeder"]).unwrap();
        assert_eq!(place.file, folder.path().join("database/seeders/shop/story_seeder.rs"));
        fs::create_dir_all(place.file.parent().unwrap()).unwrap();
        let changed = place.declare().unwrap();

        let seeders = folder.path().join("database/seeders");
        assert_eq!(changed, [seeders.join("mod.rs"), seeders.join("shop/mod.rs")]);
        assert_eq!(fs::read_to_string(seeders.join("mod.rs")).unwrap(), "mod demo;\npub mod shop;\n");
        assert_eq!(fs::read_to_string(source.join("lib.rs")).unwrap(), root);
    }

    #[test]
    fn a_path_attribute_inside_an_inline_module_counts_from_that_modules_folder() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path();
        let root = "pub mod views {\n    #[path = \"screens/all.rs\"]\n    pub mod pages;\n}\n";
        fs::write(source.join("lib.rs"), root).unwrap();
        let place = ModuleFile::of(source, &["views", "pages", "about"]).unwrap();
        assert_eq!(place.file, source.join("views/screens/about.rs"));
        assert_eq!(place.missing[0].0, source.join("views/screens/all.rs"));
    }

    #[test]
    fn a_type_is_named_the_way_the_rest_of_the_app_can_reach_it() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path();
        fs::write(source.join("lib.rs"), "mod models;\n").unwrap();
        fs::create_dir_all(source.join("models/shop")).unwrap();
        let models = "mod hidden;\npub mod post;\npub mod shop;\nmod user;\n\npub use user::{Role, User};\n";
        fs::write(source.join("models/mod.rs"), models).unwrap();
        fs::write(source.join("models/shop/mod.rs"), "pub mod order;\n").unwrap();
        let found = |path: &[&str], name: &str| path_of_type(source, path, name).unwrap();
        let visible = |path: &str| TypePath::Visible(path.to_owned());

        assert_eq!(found(&["models", "post"], "Post"), visible("models::post::Post"));
        assert_eq!(found(&["models", "user"], "User"), visible("models::User"));
        assert_eq!(found(&["models", "shop", "order"], "Order"), visible("models::shop::order::Order"));
        assert_eq!(found(&["models", "story"], "Story"), TypePath::Nowhere);
        let private = TypePath::Private { parent: source.join("models/mod.rs"), module: "hidden".into() };
        assert_eq!(found(&["models", "hidden"], "Hidden"), private);
    }
}
