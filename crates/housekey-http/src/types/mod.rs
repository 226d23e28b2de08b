//! What typed routes take and answer, for clients to know.
//!
//! - [`GroupBuilder::typed`](crate::routing::GroupBuilder::typed) writes down routes that the app's own client calls.
//! - [`Input`] is what an extractor says about a request, [`Answer`] what a return type says about the answer; a route's
//!   types are those of its handler's signature, so they cannot say anything else than the code does.
//! - With the cargo feature `types`, `Route::types` gives what is known of a route, with the structs
//!   as ts-rs describes them. `housekey-types` makes files of that.
//!
//! Without the feature the traits are there and nothing asks them, so that shared code compiles in both.

mod answer;
mod handler;
mod input;
mod route_types;

#[cfg(feature = "types")]
mod described;

pub use answer::Answer;
pub use handler::TypedHandler;
pub use input::Input;
pub use route_types::{BodyType, ClientType, RouteTypes};

#[cfg(feature = "types")]
pub use described::{Declaration, Described, TypeForm};
#[cfg(feature = "types")]
pub use route_types::{ConfirmedField, RuledField};
#[cfg(feature = "types")]
pub use ts_rs;

/// Describes a route.
pub(crate) type Describe = fn(&mut RouteTypes);
