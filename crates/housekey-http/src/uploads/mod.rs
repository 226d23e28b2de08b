//! Files that come with a form: streamed to this machine's disk, looked at, and kept only by a handler that says so.
//!
//! A field of the type [`Upload`] takes a file, beside the other fields of a form and under rules like theirs:
//!
//! ```
//! use housekey_core::Result;
//! use housekey_http::uploads::Upload;
//! use housekey_http::validation::{Valid, Validated};
//! use housekey_http::Routes;
//!
//! #[derive(serde::Deserialize, Validated)]
//! # #[validate(crate = "housekey_http::validation")]
//! struct NewBook {
//!     #[validate(required, max(120))]
//!     title: String,
//!     #[validate(required, image, max(5 * 1024 * 1024), max_dimensions(4000, 4000))]
//!     cover: Upload,
//! }
//!
//! async fn store(Valid(book): Valid<NewBook>) -> Result<String> {
//!     Ok(format!("{} has a cover of {} bytes", book.title, book.cover.size()))
//! }
//!
//! fn web(route: &mut Routes) {
//!     route.post("/books", store).body_limit(8 * 1024 * 1024);
//! }
//! ```
//!
//! While it arrives, a file has a temporary name in `storage/framework/uploads`. It goes away with its [`Upload`]: when the
//! form is refused, when the connection breaks, when the handler does not keep it. What a crash leaves behind is removed when
//! the app starts the next time ([`TemporaryFolder::sweep`]). Files of fields that nobody asked for are not written at all.
//!
//! What a file is, its first bytes tell, not its name nor what the client says of it.

mod form_start;
mod multipart_reader;
mod receive;

pub use housekey_validation::uploads::{TemporaryFile, TemporaryFolder, Upload};

pub(crate) use form_start::{read_start, read_texts};
pub(crate) use receive::{MOST_TEXT, folder_of, from_memory, receive};
