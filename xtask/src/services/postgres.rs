use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Server, folder_of, free_port, is_root, until_it_answers};
use crate::process::{self, Background, which};

/// Where `initdb` and `postgres` are: on the PATH, or where Debian keeps each version's own.
pub(crate) fn programs() -> Option<PathBuf> {
    if let Some(initdb) = which("initdb") {
        return initdb.parent().map(Path::to_owned);
    }
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .collect();
    versions.retain(|folder| folder.join("initdb").is_file());
    versions.sort();
    versions.pop()
}

/// With its data in this folder. Those that are there already are used again.
pub(crate) fn start(folder: &Path) -> Result<Server, String> {
    let programs = programs().ok_or("initdb is not to be found")?;
    let home = folder.join("postgres");
    folder_of("postgres", &home)?;
    let data = home.join("data");
    if !data.join("PG_VERSION").is_file() {
        initialise(&programs, &home, &data)?;
    }

    let port = free_port()?;
    let mut postgres = as_postgres(&programs.join("postgres"));
    postgres.arg("-D").arg(&data).args(["-h", "127.0.0.1", "-p", &port.to_string()]);
    // No socket in a folder: its path may be too long for one.
    postgres.args(["-k", ""]);
    // Nothing here has to survive the power going out.
    for setting in ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"] {
        postgres.args(["-c", setting]);
    }
    let mut process = Background::start(&mut postgres, &folder.join("postgres.log"))?;
    until_it_answers(&mut process, port, "ready to accept connections")?;
    let url = format!("postgres://housekey:housekey@127.0.0.1:{port}/postgres");
    Ok(Server { variable: "HOUSEKEY_TEST_POSTGRES_URL", url, _process: process })
}

fn initialise(programs: &Path, home: &Path, data: &Path) -> Result<(), String> {
    let password = home.join("password");
    std::fs::write(&password, "housekey")
        .map_err(|error| format!("cannot write {}: {error}", password.display()))?;
    let mut initdb = as_postgres(&programs.join("initdb"));
    initdb.args([
        "--username=housekey",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--no-locale",
        "--no-sync",
    ]);
    process::read(initdb.arg("--pwfile").arg(&password).arg("-D").arg(data)).map(drop)
}

/// The server refuses to run as root.
fn as_postgres(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=postgres", "--regid=postgres", "--init-groups", "--"])
        .arg(program)
        .current_dir("/");
    command
}
