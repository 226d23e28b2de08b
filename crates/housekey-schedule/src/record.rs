use serde::{Deserialize, Serialize};

/// What is written down about a task: its newest run, whoever did it. Moments are milliseconds since 1970.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RunRecord {
    /// Goes up with every change.
    pub(crate) revision: i64,
    /// The newest time of the schedule that was taken; at first the moment at which the task was seen first, so that no
    /// time before that counts as missed.
    pub(crate) time: i64,
    /// How often a run for this time was begun.
    pub(crate) attempts: i64,
    /// Whose run it is, while it runs.
    pub(crate) owner: Option<String>,
    /// When a run that was not renewed counts as cut off.
    pub(crate) lease_ends: i64,
    /// How it ended: one of [`Outcome`]'s words.
    pub(crate) outcome: Option<String>,
    pub(crate) ended_at: Option<i64>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    Failed,
    /// The process was asked to stop, and the task did not end in time.
    CutOff,
    /// Nobody was there at the time.
    Missed,
    /// The run before it was still going on.
    Skipped,
}

/// How often a run that keeps being cut off is begun: what kills its process will do so again.
const MOST_ATTEMPTS: i64 = 3;

impl Outcome {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::CutOff => "cut off",
            Self::Missed => "missed",
            Self::Skipped => "skipped",
        }
    }
}

/// What there is to do for a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    Nothing,
    /// This time.
    Run(i64),
    /// This time was missed, and is only noted.
    Missed(i64),
}

impl RunRecord {
    /// The first record of a task.
    pub(crate) fn first(now: i64) -> Self {
        Self { time: now, ..Self::default() }
    }

    /// What is due now, if `latest` is the last time of the schedule that has come.
    pub(crate) fn due(&self, latest: Option<i64>, now: i64, catch_up: bool, misfire_grace: i64) -> Due {
        match latest.filter(|latest| *latest > self.time) {
            Some(time) if catch_up || now - time <= misfire_grace => Due::Run(time),
            Some(time) => Due::Missed(time),
            None if catch_up && self.is_cut_off(now) && self.attempts < MOST_ATTEMPTS => Due::Run(self.time),
            None => Due::Nothing,
        }
    }

    fn is_cut_off(&self, now: i64) -> bool {
        let was_left = self.owner.is_some() && self.outcome.is_none() && self.lease_ends <= now;
        was_left || self.outcome.as_deref() == Some(Outcome::CutOff.word())
    }

    /// The next record, in which this time is taken and running.
    pub(crate) fn taken(&self, time: i64, owner: &str, lease_ends: i64) -> Self {
        let attempts = if time == self.time { self.attempts + 1 } else { 1 };
        Self {
            revision: self.revision + 1,
            time,
            attempts,
            owner: Some(owner.to_owned()),
            lease_ends,
            outcome: None,
            ended_at: None,
        }
    }

    /// The next record, in which this time is over.
    pub(crate) fn over(&self, time: i64, outcome: Outcome, now: i64) -> Self {
        let attempts = if time == self.time { self.attempts } else { 0 };
        let outcome = Some(outcome.word().to_owned());
        Self {
            revision: self.revision + 1,
            time,
            attempts,
            owner: None,
            lease_ends: 0,
            outcome,
            ended_at: Some(now),
        }
    }

    /// This record again, in the place of `newer`.
    pub(crate) fn instead_of(&self, newer: &Self) -> Self {
        Self { revision: newer.revision + 1, ..self.clone() }
    }

    pub(crate) fn renewed(&self, lease_ends: i64) -> Self {
        Self { revision: self.revision + 1, lease_ends, ..self.clone() }
    }

    pub(crate) fn is_of(&self, owner: &str) -> bool {
        self.owner.as_deref() == Some(owner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    #[test]
    fn a_time_is_due_once_and_not_when_it_is_long_past() {
        let seen = RunRecord::first(1_000);
        assert_eq!(
            seen.due(Some(900), 2_000, true, MINUTE),
            Due::Nothing,
            "it was before the task was there"
        );
        assert_eq!(seen.due(Some(1_500), 2_000, false, MINUTE), Due::Run(1_500));
        assert_eq!(seen.due(Some(1_500), 1_500 + MINUTE, false, MINUTE), Due::Run(1_500));
        assert_eq!(seen.due(Some(1_500), 1_501 + MINUTE, false, MINUTE), Due::Missed(1_500));
        assert_eq!(seen.due(Some(1_500), 100 * MINUTE, true, MINUTE), Due::Run(1_500));
        let done = seen.taken(1_500, "a", 9_000).over(1_500, Outcome::Done, 1_600);
        assert_eq!(done.due(Some(1_500), 1_700, true, MINUTE), Due::Nothing);
    }

    #[test]
    fn a_run_that_was_cut_off_is_made_up_for_if_asked_and_not_for_ever() {
        let mut record = RunRecord::first(0).taken(1_000, "a", 5_000);
        assert_eq!(record.due(Some(1_000), 4_999, true, MINUTE), Due::Nothing, "it may still run");
        assert_eq!(record.due(Some(1_000), 5_000, false, MINUTE), Due::Nothing, "nobody asked");
        for _ in 1..MOST_ATTEMPTS {
            assert_eq!(record.due(Some(1_000), 5_000, true, MINUTE), Due::Run(1_000));
            record = record.taken(1_000, "b", 5_000);
        }
        assert_eq!(record.due(Some(1_000), 5_000, true, MINUTE), Due::Nothing);
        assert_eq!(
            record.due(Some(2_000), 5_000, true, MINUTE),
            Due::Run(2_000),
            "the next time is another one"
        );
        let asked_to_stop = RunRecord::first(0).taken(1_000, "a", 5_000).over(1_000, Outcome::CutOff, 1_100);
        assert_eq!(
            asked_to_stop.due(Some(1_000), 1_200, true, MINUTE),
            Due::Run(1_000),
            "nobody waits for the lease"
        );
    }
}
