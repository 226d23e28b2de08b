use housekey_view::csrf_field;
use housekey_view::prelude::*;
use hypertext::{Buffer, Raw};
use time::OffsetDateTime;

use crate::driver::{JobState, QueuedJob};
use crate::{BatchStatus, FailedJob, QueueSize};

pub(super) struct QueuePage {
    pub(super) driver: &'static str,
    pub(super) keeps_jobs: bool,
    pub(super) queues: Vec<(String, QueueSize)>,
    pub(super) jobs: Vec<QueuedJob>,
    pub(super) failed: Vec<FailedJob>,
    pub(super) batches: Vec<BatchStatus>,
    pub(super) now: OffsetDateTime,
    pub(super) nonce: String,
}

impl Renderable for QueuePage {
    fn render_to(&self, buffer: &mut Buffer) {
        // XSS SAFETY: a style sheet of ours.
        let style = Raw::dangerously_create(include_str!("page.css"));
        let (running, waiting): (Vec<_>, Vec<_>) =
            self.jobs.iter().partition(|job| job.state == JobState::Running);
        rsx_borrow! {
            <!DOCTYPE html>
            <html lang="en">
                <head>
                    <meta charset="utf-8">
                    <meta name="viewport" content="width=device-width, initial-scale=1">
                    <meta name="robots" content="noindex">
                    <title>"Queue"</title>
                    <style nonce=(&self.nonce)>(style)</style>
                </head>
                <body>
                    <header class="bar">
                        <h1>"Queue"</h1>
                        <p>"Jobs wait with the driver " <b>(self.driver)</b> ". Production has no such page."</p>
                        <a href="/dev/queue">"Refresh"</a>
                    </header>
                    <main>
                        @if !self.keeps_jobs {
                            <p class="hint">
                                "No job ever waits here: each is done where it is dispatched. Set QUEUE_DRIVER to "
                                <b>"database"</b> " or " <b>"redis"</b> " to let a worker do them."
                            </p>
                        }
                        @if !self.queues.is_empty() {
                            <section aria-labelledby="queues">
                                <h2 id="queues">"Queues"</h2>
                                <ul>
                                    @for (name, size) in &self.queues {
                                        <li>
                                            <b>(name)</b>
                                            <span>(size.ready) " due"</span>
                                            <span>(size.delayed) " later"</span>
                                            <span>(size.reserved) " running"</span>
                                        </li>
                                    }
                                </ul>
                            </section>
                        }
                        (Failed { jobs: &self.failed, now: self.now })
                        (Batches { batches: &self.batches, now: self.now })
                        (Jobs { id: "running", title: "Running", none: "No job is running.", jobs: &running, now: self.now })
                        (Jobs { id: "waiting", title: "Waiting", none: "No job waits.", jobs: &waiting, now: self.now })
                    </main>
                </body>
            </html>
        }
        .render_to(buffer);
    }
}

struct Failed<'a> {
    jobs: &'a [FailedJob],
    now: OffsetDateTime,
}

impl Renderable for Failed<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        rsx_borrow! {
            <section aria-labelledby="failed">
                <div class="title">
                    <h2 id="failed">"Failed"</h2>
                    @if !self.jobs.is_empty() {
                        <form method="post" action="/dev/queue/failed/retry">
                            (csrf_field())
                            <button>"Retry all"</button>
                        </form>
                        <form method="post" action="/dev/queue/failed/forget">
                            (csrf_field())
                            <button>"Forget all"</button>
                        </form>
                    }
                </div>
                @if self.jobs.is_empty() { <p class="none">"No job has failed."</p> }
                <ul>
                    @for job in self.jobs {
                        <li>
                            <b>(&job.name)</b>
                            <span>"in " (&job.queue)</span>
                            <span>"tried " (times(job.attempts))</span>
                            <time datetime=(iso(job.failed_at))>(ago(job.failed_at, self.now))</time>
                            <pre class="error">(&job.error)</pre>
                            <form method="post" action=(format!("/dev/queue/failed/{}/retry", job.id))>
                                (csrf_field())
                                <button aria-label=(format!("Retry {} {}", job.name, job.id))>"Retry"</button>
                            </form>
                            <form method="post" action=(format!("/dev/queue/failed/{}/forget", job.id))>
                                (csrf_field())
                                <button aria-label=(format!("Forget {} {}", job.name, job.id))>"Forget"</button>
                            </form>
                        </li>
                    }
                </ul>
            </section>
        }
        .render_to(buffer);
    }
}

