//! What a worker does, with every driver.

use std::time::Duration;

use housekey_queue::{FailedJobFilter, JobId, JobRegistry, NewJob, QueueSize, Worker, WorkerReport, job};
use serde_json::json;

use super::jobs::{Busy, Chain, Flaky, Hopeless, Note, Panics, Slow, Waits};
use super::{DriverTest, MINUTE};

const SECRET: &str = "correct-horse-battery";

pub(crate) async fn a_worker_does_what_was_dispatched(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(Note("one".into())).await.unwrap();
    queue.dispatch_many([Note("two".into()), Note("three".into())]).await.unwrap();
    queue.dispatch_after(Note("later".into()), MINUTE).await.unwrap();
    let report = test.worker(&queue).concurrency(1).run_until(std::future::pending()).await.unwrap();
    assert_eq!(report, WorkerReport { done: 3, ..Default::default() });
    assert_eq!(test.log.lines(), ["one", "two", "three"]);
    test.clock.advance(MINUTE);
    test.worker(&queue).run_until(std::future::pending()).await.unwrap();
    assert_eq!(test.log.lines().last().unwrap(), "later");
    assert_eq!(queue.driver().size("default").await.unwrap().total(), 0);
}

pub(crate) async fn a_job_that_fails_is_tried_again_later_and_later(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(Flaky { succeeds_at: 3, secret: SECRET.into() }).await.unwrap();
    for (seconds, attempts) in [(0, 1), (9, 1), (1, 2), (19, 2), (1, 3), (3600, 3)] {
        test.clock.advance(Duration::from_secs(seconds));
        test.worker(&queue).run_until(std::future::pending()).await.unwrap();
        assert_eq!(test.log.lines().len(), attempts, "{seconds} seconds later");
    }
    assert!(queue.driver().failed(10).await.unwrap().is_empty());
}

pub(crate) async fn a_job_that_keeps_failing_ends_with_the_failed_ones(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(Flaky { succeeds_at: 99, secret: SECRET.into() }).await.unwrap();
    for _ in 0..5 {
        test.worker(&queue).run_until(std::future::pending()).await.unwrap();
        test.clock.advance(MINUTE);
    }
    assert_eq!(test.log.lines().len(), 3, "once, and two retries");
    let failed = queue.driver().failed(10).await.unwrap();
    assert_eq!((failed.len(), failed[0].name.as_str(), failed[0].attempts), (1, "flaky", 3));
    assert_eq!(failed[0].error, "the server said no to […]", "what the job carries is not quoted");
}

pub(crate) async fn a_job_can_say_that_trying_again_is_no_use(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(Hopeless).await.unwrap();
    let report = test.worker(&queue).run_until(std::future::pending()).await.unwrap();
    assert_eq!(report, WorkerReport { failed: 1, ..Default::default() });
    assert_eq!(queue.driver().failed(10).await.unwrap()[0].error, "the customer is gone");
}

pub(crate) async fn a_panic_is_a_failure_and_the_worker_goes_on(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(Panics { secret: SECRET.into() }).await.unwrap();
    queue.dispatch(Note("still here".into())).await.unwrap();
    let report = test.worker(&queue).run_until(std::future::pending()).await.unwrap();
    assert_eq!(report, WorkerReport { done: 1, failed: 1, ..Default::default() });
    assert_eq!(queue.driver().failed(10).await.unwrap()[0].error, "it panicked: cannot happen: […]");
}

pub(crate) async fn a_job_that_takes_too_long_is_stopped(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(Slow).await.unwrap();
    let report = test.worker(&queue).run_until(std::future::pending()).await.unwrap();
    assert_eq!(report.failed, 1);
    assert!(queue.driver().failed(10).await.unwrap()[0].error.contains("timeout of 20ms"));
}

pub(crate) async fn what_cannot_be_understood_goes_to_the_failed_jobs_without_being_quoted(test: DriverTest) {
    let queue = test.queue();
    // A worker of another deployment, which knows no such job.
    queue.dispatch(Note(SECRET.into())).await.unwrap();
    let other = test.queue_with(JobRegistry::from_iter([job::<Busy>()]));
    test.worker(&other).run_until(std::future::pending()).await.unwrap();
    // The right name and seal, and something else inside.
    queue.push("flaky", json!({ "succeeds_at": SECRET, "secret": 7 }), None, Duration::ZERO).await.unwrap();
    test.worker(&queue).run_until(std::future::pending()).await.unwrap();
    // Written into the store by somebody without the key; and one job's contents under another's name.
    queue.dispatch(Note("harmless".into())).await.unwrap();
    let sealed = queue.driver().reserve("default", MINUTE).await.unwrap().unwrap();
    queue.driver().complete(&sealed, &[]).await.unwrap();
    for (name, payload) in
        [("note", format!("\"{SECRET}\"")), ("chain", sealed.payload.clone()), ("note", String::new())]
    {
        let job = NewJob::new(JobId::new(&test.clock), "default", name, payload);
        queue.driver().push(vec![job]).await.unwrap();
    }
    let report = test.worker(&queue).run_until(std::future::pending()).await.unwrap();
    assert_eq!(report.failed, 3);

    let failed = queue.driver().failed(10).await.unwrap();
    let errors: Vec<&str> = failed.iter().map(|job| job.error.as_str()).collect();
    assert!(errors.iter().all(|error| !error.contains(SECRET)), "{errors:?}");
    assert_eq!(errors.iter().filter(|error| error.contains("APP_KEY")).count(), 3, "{errors:?}");
    assert!(errors.iter().any(|error| error.contains("knows no job `note`; it knows busy")), "{errors:?}");
    assert!(errors.iter().any(|error| error.contains("Flaky")), "{errors:?}");
    assert!(test.log.lines().is_empty(), "nothing of it ran");
}

