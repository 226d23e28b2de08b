use std::fs;

use super::{App, Server};
use crate::process::{self, Background};
use crate::services::Services;
use crate::services::s3::{Bucket, Profile};
use crate::suite::Failure;
use crate::workspace::{Workspace, program};

/// An app with all that its last chapter puts around it: PostgreSQL, Redis and a bucket, and beside the server a worker and
/// a scheduler, each a process of its own. Everything stops when it is dropped.
pub(super) struct Deployed {
    server: Server,
    worker: Background,
    scheduler: Background,
    bucket: Bucket,
    _services: Services,
}

impl Deployed {
    /// Migrates, seeds and starts. Mails are caught, as while developing: somebody wants to read them.
    pub(super) fn start(workspace: &Workspace, app: &App, bucket: &'static str) -> Result<Self, Failure> {
        let services = Services::start()?;
        let folder = app.folder().join("storage/deployed");
        fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let bucket = Bucket::start(workspace, Profile::Debug, &folder, bucket)?;
        let found = |wanted: &str| {
            services
                .variables()
                .find(|(name, _)| *name == wanted)
                .map(|(_, url)| url)
                .ok_or("a server is not there")
        };
        let mut environment = vec![
            ("APP_ENV", "development"),
            ("APP_DEBUG", "false"),
            ("TRUSTED_PROXIES", "127.0.0.1"),
            ("DB_CONNECTION", "postgres"),
            ("DATABASE_URL", found("HOUSEKEY_TEST_POSTGRES_URL")?),
            ("REDIS_URL", found("HOUSEKEY_TEST_REDIS_URL")?),
            ("CACHE_STORE", "redis"),
            ("SESSION_DRIVER", "redis"),
            ("QUEUE_DRIVER", "database"),
            ("LIVE_DRIVER", "redis"),
        ];
        environment.extend(bucket.variables());
        let command = |words: &[&str]| {
            let mut command = program(app.binary("debug"));
            command.current_dir(app.folder()).args(words).envs(environment.iter().copied());
            command
        };
        process::read(&mut command(&["migrate", "--seed"]))?;
        let server = app.serve(&environment)?;
        let beside = |words: &[&str], log: &str| {
            let mut command = command(words);
            Background::start(command.env("APP_URL", server.url()), &folder.join(log))
        };
        let worker = beside(&["queue:work", "--all"], "worker.log")?;
        let scheduler = beside(&["schedule:work"], "scheduler.log")?;
        Ok(Self { server, worker, scheduler, bucket, _services: services })
    }

    pub(super) fn url(&self) -> String {
        self.server.url()
    }

    /// Whether all of it was used and still runs.
    pub(super) fn check(mut self) -> Result<(), Failure> {
        for program in [&mut self.server.program, &mut self.worker, &mut self.scheduler] {
            program.still_running()?;
        }
        if self.bucket.puts() == 0 {
            return Err("no file went into the bucket".into());
        }
        for (name, program) in
            [("server", self.server.program), ("worker", self.worker), ("scheduler", self.scheduler)]
        {
            if !program.stop() {
                return Err(format!("the {name} did not stop when asked").into());
            }
        }
        Ok(())
    }
}
