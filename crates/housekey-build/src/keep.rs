use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::declarations::{block, declared, with_module};

/// What was done to the lists of modules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// The files that got a line, with the name of its module.
    pub declared: Vec<(PathBuf, String)>,
    /// What could not be done, and what to do instead.
    pub problems: Vec<String>,
}

/// Declares every file and folder of an app that nobody declares yet, as `pub mod name;` in the `mod.rs` beside it.
///
/// The lists stay what they are: plain Rust that people, `cargo fmt` and editors read. So
///
/// - a line that is there stays as it is, with its visibility, its attributes and its `pub use`;
/// - nothing is taken away: the compiler says what is wrong with a list that names a file that is gone;
/// - a module that is commented out, `// pub mod drafts;`, stays out of the build.
///
/// It looks at `src/`, at what `src/lib.rs` has below it, and at the folders of `database/` that have a `mod.rs`.
pub fn keep(root: &Path) -> Declared {
    let mut kept = Declared::default();
    let source = root.join("src");
    let of_binaries = [root.join("Cargo.toml"), source.join("main.rs")].map(read);
    let crate_root =
        ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|path| path.is_file());
    if let Some(file) = crate_root {
        let is_taken = |name: &str| {
            // A program of its own, or a module of one.
            of_binaries[0].contains(&format!("src/{name}.rs")) || declared(&of_binaries[1], &[""; 0], name)
        };
        List { file, folder: source }.keep(&is_taken, &mut kept);
    }
    for folder in folders(&root.join("database")) {
        let file = folder.join("mod.rs");
        if file.is_file() {
            List { file, folder }.keep(&|_| false, &mut kept);
        }
    }
    kept
}

/// A file that declares modules, and the folder that those are in.
struct List {
    file: PathBuf,
    folder: PathBuf,
}

impl List {
    fn keep(&self, is_taken: &dyn Fn(&str) -> bool, kept: &mut Declared) {
        let mut missing = Vec::new();
        // A list that cannot be read is not taken for an empty one, and written over.
        let text = match fs::read_to_string(&self.file) {
            Ok(text) => text,
            Err(error) => {
                kept.problems.push(format!("{} cannot be read: {error}", self.file.display()));
                return;
            }
        };
        self.look(&self.folder, &mut Vec::new(), &text, is_taken, &mut missing, kept);
        if !missing.is_empty() {
            self.declare(text, missing, kept);
        }
    }

    /// What of a folder is not declared in this file, inside the modules that are written out around it.
    fn look(
        &self,
        folder: &Path,
        inline: &mut Vec<String>,
        text: &str,
        is_taken: &dyn Fn(&str) -> bool,
        missing: &mut Vec<Missing>,
        kept: &mut Declared,
    ) {
        for path in entries(folder) {
            let Some(name) = module_name(&path) else { continue };
            let is_file = path.is_file();
            let (list, beside) = (path.join("mod.rs"), path.with_extension("rs"));
            if !is_file && list.is_file() {
                List { file: list, folder: path.clone() }.keep(&|_| false, kept);
            } else if !is_file {
                inline.push(name.clone());
                if block(text, inline).is_some() {
                    self.look(&path, inline, text, &|_| false, missing, kept);
                } else if beside.is_file() {
                    List { file: beside, folder: path.clone() }.keep(&|_| false, kept);
                }
                inline.pop();
                // A folder without a list is no module, and one beside its list is found as that file.
                continue;
            }
            if path == self.file || is_taken(&name) || declared(text, inline, &name) || mentions(text, &path)
            {
                continue;
            }
            if is_identifier(&name) {
                missing.push(Missing { name, inline: inline.clone(), path });
            } else {
                let better: String =
                    name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
                let advice = match is_identifier(&better) {
                    true => format!("call it {better}{}", if is_file { ".rs" } else { "" }),
                    false => "give it another name, in snake_case".to_owned(),
                };
                kept.problems.push(format!(
                    "{} cannot be a module, its name is no name in Rust: {advice}, or declare it in {} with #[path]",
                    path.display(),
                    self.file.display()
                ));
            }
        }
    }

    fn declare(&self, mut text: String, missing: Vec<Missing>, kept: &mut Declared) {
        let mut newest = modified(&self.file);
        let mut names = Vec::new();
        for Missing { name, inline, path } in missing {
            newest = newest.max(modified(&path));
            if let Some(edited) = with_module(&text, &inline, &name) {
                text = edited;
                names.push(name);
            }
        }
        match write(&self.file, &text, newest) {
            Ok(()) => kept.declared.extend(names.into_iter().map(|name| (self.file.clone(), name))),
            Err(error) => {
                let lines: Vec<String> = names.iter().map(|name| format!("`pub mod {name};`")).collect();
                kept.problems.push(format!(
                    "{} lacks {}, and cannot be written: {error}. Add it by hand",
                    self.file.display(),
                    lines.join(", ")
                ));
            }
        }
    }
}

