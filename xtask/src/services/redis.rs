use std::path::Path;
use std::process::Command;

use super::{Server, free_port, until_it_answers};
use crate::process::Background;

pub(super) fn start(folder: &Path) -> Result<Server, String> {
    let port = free_port()?;
    let mut server = Command::new("redis-server");
    server.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--save", "", "--appendonly", "no"]);
    server.arg("--dir").arg(folder);
    let mut process = Background::start(&mut server, &folder.join("redis.log"))?;
    until_it_answers(&mut process, port, "Ready to accept connections")?;
    Ok(Server {
        variable: "HOUSEKEY_TEST_REDIS_URL",
        url: format!("redis://127.0.0.1:{port}"),
        _process: process,
    })
}
