//! Rate limits, with every driver that keeps jobs.

use housekey_core::Services;
use housekey_queue::{QueueSize, Worker};

use super::jobs::{AskService, Note};
use super::{DriverTest, MINUTE};

pub(crate) async fn no_more_jobs_of_a_kind_begin_than_its_rate_limit_allows_over_all_workers(
    test: DriverTest,
) {
    let queue = test.queue();
    queue.dispatch_many((0..8).map(|_| AskService)).await.unwrap();
    queue.dispatch(Note("not limited".into())).await.unwrap();
    for (asked, waiting) in [(3, 5), (6, 2), (8, 0)] {
        // Two workers that share a cache, at once.
        let workers = [test.worker(&queue), test.worker(&queue)];
        let [one, two] = &workers;
        let (one, two) =
            tokio::join!(one.run_until(std::future::pending()), two.run_until(std::future::pending()));
        let postponed = one.unwrap().postponed + two.unwrap().postponed;
        assert_eq!(postponed, waiting, "after {asked}");
        let lines = test.log.lines();
        assert_eq!(lines.iter().filter(|line| *line == "asked, attempt 1").count(), asked, "{lines:?}");
        let size = queue.driver().size("default").await.unwrap();
        assert_eq!(size, QueueSize { delayed: waiting, ..Default::default() });
        test.clock.advance(MINUTE * 2);
    }
    assert!(test.log.lines().contains(&"not limited".to_owned()));
    assert_eq!(test.log.lines().len(), 9, "waiting was no attempt");
}

pub(crate) async fn a_job_whose_rate_limit_cannot_be_counted_does_not_begin(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch(AskService).await.unwrap();
    let worker = Worker::new(queue.clone(), Services::default()).stop_when_empty();
    let report = worker.run_until(std::future::pending()).await.unwrap();
    assert_eq!((report.postponed, report.done), (1, 0));
    test.clock.advance(MINUTE);
    assert_eq!(test.worker(&queue).run_until(std::future::pending()).await.unwrap().done, 1);
    assert_eq!(test.log.lines(), ["asked, attempt 1"]);
}
