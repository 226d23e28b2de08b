//! Views for Housekey: HTML from components that the compiler checks.
//!
//! A short tour:
//!
//! - [`rsx!`] writes HTML as one would write it; [`component`] turns a function into an element of one's own, with
//!   children. Values are escaped wherever they stand. Both come from the `hypertext` crate.
//! - [`view`] makes a page a response.
//! - [`csrf_field`], [`method_field`], [`errors`] and [`old`] are for forms.
//! - [`assets`] writes the tags of the bundler's entries: from the dev server while one runs, from the build otherwise.
//! - [`shell`] is the one document of a client-routed app, [`page_data`] the data it may carry.
//! - [`ViewProvider`] brings all of it into an app, together with error pages that look designed and a page for the
//!   developer that helps.
//!
//! ```
//! use housekey_view::prelude::*;
//!
//! #[component]
//! fn card<'a, R: Renderable>(title: &'a str, children: &R) -> impl Renderable {
//!     rsx! { <section class="card"><h2>(title)</h2>(children)</section> }
//! }
//!
//! let name = "Tom & Jerry";
//! let html = rsx! { <Card title="Hello"><p>"Dear " (name)</p></Card> }.render().into_inner();
//! assert_eq!(html, "<section class=\"card\"><h2>Hello</h2><p>Dear Tom &amp; Jerry</p></section>");
//! ```

pub mod elements;
pub mod prelude;

mod assets;
mod config;
mod errors;
mod failure;
mod forms;
mod page_data;
mod provider;
mod settings;
mod shell;
mod view;

pub use assets::{AssetTags, Assets, asset_url, assets};
pub use config::ViewConfig;
pub use forms::{csrf_field, method_field};
pub use page_data::{PageData, page_data};
pub use provider::ViewProvider;
pub use shell::{Shell, shell};
pub use view::{View, view};

pub use housekey_http::csp_nonce;
pub use housekey_http::csrf::csrf_token;
pub use housekey_http::validation::{errors, old, old_choice, old_list, old_list_or, old_or};

/// The crate that [`rsx!`] and [`component`] expand to. Macros name it by `::hypertext`, so an app that does not depend
/// on it makes the name known once, at the root of its crate; `housekey::config!()` does that.
pub use hypertext;
pub use hypertext::context::AttributeValue;
pub use hypertext::{
    Buffer, Lazy, Raw, Renderable, RenderableExt, Rendered, attribute, component, maud, rsx, rsx_borrow,
};
