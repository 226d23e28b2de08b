//! `make:migration`, and the kinds of files that stand for tables.

use std::path::{Path, PathBuf};

use housekey_core::Result;

pub(crate) use crate::commands::make::{FACTORY, SEEDER};
use crate::commands::make::{Name, write_new};
use crate::{Command, CommandContext, Problem};

/// `make:migration`: a file in `database/migrations`, named by the present moment.
pub(crate) struct MakeMigration;

impl Command for MakeMigration {
    fn name(&self) -> &'static str {
        "make:migration"
    }

    fn about(&self) -> &'static str {
        "Make a migration in database/migrations"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        let help = "What it does: `create_posts`, `add_views_to_posts`, `drop_posts`";
        command.arg(clap::Arg::new("name").required(true).help(help))
    }

    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let name = Name::parse(context.argument("name").unwrap_or_default(), None)?;
        let root = context.paths().root();
        let file = make(root, &name, &next_stamp(root, housekey_core::Clock::system().now()))?;
        let ui = context.ui();
        ui.success(format_args!("{} created", file.display()));
        ui.line(format_args!(
            "\nNext: {}say what it does in the file, then run:\n  housekey migrate",
            to_be_read(root)
        ));
        Ok(())
    }
}

/// A migration of this name, made at the present moment.
pub(super) fn make_now(root: &Path, name: &str) -> Result<PathBuf> {
    make(root, &Name::parse(name, None)?, &next_stamp(root, housekey_core::Clock::system().now()))
}

fn make(root: &Path, name: &Name, stamp: &str) -> Result<PathBuf> {
    if !name.folders.is_empty() {
        return Err(Problem::new("a migration cannot be in a folder: their order is that of their names")
            .remedy(format!("Call it `{}`.", name.base))
            .into());
    }
    if let Some(same) = with_name(root, &name.base) {
        return Err(Problem::new(format!("there is a migration `{}` already: {same}", name.base))
            .remedy("Choose another name, so that everybody knows which one is meant.")
            .into());
    }
    write(root, &name.base, stamp, &text(&name.base))
}

/// The file of an app's migration with this name, if there is one.
pub(crate) fn with_name(root: &Path, name: &str) -> Option<String> {
    let after_stamp = |file: &String| file.get(18..) == Some(&format!("{name}.rs"));
    files(root).find(after_stamp)
}

fn files(root: &Path) -> impl Iterator<Item = String> {
    let entries = std::fs::read_dir(root.join(FOLDER)).into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok())
}

/// Writes a migration. The path is the one seen from the app's root.
pub(crate) fn write(root: &Path, name: &str, stamp: &str, text: &str) -> Result<PathBuf> {
    if !root.join("Cargo.toml").is_file() {
        return Err(Problem::new(format!("there is no Cargo.toml in {}", root.display()))
            .remedy("Run this in the root of a Housekey app.")
            .into());
    }
    // A folder that the last build did not see is one that its build script does not watch.
    let is_watched = root.join(FOLDER).is_dir() && root.join("build.rs").is_file();
    let file = Path::new(FOLDER).join(format!("{stamp}_{name}.rs"));
    write_new(&root.join(&file), text)?;
    if !is_watched {
        compile_again(root);
    }
    Ok(file)
}

/// What is said first in an app that does not read the folder yet.
pub(crate) fn to_be_read(root: &Path) -> &'static str {
    let reads = |source: &&str| {
        std::fs::read_to_string(root.join(source)).is_ok_and(|text| text.contains("migrations!("))
    };
    if ["src/lib.rs", "src/main.rs"].iter().any(reads) {
        return "";
    }
    "have the app read the folder, in src/lib.rs:\n  housekey::migrations!();\n  .migrations(migrations::all())\nThen "
}

const FOLDER: &str = "database/migrations";

/// The compiler does not know that `migrations!()` reads a folder. It looks again when the file with the macro is
/// newer than the last build; and so does the build script, which then watches the folder.
fn compile_again(root: &Path) {
    for source in ["build.rs", "src/lib.rs", "src/main.rs"] {
        let opened = std::fs::File::options().append(true).open(root.join(source));
        // Where it cannot be, the next change of the code does it.
        let _ = opened.and_then(|file| file.set_modified(std::time::SystemTime::now()));
    }
}

