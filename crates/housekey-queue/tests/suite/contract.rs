//! What every driver must do.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use housekey_core::Clock;
use housekey_queue::{FailedJobFilter, JobId, JobState, NewJob, QueueDriver, QueueSize, ReservedJob};

use super::{DriverTest, MINUTE};

fn new(clock: &Clock, queue: &str, payload: &str) -> NewJob {
    NewJob::new(JobId::new(clock), queue, "job", payload)
}

async fn push(test: &DriverTest, queue: &str, payload: &str) -> JobId {
    let job = new(&test.clock, queue, payload);
    let id = job.id.clone();
    test.driver.push(vec![job]).await.unwrap();
    id
}

async fn reserve(driver: &Arc<dyn QueueDriver>, queue: &str) -> Option<ReservedJob> {
    driver.reserve(queue, MINUTE).await.unwrap()
}

pub(crate) async fn jobs_are_lent_in_order_and_each_to_one(test: DriverTest) {
    let driver = &test.driver;
    assert!(reserve(driver, "q").await.is_none());
    for payload in ["a", "b"] {
        push(&test, "q", payload).await;
    }
    test.clock.advance(Duration::from_millis(1));
    driver.push(vec![new(&test.clock, "q", "c"), new(&test.clock, "q", "d")]).await.unwrap();
    for payload in ["a", "b", "c", "d"] {
        let job = reserve(driver, "q").await.unwrap();
        assert_eq!((job.payload.as_str(), job.attempt, job.queue.as_str()), (payload, 1, "q"));
    }
    assert!(reserve(driver, "q").await.is_none());
}

pub(crate) async fn a_delayed_job_waits_for_its_time(test: DriverTest) {
    let later = NewJob { delay: MINUTE, ..new(&test.clock, "q", "later") };
    test.driver.push(vec![later]).await.unwrap();
    push(&test, "q", "now").await;
    assert_eq!(reserve(&test.driver, "q").await.unwrap().payload, "now");
    assert!(reserve(&test.driver, "q").await.is_none());
    test.clock.advance(MINUTE - Duration::from_millis(1));
    assert_eq!(test.driver.size("q").await.unwrap(), QueueSize { ready: 0, delayed: 1, reserved: 1 });
    test.clock.advance(Duration::from_millis(1));
    let found = [reserve(&test.driver, "q").await.unwrap(), reserve(&test.driver, "q").await.unwrap()];
    let payloads: HashSet<&str> = found.iter().map(|job| job.payload.as_str()).collect();
    assert_eq!(payloads, HashSet::from(["later", "now"]), "and the loan of the other is over");
}

pub(crate) async fn a_job_whose_worker_is_silent_is_lent_again_and_the_first_has_no_say_any_more(
    test: DriverTest,
) {
    let driver = &test.driver;
    push(&test, "q", "job").await;
    let first = reserve(driver, "q").await.unwrap();
    test.clock.advance(MINUTE);
    let second = reserve(driver, "q").await.unwrap();
    assert_eq!((second.id.clone(), second.attempt), (first.id.clone(), 2));

    assert!(!driver.extend(&first, MINUTE).await.unwrap());
    assert!(!driver.complete(&first, &[]).await.unwrap());
    assert!(!driver.release(&first, Duration::ZERO, 1).await.unwrap());
    assert!(!driver.fail(&first, "too late", &[]).await.unwrap());
    assert!(driver.failed(10).await.unwrap().is_empty());
    assert_eq!(driver.size("q").await.unwrap(), QueueSize { reserved: 1, ..Default::default() });

    assert!(driver.complete(&second, &[]).await.unwrap());
    assert!(!driver.complete(&second, &[]).await.unwrap());
    test.clock.advance(MINUTE);
    assert!(reserve(driver, "q").await.is_none(), "done is done");
}

pub(crate) async fn a_renewed_loan_lasts(test: DriverTest) {
    push(&test, "q", "job").await;
    let job = reserve(&test.driver, "q").await.unwrap();
    for _ in 0..3 {
        test.clock.advance(MINUTE - Duration::from_millis(1));
        assert!(test.driver.extend(&job, MINUTE).await.unwrap());
    }
    assert!(reserve(&test.driver, "q").await.is_none());
    // Too late, but nobody came in between: the job is still ours.
    test.clock.advance(MINUTE);
    assert!(test.driver.complete(&job, &[]).await.unwrap());
}

