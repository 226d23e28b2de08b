//! What must be true of the tables when everything is over.

use std::collections::BTreeSet;

use super::psql::Psql;
use super::{Finding, Must};

/// What the buyers know.
pub(super) struct Seen {
    /// The orders that were answered with 200.
    pub(super) acknowledged: BTreeSet<u64>,
}

/// Who is told of an order, and whether it is by a job that is queued once.
const TOLD: [(&str, bool); 6] =
    [("book", false), ("note", false), ("mail", false), ("pack", true), ("charge", true), ("invoice", true)];

pub(super) fn orders(psql: &Psql<'_>, seen: &Seen) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    let mut find = |what: String, count, must| findings.push(Finding { what, count, must });
    let kept: BTreeSet<u64> =
        psql.rows("select number from orders")?.iter().filter_map(|row| row.first()?.parse().ok()).collect();
    find("orders in the table".into(), kept.len() as u64, Must::Anything);
    find(
        "orders that were answered with 200 and are not there".into(),
        seen.acknowledged.difference(&kept).count() as u64,
        Must::Be(0),
    );
    find(
        "orders that were taken back and are there".into(),
        kept.iter().filter(|number| **number % 10 == 0).count() as u64,
        Must::Be(0),
    );
    for (who, is_job) in TOLD {
        let told = format!("from told where who = '{who}'");
        let missing = format!(
            "select count(*) from orders where not exists (select 1 {told} and told.number = orders.number)"
        );
        find(format!("orders that `{who}` never heard of"), psql.count(&missing)?, Must::Be(0));
        let strangers = format!("select count(*) {told} and number not in (select number from orders)");
        find(format!("`{who}` of orders that are not there"), psql.count(&strangers)?, Must::Be(0));
        let again = psql.count(&format!("select count(*) - count(distinct number) {told}"))?;
        match who {
            "book" => find("`book`, which is once, again".into(), again, Must::Be(0)),
            _ => find(format!("`{who}`, which is at least once, again"), again, Must::Anything),
        }
        if is_job {
            let twice = format!(
                "select count(*) from (select number {told} group by number having count(distinct job) > 1) twice"
            );
            find(format!("orders whose `{who}` was queued twice"), psql.count(&twice)?, Must::Be(0));
        }
    }
    let failed = psql.count("select count(*) from failed_jobs")?
        + psql.count("select count(*) from event_outbox where available_at is null")?;
    find("jobs and events that were given up".into(), failed, Must::Be(0));
    Ok(findings)
}

/// How many tasks there are of each kind, as the app has them.
const TASKS: u64 = 30;

/// Every minute from the first to the last, both among them.
pub(super) fn schedule(psql: &Psql<'_>, first: u64, last: u64) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    let mut find = |what: String, count, must| findings.push(Finding { what, count, must });
    let minutes = (last + 1).saturating_sub(first);
    let times = minutes * TASKS;
    find("full minutes".into(), minutes, Must::Anything);
    // A task's time and its job are written together, so every time has one.
    let jobs = "select task, count(distinct job) as jobs from ran where what = 'job' group by task";
    let all = psql.count(&format!("select coalesce(sum(jobs), 0) from ({jobs}) tasks"))?;
    find("scheduled jobs, one for each time of each task".into(), all, Must::Be(times));
    let others = psql.count(&format!("select count(*) from ({jobs}) tasks where jobs <> {minutes}"))?;
    find("tasks with more or fewer jobs than times".into(), others, Must::Be(0));
    let ran_again = psql.count("select count(*) - count(distinct job) from ran where what = 'job'")?;
    find("scheduled jobs, which run at least once, again".into(), ran_again, Must::Anything);

    let runs = |kind: &str, what: &str| {
        format!(
            "select task, time, count(*) as runs from ran where task like '{kind}-%' and what = '{what}' group by task, time"
        )
    };
    let number = |sql: String| psql.count(&sql);
    let begun = number(format!("select count(*) from ({}) runs", runs("once", "begun")))?;
    let twice = number(format!("select count(*) from ({}) runs where runs > 1", runs("once", "begun")))?;
    find("times of tasks that run at most once, begun".into(), begun, Must::Anything);
    find(
        "of these taken by a process that was killed before it began".into(),
        times.saturating_sub(begun),
        Must::Anything,
    );
    find("of these begun twice".into(), twice, Must::Be(0));
    for kind in ["sure", "alone"] {
        let done = number(format!("select count(*) from ({}) runs", runs(kind, "done")))?;
        let cut_off = number(format!(
            "select count(*) from ({}) begun where runs >= 3 and not exists (select 1 from ran where ran.task = begun.task \
             and ran.time = begun.time and what = 'done')",
            runs(kind, "begun")
        ))?;
        let again = number(format!("select coalesce(sum(runs - 1), 0) from ({}) runs", runs(kind, "begun")))?;
        find(
            format!("times of `{kind}`, which run at least once, done or cut off three times"),
            done + cut_off,
            Must::Be(times),
        );
        find(format!("`{kind}`: cut off three times, which is the most"), cut_off, Must::Anything);
        find(format!("`{kind}`: begun again after a kill"), again, Must::Anything);
    }
    let overlaps = "select count(*) from ran began join ran ended on ended.run = began.run and ended.what = 'done' \
                    join ran other on other.task = began.task and other.what = 'begun' and other.run <> began.run \
                    where began.what = 'begun' and began.task like 'alone-%' and other.id > began.id and other.id < ended.id";
    find("`alone`: two at a time".into(), psql.count(overlaps)?, Must::Be(0));
    Ok(findings)
}
