use std::sync::Arc;

use housekey_core::service;
use housekey_http::csp_nonce;
use housekey_http::security::allow_sources;
use hypertext::{Buffer, Renderable};

use super::{AssetProblem, Assets};
use crate::failure;

/// The tags of these entries: styles, preloads and scripts, and what other plugins of the bundler inject.
///
/// They point at the dev server while one runs, and at the build otherwise. Put them into the head of a layout. An
/// entry that the bundler does not know, or a missing build, fails the page with a message that says what to do.
///
/// ```
/// use housekey_view::{Renderable, assets, rsx};
/// # use housekey_view::prelude::*;
///
/// fn head(title: &str) -> impl Renderable {
///     rsx! {
///         <head>
///             <title>(title)</title>
///             (assets(["resources/css/app.css", "resources/js/app.ts"]))
///         </head>
///     }
/// }
/// # assert_eq!(head("Hi").render().into_inner(), "<head><title>Hi</title></head>");
/// ```
pub fn assets<const N: usize>(entries: [&'static str; N]) -> AssetTags<N> {
    AssetTags { entries }
}

/// Looks its tags up when the page is rendered, and fails the page where it cannot.
#[derive(Clone, Copy, Debug)]
pub struct AssetTags<const N: usize> {
    entries: [&'static str; N],
}

impl<const N: usize> Renderable for AssetTags<N> {
    fn render_to(&self, buffer: &mut Buffer) {
        // Outside an application, in a doctest or a unit test of a component, there is nothing to point at.
        let Some(assets) = service::<Assets>() else { return };
        let tags = match assets.tags(&self.entries) {
            Ok(tags) => tags,
            Err(problem) => return failure::report(problem),
        };
        if let Some(sources) = tags.sources() {
            allow_sources(sources);
        }
        let nonce = if tags.needs_nonce() || assets.nonce_everywhere() { csp_nonce() } else { None };
        // XSS SAFETY: the tags escape their attributes; inline text comes from the developer's build.
        tags.write_into_head(buffer.dangerously_get_string(), nonce.as_deref());
    }
}

/// The address of one file that the bundler knows, such as an image imported by a script or named as an entry.
///
/// Files in `public/` need no helper: they are served under their own name.
pub fn asset_url(source: &str) -> String {
    let url = |assets: Arc<Assets>| {
        assets.url(source).unwrap_or_else(|problem: AssetProblem| {
            failure::report(problem);
            String::new()
        })
    };
    service::<Assets>().map_or_else(String::new, url)
}
