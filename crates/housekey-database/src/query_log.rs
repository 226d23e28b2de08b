use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

type Statements = Mutex<Vec<Arc<str>>>;

/// The statements that ran on a [`Database`](crate::Database) since
/// [`Database::log_queries`](crate::Database::log_queries).
pub struct QueryLog(Arc<Statements>);

impl QueryLog {
    /// The statements so far, without their values.
    pub fn statements(&self) -> Vec<Arc<str>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Fails, and lists them, unless there were this many; then begins anew.
    #[track_caller]
    pub fn assert_queries(&self, expected: usize) {
        let statements = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let count = statements.len();
        assert!(
            count == expected,
            "expected {expected} queries, there were {count}:\n  {}",
            statements.join("\n  ")
        );
    }
}

/// A number only: what ran is for whoever asks.
impl fmt::Debug for QueryLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "QueryLog({} statements)", self.statements().len())
    }
}

/// Who is writing statements down.
#[derive(Default)]
pub(crate) struct QueryLogs {
    /// Whether anybody ever did: statements of an app at work do not wait for each other here.
    any: AtomicBool,
    logs: Mutex<Vec<Weak<Statements>>>,
}

impl QueryLogs {
    /// Begins one more.
    pub(crate) fn start(&self) -> QueryLog {
        let log = QueryLog(Arc::default());
        self.logs.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&log.0));
        self.any.store(true, Ordering::Release);
        log
    }

    pub(crate) fn write(&self, sql: &Arc<str>) {
        if !self.any.load(Ordering::Acquire) {
            return;
        }
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        logs.retain(|log| match log.upgrade() {
            Some(statements) => {
                statements.lock().unwrap_or_else(PoisonError::into_inner).push(sql.clone());
                true
            }
            None => false,
        });
    }
}
