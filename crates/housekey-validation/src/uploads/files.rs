use std::cell::RefCell;

use housekey_core::{Error, Result, random};

use super::Upload;

/// More files than any form brings. Each is an open file of this process.
const MOST_FILES: usize = 100;

/// The files of a form on their way into a struct.
///
/// Among the values of the input a file is a handle: text that nobody can guess, so that no text of a form can stand for a
/// file. Where the struct has an [`Upload`], its `Deserialize` exchanges the handle for the file.
#[derive(Debug, Default)]
pub struct ReceivedFiles(Vec<ReceivedFile>);

#[derive(Debug)]
struct ReceivedFile {
    handle: String,
    field: String,
    upload: Upload,
}

thread_local! {
    /// The files of the struct that is being read right now on this thread.
    static AT_HAND: RefCell<ReceivedFiles> = RefCell::default();
}

impl ReceivedFiles {
    /// Takes a file in, and gives its handle.
    pub fn add(&mut self, field: &str, upload: Upload) -> String {
        let handle = format!("file:{}", random::token());
        self.0.push(ReceivedFile { handle: handle.clone(), field: field.to_owned(), upload });
        handle
    }

    pub(crate) fn get(&self, handle: &str) -> Option<&Upload> {
        self.0.iter().find(|file| file.handle == handle).map(|file| &file.upload)
    }

    pub(crate) fn is_of_field(&self, field: &str) -> bool {
        self.0.iter().any(|file| file.field == field)
    }

    /// Whether there may be one more. To be asked before it is written anywhere.
    pub fn expect_another(&self) -> Result<()> {
        match self.0.len() < MOST_FILES {
            true => Ok(()),
            false => Err(Error::bad_request("There are more files than we accept.")),
        }
    }

    /// Reads a struct with these files at hand. Those that it has no place for go away.
    pub(crate) fn at_hand<T>(self, read: impl FnOnce() -> T) -> T {
        if self.0.is_empty() {
            return read();
        }
        /// Also when reading panics: the next struct on this thread must not find another form's files.
        struct Clear;
        impl Drop for Clear {
            fn drop(&mut self) {
                AT_HAND.take();
            }
        }
        AT_HAND.set(self);
        let _clear = Clear;
        read()
    }

    /// Exchanges a handle for its file. One of which only the beginning is here is none, whatever the rules had to say about
    /// it: its content was not looked at.
    pub(super) fn take(handle: &str) -> Option<Upload> {
        AT_HAND.with_borrow_mut(|files| {
            let at = files.0.iter().position(|file| file.handle == handle)?;
            Some(files.0.swap_remove(at).upload).filter(|upload| !upload.is_cut())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::content::Content;
    use super::super::{Progress, TemporaryFolder, Upload};
    use super::*;

    // spec: DAT-4
    #[test]
    fn a_file_of_which_only_the_beginning_was_kept_is_given_to_nobody() {
        let place = tempfile::tempdir().unwrap();
        let upload = |is_cut| {
            let file = TemporaryFolder::new(place.path()).create().unwrap();
            Upload::new("a.png".into(), 9, is_cut, Content::default(), file, Progress::default())
        };
        let mut files = ReceivedFiles::default();
        let (whole, cut) = (files.add("photos", upload(false)), files.add("photos", upload(true)));
        files.at_hand(|| {
            assert!(ReceivedFiles::take(&whole).is_some());
            assert!(ReceivedFiles::take(&cut).is_none());
        });
    }
}