struct Missing {
    name: String,
    /// The modules written out in the file, `mod x { … }`, that it belongs into.
    inline: Vec<String>,
    path: PathBuf,
}

/// As old as the newest thing it lists: cargo takes what is newer than the start of the build script for a reason to run it
/// again, and to compile the app a second time. For the same reason it is written in place: a file with another name in
/// between would make the folder newer.
fn write(file: &Path, text: &str, modified: Option<SystemTime>) -> io::Result<()> {
    let mut opened = File::options().write(true).truncate(true).open(file)?;
    opened.write_all(text.as_bytes())?;
    match modified {
        Some(modified) => opened.set_modified(modified),
        None => Ok(()),
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// In a stable order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    entries
}

fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_dir())
}

/// The module that a file or a folder would be. What editors and systems leave behind begins with a dot or a sign.
fn module_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let name = if path.is_dir() { name } else { name.strip_suffix(".rs")? };
    let is_ours = name.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    (is_ours && !["lib", "main", "mod"].contains(&name)).then(|| name.to_owned())
}

/// Whether a list names a file as one: in `#[path = "…"]` or `include!("…")`.
fn mentions(text: &str, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    text.contains(&format!("\"{name}\"")) || text.contains(&format!("/{name}\""))
}

fn is_identifier(name: &str) -> bool {
    const WORDS: [&str; 39] = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
        "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
        "loop", "macro", "match", "move", "mut", "override", "priv", "pub", "ref", "return", "static",
        "struct", "trait", "true", "type",
    ];
    const MORE: [&str; 12] = [
        "try", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "self", "super",
        "_",
    ];
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    name.chars().all(is_word)
        && name.starts_with(|letter: char| !letter.is_numeric())
        && !WORDS.contains(&name)
        && !MORE.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct App(tempfile::TempDir);

    impl App {
        fn new(files: &[(&str, &str)]) -> Self {
            let app = Self(tempfile::tempdir().unwrap());
            for (path, text) in files {
                app.write(path, text);
            }
            app
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn read(&self, path: &str) -> String {
            fs::read_to_string(self.0.path().join(path)).unwrap()
        }

        /// The names that got a line, and where.
        fn keep(&self) -> Vec<(String, String)> {
            let kept = keep(self.0.path());
            assert_eq!(kept.problems, [""; 0]);
            let below = |path: &Path| path.strip_prefix(self.0.path()).unwrap().to_str().unwrap().to_owned();
            kept.declared.iter().map(|(list, name)| (below(list), name.clone())).collect()
        }
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(list, name)| ((*list).to_owned(), (*name).to_owned())).collect()
    }

    #[test]
    fn what_nobody_declares_is_declared_in_its_sorted_place_and_only_once() {
        let app = App::new(&[
            ("src/lib.rs", "//! The app.\n\npub mod models;\n"),
            ("src/models/mod.rs", "//! Models.\n\nmod user;\n\npub use user::User;\n"),
            ("src/models/user.rs", ""),
            ("src/models/book.rs", ""),
            ("src/models/library/mod.rs", ""),
            ("src/models/library/shelf.rs", ""),
            ("src/jobs/mod.rs", "pub mod tidy_up;\n"),
            ("src/jobs/tidy_up.rs", ""),
            ("database/factories/mod.rs", "//! Factories.\n"),
            ("database/factories/book_factory.rs", ""),
            ("database/migrations/2026_01_01_000000_create_books.rs", ""),
        ]);
        let expected = [
            ("src/models/library/mod.rs", "shelf"),
            ("src/models/mod.rs", "book"),
            ("src/models/mod.rs", "library"),
            ("src/lib.rs", "jobs"),
            ("database/factories/mod.rs", "book_factory"),
        ];
        assert_eq!(app.keep(), pairs(&expected));
        assert_eq!(app.read("src/lib.rs"), "//! The app.\n\npub mod jobs;\npub mod models;\n");
        let models = "//! Models.\n\npub mod book;\npub mod library;\nmod user;\n\npub use user::User;\n";
        assert_eq!(app.read("src/models/mod.rs"), models);
        assert_eq!(app.read("src/models/library/mod.rs"), "pub mod shelf;\n");
        assert_eq!(app.read("database/factories/mod.rs"), "//! Factories.\n\npub mod book_factory;\n");
        assert!(app.keep().is_empty());
    }

    #[test]
    fn modules_that_are_written_out_in_a_list_are_kept_there() {
        let app = App::new(&[
            ("src/lib.rs", "pub mod views;\n"),
            ("src/views/mod.rs", "pub mod errors;\n\npub mod pages {\n    pub mod welcome;\n}\n"),
            ("src/views/errors.rs", ""),
            ("src/views/pages/welcome.rs", ""),
            ("src/views/pages/about.rs", ""),
            ("src/views/drawings/house.svg", ""),
        ]);
        assert_eq!(app.keep(), pairs(&[("src/views/mod.rs", "about")]));
        let expected = "pub mod errors;\n\npub mod pages {\n    pub mod about;\n    pub mod welcome;\n}\n";
        assert_eq!(app.read("src/views/mod.rs"), expected);
    }

    #[test]
    fn a_file_beside_its_folder_is_its_list() {
        let app = App::new(&[
            ("src/lib.rs", "mod shop;\n"),
            ("src/shop.rs", "mod cart;\n"),
            ("src/shop/cart.rs", ""),
            ("src/shop/order.rs", ""),
        ]);
        assert_eq!(app.keep(), pairs(&[("src/shop.rs", "order")]));
        assert_eq!(app.read("src/lib.rs"), "mod shop;\n");
    }

    #[test]
    fn what_is_declared_otherwise_or_is_not_to_be_built_stays_out() {
        let manifest = "[[bin]]\nname = \"worker\"\npath = \"src/worker.rs\"\n";
        let list = "// pub mod drafts;\n//mod old;\n#[cfg(unix)]\nmod paths;\n#[path = \"windows_paths.rs\"]\nmod more_paths;\n";
        let app = App::new(&[
            ("Cargo.toml", manifest),
            ("src/lib.rs", "pub mod a;\n"),
            ("src/main.rs", "mod only_of_the_program;\n"),
            ("src/only_of_the_program.rs", ""),
            ("src/worker.rs", ""),
            ("src/bin/other.rs", ""),
            ("src/a/mod.rs", list),
            ("src/a/drafts.rs", ""),
            ("src/a/old.rs", ""),
            ("src/a/paths.rs", ""),
            ("src/a/windows_paths.rs", ""),
            ("src/a/.#paths.rs", ""),
            ("src/a/notes.txt", ""),
        ]);
        assert!(app.keep().is_empty());
        assert_eq!(app.read("src/a/mod.rs"), list);
    }

    #[test]
    fn a_name_that_is_none_in_rust_is_said_with_a_better_one() {
        let app = App::new(&[
            ("src/lib.rs", "pub mod models;\n"),
            ("src/models/mod.rs", ""),
            ("src/models/my-book.rs", ""),
            ("src/models/type.rs", ""),
            ("src/models/2nd.rs", ""),
        ]);
        let problems = keep(app.0.path()).problems;
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(
            problems
                .iter()
                .any(|problem| problem.contains("my-book.rs") && problem.contains("call it my_book.rs"))
        );
        assert!(
            problems.iter().any(|problem| problem.contains("type.rs") && problem.contains("another name"))
        );
        assert_eq!(app.read("src/models/mod.rs"), "");
    }

    #[test]
    fn a_list_is_not_newer_than_what_it_lists() {
        let app = App::new(&[("src/lib.rs", ""), ("src/a.rs", "")]);
        let past = SystemTime::now() - std::time::Duration::from_secs(60);
        for file in ["src/lib.rs", "src/a.rs"] {
            File::options().append(true).open(app.0.path().join(file)).unwrap().set_modified(past).unwrap();
        }
        assert_eq!(app.keep(), pairs(&[("src/lib.rs", "a")]));
        assert_eq!(modified(&app.0.path().join("src/lib.rs")), Some(past));
    }

    #[cfg(unix)]
    #[test]
    fn a_list_that_cannot_be_written_is_said_with_its_line() {
        let app = App::new(&[("src/lib.rs", "pub mod a;\n"), ("src/a/mod.rs", ""), ("src/a/b.rs", "")]);
        // Not by its permissions, which root may ignore: something that is no file.
        let list = app.0.path().join("src/a/mod.rs");
        let text = write(&list.join("nowhere"), "", None).unwrap_err();
        let mut kept = Declared::default();
        let missing =
            vec![Missing { name: "b".into(), inline: Vec::new(), path: list.with_file_name("b.rs") }];
        List { file: list.join("nowhere"), folder: list }.declare(String::new(), missing, &mut kept);
        assert!(kept.declared.is_empty());
        assert!(
            kept.problems[0].contains("`pub mod b;`") && kept.problems[0].contains(&text.to_string()),
            "{kept:?}"
        );
    }

    #[test]
    fn a_list_that_cannot_be_read_is_left_as_it_is() {
        let app = App::new(&[("src/lib.rs", ""), ("src/models/book.rs", "")]);
        let list = app.0.path().join("src/models/mod.rs");
        fs::write(&list, b"// caf\xe9\npub mod author;\n").unwrap();
        let kept = keep(app.0.path());
        assert!(kept.problems[0].contains("mod.rs cannot be read"), "{:?}", kept.problems);
        assert_eq!(fs::read(&list).unwrap(), b"// caf\xe9\npub mod author;\n");
    }
}
