use std::collections::BTreeMap;

use housekey_core::{AppConfig, Clock, Error, Result};
use housekey_http::{App, Provider, Registrar};
use housekey_queue::JobRegistry;

use crate::scheduler::Plan;
use crate::store::RunStore;
use crate::work::Kind;
use crate::{Schedule, ScheduleConfig};

/// Says what an app does when.
///
/// ```
/// use housekey_core::{ConfigFiles, Result};
/// use housekey_http::App;
/// use housekey_schedule::{AppSchedule, Schedule};
///
/// async fn sweep() -> Result<()> {
///     Ok(())
/// }
///
/// fn schedule(schedule: &mut Schedule) {
///     schedule.hourly(sweep).name("sweep");
/// }
///
/// let app = App::new(ConfigFiles::new()).schedule(schedule);
/// # app.env(housekey_core::Env::empty().with("APP_ENV", "testing"));
/// ```
pub trait AppSchedule {
    /// Adds tasks. What is wrong with one keeps the app from booting. Scheduled jobs are known to the queue by this.
    #[must_use]
    fn schedule(self, write: impl Fn(&mut Schedule) + Send + Sync + 'static) -> Self;
}

impl AppSchedule for App {
    fn schedule(self, write: impl Fn(&mut Schedule) + Send + Sync + 'static) -> Self {
        self.provider(OwnSchedule(Box::new(write)))
    }
}

struct OwnSchedule(Box<dyn Fn(&mut Schedule) + Send + Sync>);

impl Provider for OwnSchedule {
    fn name(&self) -> &'static str {
        "the app's schedule"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let config = app.config().get::<ScheduleConfig>();
        let now = app
            .services()
            .get::<Clock>()
            .map_or_else(|| Clock::system().unix_millis(), |clock| clock.unix_millis());
        let mut schedule = Schedule::default();
        (self.0)(&mut schedule);
        let registry = JobRegistry::of(app.services());
        let mut planned = Vec::new();
        for task in schedule.into_tasks() {
            let task = task.planned(&config.timezone, now)?;
            if let Kind::Job { kind, .. } = &task.work.0 {
                registry.add(kind.clone())?;
            }
            planned.push(task);
        }
        app.contribute(|plan: &mut Plan| plan.0.extend(planned));
        let plan = app.services().require::<Plan>()?;
        let mut names = BTreeMap::new();
        for task in &plan.0 {
            if let Some(other) = names.insert(&task.name, task.place) {
                return Err(Error::internal(format!(
                    "two tasks are named `{}`, at {}:{} and {}:{}: give one of them another name",
                    task.name,
                    other.file(),
                    other.line(),
                    task.place.file(),
                    task.place.line()
                )));
            }
        }
        let store = RunStore::open(&config, app.services())?;
        if store.is_of_one_process() && app.config().get::<AppConfig>().env.is_production() {
            app.warn(
                "The schedule keeps its runs in a cache that each process has for itself: every process runs every task, and a \
                 restart forgets. Set SCHEDULE_STORE=database, or CACHE_STORE to another store.",
            );
        }
        app.services().insert(store);
        Ok(())
    }
}
