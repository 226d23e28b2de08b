use std::collections::HashMap;
use std::sync::Arc;

use housekey_database::Stamp;
use housekey_engine::schema::Table;
use housekey_engine::{Record, Value};

use super::question::{Asked, Question, reads_the_same};

/// How many answers make a generation. Two are kept.
pub(super) const GENERATION: usize = 512;

/// The most descriptions of tables. An engine has a dozen.
const MOST_TABLES: usize = 64;

/// The answers that were right at one stamp.
///
/// They live in two generations. Who is asked for comes into the young one; when that is full it becomes the old one, and
/// what was in the old one and not asked for meanwhile is forgotten. So there is a bound, and many questions that are
/// asked once do not push out the few that are asked all the time.
#[derive(Default)]
pub(super) struct Kept {
    stamp: Option<Stamp>,
    young: Generation,
    old: Generation,
    /// The tables that questions were about: one description each, and not one per question.
    tables: Vec<Arc<Table>>,
}

/// By the hash of the question. Of two questions with the same one the later is kept: the hash finds, it does not decide.
type Generation = HashMap<u64, Arc<Entry>>;

/// What was taken out, to be dropped by who has let go of the lock.
pub(super) type Forgotten = [Generation; 2];

pub(super) struct Entry {
    pub(super) question: Asked,
    pub(super) answer: Answer,
}

pub(super) enum Answer {
    Rows(Vec<Record>),
    Pair((Record, Record)),
    Count(u64),
}

impl Kept {
    /// What is kept for a hash at this stamp. With another stamp than before, everything is forgotten.
    pub(super) fn at(&mut self, stamp: Stamp, hash: u64) -> (Option<Arc<Entry>>, Forgotten) {
        if self.stamp != Some(stamp) {
            self.stamp = Some(stamp);
            return (None, [std::mem::take(&mut self.young), std::mem::take(&mut self.old)]);
        }
        if let Some(entry) = self.young.get(&hash) {
            return (Some(Arc::clone(entry)), Forgotten::default());
        }
        let Some(entry) = self.old.remove(&hash) else { return (None, Forgotten::default()) };
        let forgotten = self.put(hash, Arc::clone(&entry));
        (Some(entry), forgotten)
    }

    /// Keeps an answer, unless something was committed since its stamp was taken: then nobody will ask at that stamp.
    pub(super) fn keep(
        &mut self,
        stamp: Stamp,
        hash: u64,
        question: &Question<'_>,
        answer: Answer,
    ) -> Forgotten {
        if self.stamp != Some(stamp) {
            return Forgotten::default();
        }
        let question = question.owned(|table| self.shared(table));
        self.put(hash, Arc::new(Entry { question, answer }))
    }

    fn put(&mut self, hash: u64, entry: Arc<Entry>) -> Forgotten {
        let mut forgotten = Forgotten::default();
        if self.young.len() >= GENERATION {
            forgotten[0] = std::mem::replace(&mut self.old, std::mem::take(&mut self.young));
        }
        self.young.insert(hash, entry);
        forgotten
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }

    fn shared(&mut self, table: &Table) -> Arc<Table> {
        if let Some(known) = self.tables.iter().find(|known| reads_the_same(known, table)) {
            return Arc::clone(known);
        }
        if self.tables.len() >= MOST_TABLES {
            self.tables.clear();
        }
        let table = Arc::new(table.clone());
        self.tables.push(Arc::clone(&table));
        table
    }
}

impl Answer {
    pub(super) fn rows(&self, question: &Question<'_>) -> Option<Vec<Record>> {
        let Self::Rows(rows) = self else { return None };
        Some(rows.iter().filter(|row| !question.too_early(row)).cloned().collect())
    }

    pub(super) fn pair(&self) -> Option<(Record, Record)> {
        let Self::Pair(pair) = self else { return None };
        Some(pair.clone())
    }

    pub(super) fn count(&self) -> Option<u64> {
        let Self::Count(count) = self else { return None };
        Some(*count)
    }
}

/// How much a value keeps besides itself.
pub(super) fn size(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Json(json) => json.to_string().len(),
        _ => 0,
    }
}
