use housekey::prelude::*;
use housekey::queue::{JobState, QueueSize};

use super::serious::Serious;
use crate::views::components::{Alert, Badge, Button, Card, Cell, Form, Kind, Moment, Table, Tone, When};
use crate::views::layouts::admin::{Admin, Page};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct JobList {
    /// Whether jobs wait at all, or are done where they are asked for.
    pub keeps_jobs: bool,
    pub queues: Vec<QueueRow>,
    pub failed: Vec<FailedRow>,
    pub batches: Vec<BatchRow>,
    /// What waits and runs.
    pub jobs: Vec<JobRow>,
}

/// How much one queue has to do.
#[derive(Clone, Debug, Default)]
pub struct QueueRow {
    pub name: String,
    pub size: QueueSize,
}

/// A job that was given up.
#[derive(Clone, Debug, Default)]
pub struct FailedRow {
    pub id: String,
    pub name: String,
    pub queue: String,
    pub attempts: u32,
    pub error: String,
    pub at: Moment,
}

/// Jobs that are waited for together.
#[derive(Clone, Debug, Default)]
pub struct BatchRow {
    pub id: String,
    pub name: String,
    pub done: u64,
    pub failed: u64,
    pub total: u64,
    pub percent: u64,
    pub cancelled: bool,
    /// Whether it can be cancelled.
    pub goes_on: bool,
    pub at: Moment,
}

/// A job that waits or runs.
#[derive(Clone, Debug)]
pub struct JobRow {
    pub name: String,
    pub queue: String,
    pub attempts: u32,
    pub state: JobState,
    /// When it may begin; when it is given to another worker, while it runs.
    pub at: Moment,
}

/// `GET /admin/jobs`
pub fn jobs(props: &JobList) -> impl Renderable {
    rsx! {
        <Admin title=(&t("Jobs")) page=(Page::Jobs) trail=(&[])>
            @if props.keeps_jobs {
                (failed(&props.failed))
                @if !props.batches.is_empty() { (batches(&props.batches)) }
                @if !props.queues.is_empty() { (queues(&props.queues)) }
                (waiting(&props.jobs))
            } @else {
                <Alert kind=(Kind::Info) text=(&t("No job ever waits here: each is done where it is asked for. QUEUE_DRIVER changes that.")) ../>
            }
        </Admin>
    }
}

fn failed(rows: &[FailedRow]) -> impl Renderable {
    let columns = [t("Job"), t("Tried"), t("When (UTC)"), t("Actions")];
    rsx! {
        <Card title=(&t("Failed")) text="">
            @if rows.is_empty() {
                <p class="text-[0.9375rem] text-muted">(t("No job has failed."))</p>
            } @else {
                <Table caption=(&t("Failed")) columns=(&columns)>@for row in rows { (failed_row(row, &columns)) }</Table>
                <div class="border-t border-line pt-5">
                    <Form action=(&path_to("admin.jobs.retry-all")) method="POST">
                        <div><Button label=(&t("Try all again")) tone=(Tone::Quiet) small=true ../></div>
                    </Form>
                </div>
                <Serious
                    title=(&t("Throw all failed jobs away"))
                    text=(&t("What they had to do is not done, and nobody can do it later."))
                    open=false
                >
                    <Form action=(&path_to("admin.jobs.forget-all")) method="DELETE">
                        <div><Button label=(&t("Throw them away")) tone=(Tone::Danger) small=true ../></div>
                    </Form>
                </Serious>
            }
        </Card>
    }
}

fn failed_row<'a>(row: &'a FailedRow, columns: &'a [String]) -> impl Renderable + use<'a> {
    let retry = path_to_with("admin.jobs.retry", &[("id", &row.id)]);
    let forget = path_to_with("admin.jobs.forget", &[("id", &row.id)]);
    let (again, away) = (t!("Try :job again", job = row.name), t!("Throw :job away", job = row.name));
    rsx! {
        <tr class="block py-4 first:pt-0 last:pb-0 md:table-row">
            <Cell column="">
                <span class="grid min-w-0 gap-0.5">
                    (named(&row.name, &row.queue))
                    <code class="font-mono text-[0.8125rem] whitespace-pre-wrap text-danger [overflow-wrap:anywhere]">(&row.error)</code>
                </span>
            </Cell>
            <Cell column=(&columns[1])><span class="whitespace-nowrap">(times(row.attempts))</span></Cell>
            <Cell column=(&columns[2])><span class="whitespace-nowrap"><When moment=(&row.at)/></span></Cell>
            <Cell column="">
                <div class="flex flex-wrap gap-2">
                    <Form action=(&retry) method="POST">
                        <div><Button label=(&t("Try again")) aria_label=(Some(&again)) tone=(Tone::Quiet) small=true ../></div>
                    </Form>
                    <Form action=(&forget) method="DELETE">
                        <div><Button label=(&t("Throw away")) aria_label=(Some(&away)) tone=(Tone::Quiet) small=true ../></div>
                    </Form>
                </div>
            </Cell>
        </tr>
    }
}

