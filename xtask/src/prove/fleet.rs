use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The processes of an app, which are killed and started again. None outlives this.
pub(super) struct Fleet {
    members: Vec<Member>,
}

/// What a process is for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    Web,
    Worker,
    Scheduler,
}

struct Member {
    role: Role,
    command: Command,
    log: PathBuf,
    child: Child,
    kills: u64,
}

impl Fleet {
    pub(super) fn new() -> Self {
        Self { members: Vec::new() }
    }

    /// Starts one more.
    pub(super) fn add(&mut self, role: Role, mut command: Command, log: PathBuf) -> Result<(), String> {
        let child = start(&mut command, &log)?;
        self.members.push(Member { role, command, log, child, kills: 0 });
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// Those with this role.
    pub(super) fn with(&self, role: Role) -> Vec<usize> {
        (0..self.members.len()).filter(|index| self.members[*index].role == role).collect()
    }

    pub(super) fn kills(&self, role: Role) -> u64 {
        self.members.iter().filter(|member| member.role == role).map(|member| member.kills).sum()
    }

    /// SIGKILL, and a new one in its place. One that had ended by itself is an error: nothing asked it to.
    pub(super) fn kill(&mut self, index: usize) -> Result<(), String> {
        let member = &mut self.members[index];
        if let Ok(Some(status)) = member.child.try_wait() {
            let said = std::fs::read_to_string(&member.log).unwrap_or_default();
            let end: Vec<&str> = said.lines().rev().take(20).collect();
            let end: Vec<&str> = end.into_iter().rev().collect();
            return Err(format!("a process ended by itself ({status}). Its last words:\n{}", end.join("\n")));
        }
        member
            .child
            .kill()
            .and_then(|()| member.child.wait())
            .map_err(|error| format!("cannot kill: {error}"))?;
        member.kills += 1;
        member.child = start(&mut member.command, &member.log)?;
        Ok(())
    }

    /// SIGTERM for all. How many did not end in peace within half a minute.
    pub(super) fn stop(mut self) -> Result<u64, String> {
        for member in &self.members {
            let id = member.child.id().to_string();
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .map_err(|error| format!("cannot run kill: {error}"))?;
        }
        let until = Instant::now() + Duration::from_secs(40);
        let mut left = 0;
        for member in &mut self.members {
            loop {
                match member.child.try_wait() {
                    Ok(Some(status)) => {
                        left += u64::from(!status.success());
                        break;
                    }
                    _ if Instant::now() > until => {
                        left += 1;
                        break;
                    }
                    _ => std::thread::sleep(Duration::from_millis(20)),
                }
            }
        }
        Ok(left)
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        for member in &mut self.members {
            let _ = member.child.kill();
            let _ = member.child.wait();
        }
    }
}

/// What all of them say in turn goes into one file.
fn start(command: &mut Command, log: &PathBuf) -> Result<Child, String> {
    let mut spawn = || -> io::Result<Child> {
        let out = File::options().create(true).append(true).open(log)?;
        command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out).spawn()
    };
    spawn().map_err(|error| format!("cannot start a process of the app: {error}"))
}
