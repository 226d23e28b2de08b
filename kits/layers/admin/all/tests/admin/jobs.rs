//! Jobs that wait, and jobs that failed.

use std::time::Duration;

use housekey::QueueConfig;
use housekey::prelude::*;
use housekey::queue::{JobId, NewJob, Queue, tables};
use housekey::testing::TestApp;

use crate::support::admin;

/// The app with jobs that wait for a worker. Under a test runner each is done at once.
async fn with_queue(app: &TestApp) -> TestApp {
    let app = app.with_config(|config| {
        config.update::<QueueConfig>(|queue| {
            queue.driver = "database".into();
            queue.waits_in_tests = true;
        });
    });
    app.within(async { db()?.schema(tables::create).await }).await.unwrap();
    app
}

/// A job that waits.
async fn push(app: &TestApp, name: &str) -> JobId {
    let queue = app.services().require::<Queue>().unwrap();
    let id = JobId::new(app.clock());
    let job = NewJob::new(id.clone(), "post", name, "a very secret address");
    app.within(queue.driver().push(vec![job])).await.unwrap();
    id
}

/// A job that a worker gave up.
async fn fail(app: &TestApp, name: &str, error: &str) -> JobId {
    let id = push(app, name).await;
    let queue = app.services().require::<Queue>().unwrap();
    app.within(async {
        let job = queue.driver().reserve("post", Duration::from_secs(60)).await?.unwrap();
        assert_eq!(job.id, id, "something else waited");
        queue.driver().fail(&job, error, &[]).await
    })
    .await
    .unwrap();
    id
}

/// How many failed, and how many wait.
async fn counted(app: &TestApp) -> (usize, u64) {
    let queue = app.services().require::<Queue>().unwrap();
    app.within(async {
        let failed = queue.driver().failed(100).await?.len();
        Ok::<_, Error>((failed, queue.driver().size("post").await?.ready))
    })
    .await
    .unwrap()
}

// spec: ADM-1, WRK-2
#[housekey::test]
async fn an_admin_sees_what_waits_and_why_jobs_failed_but_not_what_they_carry(app: TestApp) {
    let app = with_queue(&app).await;
    let (_, visitor) = admin(&app).await;
    visitor.get("/admin/jobs").await.assert_see("No job has failed.").assert_see("No job waits.");
    fail(&app, "send-invoice", "the post office is <b>shut</b>").await;
    push(&app, "send-letter").await;
    let page = visitor.get("/admin/jobs").await;
    page.assert_ok().assert_header("cache-control", "no-store");
    page.assert_see("send-invoice").assert_see("send-letter").assert_see("in post");
    page.assert_see_escaped("the post office is <b>shut</b>").assert_dont_see("a very secret address");
}

// spec: ADM-1, WRK-2
#[housekey::test]
async fn failed_jobs_are_tried_again_and_thrown_away(app: TestApp) {
    let app = with_queue(&app).await;
    let (_, visitor) = admin(&app).await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(fail(&app, "send-invoice", "shut").await);
    }
    visitor.post(&format!("/admin/jobs/failed/{}/retry", ids[0])).await.assert_redirect("/admin/jobs");
    assert_eq!(counted(&app).await, (3, 1));
    visitor.post(&format!("/admin/jobs/failed/{}/retry", ids[0])).await.assert_not_found();
    visitor.delete(&format!("/admin/jobs/failed/{}", ids[1])).await.assert_redirect("/admin/jobs");
    assert_eq!(counted(&app).await, (2, 1));
    visitor.delete(&format!("/admin/jobs/failed/{}", ids[1])).await.assert_not_found();
    visitor.post("/admin/jobs/failed/retry").await.assert_redirect("/admin/jobs");
    assert_eq!(counted(&app).await, (0, 3));
}

// spec: ADM-1, WRK-2
#[housekey::test]
async fn all_failed_jobs_are_thrown_away_at_once(app: TestApp) {
    let app = with_queue(&app).await;
    let (_, visitor) = admin(&app).await;
    for _ in 0..2 {
        fail(&app, "send-invoice", "shut").await;
    }
    visitor.delete("/admin/jobs/failed").await.assert_redirect("/admin/jobs");
    assert_eq!(counted(&app).await, (0, 0));
}

// spec: ADM-1
#[housekey::test]
async fn where_no_job_ever_waits_the_page_says_so(app: TestApp) {
    let (_, visitor) = admin(&app).await;
    visitor.get("/admin/jobs").await.assert_ok().assert_see("No job ever waits here");
}
