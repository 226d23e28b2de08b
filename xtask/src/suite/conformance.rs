//! The auth engine held against Better Auth itself: its client, its server, its data.

use crate::suite::{Failure, Progress};
use crate::workspace::Workspace;
use crate::{node, provision};

const SERVER: &str = "housekey-conformance-server";

pub(crate) fn test(workspace: &Workspace, progress: &mut Progress) {
    progress.step("conformance with Better Auth", || {
        workspace.build_for_tests(&[SERVER])?;
        let folder = workspace.path("tests/conformance");
        node::install(&folder)?;
        let server = workspace.debug_build(SERVER);
        let chromium = provision::chromium().ok_or("chromium is gone")?;
        let variables =
            [("HOUSEKEY_CONFORMANCE_SERVER", server.as_path()), ("HOUSEKEY_CHROMIUM", chromium.as_path())];
        let done = node::test_with(&folder, &variables)?;
        let count = Failure::unless_green(&done, "npm test")?;
        if count.passed == 0 { Err("npm test ran no test".into()) } else { Ok(count) }
    });
}
