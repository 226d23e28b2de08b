use crate::{Event, Events};

/// Questions for tests. Events are recorded under a test runner, and everywhere after [`Events::fake`]. One inside a
/// transaction counts when that is committed.
///
/// ```
/// # use housekey_core::{AppConfig, ConfigFiles, Env, Environment, Result};
/// # use housekey_events::{Event, EventsProvider, emit, events};
/// # use housekey_http::App;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Serialize, Deserialize)] struct OrderPaid { order: i64 }
/// # impl Event for OrderPaid { const NAME: &'static str = "order-paid"; }
/// # #[derive(Clone, Serialize, Deserialize)] struct OrderLost;
/// # impl Event for OrderLost { const NAME: &'static str = "order-lost"; }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
/// # let app = App::new(ConfigFiles::new()).env(Env::empty()).provider(EventsProvider);
/// # let app = app.configure(|config| config.update::<AppConfig>(|app| app.env = Environment::Testing)).boot()?;
/// # app.scope().enter(async {
/// events().fake();
/// emit(OrderPaid { order: 7 }).await?;
///
/// events().assert_emitted::<OrderPaid>();
/// events().assert_emitted_where::<OrderPaid>(|event| event.order == 7);
/// events().assert_not_emitted::<OrderLost>();
/// # Ok(()) }).await }
/// ```
impl Events {
    /// From now on events are only recorded, and nobody is told.
    pub fn fake(&self) -> &Self {
        self.keep_quiet();
        self
    }

    /// The events of a kind, in order.
    pub fn emitted<E: Event>(&self) -> Vec<E> {
        self.recorded().of()
    }

    /// # Panics
    /// When no event of this kind was emitted.
    #[track_caller]
    pub fn assert_emitted<E: Event>(&self) -> &Self {
        self.assert_emitted_where::<E>(|_| true)
    }

    /// # Panics
    /// When no event of this kind was emitted for which `is_meant` holds.
    #[track_caller]
    pub fn assert_emitted_where<E: Event>(&self, is_meant: impl FnMut(&E) -> bool) -> &Self {
        let found = self.emitted::<E>().iter().any(is_meant);
        assert!(found, "no such `{}` was emitted; {}", E::NAME, self.summary());
        self
    }

    /// # Panics
    /// When not exactly so many events of this kind were emitted.
    #[track_caller]
    pub fn assert_emitted_times<E: Event>(&self, times: usize) -> &Self {
        let found = self.emitted::<E>().len();
        assert!(found == times, "`{}` was emitted {found} times, not {times}; {}", E::NAME, self.summary());
        self
    }

    /// # Panics
    /// When an event of this kind was emitted.
    #[track_caller]
    pub fn assert_not_emitted<E: Event>(&self) -> &Self {
        self.assert_emitted_times::<E>(0)
    }

    /// # Panics
    /// When any event was emitted.
    #[track_caller]
    pub fn assert_nothing_emitted(&self) -> &Self {
        assert!(self.recorded().names().is_empty(), "nothing should be emitted; {}", self.summary());
        self
    }

    fn summary(&self) -> String {
        let names = self.recorded().names();
        if names.is_empty() {
            "nothing was emitted".into()
        } else {
            format!("emitted were: {}", names.join(", "))
        }
    }
}
