//! The queue inside an application.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use housekey_core::{
    AppConfig, AppKey, Config, ConfigFiles, EncryptionConfig, Env, Environment, Error, Result, service,
};
use housekey_database::Databases;
use housekey_http::{App, Application};
use housekey_queue::{AppJobs, Job, JobType, Queue, QueueConfig, QueueProvider, Worker, job, tables};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

#[derive(Serialize, Deserialize)]
struct Greet {
    name: String,
}

impl Job for Greet {
    const NAME: &'static str = "greet";

    async fn handle(self) -> Result<()> {
        housekey_cache::cache()?.put("greeted", &self.name, None).await
    }
}

fn boot(
    folder: &TempDir,
    env: &str,
    jobs: Vec<JobType>,
    change: impl FnOnce(&mut QueueConfig) + Send + 'static,
) -> Result<Application> {
    let env = env.to_owned();
    App::new(ConfigFiles::new())
        .root(folder.path())
        .env(Env::empty())
        .configure(move |config: &mut Config| {
            config.update::<AppConfig>(|app| app.env = Environment::from(env));
            config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
            config.update::<QueueConfig>(change);
        })
        // The order of the two does not matter.
        .jobs(jobs)
        .provider(QueueProvider)
        .boot()
}

async fn greeted(application: &Application) -> Option<String> {
    let scope = application.scope();
    scope.enter(async { housekey_cache::cache().unwrap().get("greeted").await.unwrap() }).await
}

#[tokio::test]
async fn a_job_dispatched_in_the_application_is_done_by_its_worker() {
    let folder = tempfile::tempdir().unwrap();
    let application =
        boot(&folder, "production", vec![job::<Greet>()], |queue| queue.driver = "database".into()).unwrap();
    let databases = application.services().require::<Databases>().unwrap();
    databases.connection(None).unwrap().schema(tables::create).await.unwrap();
    application.scope().enter(async { Greet { name: "Ada".into() }.dispatch().await }).await.unwrap();
    assert_eq!(greeted(&application).await, None, "it waits");

    let queue = application.services().require::<Queue>().unwrap();
    let config = application.config().get::<QueueConfig>();
    let worker =
        Worker::from_config((*queue).clone(), application.services().clone(), &config).stop_when_empty();
    assert_eq!(worker.run_until(std::future::pending()).await.unwrap().done, 1);
    assert_eq!(greeted(&application).await.as_deref(), Some("Ada"));
}

#[tokio::test]
async fn under_a_test_runner_jobs_are_done_at_once_or_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let application =
        boot(&folder, "testing", vec![job::<Greet>()], |queue| queue.driver = "database".into()).unwrap();
    let scope = application.scope();
    scope.enter(async { Greet { name: "Ada".into() }.dispatch().await }).await.unwrap();
    assert_eq!(greeted(&application).await.as_deref(), Some("Ada"));

    let fake = application.services().require::<Queue>().unwrap().fake();
    let scope = application.scope();
    scope.enter(async { Greet { name: "Grace".into() }.dispatch().await }).await.unwrap();
    fake.assert_dispatched::<Greet>(|greet| greet.name == "Grace").assert_dispatched_times::<Greet>(1);
    assert_eq!(greeted(&application).await.as_deref(), Some("Ada"), "the second was only recorded");
}

#[test]
fn an_unknown_driver_is_an_error_that_lists_the_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    let error =
        boot(&folder, "production", vec![], |queue| queue.driver = "rabbit".into()).unwrap_err().to_string();
    for word in ["`rabbit`", "sync", "database", "redis", "QUEUE_DRIVER"] {
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn an_unknown_connection_is_found_when_the_app_boots() {
    let folder = tempfile::tempdir().unwrap();
    let change = |queue: &mut QueueConfig| {
        queue.driver = "database".into();
        queue.connection = Some("reports".into());
    };
    let error = boot(&folder, "production", vec![], change).unwrap_err().to_string();
    assert!(error.contains("`reports`") && error.contains("sqlite"), "{error}");
}

#[test]
fn two_jobs_of_one_name_keep_the_app_from_booting() {
    let folder = tempfile::tempdir().unwrap();
    let twice = vec![job::<Greet>(), JobType::by_name("greet", async |_| Err(Error::not_found()))];
    let error = boot(&folder, "production", twice, |_| {}).unwrap_err().to_string();
    assert!(error.contains("two jobs are named `greet`"), "{error}");
    assert!(service::<Queue>().is_none());
}
