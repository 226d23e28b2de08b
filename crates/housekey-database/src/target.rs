use std::sync::Arc;

use crate::Driver;
use crate::engine::{classify, constraint};
use crate::error::{DatabaseError, Kind};
use crate::table_makers::TableMakers;

/// Whom an error speaks about: the connection's name, its engine and where it is.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) driver: Driver,
    /// `shop at 10.0.0.3:5432`, or the file.
    pub(crate) place: String,
    pub(crate) makers: TableMakers,
}

impl Target {
    /// Explains what the driver reported.
    pub(crate) fn explain(self: &Arc<Self>, error: &sqlx::Error) -> DatabaseError {
        let Self { name, driver, place, .. } = &**self;
        let settings = format!("connection `{name}` in config/database.rs");
        match error {
            sqlx::Error::Database(reported) => self.explain_reported(reported.as_ref(), &settings),
            sqlx::Error::Io(io) => DatabaseError::new(
                Kind::Unreachable,
                format!("cannot reach {driver} ({place}): {io}. Is it running, and is the {settings} right?"),
            ),
            sqlx::Error::PoolTimedOut => DatabaseError::new(
                Kind::Busy,
                format!(
                    "no connection to {driver} ({place}) came free in time. All of them are in use: look for \
                     long transactions, or raise `pool.max` of the {settings}"
                ),
            ),
            sqlx::Error::PoolClosed => {
                DatabaseError::new(Kind::Over, format!("connection `{name}` has been closed"))
            }
            sqlx::Error::WorkerCrashed => {
                DatabaseError::new(Kind::Unreachable, format!("the worker of {place} ended unexpectedly"))
            }
            sqlx::Error::Tls(cause) => DatabaseError::new(
                Kind::Unreachable,
                format!(
                    "{driver} ({place}) and we could not agree on TLS: {cause}. See `sslmode` in the url of the {settings}"
                ),
            ),
            sqlx::Error::Configuration(cause) => {
                DatabaseError::new(Kind::Configuration, format!("the {settings} is not usable: {cause}"))
            }
            other => DatabaseError::new(Kind::Statement, format!("{driver} ({place}): {other}")),
        }
    }

    fn explain_reported(&self, reported: &dyn sqlx::error::DatabaseError, settings: &str) -> DatabaseError {
        let Self { driver, place, .. } = self;
        let kind = classify(*driver, reported);
        let message = reported.message();
        let constraint = constraint(*driver, reported);
        let named = constraint.as_deref().map_or(String::new(), |name| format!(" ({name})"));
        let text = match kind {
            Kind::Denied => format!(
                "{driver} ({place}) refuses us: {message}. Check the username and password of the {settings}, and \
                 what that user may do"
            ),
            Kind::NoSuchDatabase if *driver == Driver::Sqlite => format!(
                "cannot open {place}: {message}. Check that the folder exists and that we may write there ({settings})"
            ),
            Kind::NoSuchDatabase => format!(
                "{driver} has no such database ({place}): {message}. Create it, or correct the {settings}"
            ),
            Kind::Unreachable => format!("{driver} ({place}) ended the connection: {message}"),
            Kind::Busy => format!("{driver} ({place}) takes no more connections: {message}"),
            Kind::Locked => format!(
                "{driver} ({place}): another transaction holds the lock for too long ({message}). Keep transactions \
                 short; inside one, use the handle it gives you"
            ),
            Kind::Deadlock => {
                format!("{driver} gave up this transaction in favour of another ({message}); run it again")
            }
            Kind::ReadOnly => format!(
                "{place} is read-only: {message}. See that the file, its folder and their owner let us write, and \
                 `read_only` of the {settings}"
            ),
            Kind::Full => format!(
                "there is no room left for {place}: {message}. Make room on the disk; nothing was written"
            ),
            // The engine's own sentence may quote the value, which does not belong in a log.
            Kind::Unique => format!("a row with the same value exists already{named}"),
            Kind::ForeignKey => {
                format!("a row that this one refers to is missing, or one still refers to it{named}")
            }
            Kind::NoSuchTable => {
                let remedy =
                    self.makers.remedy(message).map_or(String::new(), |remedy| format!(". {remedy}"));
                format!("{driver}: {message}{remedy}")
            }
            _ => format!("{driver}: {message}"),
        };
        DatabaseError::new(kind, text).with_constraint(constraint)
    }
}
