use std::path::Path;
use std::process::Command;

use super::{Server, folder_of, free_port, is_root, until_it_answers};
use crate::process::{self, Background};

/// The server reads one statement a line.
const ACCOUNT: &str = "CREATE USER 'housekey'@'%' IDENTIFIED BY 'housekey';
GRANT ALL ON *.* TO 'housekey'@'%' WITH GRANT OPTION;
";

pub(super) fn start(folder: &Path) -> Result<Server, String> {
    let home = folder.join("mariadb");
    folder_of("mysql", &home)?;
    let data = home.join("data");
    let account = home.join("account.sql");
    std::fs::write(&account, ACCOUNT)
        .map_err(|error| format!("cannot write {}: {error}", account.display()))?;
    let mut install = program("mariadb-install-db", &home);
    install.args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"]);
    install.arg(format!("--datadir={}", data.display()));
    if is_root() {
        install.arg("--user=mysql");
    }
    process::read(&mut install)?;

    let port = free_port()?;
    let mut server = program("mariadbd", &home);
    server.args(["--no-defaults", "--bind-address=127.0.0.1", "--skip-log-bin", "--max-connections=300"]);
    // Nothing here has to survive the power going out.
    server.args(["--innodb-flush-log-at-trx-commit=0", "--skip-name-resolve"]).arg(format!("--port={port}"));
    for (option, path) in [("datadir", &data), ("init-file", &account)] {
        server.arg(format!("--{option}={}", path.display()));
    }
    server.arg(format!("--socket={}", home.join("socket").display()));
    server.arg(format!("--pid-file={}", home.join("pid").display()));
    if is_root() {
        server.arg("--user=mysql");
    }
    let mut process = Background::start(&mut server, &folder.join("mariadb.log"))?;
    until_it_answers(&mut process, port, "ready for connections")?;
    let url = format!("mysql://housekey:housekey@127.0.0.1:{port}/mysql");
    Ok(Server { variable: "HOUSEKEY_TEST_MYSQL_URL", url, _process: process })
}

/// A server that starts deletes what others like it left in the folder for temporary files: it would take the tables of one
/// that runs beside it.
fn program(name: &str, home: &Path) -> Command {
    let mut command = Command::new(name);
    command.env("TMPDIR", home);
    command
}
