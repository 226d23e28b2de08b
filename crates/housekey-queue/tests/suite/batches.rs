//! Batches, with every driver that keeps jobs.
// spec: WRK-2

use std::time::Duration;

use housekey_queue::{BatchId, BatchStatus, FailedJobFilter, WorkerReport, batch};

use super::jobs::{CancelsItsBatch, Flaky, Hopeless, Index, Note};
use super::{DriverTest, MINUTE};

fn note(line: &str) -> Note {
    Note(line.into())
}

fn notes(count: usize) -> Vec<Note> {
    (0..count).map(|number| Note(format!("job {number}"))).collect()
}

/// One at a time: two jobs that run at once come to their end in any order.
async fn work(test: &DriverTest) -> WorkerReport {
    test.worker(&test.queue()).concurrency(1).run_until(std::future::pending()).await.unwrap()
}

async fn status(test: &DriverTest, id: &BatchId) -> BatchStatus {
    test.queue().batch(id).await.unwrap().unwrap()
}

fn numbers(status: &BatchStatus) -> [u64; 5] {
    [status.total, status.done, status.failed, status.skipped, status.pending()]
}

fn lines(test: &DriverTest, line: &str) -> usize {
    test.log.lines().iter().filter(|other| *other == line).count()
}

pub(crate) async fn a_batch_tells_how_far_it_is_and_when_all_have_succeeded(test: DriverTest) {
    let queue = test.queue();
    let flaky = Flaky { succeeds_at: 2, secret: "secret".into() };
    let all = batch(notes(3)).and(flaky).name("album 7").then(note("then")).finally(note("finally"));
    let id = queue.dispatch_batch(all.catch(note("catch"))).await.unwrap();
    let begun = status(&test, &id).await;
    assert_eq!((begun.name.as_str(), numbers(&begun), begun.percent()), ("album 7", [4, 0, 0, 0, 4], 0));
    assert!(!begun.is_finished() && !begun.is_cancelled);

    let one = test.worker(&queue).concurrency(1).max_jobs(1);
    one.run_until(std::future::pending()).await.unwrap();
    assert_eq!(status(&test, &id).await.percent(), 25);
    work(&test).await;
    let waits = status(&test, &id).await;
    assert_eq!((numbers(&waits), waits.is_finished()), ([4, 3, 0, 0, 1], false), "one is to be tried again");
    test.clock.advance(MINUTE);
    work(&test).await;
    let ended = status(&test, &id).await;
    assert_eq!((numbers(&ended), ended.percent(), ended.is_finished()), ([4, 4, 0, 0, 0], 100, true));
    assert_eq!(test.log.lines()[5..], ["then", "finally"]);
    assert_eq!(queue.driver().size("default").await.unwrap().total(), 0);
    assert_eq!(queue.driver().batches(10).await.unwrap(), [ended]);
}

pub(crate) async fn a_failure_cancels_a_batch_and_is_told_once(test: DriverTest) {
    let queue = test.queue();
    let all = batch((note("first"), Hopeless, Hopeless, note("never")));
    let all = all.then(note("then")).catch(note("catch")).finally(note("finally"));
    let id = queue.dispatch_batch(all).await.unwrap();
    let report = test.worker(&queue).concurrency(1).run_until(std::future::pending()).await.unwrap();
    assert_eq!((report.failed, report.skipped), (1, 2));
    let ended = status(&test, &id).await;
    assert_eq!((numbers(&ended), ended.is_cancelled, ended.is_finished()), ([4, 1, 1, 2, 0], true, true));
    assert_eq!(test.log.lines(), ["first", "catch", "finally"]);

    // One that is retried is by itself: the batch has told its end.
    assert_eq!(queue.driver().retry(&FailedJobFilter::All).await.unwrap(), 1);
    work(&test).await;
    assert_eq!(status(&test, &id).await, ended);
    assert_eq!(test.log.lines().len(), 3);
}

