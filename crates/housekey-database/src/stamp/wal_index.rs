use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The version of the layout that is known here, as SQLite writes it since 3.7.0.
const VERSION: u32 = 3_007_000;

/// Of the header's words: where the log ends, the two that name the log, and the sum of all before it.
const LAST_FRAME: usize = 4;
const SALT: usize = 8;
const SUM: usize = 10;

/// The wal-index of a SQLite database: the file with `-shm` at the end of its name, open to be read.
///
/// SQLite holds POSIX locks on this file, and a process loses *all* of its locks on a file when it closes *any*
/// descriptor of it. Without them another process would take the database for unused and empty the wal-index under our
/// connections. So a descriptor that was once open here stays open while the file has a name, whoever is done with
/// it; SQLite takes the name away when the last connection of all processes has ended.
pub(super) struct WalIndex {
    file: File,
    identity: Option<(u64, u64)>,
}

/// Every one that is open in this process.
static OPEN: Mutex<Vec<Arc<WalIndex>>> = Mutex::new(Vec::new());

impl WalIndex {
    /// The one of a database file, if it is there. SQLite puts it beside the file itself, not beside a link to it.
    pub(super) fn of(database: &Path) -> Option<Arc<Self>> {
        let mut path = fs::canonicalize(database).ok()?.into_os_string();
        path.push("-shm");
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|index| Arc::strong_count(index) > 1 || index.has_name());
        let there = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
        if let Some(index) = open.iter().find(|index| index.identity == Some((there.dev(), there.ino()))) {
            return Some(Arc::clone(index));
        }
        let file = File::open(&path).ok()?;
        // From here on it must not be closed, whatever happens.
        let identity = file.metadata().ok().map(|opened| (opened.dev(), opened.ino()));
        let index = Arc::new(Self { file, identity });
        open.push(Arc::clone(&index));
        Some(index)
    }

    /// The header, if it is whole and one to rely on.
    ///
    /// SQLite writes it twice, the second copy first. A reader that finds the two alike, and their sum right, has not
    /// met a writer half-way. Writing through a mapping and reading the file are the same memory on Linux and macOS.
    pub(super) fn header(&self) -> Option<[u32; 12]> {
        let mut bytes = [0; 96];
        self.file.read_exact_at(&mut bytes, 0).ok()?;
        let (first, second) = bytes.split_at(48);
        if first != second || !self.has_name() {
            return None;
        }
        let mut words = [0; 12];
        for (word, bytes) in words.iter_mut().zip(first.as_chunks().0) {
            *word = u32::from_ne_bytes(*bytes);
        }
        let is_known = words[0] == VERSION && first[12] == 1 && sum(&words[..SUM]) == words[SUM..];
        // An empty log without a name: every database starts with it, and can come back to it when a process dies while
        // it writes the header. It is the one header that says nothing about the contents.
        let is_blank = words[LAST_FRAME] == 0 && words[SALT..SUM] == [0, 0];
        (is_known && !is_blank).then_some(words)
    }

    /// What has lost its name is nobody's any more, or will be soon.
    fn has_name(&self) -> bool {
        self.file.metadata().is_ok_and(|file| file.nlink() > 0)
    }
}

/// The sum that SQLite writes at the end of the header.
fn sum(words: &[u32]) -> [u32; 2] {
    words.as_chunks().0.iter().fold([0_u32; 2], |[first, second], [even, odd]| {
        let first = first.wrapping_add(*even).wrapping_add(second);
        [first, second.wrapping_add(*odd).wrapping_add(first)]
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    /// A header as SQLite writes it: some frames, a name, and the sum.
    fn words() -> [u32; 12] {
        let mut words = [VERSION, 0, 7, 0, 12, 3, 111, 222, 333, 444, 0, 0];
        words[3] = u32::from_ne_bytes([1, 0, 0x10, 0]);
        summed(words)
    }

    fn summed(mut words: [u32; 12]) -> [u32; 12] {
        let sum = sum(&words[..SUM]);
        words[SUM..].copy_from_slice(&sum);
        words
    }

    fn header_of(copies: [[u32; 12]; 2]) -> Option<[u32; 12]> {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("database.sqlite");
        fs::write(&database, []).unwrap();
        let bytes: Vec<u8> = copies.iter().flatten().flat_map(|word| word.to_ne_bytes()).collect();
        fs::write(folder.path().join("database.sqlite-shm"), bytes).unwrap();
        WalIndex::of(&database).unwrap().header()
    }

    fn changed(at: usize, value: u32) -> [u32; 12] {
        let mut words = words();
        words[at] = value;
        words
    }

    #[test]
    fn only_a_whole_header_of_the_known_layout_is_believed() {
        assert_eq!(header_of([words(), words()]), Some(words()));
        let others = [
            ("half-way through a commit", [words(), summed(changed(2, 8))]),
            ("with a wrong sum", [changed(2, 8); 2]),
            ("of another layout", [summed(changed(0, 3_021_000)); 2]),
            ("not yet written", [summed(changed(3, 0)); 2]),
            ("all zeros", [[0; 12]; 2]),
        ];
        for (what, copies) in others {
            assert_eq!(header_of(copies), None, "{what}");
        }
    }

    #[test]
    fn an_empty_log_is_believed_only_if_it_has_a_name() {
        let restarted = summed(changed(LAST_FRAME, 0));
        assert_eq!(header_of([restarted; 2]), Some(restarted));
        let mut blank = restarted;
        blank[SALT..SUM].fill(0);
        assert_eq!(header_of([summed(blank); 2]), None);
    }

    #[test]
    fn a_file_that_is_too_short_absent_or_a_link_has_no_header() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("database.sqlite");
        assert!(WalIndex::of(&database).is_none());
        fs::write(&database, []).unwrap();
        assert!(WalIndex::of(&database).is_none());
        let index = folder.path().join("database.sqlite-shm");
        std::os::unix::fs::symlink(&database, &index).unwrap();
        assert!(WalIndex::of(&database).is_none());
        fs::remove_file(&index).unwrap();
        fs::write(&index, [0; 3]).unwrap();
        assert_eq!(WalIndex::of(&database).unwrap().header(), None);
    }

    #[test]
    fn what_is_opened_again_under_the_same_name_is_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let (database, index) = (folder.path().join("a"), folder.path().join("a-shm"));
        fs::write(&database, []).unwrap();
        let bytes: Vec<u8> =
            [words(), words()].iter().flatten().flat_map(|word| word.to_ne_bytes()).collect();
        fs::write(&index, &bytes).unwrap();
        let first = WalIndex::of(&database).unwrap();
        assert!(Arc::ptr_eq(&first, &WalIndex::of(&database).unwrap()));
        fs::remove_file(&index).unwrap();
        assert_eq!(first.header(), None, "it would stay like this for ever");
        fs::write(&index, &bytes).unwrap();
        let second = WalIndex::of(&database).unwrap();
        assert!(!Arc::ptr_eq(&first, &second) && second.header().is_some());
    }
}
