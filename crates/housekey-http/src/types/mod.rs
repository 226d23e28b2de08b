//! What typed routes take and answer, as TypeScript.
//!
//! - [`GroupBuilder::typed`](crate::routing::GroupBuilder::typed) writes down routes that the app's own client calls.
//! - [`Input`] is what an extractor says about a request, [`Answer`] what a return type says about the answer; a route's
//!   types are those of its handler's signature, so they cannot say anything else than the code does.
//! - With the cargo feature `types`, `TypeFiles` is what `housekey types` writes: `api.gen.ts` with the structs,
//!   `routes.gen.ts` with the routes for `@housekey/client`. The structs are described by ts-rs.
//!
//! Without the feature the traits are there and nothing asks them, so that shared code compiles in both.

mod answer;
mod handler;
mod input;
mod route_types;

#[cfg(feature = "types")]
mod declarations;
#[cfg(feature = "types")]
mod files;
#[cfg(feature = "types")]
mod layout;

pub use answer::Answer;
pub use handler::TypedHandler;
pub use input::Input;
pub use route_types::RouteTypes;

#[cfg(feature = "types")]
pub use declarations::Described;
#[cfg(feature = "types")]
pub use files::TypeFiles;
#[cfg(feature = "types")]
pub use ts_rs;

/// Describes a route.
pub(crate) type Describe = fn(&mut RouteTypes);
