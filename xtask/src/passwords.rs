//! The filter of the most used passwords, which the auth engine refuses. Made by hand, when there is a newer list.

use std::process::Command;

use crate::workspace::Workspace;
use crate::{node, process, provision, ui};

/// Where the words come from; `common.md` beside the filter says the same.
const LIST: &str = "@zxcvbn-ts/language-common@4.1.3";
const FILTER: &str = "crates/housekey-engine/src/password/rules/common.bin";

/// Fetches the list and writes the filter.
pub(crate) fn write(workspace: &Workspace) -> Result<(), String> {
    provision::provide(&[&provision::NODE])?;
    let folder = workspace.scratch("passwords")?;
    if !node::npm(&folder, &["install", "--no-save", "--prefix", ".", LIST])?.success {
        return Err(format!("npm could not fetch {LIST}; see above"));
    }
    let mut command = Command::new("node");
    command.arg(workspace.path("xtask/src/passwords.mjs"));
    command.arg(folder.join("node_modules/@zxcvbn-ts/language-common/src/passwords.json"));
    ui::line(format_args!("{}", process::read(command.arg(workspace.path(FILTER)))?.trim_end()));
    Ok(())
}
