//! `/dev/queue`: a look at the queue while an app is developed.

mod view;

use housekey_core::{Clock, Result, service};
use housekey_http::axum::extract::Path;
use housekey_http::guard::{from_fn, this_machine};
use housekey_http::response::{Redirect, redirect};
use housekey_http::{Routes, csp_nonce};
use housekey_view::View;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use view::QueuePage;

use crate::{BatchId, FailedJobFilter, JobId, ambient};

/// How many jobs of each kind are shown.
const SHOWN: u64 = 50;

/// The addresses below `/dev/queue`. Whoever may use them can run jobs again and throw them away, so they are only for
/// whoever sits at this machine.
// spec: SEC-6
pub(crate) fn routes(route: &mut Routes) {
    route
        .group()
        .prefix("/dev/queue")
        .name("dev.queue.")
        .middleware(from_fn("this-machine", this_machine))
        .routes(|route| {
            route.get("/", show).name("index");
            route.post("/failed/retry", retry_all).name("retry-all");
            route.post("/failed/forget", forget_all).name("forget-all");
            route.post("/failed/{id}/retry", retry).name("retry");
            route.post("/failed/{id}/forget", forget).name("forget");
            route.post("/batches/{id}/cancel", cancel).name("cancel");
        });
}

async fn show() -> Result<View> {
    let queue = ambient::queue()?;
    let driver = queue.driver();
    let mut queues = Vec::new();
    for name in driver.queues().await? {
        let size = driver.size(&name).await?;
        queues.push((name, size));
    }
    let nonce = csp_nonce().unwrap_or_default();
    // The app's own policy may be looser.
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let page = housekey_view::view(QueuePage {
        driver: driver.name(),
        keeps_jobs: driver.keeps_jobs(),
        queues,
        jobs: driver.jobs(SHOWN).await?,
        failed: driver.failed(SHOWN).await?,
        batches: driver.batches(SHOWN).await?,
        now: service::<Clock>().map_or_else(Clock::system, |clock| (*clock).clone()).now(),
        nonce,
    });
    let page = page.header(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(match HeaderValue::try_from(policy) {
        Ok(policy) => page.header(CONTENT_SECURITY_POLICY, policy),
        Err(_) => page,
    })
}

async fn retry_all() -> Result<Redirect> {
    put_back(&FailedJobFilter::All).await
}

async fn retry(Path(id): Path<String>) -> Result<Redirect> {
    put_back(&FailedJobFilter::These(vec![JobId::from(id)])).await
}

async fn put_back(which: &FailedJobFilter) -> Result<Redirect> {
    ambient::queue()?.retry(which).await?;
    Ok(redirect("/dev/queue"))
}

async fn forget_all() -> Result<Redirect> {
    throw_away(&FailedJobFilter::All).await
}

async fn forget(Path(id): Path<String>) -> Result<Redirect> {
    throw_away(&FailedJobFilter::These(vec![JobId::from(id)])).await
}

async fn throw_away(which: &FailedJobFilter) -> Result<Redirect> {
    ambient::queue()?.forget(which).await?;
    Ok(redirect("/dev/queue"))
}

async fn cancel(Path(id): Path<String>) -> Result<Redirect> {
    ambient::queue()?.cancel_batch(&BatchId::from(id)).await?;
    Ok(redirect("/dev/queue"))
}