pub(crate) async fn a_released_job_comes_back_after_its_delay(test: DriverTest) {
    push(&test, "q", "job").await;
    let job = reserve(&test.driver, "q").await.unwrap();
    assert!(test.driver.release(&job, MINUTE, job.attempt).await.unwrap());
    assert!(!test.driver.complete(&job, &[]).await.unwrap(), "it was given back");
    assert_eq!(test.driver.size("q").await.unwrap(), QueueSize { delayed: 1, ..Default::default() });
    assert!(reserve(&test.driver, "q").await.is_none());
    test.clock.advance(MINUTE);
    let again = reserve(&test.driver, "q").await.unwrap();
    assert_eq!((again.payload.as_str(), again.attempt), ("job", 2));
    assert!(test.driver.release(&again, Duration::ZERO, 0).await.unwrap());
    assert_eq!(reserve(&test.driver, "q").await.unwrap().attempt, 1);
}

pub(crate) async fn a_failed_job_is_kept_apart_and_comes_back_when_asked(test: DriverTest) {
    let driver = &test.driver;
    let mut ids = Vec::new();
    for payload in ["first", "second"] {
        ids.push(push(&test, "q", payload).await);
        let job = reserve(driver, "q").await.unwrap();
        assert!(driver.fail(&job, &format!("{payload} broke"), &[]).await.unwrap());
        test.clock.advance(Duration::from_millis(5));
    }
    assert_eq!(driver.size("q").await.unwrap(), QueueSize::default());
    let failed = driver.failed(10).await.unwrap();
    assert_eq!(
        failed.iter().map(|job| job.error.as_str()).collect::<Vec<_>>(),
        ["second broke", "first broke"]
    );
    assert_eq!((&failed[1].id, failed[1].attempts, failed[1].queue.as_str()), (&ids[0], 1, "q"));
    assert!((test.clock.now() - failed[0].failed_at).abs() < time::Duration::milliseconds(10));
    assert_eq!(driver.failed(1).await.unwrap().len(), 1);

    assert_eq!(
        driver.retry(&FailedJobFilter::These(vec![ids[0].clone(), "nobody".into()])).await.unwrap(),
        1
    );
    let job = reserve(driver, "q").await.unwrap();
    assert_eq!((job.id.clone(), job.payload.as_str(), job.attempt), (ids[0].clone(), "first", 1));
    assert!(driver.fail(&job, "again", &[]).await.unwrap(), "a job can fail twice");
    assert_eq!(driver.retry(&FailedJobFilter::All).await.unwrap(), 2);
    assert_eq!(driver.retry(&FailedJobFilter::All).await.unwrap(), 0);
    assert!(driver.failed(10).await.unwrap().is_empty());
    assert_eq!(driver.size("q").await.unwrap().ready, 2);
}

pub(crate) async fn failed_jobs_are_removed_when_asked(test: DriverTest) {
    let driver = &test.driver;
    let mut ids = Vec::new();
    for payload in ["a", "b", "c"] {
        ids.push(push(&test, "q", payload).await);
        let job = reserve(driver, "q").await.unwrap();
        driver.fail(&job, "broken", &[]).await.unwrap();
    }
    assert_eq!(driver.flush(&FailedJobFilter::These(vec![ids[1].clone()])).await.unwrap(), 1);
    assert_eq!(
        driver.retry(&FailedJobFilter::These(vec![ids[1].clone()])).await.unwrap(),
        0,
        "it is gone for good"
    );
    assert_eq!(driver.flush(&FailedJobFilter::All).await.unwrap(), 2);
    assert!(driver.failed(10).await.unwrap().is_empty());
}