fn batches(rows: &[BatchRow]) -> impl Renderable {
    let columns = [t("Batch"), t("Done"), t("When (UTC)"), t("Cancel")];
    rsx! {
        <Card title=(&t("Batches")) text="">
            <Table caption=(&t("Batches")) columns=(&columns)>@for row in rows { (batch_row(row, &columns)) }</Table>
        </Card>
    }
}

fn batch_row<'a>(row: &'a BatchRow, columns: &'a [String]) -> impl Renderable + use<'a> {
    let cancel = path_to_with("admin.jobs.cancel", &[("id", &row.id)]);
    let label = t!("Cancel :batch", batch = row.name);
    let failed = i64::try_from(row.failed).unwrap_or(i64::MAX);
    rsx! {
        <tr class="block py-4 first:pt-0 last:pb-0 md:table-row">
            <Cell column="">
                <span class="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                    <span class="font-semibold [overflow-wrap:anywhere]">(&row.name)</span>
                    @if row.failed > 0 { <Badge kind=(Kind::Danger) text=(&t_plural("One failed|:count failed", failed))/> }
                    @if row.cancelled { <Badge kind=(Kind::Warning) text=(&t("Cancelled"))/> }
                </span>
            </Cell>
            <Cell column=(&columns[1])>(t!(":done of :total (:percent %)", done = row.done, total = row.total, percent = row.percent))</Cell>
            <Cell column=(&columns[2])><span class="whitespace-nowrap"><When moment=(&row.at)/></span></Cell>
            <Cell column="">
                @if row.goes_on {
                    <Form action=(&cancel) method="DELETE">
                        <div><Button label=(&t("Cancel")) aria_label=(Some(&label)) tone=(Tone::Quiet) small=true ../></div>
                    </Form>
                }
            </Cell>
        </tr>
    }
}

fn queues(rows: &[QueueRow]) -> impl Renderable {
    let columns = [t("Queue"), t("Due"), t("Later"), t("Running")];
    rsx! {
        <Card title=(&t("Queues")) text="">
            <Table caption=(&t("Queues")) columns=(&columns)>
                @for row in rows {
                    <tr class="block py-4 first:pt-0 last:pb-0 md:table-row">
                        <Cell column=""><span class="font-semibold [overflow-wrap:anywhere]">(&row.name)</span></Cell>
                        <Cell column=(&columns[1])>(row.size.ready)</Cell>
                        <Cell column=(&columns[2])>(row.size.delayed)</Cell>
                        <Cell column=(&columns[3])>(row.size.reserved)</Cell>
                    </tr>
                }
            </Table>
        </Card>
    }
}

fn waiting(rows: &[JobRow]) -> impl Renderable {
    let columns = [t("Job"), t("State"), t("Tried"), t("When (UTC)")];
    rsx! {
        <Card title=(&t("Waiting and running")) text="">
            @if rows.is_empty() {
                <p class="text-[0.9375rem] text-muted">(t("No job waits."))</p>
            } @else {
                <Table caption=(&t("Waiting and running")) columns=(&columns)>
                    @for row in rows {
                        <tr class="block py-4 first:pt-0 last:pb-0 md:table-row">
                            <Cell column="">(named(&row.name, &row.queue))</Cell>
                            <Cell column=(&columns[1])>(state(row.state))</Cell>
                            <Cell column=(&columns[2])><span class="whitespace-nowrap">(times(row.attempts))</span></Cell>
                            <Cell column=(&columns[3])><span class="whitespace-nowrap"><When moment=(&row.at)/></span></Cell>
                        </tr>
                    }
                </Table>
            }
        </Card>
    }
}

fn named<'a>(name: &'a str, queue: &'a str) -> impl Renderable + use<'a> {
    rsx! {
        <span class="flex flex-wrap items-baseline gap-x-2.5">
            <span class="font-semibold [overflow-wrap:anywhere]">(name)</span>
            <span class="text-[0.8125rem] text-muted">(t!("in :queue", queue))</span>
        </span>
    }
}

fn state(state: JobState) -> impl Renderable {
    let (kind, text) = match state {
        JobState::Running => (Kind::Success, t("Running")),
        JobState::Due => (Kind::Info, t("Due")),
        JobState::Later => (Kind::Info, t("Later")),
    };
    rsx! { <Badge kind=kind text=(&text)/> }
}

fn times(attempts: u32) -> String {
    match attempts {
        0 => t("not yet"),
        attempts => t_plural("once|:count times", attempts.into()),
    }
}
