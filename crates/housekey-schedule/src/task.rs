use std::panic::Location;
use std::time::Duration;

use housekey_core::{Error, Result};

use crate::timing::{Timing, Zone};
use crate::work::{Kind, Work};

/// Work and its time, in a [`Schedule`](crate::Schedule).
#[derive(Clone, Debug)]
pub struct Task {
    timing: Result<Timing, String>,
    work: Work,
    name: Option<String>,
    timezone: Option<String>,
    without_overlapping: bool,
    catch_up: bool,
    timeout: Option<Duration>,
    place: &'static Location<'static>,
}

impl Task {
    pub(crate) fn new(timing: Result<Timing, String>, work: Work, place: &'static Location<'static>) -> Self {
        Self {
            timing,
            work,
            name: None,
            timezone: None,
            without_overlapping: false,
            catch_up: false,
            timeout: None,
            place,
        }
    }

    /// What it is called: in the log, in `schedule:list`, and where its last run is kept. A job has its own name already;
    /// a closure needs one.
    pub fn name(&mut self, name: impl Into<String>) -> &mut Self {
        self.name = Some(name.into());
        self
    }

    /// The time zone its times are meant in, such as `America/New_York`, in place of the configured one.
    pub fn timezone(&mut self, name: impl Into<String>) -> &mut Self {
        self.timezone = Some(name.into());
        self
    }

    /// A time that comes while the last run is still going on, in whichever process, is left out. Together with
    /// [`catch_up`](Self::catch_up) it waits instead.
    ///
    /// It is for closures. A job runs in a worker, which the schedule does not watch.
    pub fn without_overlapping(&mut self) -> &mut Self {
        self.without_overlapping = true;
        self
    }

    /// A time at which no process was there is made up for, once for however many were missed, as soon as one is back.
    /// So is a run that was cut off by a crash: a closure with this can run twice for a time and should not mind.
    pub fn catch_up(&mut self) -> &mut Self {
        self.catch_up = true;
        self
    }

    /// How long a closure may take. It is then dropped where it waits, and has failed.
    pub fn timeout(&mut self, timeout: Duration) -> &mut Self {
        self.timeout = Some(timeout);
        self
    }

    /// Everything that can be wrong with it is found here, while the app boots.
    pub(crate) fn planned(&self, timezone: &str, now: i64) -> Result<PlannedTask> {
        let wrong = |why: String| {
            Error::internal(format!("the task at {}:{} {why}", self.place.file(), self.place.line()))
        };
        let timing = self.timing.clone().map_err(|why| wrong(format!("has no time: {why}")))?;
        let zone = self.timezone.as_deref().unwrap_or(timezone);
        let zone = Zone::named(zone).map_err(|why| wrong(format!("has no time zone: {why}")))?;
        if timing.next_after(now, &zone).is_none() {
            return Err(wrong(format!("never runs: no day is meant by `{}`", timing.words())));
        }
        let own_name = match &self.work.0 {
            Kind::Job { kind, .. } => Some(kind.name().to_owned()),
            Kind::Closure(_) => None,
            Kind::Impossible(why) => return Err(wrong(format!("cannot run: {why}"))),
        };
        let is_job = own_name.is_some();
        let name = self.name.clone().or(own_name);
        let name = name.ok_or_else(|| {
            wrong("needs a name, by which its last run is kept: add `.name(\"…\")`".to_owned())
        })?;
        if name.trim().is_empty() || name.len() > 150 {
            return Err(wrong("has a name that is empty or longer than 150 bytes".to_owned()));
        }
        if is_job && (self.without_overlapping || self.timeout.is_some()) {
            return Err(wrong(format!(
                "is the job `{name}`, which a worker does later: without_overlapping() and timeout() are for closures. A \
                 job has a timeout of its own"
            )));
        }
        Ok(PlannedTask {
            name,
            timing,
            zone,
            work: self.work.clone(),
            without_overlapping: self.without_overlapping,
            catch_up: self.catch_up,
            timeout: self.timeout,
            place: self.place,
        })
    }
}

/// A task that can run.
#[derive(Clone, Debug)]
pub(crate) struct PlannedTask {
    pub(crate) name: String,
    pub(crate) timing: Timing,
    pub(crate) zone: Zone,
    pub(crate) work: Work,
    pub(crate) without_overlapping: bool,
    pub(crate) catch_up: bool,
    pub(crate) timeout: Option<Duration>,
    pub(crate) place: &'static Location<'static>,
}

impl PlannedTask {
    pub(crate) fn next_after(&self, moment: i64) -> Option<i64> {
        self.timing.next_after(moment, &self.zone)
    }

    pub(crate) fn latest(&self, moment: i64) -> Option<i64> {
        self.timing.latest(moment, &self.zone)
    }
}
