//! The auth engine held against Better Auth itself: its client, its server, its data.

use crate::suite::{Failure, Progress};
use crate::workspace::Workspace;
use crate::{node, process, provision};

pub(crate) fn test(workspace: &Workspace, progress: &mut Progress) {
    progress.step("conformance with Better Auth", || {
        let built =
            process::run(&mut workspace.cargo(&["build", "--package", "housekey-conformance-server"]))?;
        if !built.success {
            return Err("the engine's server does not build; see above".into());
        }
        let folder = workspace.path("tests/conformance");
        node::install(&folder)?;
        let server = workspace.target().join("debug/housekey-conformance-server");
        let chromium = provision::chromium().ok_or("chromium is gone")?;
        let variables =
            [("HOUSEKEY_CONFORMANCE_SERVER", server.as_path()), ("HOUSEKEY_CHROMIUM", chromium.as_path())];
        let done = node::test_with(&folder, &variables)?;
        let count = Failure::unless_green(&done, "npm test")?;
        if count.passed == 0 { Err("npm test ran no test".into()) } else { Ok(count) }
    });
}