struct Batches<'a> {
    batches: &'a [BatchStatus],
    now: OffsetDateTime,
}

impl Renderable for Batches<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        if self.batches.is_empty() {
            return;
        }
        rsx_borrow! {
            <section aria-labelledby="batches">
                <h2 id="batches">"Batches"</h2>
                <ul>
                    @for batch in self.batches {
                        <li>
                            <b>(&batch.name)</b>
                            <progress max="100" value=(batch.percent()) aria-label=(format!("{}: how much has ended", batch.name))></progress>
                            <span>(batch.done) " of " (batch.total) " done"</span>
                            @if batch.failed > 0 { <span class="bad">(batch.failed) " failed"</span> }
                            @if batch.skipped > 0 { <span>(batch.skipped) " left out"</span> }
                            @if batch.is_cancelled { <span class="bad">"cancelled"</span> }
                            <time datetime=(iso(batch.created_at))>(ago(batch.created_at, self.now))</time>
                            @if !batch.is_finished() && !batch.is_cancelled {
                                <form method="post" action=(format!("/dev/queue/batches/{}/cancel", batch.id))>
                                    (csrf_field())
                                    <button aria-label=(format!("Cancel {}", batch.name))>"Cancel"</button>
                                </form>
                            }
                        </li>
                    }
                </ul>
            </section>
        }
        .render_to(buffer);
    }
}

struct Jobs<'a> {
    id: &'static str,
    title: &'static str,
    none: &'static str,
    jobs: &'a [&'a QueuedJob],
    now: OffsetDateTime,
}

impl Renderable for Jobs<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        rsx_borrow! {
            <section aria-labelledby=(self.id)>
                <h2 id=(self.id)>(self.title)</h2>
                @if self.jobs.is_empty() { <p class="none">(self.none)</p> }
                <ul>
                    @for job in self.jobs {
                        <li>
                            <b>(&job.name)</b>
                            <span>"in " (&job.queue)</span>
                            @if job.attempts > 0 { <span>"tried " (times(job.attempts))</span> }
                            @match job.state {
                                JobState::Running => { <span>"its worker is heard from"</span> }
                                JobState::Due => { <span>"due"</span> }
                                JobState::Later => {
                                    <time datetime=(iso(job.available_at))>(ahead(job.available_at, self.now))</time>
                                }
                            }
                        </li>
                    }
                </ul>
            </section>
        }
        .render_to(buffer);
    }
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

fn iso(time: OffsetDateTime) -> String {
    time.format(&time::format_description::well_known::Rfc3339).unwrap_or_default()
}

fn ago(time: OffsetDateTime, now: OffsetDateTime) -> String {
    match (now - time).whole_seconds() {
        ..=0 => "now".to_owned(),
        seconds => format!("{} ago", span(seconds)),
    }
}

fn ahead(time: OffsetDateTime, now: OffsetDateTime) -> String {
    format!("in {}", span((time - now).whole_seconds().max(1)))
}

fn span(seconds: i64) -> String {
    let (count, unit) = match seconds {
        ..60 => (seconds, "second"),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_told_as_people_do() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let told =
            [0, 1, 59, 60, 7200, 86_400 * 3].map(|seconds| ago(now, now + Duration::from_secs(seconds)));
        assert_eq!(
            told,
            ["now", "1 second ago", "59 seconds ago", "1 minute ago", "2 hours ago", "3 days ago"]
        );
        assert_eq!(ahead(now + Duration::from_secs(120), now), "in 2 minutes");
        assert_eq!([1, 2, 3].map(times), ["once", "twice", "3 times"]);
    }
}