pub(crate) async fn a_batch_that_allows_failures_goes_on_and_has_not_succeeded(test: DriverTest) {
    let queue = test.queue();
    let all = batch((Hopeless, note("one"), Hopeless, note("two"))).allow_failures();
    let all = all.then(note("then")).catch(note("catch")).finally(note("finally"));
    let id = queue.dispatch_batch(all).await.unwrap();
    work(&test).await;
    let ended = status(&test, &id).await;
    assert_eq!((numbers(&ended), ended.is_cancelled, ended.is_finished()), ([4, 2, 2, 0, 0], false, true));
    for (line, times) in [("one", 1), ("two", 1), ("catch", 1), ("finally", 1), ("then", 0)] {
        assert_eq!(lines(&test, line), times, "{line}: {:?}", test.log.lines());
    }
}

pub(crate) async fn the_first_failure_of_a_batch_is_told_and_no_other(test: DriverTest) {
    let queue = test.queue();
    let all = batch(notes(2)).allow_failures().catch(note("catch"));
    queue.dispatch_batch(all).await.unwrap();
    let driver = queue.driver();
    let one = driver.reserve("default", MINUTE).await.unwrap().unwrap();
    let other = driver.reserve("default", MINUTE).await.unwrap().unwrap();
    assert!(driver.fail(&one, "broken", &[]).await.unwrap());
    // What tells of it is done before the second failure: it must not come back.
    work(&test).await;
    assert_eq!(test.log.lines(), ["catch"]);
    assert!(driver.fail(&other, "broken too", &[]).await.unwrap());
    assert_eq!(driver.size("default").await.unwrap().total(), 0);
}

pub(crate) async fn what_has_not_begun_of_a_cancelled_batch_is_left_out(test: DriverTest) {
    let queue = test.queue();
    let all =
        batch((note("one"), CancelsItsBatch, note("never"))).then(note("then")).finally(note("finally"));
    let id = queue.dispatch_batch(all).await.unwrap();
    let report = test.worker(&queue).concurrency(1).run_until(std::future::pending()).await.unwrap();
    assert_eq!(report, WorkerReport { done: 3, skipped: 1, ..Default::default() });
    assert_eq!(test.log.lines(), ["one", "finally"]);
    let ended = status(&test, &id).await;
    assert_eq!((numbers(&ended), ended.is_cancelled), ([3, 2, 0, 1, 0], true));
    assert!(!queue.cancel_batch(&id).await.unwrap(), "it has ended");
    assert!(!queue.cancel_batch(&"nobody".into()).await.unwrap());
    assert_eq!(queue.batch(&"nobody".into()).await.unwrap(), None);
}

pub(crate) async fn the_end_of_a_batch_is_told_once_however_many_workers_end_it(test: DriverTest) {
    const JOBS: usize = 24;
    let queue = test.queue();
    let all = batch(notes(JOBS)).then(note("then")).finally(note("finally"));
    let id = queue.dispatch_batch(all).await.unwrap();
    let workers: Vec<_> = (0..6)
        .map(|_| {
            let worker = test.worker(&queue).concurrency(4);
            tokio::spawn(async move { worker.run_until(std::future::pending()).await.unwrap() })
        })
        .collect();
    for worker in workers {
        worker.await.unwrap();
    }
    work(&test).await;
    assert_eq!(numbers(&status(&test, &id).await), [24, 24, 0, 0, 0]);
    assert_eq!((lines(&test, "then"), lines(&test, "finally"), test.log.lines().len()), (1, 1, JOBS + 2));
}

