//! `make:*`: writes the first version of a file, declares its module and says what comes next.
//!
//! The app says where things live and what they look like: its `mod` declarations lead to the folder ([`modules`]), and
//! a file in its `stubs/` replaces what we would write ([`stub`]).

mod kind;
mod modules;
mod name;
mod stub;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use housekey_core::Result;

#[cfg(feature = "events")]
pub(crate) use kind::EVENT;
#[cfg(feature = "queue")]
pub(crate) use kind::JOB;
#[cfg(feature = "mail")]
pub(crate) use kind::MAIL;
use kind::Making;
#[cfg(feature = "notifications")]
pub(crate) use kind::NOTIFICATION;
#[cfg(feature = "auth")]
pub(crate) use kind::{AUTH_PLUGIN, POLICY};
pub(crate) use kind::{COMMAND, CONTROLLER, Kind, MIDDLEWARE, REQUEST, TEST, VIEW};
#[cfg(feature = "database")]
pub(crate) use kind::{FACTORY, MODEL, SEEDER, plural};
#[cfg(feature = "database")]
pub(crate) use modules::ModuleFile;
pub(crate) use name::Name;
#[cfg(feature = "database")]
pub(crate) use name::capitalised;
#[cfg(feature = "database")]
pub(crate) use stub::{fill as fill_stub, read as read_stub};

use crate::{Command, CommandContext, Problem};

impl Command for Kind {
    fn name(&self) -> &'static str {
        self.command
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        let help = "Its name; `/` makes folders: `admin/user`";
        command.arg(clap::Arg::new("name").required(true).help(help))
    }

    /// Writing a file must work in an app that does not boot, or that is being repaired.
    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let name = Name::parse(context.argument("name").unwrap_or_default(), self.suffix)?;
        let root = context.paths().root();
        let made = self.make(root, &name)?;

        let ui = context.ui();
        ui.success(format_args!("{} created", made.file.display()));
        for changed in &made.changed {
            ui.note(format_args!("{} declares it", changed.display()));
        }
        ui.line(format_args!("\nNext: {}", made.next));
        Ok(())
    }
}

/// What was written, with paths as seen from the app's root.
pub(crate) struct Made {
    pub(crate) file: PathBuf,
    pub(crate) changed: Vec<PathBuf>,
    pub(crate) next: String,
}

impl Kind {
    pub(crate) fn make(&self, root: &Path, name: &Name) -> Result<Made> {
        check_root(root)?;
        self.refuse_its_own_name(name)?;
        let making = Making { kind: self, name, root };
        let (place, text, next) = (making.place()?, making.text()?, making.next()?);
        let file = place.file.clone();
        write_new(&file, &text)?;
        let changed = place.declare().inspect_err(|_| {
            // A file no module declares would only puzzle: all or nothing.
            let _ = fs::remove_file(&file);
        })?;
        let relative = |path: PathBuf| path.strip_prefix(root).map(Path::to_owned).unwrap_or(path);
        Ok(Made { file: relative(file), changed: changed.into_iter().map(relative).collect(), next })
    }

    /// `make:job job` would be `impl Job for Job`, which does not compile; what a plugin has functions for cannot be its name.
    fn refuse_its_own_name(&self, name: &Name) -> Result<()> {
        let taken: &[&str] = match self.word() {
            word @ ("command" | "event" | "job" | "model" | "notification") => &[word],
            "auth-plugin" => {
                &["create", "hooks", "schema", "sign_in", "hash_token", "random", "json", "tests"]
            }
            _ => &[],
        };
        if taken.contains(&name.base.as_str()) {
            return Err(Problem::new(format!(
                "`{}` cannot be a name here: something in every {} is called that.",
                name.base,
                self.word()
            ))
            .remedy("Say what it is about.")
            .into());
        }
        Ok(())
    }
}

/// That this is the folder of an app.
pub(crate) fn check_root(root: &Path) -> Result<()> {
    if root.join("Cargo.toml").is_file() {
        return Ok(());
    }
    Err(Problem::new(format!("there is no Cargo.toml in {}", root.display()))
        .remedy("Run this in the root of a Housekey app.")
        .into())
}

/// Writes a file that must not be there yet; checking and writing are one step.
pub(crate) fn write_new(path: &Path, text: &str) -> Result<()> {
    use io::Write as _;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .map_err(|error| Problem::new(format!("cannot make the folder {}: {error}", folder.display())))?;
    }
    let opened = fs::OpenOptions::new().write(true).create_new(true).open(path);
    match opened.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(Problem::new(format!("{} exists already", path.display()))
                .remedy("Choose another name, or remove the file first.")
                .into())
        }
        Err(error) => Err(Problem::new(format!("cannot write {}: {error}", path.display())).into()),
    }
}
