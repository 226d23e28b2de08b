//! Files from a folder.
//!
//! - [`StaticFiles`] is the `public` folder of an app, [`ServedFolder`] one that a route serves.
//! - [`FilePath`] is the place of a file in an address; whatever could lead out of the folder never becomes one.
//!
//! Served are `GET` and `HEAD` for regular files whose real place is inside the folder, with an `ETag`, conditional
//! requests, single ranges and precompressed siblings (`app.js.br`, `app.js.gz`). What the bundler named by its
//! content may be kept for ever; everything else is checked again on each use. Nothing hidden (a leading dot) is
//! ever served, `/.well-known/` apart.
//!
//! This is ours rather than tower-http's `ServeDir` because that one follows links out of the folder, serves
//! dotfiles, takes an encoded slash for a separator, ignores `If-Range` and derives its `ETag` from the
//! modification time, which container images set to one value for all files; it would also cost six more crates.

mod conditions;
mod content_type;
mod encoding;
mod etag;
mod file_request;
mod folder;
mod hashed_name;
mod path;
mod public_folder;
mod range;
mod reply;
mod served;

pub use content_type::content_type;
pub use path::FilePath;
pub use public_folder::{PublicFolder, StaticFiles};
pub use range::Range;
pub use served::ServedFolder;
