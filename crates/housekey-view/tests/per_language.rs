//! Pieces of pages that are kept for everyone.

#![allow(clippy::unwrap_used, reason = "what a test cannot find it should stop at")]

mod support;

use std::sync::Arc;

use housekey_core::Scope;
use housekey_http::{Routes, csp_nonce, request_id};
use housekey_view::PerLanguage;
use housekey_view::prelude::*;
use support::{Site, get};

struct Visitor(&'static str);

fn piece() -> impl Renderable {
    let visitor = Scope::read(Scope::get::<Visitor>).flatten();
    rsx! {
        <p data-id=(format!("{:?}", request_id())) data-nonce=(format!("{:?}", csp_nonce()))>
            (visitor.as_ref().map_or("nobody", |visitor| visitor.0))
        </p>
        <form>(csrf_field())</form>
    }
}

fn page() -> View {
    static DRAWN: PerLanguage = PerLanguage::new();
    Scope::read(|scope| scope.set(Arc::new(Visitor("Ada"))));
    view(rsx! { (DRAWN.draw(piece)) <i>(csrf_token())</i> })
}

#[tokio::test]
async fn what_is_kept_for_everyone_knows_nothing_of_the_visitor_it_was_drawn_for() {
    let mut site = Site::new("testing");
    let app = site.boot(|route: &mut Routes| {
        route.view("/", page);
    });
    let (first, second) = (get(&app, "/").await.body, get(&app, "/").await.body);
    let (of_first, token) = first.split_once("<i>").unwrap();
    let (of_second, _) = second.split_once("<i>").unwrap();
    assert_eq!(of_first, of_second);
    assert!(token.len() > 40, "the page around it has a token: {first}");
    let token = token.split_once('<').unwrap().0;
    assert!(!second.contains(token), "the first visitor's token: {second}");
    assert!(of_first.contains("nobody") && of_first.matches("None").count() == 2, "{of_first}");
}
