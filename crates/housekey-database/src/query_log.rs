use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

type Statements = Mutex<Vec<Arc<str>>>;

/// The statements that ran on a [`Database`](crate::Database) since
/// [`Database::log_queries`](crate::Database::log_queries), or on all of an app since
/// [`Databases::log_queries`](crate::Databases::log_queries).
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
        if let Some(problem) = Self::problem(&statements, expected) {
            panic!("{problem}");
        }
    }

    /// What is wrong when there should have been this many: the sentence of a failed assertion. A statement that ran often is
    /// told once, with how often: a query in a loop is seen at once.
    #[doc(hidden)]
    pub fn problem(statements: &[Arc<str>], expected: usize) -> Option<String> {
        let count = statements.len();
        if count == expected {
            return None;
        }
        let mut told: Vec<(&str, usize)> = Vec::new();
        for statement in statements {
            match told.iter_mut().find(|(sql, _)| *sql == &**statement) {
                Some((_, times)) => *times += 1,
                None => told.push((statement, 1)),
            }
        }
        let mut problem = format!("expected {expected} queries, there were {count}:");
        for (sql, times) in told {
            problem.push_str("\n  ");
            if times > 1 {
                problem.push_str(&format!("{times} times: "));
            }
            problem.push_str(sql);
        }
        Some(problem)
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
        self.add(Arc::downgrade(&log.0));
        log
    }

    /// Writes into these too, which began elsewhere.
    pub(crate) fn join(&self, others: &Self) {
        let logs = others.logs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        logs.into_iter().for_each(|log| self.add(log));
    }

    /// Writes into this one too, which began elsewhere.
    pub(crate) fn also(&self, log: &QueryLog) {
        self.add(Arc::downgrade(&log.0));
    }

    fn add(&self, log: Weak<Statements>) {
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        logs.retain(|log| log.strong_count() > 0);
        logs.push(log);
        self.any.store(true, Ordering::Release);
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
