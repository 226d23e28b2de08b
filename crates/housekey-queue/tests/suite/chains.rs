//! Chains, with every driver that keeps jobs.
// spec: WRK-2

use housekey_queue::{FailedJobFilter, JobId, JobRegistry, NewJob, WorkerReport, chain, job};

use super::jobs::{Flaky, Hopeless, Index, Note};
use super::{DriverTest, MINUTE};

fn note(line: &str) -> Note {
    Note(line.into())
}

async fn work(test: &DriverTest) -> WorkerReport {
    test.worker(&test.queue()).run_until(std::future::pending()).await.unwrap()
}

pub(crate) async fn the_next_job_of_a_chain_is_queued_when_the_one_before_has_succeeded(test: DriverTest) {
    let queue = test.queue();
    let flaky = Flaky { succeeds_at: 2, secret: "secret".into() };
    queue.dispatch_chain(chain((note("one"), flaky)).and(note("three"))).await.unwrap();
    assert_eq!(queue.driver().size("default").await.unwrap().total(), 1, "the others are not queued yet");
    assert_eq!(work(&test).await, WorkerReport { done: 1, retried: 1, ..Default::default() });
    assert_eq!(test.log.lines(), ["one", "attempt 1"]);
    assert_eq!(queue.driver().size("default").await.unwrap().total(), 1);
    test.clock.advance(MINUTE);
    assert_eq!(work(&test).await, WorkerReport { done: 2, ..Default::default() });
    assert_eq!(test.log.lines(), ["one", "attempt 1", "attempt 2", "three"]);
    assert_eq!(queue.driver().size("default").await.unwrap().total(), 0);
}

pub(crate) async fn a_failure_stops_a_chain_and_says_so_and_a_retry_goes_on(test: DriverTest) {
    let queue = test.queue();
    let steps = chain((note("one"), Hopeless, note("three"), Index { book: 1, fails: false }));
    assert!(queue.dispatch_chain(steps).await.is_err(), "one of them is unique");
    let steps = chain((note("one"), Hopeless, note("three"), note("four"))).catch(note("it stopped"));
    queue.dispatch_chain(steps).await.unwrap();
    assert_eq!(work(&test).await, WorkerReport { done: 2, failed: 1, ..Default::default() });
    assert_eq!(test.log.lines(), ["one", "it stopped"]);
    let failed = queue.driver().failed(10).await.unwrap();
    assert_eq!(failed.len(), 1);
    let error = &failed[0].error;
    assert!(error.starts_with("the customer is gone; the chain stops here"), "{error}");
    assert!(error.ends_with("note, note"), "{error}");

    // The same job in an app where it does not fail any more.
    queue.driver().retry(&FailedJobFilter::All).await.unwrap();
    let mended = housekey_queue::JobType::by_name("hopeless", async |_| Ok(()));
    let mended = test.queue_with(JobRegistry::from_iter([job::<Note>(), mended]));
    let report = test.worker(&mended).run_until(std::future::pending()).await.unwrap();
    assert_eq!(report.done, 3);
    assert_eq!(test.log.lines(), ["one", "it stopped", "three", "four"]);
}

pub(crate) async fn the_next_job_of_a_chain_is_queued_once_whoever_says_it_is_done(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch_chain(chain([note("one"), note("two")])).await.unwrap();
    let driver = queue.driver();
    // A worker that was thought dead, and the one that has its job now, say so at the same time.
    let late = driver.reserve("default", MINUTE).await.unwrap().unwrap();
    test.clock.advance(MINUTE);
    let current = driver.reserve("default", MINUTE).await.unwrap().unwrap();
    let next =
        |number: u32| vec![NewJob::new(JobId::new(&test.clock), "default", "note", format!("next {number}"))];
    let (of_late, of_current) = (next(1), next(2));
    let said = tokio::join!(
        driver.complete(&late, &of_late),
        driver.complete(&current, &of_current),
        driver.complete(&current, &of_current),
        driver.fail(&late, "too late", &of_late),
    );
    let said = [said.0.unwrap(), said.1.unwrap(), said.2.unwrap(), said.3.unwrap()];
    assert_eq!((said[0], said[3]), (false, false));
    assert!(said[1] != said[2], "{said:?}");
    assert_eq!(driver.size("default").await.unwrap().total(), 1);
    let found = driver.reserve("default", MINUTE).await.unwrap().unwrap();
    assert_eq!(found.payload, "next 2");
}

pub(crate) async fn what_follows_a_job_cannot_be_forged_or_put_behind_another(test: DriverTest) {
    let queue = test.queue();
    queue.dispatch_chain(chain([note("one"), note("stolen")])).await.unwrap();
    let driver = queue.driver();
    let stolen = driver.reserve("default", MINUTE).await.unwrap().unwrap();
    driver.complete(&stolen, &[]).await.unwrap();
    let sealed = stolen.chain.clone().unwrap();
    assert!(!sealed.contains("stolen") && !sealed.contains("note"), "it is sealed: {sealed}");
    let forged = r#"{"links":[{"name":"note","queue":"default","payload":"forged"}],"catch":null}"#;
    for chain in [sealed, forged.to_owned(), "{".to_owned()] {
        let job = NewJob::new(JobId::new(&test.clock), "default", "note", stolen.payload.clone());
        driver.push(vec![NewJob { chain: Some(chain), ..job }]).await.unwrap();
    }
    assert_eq!(work(&test).await, WorkerReport { failed: 3, ..Default::default() });
    assert!(test.log.lines().is_empty(), "nothing of it ran: {:?}", test.log.lines());
    let failed = driver.failed(10).await.unwrap();
    assert!(failed.iter().all(|job| job.error.contains("chain")), "{failed:?}");
}

pub(crate) async fn what_cannot_be_a_link_of_a_chain_is_refused_when_it_is_dispatched(test: DriverTest) {
    let queue = test.queue();
    let error = queue.dispatch_chain(chain(Vec::<Note>::new())).await.unwrap_err().to_string();
    assert!(error.contains("a chain needs a job"), "{error}");
    let unique = Index { book: 7, fails: false };
    let error = queue.dispatch_chain(chain((note("one"), unique))).await.unwrap_err().to_string();
    assert!(error.contains("`index` is unique"), "{error}");
    let ignorant = test.queue_with(JobRegistry::from_iter([job::<Note>()]));
    let error = ignorant.dispatch_chain(chain((note("one"), Hopeless))).await.unwrap_err().to_string();
    assert!(error.contains("`hopeless` is not known"), "{error}");
    assert_eq!(queue.driver().size("default").await.unwrap().total(), 0, "nothing of it is queued");
}
