use std::time::Duration;

use housekey::prelude::*;
use housekey::schedule::Scheduler;
use housekey::testing::TestApp;

use crate::support::{book, lent, mails, reader};
use shelf::jobs::{RemindReader, RemindReaders};

const DAY: Duration = Duration::from_secs(86_400);

#[housekey::test]
async fn readers_are_reminded_the_day_before_and_every_day_after(app: TestApp) {
    let (rita, _) = reader(&app).await;
    let (sam, _) = reader(&app).await;
    lent(&app, &book(&app, record! { "title" => "Emma" }).await, &rita).await;
    app.advance(DAY * 20);
    lent(&app, &book(&app, record! { "title" => "Persuasion" }).await, &sam).await;

    let mails = mails(&app);
    mails.clear();
    app.within(RemindReaders.dispatch()).await.unwrap();
    mails.assert_count(0);
    app.advance(DAY * 7);
    app.within(RemindReaders.dispatch()).await.unwrap();
    mails.assert_count(1).assert_subject(&rita.email, "“Emma” is due soon");
    assert!(mails.link_to(&rita.email).ends_with("/loans"));
    app.advance(DAY * 2);
    app.within(RemindReaders.dispatch()).await.unwrap();
    mails.assert_count(2).assert_subject(&rita.email, "“Emma” is overdue");
}

#[housekey::test]
async fn a_job_that_runs_twice_reminds_once(app: TestApp) {
    let (rita, _) = reader(&app).await;
    let loan = lent(&app, &book(&app, record! {}).await, &rita).await;
    app.advance(DAY * 28);
    let mails = mails(&app);
    mails.clear();
    for _ in 0..2 {
        app.within(RemindReader { loan: loan.id }.dispatch()).await.unwrap();
    }
    mails.assert_count(1);
}

// spec: WRK-1
#[housekey::test]
async fn it_happens_at_seven(app: TestApp) {
    let (rita, _) = reader(&app).await;
    lent(&app, &book(&app, record! {}).await, &rita).await;
    let scheduler = Scheduler::new(app.services()).unwrap();
    app.within(scheduler.run_due()).await.unwrap();
    app.advance(DAY * 28);
    let mails = mails(&app);
    mails.clear();
    app.within(scheduler.run_due()).await.unwrap();
    mails.assert_count(1);
}
