//! Files that come with input: on this machine's disk under a temporary name, and gone unless somebody keeps them.
//!
//! - [`UploadWriter`] takes a file in, piece by piece, and looks at what it is: its first bytes tell, not its name nor what the
//!   client says of it.
//! - [`Upload`] is the file as a field of a struct; [`ReceivedFiles`] brings it there.
//! - [`TemporaryFolder`] has the names of files that are not finished, and removes what a crash left behind.

mod content;
mod files;
mod progress;
mod temporary;
mod upload;
mod writer;

pub use files::ReceivedFiles;
pub use progress::Progress;
pub use temporary::{TemporaryFile, TemporaryFolder};
pub use upload::Upload;
pub use writer::UploadWriter;

pub(crate) use content::is_of_kind;
