//! TypeScript for an app's own client, written while the app is made and of no use to one that serves.
//!
//! - [`TypeFiles`] is what `housekey types` writes: `api.gen.ts` with the structs, `routes.gen.ts` with the routes for
//!   `@housekey/client`.
//! - What a route takes and answers was recorded in `housekey_http::types`, from the signature of its handler. The structs are
//!   described by ts-rs; here they get a line for each field and a place in a file.

mod declarations;
mod fields;
mod files;

pub use files::TypeFiles;