pub(crate) async fn queues_are_counted_and_cleared_one_by_one(test: DriverTest) {
    let driver = &test.driver;
    for queue in ["mails", "mails", "mails", "photos"] {
        push(&test, queue, "job").await;
    }
    let delayed = NewJob { delay: MINUTE * 2, ..new(&test.clock, "mails", "later") };
    driver.push(vec![delayed]).await.unwrap();
    let in_hand = reserve(driver, "mails").await.unwrap();
    assert_eq!(driver.size("mails").await.unwrap(), QueueSize { ready: 2, delayed: 1, reserved: 1 });
    assert_eq!(driver.queues().await.unwrap(), ["mails", "photos"]);

    assert_eq!(driver.clear("mails").await.unwrap(), 3);
    assert_eq!(driver.size("mails").await.unwrap(), QueueSize { reserved: 1, ..Default::default() });
    assert!(driver.complete(&in_hand, &[]).await.unwrap(), "what is in hand is not taken out of it");
    assert_eq!(driver.queues().await.unwrap(), ["photos"]);
    assert_eq!(driver.size("photos").await.unwrap().total(), 1);
}

pub(crate) async fn of_many_workers_each_job_goes_to_one(test: DriverTest) {
    const JOBS: usize = 60;
    let jobs = (0..JOBS).map(|number| new(&test.clock, "q", &number.to_string())).collect();
    test.driver.push(jobs).await.unwrap();
    let workers: Vec<_> = (0..8)
        .map(|_| {
            let driver = test.driver.clone();
            tokio::spawn(async move {
                let mut taken = Vec::new();
                while let Some(job) = reserve(&driver, "q").await {
                    taken.push(job.payload.clone());
                    assert!(driver.complete(&job, &[]).await.unwrap());
                }
                taken
            })
        })
        .collect();
    let mut taken = Vec::new();
    for worker in workers {
        taken.extend(worker.await.unwrap());
    }
    assert_eq!(taken.len(), JOBS);
    assert_eq!(taken.into_iter().collect::<HashSet<_>>().len(), JOBS);
    assert_eq!(test.driver.size("q").await.unwrap().total(), 0);
}

pub(crate) async fn anything_can_be_carried_under_any_name(test: DriverTest) {
    let large = "x".repeat(300_000);
    for (queue, payload) in [("a:b {c}*", "ключ 🗝 \" ' \\"), ("Q", ""), ("q", &large)] {
        push(&test, queue, payload).await;
    }
    for (queue, payload) in [("q", &*large), ("a:b {c}*", "ключ 🗝 \" ' \\"), ("Q", "")] {
        assert_eq!(reserve(&test.driver, queue).await.unwrap().payload, payload, "{queue}");
    }
}

pub(crate) async fn whoever_looks_sees_what_runs_and_what_waits(test: DriverTest) {
    let driver = &test.driver;
    assert!(driver.jobs(10).await.unwrap().is_empty());
    let running = push(&test, "q", "one").await;
    test.clock.advance(Duration::from_millis(2));
    let due = push(&test, "q", "two").await;
    reserve(driver, "q").await.unwrap();
    let later = NewJob { delay: MINUTE * 5, ..new(&test.clock, "other", "three") };
    let later_id = later.id.clone();
    driver.push(vec![later]).await.unwrap();

    let seen = driver.jobs(10).await.unwrap();
    let told: Vec<_> =
        seen.iter().map(|job| (job.id.clone(), job.queue.as_str(), job.state, job.attempts)).collect();
    let expected = [
        (running.clone(), "q", JobState::Running, 1),
        (due.clone(), "q", JobState::Due, 0),
        (later_id, "other", JobState::Later, 0),
    ];
    assert_eq!(told, expected);
    assert_eq!(seen[2].available_at.unix_timestamp(), (test.clock.now() + MINUTE * 5).unix_timestamp());
    let most: Vec<JobId> = driver.jobs(1).await.unwrap().into_iter().map(|job| job.id).collect();
    assert_eq!(most, [running.clone(), due], "so many of each");
    // A worker that is not heard from any more works on nothing.
    test.clock.advance(MINUTE);
    let silent = driver.jobs(10).await.unwrap().into_iter().find(|job| job.id == running).unwrap();
    assert_eq!((silent.state, silent.attempts), (JobState::Due, 1));
}
