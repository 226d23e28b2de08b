//! The npm packages of the repository, each with its own tests.

use std::fs;
use std::path::PathBuf;

use crate::count::Count;
use crate::suite::{Failure, Progress};
use crate::workspace::{Workspace, program};
use crate::{node, openapi, process, provision, ui};

/// The programs that the packages' tests talk to.
const SERVERS: [&str; 2] = ["housekey-client-server", "housekey-conformance-server"];

pub(crate) fn test(workspace: &Workspace, progress: &mut Progress) {
    progress.step("lockfiles", || lockfiles_name_no_host(workspace));
    progress.step("servers for the packages", || servers(workspace));
    progress.step("description of the engine", || description(workspace));
    let packages = match packages(workspace) {
        Ok(packages) => packages,
        Err(failure) => {
            progress.step("packages", || Err(failure));
            return;
        }
    };
    for package in packages {
        let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
        progress.step(&format!("packages/{name}"), || {
            node::install(&package)?;
            let [client, conformance] = SERVERS.map(|name| workspace.debug_build(name));
            let chromium = provision::chromium().ok_or("chromium is gone")?;
            let variables = [
                ("HOUSEKEY_CLIENT_SERVER", client.as_path()),
                ("HOUSEKEY_CONFORMANCE_SERVER", conformance.as_path()),
                ("HOUSEKEY_CHROMIUM", chromium.as_path()),
            ];
            let done = node::test_with(&package, &variables)?;
            let count = Failure::unless_green(&done, "npm test")?;
            if count.passed == 0 { Err("npm test ran no test".into()) } else { Ok(count) }
        });
    }
}

/// Builds what the tests start. The client's server is an app, whose features say what is in it: accounts would ask for a secret.
fn servers(workspace: &Workspace) -> Result<Count, Failure> {
    let [client, conformance] = SERVERS;
    workspace.build_for_tests(&[conformance])?;
    let built = process::run(&mut workspace.cargo(&["build", "--package", client]))?;
    if built.success { Ok(Count::ONE) } else { Err("the client's server does not build; see above".into()) }
}

/// The engine with everything on, as it describes itself. It was built beside the servers.
fn description(workspace: &Workspace) -> Result<Count, Failure> {
    let document = process::read(&mut program(workspace.engine_description()))?;
    openapi::validate(workspace, "engine", &document)
}

/// The folders under `packages/` that hold a package.
fn packages(workspace: &Workspace) -> Result<Vec<PathBuf>, Failure> {
    let folder = workspace.path("packages");
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut packages: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    packages.retain(|path| path.join("package.json").is_file());
    packages.sort();
    if packages.is_empty() { Err("there is no package under packages/".into()) } else { Ok(packages) }
}

/// A lockfile that names a host ties everybody to the mirror of whoever wrote it.
fn lockfiles_name_no_host(workspace: &Workspace) -> Result<Count, Failure> {
    let files = workspace.files()?;
    let lockfiles: Vec<_> = files.iter().filter(|file| file.ends_with("package-lock.json")).collect();
    for file in &lockfiles {
        let text = fs::read_to_string(workspace.root().join(file)).map_err(|error| error.to_string())?;
        if text.contains("\"resolved\": \"http") {
            let fix = "set `omit-lockfile-registry-resolved=true` in .npmrc and write it again";
            return Err(format!("{} names a registry: {fix}", file.display()).into());
        }
    }
    ui::note(format_args!("{} lockfiles name no registry", lockfiles.len()));
    Ok(Count::ONE)
}
