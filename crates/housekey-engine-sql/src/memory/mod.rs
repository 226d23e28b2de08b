//! What was read, for as long as the database holds what it held then.
//!
//! Every request of somebody who is signed in asks the same questions as the one before, and between most requests
//! nothing changes. [`Database::stamp`] knows whether something did, whoever did it and in whichever process. So an answer
//! is kept with the stamp that was taken *before* it was read, and given again only while the present stamp is that one;
//! with the first other stamp everything is forgotten. No time is involved: a session that is ended is ended for the next
//! request of every process. Where there is no stamp, nothing is kept and every question goes to the database.

mod kept;
mod question;
#[cfg(all(test, any(target_os = "linux", target_os = "macos")))]
mod tests;

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use housekey_database::{Database, Stamp};
use housekey_engine::Record;
use housekey_engine::schema::Table;

use kept::{Answer, Kept};
pub(crate) use question::Question;

/// The most rows in an answer that is kept.
const MOST_ROWS: usize = 32;

/// The most bytes of text in an answer that is kept.
const MOST_BYTES: usize = 16 * 1024;

/// Answers that can be given again. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Memory(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// With a key of its own, so that nobody can choose values that meet in one place.
    hasher: RandomState,
    kept: Mutex<Kept>,
}

/// What there is to say about a question before the database is asked.
pub(crate) enum Recalled<T> {
    /// The answer.
    Known(T),
    /// Nothing; and where the answer belongs once it was read.
    Unknown(Place),
}

/// Where an answer belongs: to a stamp, and there to its question. Nowhere, if it must not be kept.
#[derive(Clone, Copy)]
pub(crate) struct Place(Option<(Stamp, u64)>);

impl Memory {
    /// The rows that were the answer to this question, if they still are.
    pub(crate) fn rows(&self, database: &Database, question: &Question<'_>) -> Recalled<Vec<Record>> {
        self.recall(database, question, Answer::rows)
    }

    /// The row and its parent, likewise.
    pub(crate) fn pair(&self, database: &Database, question: &Question<'_>) -> Recalled<(Record, Record)> {
        self.recall(database, question, |answer, _| answer.pair())
    }

    /// The number of rows, likewise.
    pub(crate) fn count(&self, database: &Database, question: &Question<'_>) -> Recalled<u64> {
        self.recall(database, question, |answer, _| answer.count())
    }

    pub(crate) fn keep_rows(&self, place: Place, question: &Question<'_>, rows: &[Record]) {
        // A row that is not there is what guessers ask for, each time for another one.
        if rows.is_empty() && question.names_one_row() {
            return;
        }
        self.keep(place, question, rows, || Answer::Rows(rows.to_vec()));
    }

    pub(crate) fn keep_pair(&self, place: Place, question: &Question<'_>, pair: &(Record, Record)) {
        self.keep(place, question, [&pair.0, &pair.1], || Answer::Pair(pair.clone()));
    }

    pub(crate) fn keep_count(&self, place: Place, question: &Question<'_>, count: u64) {
        self.keep(place, question, [], || Answer::Count(count));
    }

    fn recall<T>(
        &self,
        database: &Database,
        question: &Question<'_>,
        read: impl FnOnce(&Answer, &Question<'_>) -> Option<T>,
    ) -> Recalled<T> {
        if !question.tables().all(may_be_kept) {
            return Recalled::Unknown(Place(None));
        }
        let Some(stamp) = database.stamp() else { return Recalled::Unknown(Place(None)) };
        let hash = self.0.hasher.hash_one(question);
        let (entry, forgotten) = self.kept().at(stamp, hash);
        // Outside of the lock, like everything that takes its time.
        drop(forgotten);
        let entry = entry.filter(|entry| question.is(&entry.question));
        match entry.and_then(|entry| read(&entry.answer, question)) {
            Some(answer) => Recalled::Known(answer),
            None => Recalled::Unknown(Place(Some((stamp, hash)))),
        }
    }

    fn keep<'a>(
        &self,
        place: Place,
        question: &Question<'_>,
        rows: impl IntoIterator<Item = &'a Record>,
        answer: impl FnOnce() -> Answer,
    ) {
        let Place(Some((stamp, hash))) = place else { return };
        if is_small(rows) {
            let answer = answer();
            let forgotten = self.kept().keep(stamp, hash, question, answer);
            drop(forgotten);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

/// Sessions and users, which every request needs; and what belongs to a user and holds nothing that clients do not see,
/// such as passkeys. Not password hashes, tokens of providers, secrets of second factors, nor what proves an address: they
/// are needed rarely, and should lie about in memory as briefly as they did.
fn may_be_kept(table: &Table) -> bool {
    let belongs_to_user =
        || table.columns.iter().any(|column| column.references.as_ref().is_some_and(|to| to.table == "user"));
    matches!(&*table.key, "session" | "user")
        || (belongs_to_user() && table.columns.iter().all(|column| column.returned))
}

fn is_small<'a>(rows: impl IntoIterator<Item = &'a Record>) -> bool {
    let (mut count, mut bytes) = (0, 0);
    for row in rows {
        count += 1;
        bytes += row.iter().map(|(_, value)| kept::size(value)).sum::<usize>();
        if count > MOST_ROWS || bytes > MOST_BYTES {
            return false;
        }
    }
    true
}
