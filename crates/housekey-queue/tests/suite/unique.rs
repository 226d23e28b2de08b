//! Unique jobs, with every driver that keeps jobs.
// spec: WRK-2

use std::collections::HashSet;
use std::time::Duration;

use housekey_queue::{FailedJobFilter, JobId};
use serde_json::json;
use tokio::task::JoinSet;

use super::jobs::{Index, Note, Reindex};
use super::{DriverTest, MINUTE};

fn index(book: i64) -> Index {
    Index { book, fails: false }
}

async fn waiting(test: &DriverTest) -> u64 {
    test.driver.size("default").await.unwrap().total()
}

async fn work(test: &DriverTest) {
    test.worker(&test.queue()).run_until(std::future::pending()).await.unwrap();
}

pub(crate) async fn of_many_unique_jobs_dispatched_at_once_one_is_queued(test: DriverTest) {
    let mut dispatching = JoinSet::new();
    for number in 0..24 {
        // As many queues over one store: nothing is shared but the store.
        let queue = test.queue();
        dispatching.spawn(async move {
            match number % 2 {
                0 => queue.dispatch(index(7)).await.unwrap(),
                _ => {
                    let named = json!({ "book": 7, "fails": false });
                    queue.push("index", named, None, Duration::ZERO).await.unwrap()
                }
            }
        });
    }
    let ids: HashSet<JobId> = dispatching.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 1, "everybody is told of the one that was queued");
    assert_eq!(waiting(&test).await, 1);
    work(&test).await;
    assert_eq!(test.log.lines(), ["indexed 7"]);
}

pub(crate) async fn unique_jobs_of_other_keys_and_kinds_do_not_mind_each_other(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(index(1)).await.unwrap();
    queue.dispatch(index(2)).await.unwrap();
    queue.dispatch(Reindex { book: 1 }).await.unwrap();
    queue.dispatch(Note("not unique".into())).await.unwrap();
    queue.dispatch(Note("not unique".into())).await.unwrap();
    assert_eq!(waiting(&test).await, 5);
    // Many at once are all or none, and what is held is left out.
    let ids = queue.dispatch_many([index(2), index(3), index(3)]).await.unwrap();
    assert_eq!(ids[1], ids[2]);
    assert_eq!(waiting(&test).await, 6);
}

pub(crate) async fn the_lock_of_a_unique_job_ends_when_it_is_done(test: DriverTest) {
    let queue = test.queue();
    let first = queue.dispatch(index(7)).await.unwrap();
    let job = queue.driver().reserve("default", MINUTE).await.unwrap().unwrap();
    assert_eq!(queue.dispatch(index(7)).await.unwrap(), first, "it runs");
    assert!(queue.driver().release(&job, Duration::ZERO, 1).await.unwrap());
    assert_eq!(queue.dispatch(index(7)).await.unwrap(), first, "it is to be tried again");
    work(&test).await;
    let second = queue.dispatch(index(7)).await.unwrap();
    assert_ne!(second, first);
    assert_eq!(waiting(&test).await, 1);
}

pub(crate) async fn a_unique_job_that_failed_comes_back_only_if_no_other_took_its_place(test: DriverTest) {
    let queue = test.queue();
    let first = queue.dispatch(Index { book: 7, fails: true }).await.unwrap();
    work(&test).await;
    assert_eq!(queue.driver().failed(10).await.unwrap().len(), 1);
    let second = queue.dispatch(index(7)).await.unwrap();
    assert_ne!(second, first, "what failed for good holds nothing");

    assert_eq!(queue.driver().retry(&FailedJobFilter::All).await.unwrap(), 0);
    let failed = queue.driver().failed(10).await.unwrap();
    assert_eq!((failed.len(), &failed[0].id, failed[0].attempts), (1, &first, 1), "it stays where it was");
    work(&test).await;
    assert_eq!(queue.driver().retry(&FailedJobFilter::These(vec![first.clone()])).await.unwrap(), 1);
    assert_eq!(queue.dispatch(index(7)).await.unwrap(), first, "it holds its lock again");
    assert!(queue.driver().failed(10).await.unwrap().is_empty());
}

pub(crate) async fn the_lock_of_a_unique_job_ends_when_its_time_is_over(test: DriverTest) {
    let queue = test.queue();
    let first = queue.dispatch(index(7)).await.unwrap();
    let late = queue.driver().reserve("default", MINUTE * 60).await.unwrap().unwrap();
    test.clock.advance(Duration::from_secs(599));
    assert_eq!(queue.dispatch(index(7)).await.unwrap(), first);
    test.clock.advance(Duration::from_secs(1));
    let second = queue.dispatch(index(7)).await.unwrap();
    assert_ne!(second, first);
    // The late one ends, and does not take the lock of the other with it.
    assert!(queue.driver().complete(&late, &[]).await.unwrap());
    assert_eq!(queue.dispatch(index(7)).await.unwrap(), second);
}

pub(crate) async fn a_queue_that_is_cleared_holds_no_locks(test: DriverTest) {
    let queue = test.queue();
    let first = queue.dispatch(index(7)).await.unwrap();
    assert_eq!(queue.driver().clear("default").await.unwrap(), 1);
    assert_ne!(queue.dispatch(index(7)).await.unwrap(), first);
}