pub(crate) async fn a_job_of_a_batch_is_counted_once_whoever_says_it_has_ended(test: DriverTest) {
    let queue = test.queue();
    let id = queue.dispatch_batch(batch(notes(2)).then(note("then"))).await.unwrap();
    let driver = queue.driver();
    let late = driver.reserve("default", MINUTE).await.unwrap().unwrap();
    let other = driver.reserve("default", MINUTE * 2).await.unwrap().unwrap();
    test.clock.advance(MINUTE);
    let current = driver.reserve("default", MINUTE).await.unwrap().unwrap();
    assert_eq!((current.id.clone(), current.batch.clone()), (late.id.clone(), Some(id.clone())));
    assert!(!driver.complete(&late, &[]).await.unwrap());
    assert!(!driver.skip(&late).await.unwrap());
    assert!(!driver.fail(&late, "too late", &[]).await.unwrap());
    assert!(driver.complete(&current, &[]).await.unwrap());
    assert!(!driver.complete(&current, &[]).await.unwrap());
    assert_eq!(numbers(&status(&test, &id).await), [2, 1, 0, 0, 1]);
    assert!(driver.complete(&other, &[]).await.unwrap());
    assert_eq!(numbers(&status(&test, &id).await), [2, 2, 0, 0, 0]);
    assert_eq!(driver.size("default").await.unwrap().total(), 1, "its `then`");
}

pub(crate) async fn a_batch_without_jobs_has_succeeded_and_one_that_is_cleared_has_not(test: DriverTest) {
    let queue = test.queue();
    let empty = batch(notes(0)).then(note("then")).finally(note("finally"));
    let empty = queue.dispatch_batch(empty).await.unwrap();
    work(&test).await;
    assert_eq!(test.log.lines(), ["then", "finally"]);
    assert!(status(&test, &empty).await.is_finished());

    let cleared = batch(notes(3)).then(note("never")).finally(note("it has ended"));
    let cleared = queue.dispatch_batch(cleared).await.unwrap();
    let in_hand = queue.driver().reserve("default", MINUTE).await.unwrap().unwrap();
    assert_eq!(queue.driver().clear("default").await.unwrap(), 2);
    assert_eq!(numbers(&status(&test, &cleared).await), [3, 0, 0, 2, 1]);
    assert!(queue.driver().complete(&in_hand, &[]).await.unwrap());
    work(&test).await;
    assert_eq!(numbers(&status(&test, &cleared).await), [3, 1, 0, 2, 0]);
    assert_eq!(test.log.lines(), ["then", "finally", "it has ended"]);
}

// spec: WRK-2
pub(crate) async fn a_batch_that_is_cleared_as_a_whole_tells_its_end(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(note("of no batch")).await.unwrap();
    let all = batch(notes(3)).then(note("never")).finally(note("finally"));
    let id = queue.dispatch_batch(all).await.unwrap();
    assert_eq!(queue.driver().clear("default").await.unwrap(), 4);
    assert_eq!(numbers(&status(&test, &id).await), [3, 0, 0, 3, 0]);
    work(&test).await;
    assert_eq!(test.log.lines(), ["finally"]);
}

pub(crate) async fn batches_are_forgotten_in_time_and_take_no_unique_jobs(test: DriverTest) {
    let queue = test.queue();
    let unique = Index { book: 7, fails: false };
    let error = queue.dispatch_batch(batch((note("one"), unique))).await.unwrap_err().to_string();
    assert!(error.contains("`index` is unique"), "{error}");
    assert!(queue.driver().batches(10).await.unwrap().is_empty());
    assert_eq!(queue.driver().size("default").await.unwrap().total(), 0);

    let running = queue.dispatch_batch(batch(notes(1))).await.unwrap();
    let job = queue.driver().reserve("default", MINUTE).await.unwrap().unwrap();
    test.clock.advance(Duration::from_secs(30 * 24 * 60 * 60));
    let newer = queue.dispatch_batch(batch(notes(1))).await.unwrap();
    let ids = |found: Vec<BatchStatus>| found.into_iter().map(|status| status.id).collect::<Vec<_>>();
    assert_eq!(ids(queue.driver().batches(10).await.unwrap()), [newer, running.clone()]);
    assert!(queue.driver().complete(&job, &[]).await.unwrap(), "nobody else took it meanwhile");
    assert!(status(&test, &running).await.is_finished());
}
