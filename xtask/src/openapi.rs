//! Descriptions of APIs, held against OpenAPI itself by a validator that others wrote.

use std::fs;
use std::path::Path;

use crate::count::Count;
use crate::node;
use crate::suite::Failure;
use crate::workspace::Workspace;

/// Validates a document. `name` tells it from others.
// spec: KEY-6
pub(crate) fn validate(workspace: &Workspace, name: &str, document: &str) -> Result<Count, Failure> {
    let folder = workspace.path("tests/openapi");
    node::install(&folder)?;
    let file = workspace.target().join(format!("xtask/openapi-{name}.json"));
    write(&file, document)?;
    let done = node::test_with(&folder, &[("HOUSEKEY_OPENAPI", file.as_path())])?;
    let count = Failure::unless_green(&done, "npm test")?;
    if count.passed == 0 { Err("npm test ran no test".into()) } else { Ok(count) }
}

fn write(file: &Path, document: &str) -> Result<(), String> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(file, document))
        .map_err(|error| format!("cannot write {}: {error}", file.display()))
}
