use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::START_TIMEOUT;
use crate::process::{self, Background};
use crate::workspace::{Workspace, program};

/// A bucket on a server that speaks S3 over a folder, stopped when dropped.
pub(crate) struct Bucket {
    name: &'static str,
    endpoint: String,
    folder: PathBuf,
    server: Background,
}

const SERVER: &str = "housekey-s3-server";
const KEY: [(&str, &str); 2] = [("S3_ACCESS_KEY_ID", "housekey"), ("S3_SECRET_ACCESS_KEY", "not a secret")];

impl Bucket {
    /// Builds the server and starts it. What it keeps lies below the folder.
    pub(crate) fn start(
        workspace: &Workspace,
        profile: Profile,
        folder: &Path,
        name: &'static str,
    ) -> Result<Self, String> {
        let built = match profile {
            Profile::Debug => {
                workspace.build_for_tests(&[SERVER])?;
                workspace.debug_build(SERVER)
            }
            Profile::Release => {
                let build = ["build", "--quiet", "--package", SERVER, "--release"];
                if !process::run(&mut workspace.cargo(&build))?.success {
                    return Err("the S3 server does not build; see above".into());
                }
                workspace.target().join("release").join(SERVER)
            }
        };
        let mut command = program(built);
        command.arg(folder.join("s3")).arg(name).envs(KEY);
        let mut server = Background::start(&mut command, &folder.join("s3.log"))?;
        let endpoint = format!("http://{}", listening(&mut server)?);
        Ok(Self { name, endpoint, folder: folder.join("s3").join(name), server })
    }

    /// What an app is told about it.
    pub(crate) fn variables(&self) -> [(&'static str, &str); 4] {
        let [id, secret] = KEY;
        [("S3_BUCKET", self.name), ("S3_ENDPOINT", &self.endpoint), id, secret]
    }

    /// Where a file of the bucket lies.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// How often a file was put into it.
    pub(crate) fn puts(&self) -> usize {
        self.server.output().lines().filter(|line| line.starts_with("PUT ")).count()
    }
}

/// How fast the server has to be.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Debug,
    Release,
}

fn listening(server: &mut Background) -> Result<String, String> {
    let until = Instant::now() + START_TIMEOUT;
    while Instant::now() < until {
        server.still_running()?;
        if let Some(address) = server.output().lines().find_map(|line| line.strip_prefix("listening on ")) {
            return Ok(address.trim().to_owned());
        }
        thread::sleep(Duration::from_millis(20));
    }
    Err("the S3 server does not say where it listens".into())
}