pub(crate) async fn a_job_that_kills_its_workers_is_given_up(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(Note("deadly".into())).await.unwrap();
    // Four workers take it and are never heard of again: the first attempt and three retries.
    for _ in 0..4 {
        assert!(queue.driver().reserve("default", MINUTE).await.unwrap().is_some());
        test.clock.advance(MINUTE);
    }
    let report = test.worker(&queue).run_until(std::future::pending()).await.unwrap();
    assert_eq!(report.failed, 1);
    assert!(queue.driver().failed(1).await.unwrap()[0].error.contains("started 4 times"));
    assert!(test.log.lines().is_empty());
}

pub(crate) async fn the_first_queue_comes_first(test: DriverTest) {
    let queue = test.queue();
    for (name, line) in [("low", "l1"), ("high", "h1"), ("low", "l2"), ("high", "h2"), ("other", "never")] {
        queue.dispatch_to(name, Note(line.into()), Duration::ZERO).await.unwrap();
    }
    let worker = test.worker(&queue).queues(["high", "low"]).concurrency(1);
    worker.run_until(std::future::pending()).await.unwrap();
    assert_eq!(test.log.lines(), ["h1", "h2", "l1", "l2"]);
    assert_eq!(queue.driver().size("other").await.unwrap().ready, 1);
}

pub(crate) async fn no_more_jobs_run_at_once_than_asked_for(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch_many((0..12).map(|_| Busy)).await.unwrap();
    let report = test.worker(&queue).concurrency(3).run_until(std::future::pending()).await.unwrap();
    assert_eq!(report.done, 12);
    assert_eq!(test.log.most_at_once(), 3);
}

pub(crate) async fn asked_to_stop_a_worker_finishes_what_it_has_and_takes_nothing_new(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(Waits).await.unwrap();
    queue.dispatch(Note("not today".into())).await.unwrap();
    let worker = Worker::new(queue.clone(), test.services(&queue)).concurrency(1);
    let log = test.log.clone();
    let stop = async move {
        log.started.notified().await;
        log.go_on.notify_one();
    };
    let report = worker.run_until(stop).await.unwrap();
    assert_eq!(report, WorkerReport { done: 1, ..Default::default() });
    assert_eq!(test.log.lines(), ["went on"]);
    assert_eq!(queue.driver().size("default").await.unwrap(), QueueSize { ready: 1, ..Default::default() });
}

pub(crate) async fn what_is_not_finished_in_time_goes_back_and_the_attempt_does_not_count(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(Waits).await.unwrap();
    let worker = Worker::new(queue.clone(), test.services(&queue)).grace(Duration::from_millis(10));
    let log = test.log.clone();
    let report = worker.run_until(async move { log.started.notified().await }).await.unwrap();
    assert_eq!(report, WorkerReport { returned: 1, ..Default::default() });
    assert!(test.log.lines().is_empty());
    let next = queue.driver().reserve("default", MINUTE).await.unwrap().unwrap();
    assert_eq!(next.attempt, 1);
}

pub(crate) async fn a_failed_job_that_is_retried_is_done(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(Note("in the end".into())).await.unwrap();
    let ignorant = test.queue_with(JobRegistry::default());
    test.worker(&ignorant).run_until(std::future::pending()).await.unwrap();
    assert_eq!(queue.driver().retry(&FailedJobFilter::All).await.unwrap(), 1);
    test.worker(&queue).run_until(std::future::pending()).await.unwrap();
    assert_eq!(test.log.lines(), ["in the end"]);
}

pub(crate) async fn a_job_dispatches_another(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(Chain(3)).await.unwrap();
    let report = test.worker(&queue).run_until(std::future::pending()).await.unwrap();
    assert_eq!(report.done, 4);
    assert_eq!(test.log.lines(), ["link 3", "link 2", "link 1", "link 0"]);
}