/// The present moment, or the first second after it that no migration has: two of one second would run in the order of
/// their names, and the later one may need the other.
pub(crate) fn next_stamp(root: &Path, now: time::OffsetDateTime) -> String {
    let taken: Vec<String> = files(root).collect();
    let mut moment = now;
    while taken.iter().any(|file| file.starts_with(&stamp(moment))) {
        moment += time::Duration::SECOND;
    }
    stamp(moment)
}

/// `2026_01_31_090507`
fn stamp(now: time::OffsetDateTime) -> String {
    format!(
        "{:04}_{:02}_{:02}_{:02}{:02}{:02}",
        now.year(),
        u8::from(now.month()),
        now.day(),
        now.hour(),
        now.minute(),
        now.second()
    )
}

/// The name tells what is meant, as far as it can.
fn text(name: &str) -> String {
    let (up, down) = if let Some(table) = name.strip_prefix("create_") {
        let table = table.strip_suffix("_table").unwrap_or(table);
        (
            format!(
                "    schema.create(\"{table}\", |table| {{\n        table.id();\n        table.string(\"name\", 200);\n        \
                 table.timestamps();\n    }});\n"
            ),
            format!("    schema.drop(\"{table}\");\n"),
        )
    } else if let Some((column, table)) = name.strip_prefix("add_").and_then(|rest| rest.rsplit_once("_to_"))
    {
        (
            format!(
                "    schema.table(\"{table}\", |table| {{\n        table.string(\"{column}\", 200).nullable();\n    }});\n"
            ),
            format!("    schema.table(\"{table}\", |table| table.drop_column(\"{column}\"));\n"),
        )
    } else if let Some(table) = name.strip_prefix("drop_") {
        (
            format!("    schema.drop(\"{table}\");\n"),
            format!("    schema.create(\"{table}\", |table| {{\n        table.id();\n    }});\n"),
        )
    } else {
        let example = "    schema.table(\"posts\", |table| {\n        table.string(\"title\", 200).change();\n    });\n";
        (example.to_owned(), example.replace("200", "100"))
    };
    format!(
        "use housekey::database::Schema;\n\n/// What changes.\npub fn up(schema: &mut Schema) {{\n{up}}}\n\n/// What takes it \
         back.\npub fn down(schema: &mut Schema) {{\n{down}}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_tells_what_is_meant_becomes_code() {
        let made = text("create_posts_table");
        assert!(
            made.contains("schema.create(\"posts\"") && made.contains("schema.drop(\"posts\")"),
            "{made}"
        );
        let made = text("add_view_count_to_blog_posts");
        assert!(
            made.contains("schema.table(\"blog_posts\"") && made.contains("\"view_count\", 200"),
            "{made}"
        );
        assert!(text("drop_posts").contains("schema.drop(\"posts\");\n}\n\n/// What takes it back."));
    }

    #[test]
    fn migrations_of_one_second_run_in_the_order_in_which_they_were_made() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("Cargo.toml"), "").unwrap();
        let now = time::OffsetDateTime::UNIX_EPOCH;
        for name in ["create_posts", "add_title_to_posts", "add_body_to_posts"] {
            write(root.path(), name, &next_stamp(root.path(), now), "").unwrap();
        }
        let mut made: Vec<String> = files(root.path()).collect();
        made.sort();
        assert_eq!(
            made,
            [
                "1970_01_01_000000_create_posts.rs",
                "1970_01_01_000001_add_title_to_posts.rs",
                "1970_01_01_000002_add_body_to_posts.rs"
            ]
        );
    }

    #[test]
    fn a_migration_is_named_by_its_time_and_only_once() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("Cargo.toml"), "").unwrap();
        let name = Name::parse("CreatePosts", None).unwrap();
        let file = make(root.path(), &name, "2026_01_31_090507").unwrap();
        assert_eq!(file, Path::new("database/migrations/2026_01_31_090507_create_posts.rs"));
        let again = make(root.path(), &name, "2026_02_01_000000").unwrap_err().to_string();
        assert!(again.contains("2026_01_31_090507_create_posts.rs"), "{again}");
        let deep = Name::parse("blog/create_posts", None).unwrap();
        assert!(make(root.path(), &deep, "2026_01_31_090507").is_err());
    }
}
