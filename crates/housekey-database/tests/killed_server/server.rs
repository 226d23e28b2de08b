//! A database server that belongs to one test and can be killed.
//!
//! Not the one that all tests share, and not as fast: it keeps what it has promised to keep.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use housekey_core::Paths;
use housekey_database::{ConnectionConfig, Database, Driver};
use housekey_test_support::{DEADLINE, ServerPort};

/// MariaDB reads one statement a line, each time it starts.
const ACCOUNT: &str = "CREATE USER IF NOT EXISTS 'housekey'@'%' IDENTIFIED BY 'hunter2';
GRANT ALL ON *.* TO 'housekey'@'%';
CREATE DATABASE IF NOT EXISTS shop;
";

pub(crate) struct Server {
    driver: Driver,
    home: tempfile::TempDir,
    port: ServerPort,
    process: Option<Child>,
}

impl Server {
    /// A new server, ready.
    pub(crate) async fn start(driver: Driver) -> Self {
        let home = tempfile::tempdir().unwrap();
        // The server is another user where the test is root.
        fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
        // It stays ours while the server is dead.
        let port = ServerPort::claim().unwrap();
        let mut server = Self { driver, home, port, process: None };
        server.install();
        server.start_again().await;
        server
    }

    pub(crate) fn config(&self) -> ConnectionConfig {
        let (scheme, name) = match self.driver {
            Driver::MySql => ("mysql", "shop"),
            _ => ("postgres", "postgres"),
        };
        let url = format!("{scheme}://housekey:hunter2@127.0.0.1:{}/{name}", self.port.number());
        let mut config = ConnectionConfig::postgres(url);
        config.driver = self.driver;
        config.pool.acquire_timeout = 10;
        config
    }

    /// Starts it on the data that is there, and waits until it has recovered and takes orders.
    pub(crate) async fn start_again(&mut self) {
        let deadline = tokio::time::Instant::now() + DEADLINE;
        loop {
            // What the dead one shared with its children may be in use for a moment; then the next one gives up at once.
            let gone = self.process.as_mut().is_none_or(|process| process.try_wait().unwrap().is_some());
            if gone {
                self.process = Some(self.spawn());
            }
            let mut config = self.config();
            config.pool.acquire_timeout = 1;
            let asking = Database::open("asking", config, &Paths::new(".")).unwrap();
            let answer = asking.ping().await;
            asking.close().await;
            match answer {
                Ok(()) => return,
                Err(error) if tokio::time::Instant::now() > deadline => {
                    panic!("the server does not start: {error}\nIt said:\n{}", self.log());
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// `kill -9`, for the server and every process it made.
    pub(crate) fn kill(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        let id = process.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let mut kill = Command::new("kill");
        kill.arg("-9").arg(id.to_string()).args(children.split_whitespace());
        kill.stderr(Stdio::null()).status().unwrap();
        process.wait().unwrap();
    }

    fn install(&self) {
        let data = self.path("data");
        match self.driver {
            Driver::MySql => {
                owned_by("mysql", self.home.path());
                fs::write(self.path("account.sql"), ACCOUNT).unwrap();
                let mut install = self.of_mariadb("mariadb-install-db");
                install.args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"]);
                install
                    .arg(format!("--datadir={}", data.display()))
                    .args(is_root().then_some("--user=mysql"));
                run(&mut install);
            }
            _ => {
                owned_by("postgres", self.home.path());
                fs::write(self.path("password"), "hunter2").unwrap();
                let mut initdb = as_postgres("initdb");
                initdb.args(["--username=housekey", "--auth=scram-sha-256", "--no-locale", "--no-sync"]);
                initdb.arg("--pwfile").arg(self.path("password")).arg("-D").arg(&data);
                run(&mut initdb);
            }
        }
    }

    fn spawn(&self) -> Child {
        let (data, port) = (self.path("data"), self.port.number());
        let mut server = match self.driver {
            Driver::MySql => {
                let mut server = self.of_mariadb("mariadbd");
                server.args(["--no-defaults", "--bind-address=127.0.0.1", "--skip-name-resolve"]);
                server.args(is_root().then_some("--user=mysql")).arg(format!("--port={port}"));
                for (option, file) in
                    [("datadir", "data"), ("init-file", "account.sql"), ("socket", "socket")]
                {
                    server.arg(format!("--{option}={}", self.path(file).display()));
                }
                server
            }
            _ => {
                let mut server = as_postgres("postgres");
                server.arg("-D").arg(data).arg("-k").arg(self.home.path());
                server.args(["-h", "127.0.0.1", "-p", &port.to_string()]);
                server
            }
        };
        let log = fs::File::create(self.path("log")).unwrap();
        server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        server.spawn().unwrap_or_else(|error| panic!("cannot start {server:?}: {error}"))
    }

    /// A server that starts deletes what others like it left in the folder for temporary files: it would take the tables
    /// of one that runs beside it.
    fn of_mariadb(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("TMPDIR", self.home.path());
        command
    }

    fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| {
        panic!(
            "cannot start {command:?}: {error}. `cargo xtask test` installs the servers that the tests need"
        )
    });
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn owned_by(user: &str, folder: &Path) {
    if is_root() {
        run(Command::new("chown").arg(user).arg(folder));
    }
}

/// The server refuses to run as root, and Debian keeps it off the PATH.
fn as_postgres(program: &str) -> Command {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest =
        versions.map(|version| version.path().join("bin").join(program)).filter(|file| file.is_file()).max();
    let program = newest.unwrap_or_else(|| program.into());
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

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}
