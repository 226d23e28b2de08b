//! The papers: rustdoc without a warning, links that lead somewhere, a guide whose examples are compiled.

use std::fs;

use crate::count::Count;
use crate::suite::{Failure, Progress};
use crate::workspace::Workspace;
use crate::{circles, evidence, links, orphans, process, rooms, tutorial, ui};

pub(crate) fn check(workspace: &Workspace, progress: &mut Progress) {
    progress.step("rustdoc", || {
        let mut command =
            workspace.cargo(&["doc", "--workspace", "--no-deps", "--all-features", "--keep-going"]);
        let done = process::run(command.env("RUSTDOCFLAGS", "-D warnings"))?;
        if done.success { Ok(Count::ONE) } else { Err("the documentation does not build; see above".into()) }
    });
    progress.step("rooms", || {
        let crates = rooms::check(workspace)?;
        ui::note(format_args!("{crates} crates use each other as CONTRIBUTING.md says"));
        Ok(Count::ONE)
    });
    progress.step("circles", || {
        let crates = circles::check(workspace)?;
        ui::note(format_args!("in {crates} crates imports lead one way between top-level modules"));
        Ok(Count::ONE)
    });
    progress.step("orphans", || {
        let files = orphans::check(workspace)?;
        ui::note(format_args!("all {files} files below src are modules of their crates"));
        Ok(Count::ONE)
    });
    progress.step("evidence", || {
        let tests = evidence::check(workspace)?;
        ui::note(format_args!("{tests} tests that the security assessment names exist"));
        Ok(Count::ONE)
    });
    progress.step("guide", || {
        let seen = links::check(workspace)?;
        every_chapter_is_compiled(workspace)?;
        ui::note(format_args!(
            "{seen} links lead somewhere; every chapter's examples are compiled as doctests"
        ));
        Ok(Count { passed: 2, failed: 0 })
    });
    progress.step("tutorial", || {
        let blocks = tutorial::check(workspace)?;
        ui::note(format_args!(
            "{blocks} blocks of the tutorial are code of the example, and all of its files are told of"
        ));
        Ok(Count::ONE)
    });
}

/// The doctests see a chapter only when `tests/guide` includes it.
fn every_chapter_is_compiled(workspace: &Workspace) -> Result<(), Failure> {
    let library = workspace.path("tests/guide/src/lib.rs");
    let included = fs::read_to_string(&library)
        .map_err(|error| format!("cannot read {}: {error}", library.display()))?;
    for file in workspace.files()? {
        let markdown = file.extension().is_some_and(|suffix| suffix == "md");
        let ours =
            file.starts_with("docs") || file.parent().is_some_and(|folder| folder.as_os_str().is_empty());
        if !markdown || !ours {
            continue;
        }
        let text = fs::read_to_string(workspace.root().join(&file)).map_err(|error| error.to_string())?;
        if text.contains("```rust")
            && !tutorial::is_of_example(&text)
            && !included.contains(&format!("{}\"", file.display()))
        {
            return Err(format!(
                "{} shows Rust, but {} does not include it",
                file.display(),
                library.display()
            )
            .into());
        }
    }
    Ok(())
}
