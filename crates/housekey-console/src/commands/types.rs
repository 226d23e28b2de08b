use housekey_core::Result;

use crate::{Command, CommandContext};

/// `types`: writes the TypeScript of the app's typed routes.
pub(crate) struct Types;

impl Command for Types {
    fn name(&self) -> &'static str {
        "types"
    }

    fn about(&self) -> &'static str {
        "Write TypeScript for the routes of the app's client"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!(--check "Write nothing, and fail if a file is out of date"))
            .arg(clap::arg!(--"if-configured" "Do nothing when config/assets.rs names no folder for them"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        work::run(&context)
    }
}

/// Behind `housekey dev`, every start of the app leaves current types behind. A failure is shown and stops nothing: the
/// app can be looked at without them.
pub(crate) fn keep_current(context: &CommandContext) {
    if let Err(error) = work::keep_current(context) {
        context.ui().warn(format_args!("the TypeScript types are not written: {}", said(&error)));
    }
}

fn said(error: &housekey_core::Error) -> String {
    let chain = error.source_chain();
    if chain.is_empty() { error.message().to_owned() } else { chain.join("\n") }
}

#[cfg(not(feature = "types"))]
mod work {
    use housekey_core::Result;

    use crate::{CommandContext, Problem};

    pub(super) fn run(context: &CommandContext) -> Result<()> {
        if context.flag("if-configured") {
            return Ok(());
        }
        let problem = Problem::new("this app is built without TypeScript types");
        Err(problem.remedy("Add \"types\" to the features of housekey in Cargo.toml.").into())
    }

    pub(super) fn keep_current(_: &CommandContext) -> Result<()> {
        Ok(())
    }
}

#[cfg(feature = "types")]
mod work {
    use std::fs;
    use std::io::ErrorKind;
    use std::path::{Path, PathBuf};

    use housekey_core::{Error, Result};
    use housekey_http::config::AssetsConfig;
    use housekey_types::TypeFiles;

    use crate::{CommandContext, Problem};

    pub(super) fn run(context: &CommandContext) -> Result<()> {
        let Some(folder) = folder(context)? else {
            if context.flag("if-configured") {
                return Ok(());
            }
            let problem = Problem::new("config/assets.rs names no folder for TypeScript types");
            return Err(problem.remedy("Add `types: Some(\"types\".into())` to it.").into());
        };
        let routes = context.application()?.routes();
        let files = TypeFiles::of(routes)?;
        if context.flag("check") {
            return check(context, &folder, &files);
        }
        let written = write(&folder, &files)?;
        let ui = context.ui();
        for (name, _) in files.named() {
            let path = folder.join(name);
            match written.contains(&path) {
                true => ui.success(format_args!("{} is written.", shown(context, &path))),
                false => ui.success(format_args!("{} is up to date.", shown(context, &path))),
            }
        }
        if routes.typed_count() == 0 {
            ui.note("No route is typed: write them in `route.group().typed(|route| …)`.");
        }
        Ok(())
    }

    pub(super) fn keep_current(context: &CommandContext) -> Result<()> {
        let Some(folder) = folder(context)? else { return Ok(()) };
        for path in write(&folder, &TypeFiles::of(context.application()?.routes())?)? {
            context.ui().note(format_args!("{} is written.", shown(context, &path)));
        }
        Ok(())
    }

    fn folder(context: &CommandContext) -> Result<Option<PathBuf>> {
        let assets = context.application()?.config().get::<AssetsConfig>();
        let project = context.paths().root().join(&assets.project_directory);
        Ok(assets.types.as_ref().map(|types| project.join(types).components().collect()))
    }

    /// Leaves files alone that say the same already: their date is what bundlers and editors go by.
    fn write(folder: &Path, files: &TypeFiles) -> Result<Vec<PathBuf>> {
        let mut written = Vec::new();
        for (name, text) in files.named() {
            let path = folder.join(name);
            if read(&path)?.as_deref() != Some(text) {
                fs::create_dir_all(folder)
                    .and_then(|()| fs::write(&path, text))
                    .map_err(|error| Error::from(error).context(format!("writing {}", path.display())))?;
                written.push(path);
            }
        }
        Ok(written)
    }

    fn check(context: &CommandContext, folder: &Path, files: &TypeFiles) -> Result<()> {
        let mut complaints = Vec::new();
        for (name, text) in files.named() {
            let path = folder.join(name);
            let shown = shown(context, &path);
            match read(&path)? {
                None => complaints.push(format!("{shown} does not exist")),
                Some(there) if there == text => {}
                Some(there) => {
                    complaints.push(format!("{shown} is out of date: {}", difference(&there, text)));
                }
            }
        }
        if complaints.is_empty() {
            context.ui().success("The TypeScript types are up to date.");
            return Ok(());
        }
        Err(Problem::new(complaints.join("\n"))
            .remedy("Run `housekey types` and commit what it writes.")
            .into())
    }

    /// The file as it was written, whatever a checkout made of its line ends.
    fn read(path: &Path) -> Result<Option<String>> {
        match fs::read_to_string(path) {
            Ok(text) => Ok(Some(text.replace("\r\n", "\n"))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::from(error).context(format!("reading {}", path.display()))),
        }
    }

    /// Where two texts part.
    fn difference(there: &str, wanted: &str) -> String {
        let (mut there, mut wanted) = (there.lines(), wanted.lines());
        let mut number = 1;
        loop {
            match (there.next(), wanted.next()) {
                (Some(one), Some(other)) if one == other => number += 1,
                (Some(one), Some(other)) => {
                    return format!("line {number} is `{}` and would be `{}`", one.trim(), other.trim());
                }
                (Some(one), None) => return format!("line {number}, `{}`, would not be there", one.trim()),
                (None, Some(other)) => return format!("it ends before line {number}, `{}`", other.trim()),
                (None, None) => return "it ends otherwise".to_owned(),
            }
        }
    }

    fn shown(context: &CommandContext, path: &Path) -> String {
        path.strip_prefix(context.paths().root()).unwrap_or(path).display().to_string()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_first_line_that_differs_is_named() {
            assert_eq!(difference("a\nb\nc", "a\n  x\nc"), "line 2 is `b` and would be `x`");
            assert_eq!(difference("a\nb", "a"), "line 2, `b`, would not be there");
            assert_eq!(difference("a", "a\nb"), "it ends before line 2, `b`");
            assert_eq!(difference("a", "a\n"), "it ends otherwise");
        }
    }
}
