//! The auth engine held against Better Auth itself: its client, its server, its data.

use crate::count::Count;
use crate::suite::{Failure, Run};
use crate::workspace::Workspace;
use crate::{node, provision};

const SERVER: &str = "housekey-conformance-server";
const FOLDER: &str = "tests/conformance";

/// Beside the kits: one process of Better Auth that hashes passwords is most of it.
pub(crate) const RUN: Run = Run::Beside { step: "conformance with Better Auth", prepare, run };

fn prepare(workspace: &Workspace) -> Result<Count, Failure> {
    workspace.build_for_tests(&[SERVER])?;
    Ok(Count::ONE)
}

/// One of the packages is C++ that is compiled here, which takes a minute, too.
fn run(workspace: &Workspace) -> Result<Count, Failure> {
    node::install(&workspace.path(FOLDER))?;
    let server = workspace.debug_build(SERVER);
    let chromium = provision::chromium().ok_or("chromium is gone")?;
    let variables =
        [("HOUSEKEY_CONFORMANCE_SERVER", server.as_path()), ("HOUSEKEY_CHROMIUM", chromium.as_path())];
    let done = node::test_with(&workspace.path(FOLDER), &variables)?;
    let count = Failure::unless_green(&done, "npm test")?;
    if count.passed == 0 { Err("npm test ran no test".into()) } else { Ok(count) }
}
