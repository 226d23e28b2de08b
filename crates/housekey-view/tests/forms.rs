//! Forms through HTTP.

#![allow(clippy::unwrap_used, reason = "what a test cannot find it should stop at")]

mod support;

use housekey_http::Routes;
use housekey_http::axum::body::Body;
use housekey_http::validation::{Valid, Validated};
use housekey_view::prelude::*;
use serde::Deserialize;
use support::{Answer, Site, ask, get};

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Guest {
    #[validate(required, max(5))]
    name: String,
}

#[component]
fn page<'a, R: Renderable>(title: &'a str, children: &R) -> impl Renderable {
    rsx! { <!DOCTYPE html><html><head><title>(title)</title></head><body>(children)</body></html> }
}

fn form() -> View {
    view(rsx! {
        <Page title="Guests & more">
            <form method="post" action="/guests">
                (csrf_field())
                (method_field("PUT"))
                <input name="name" value=(old("name"))>
                @if let Some(message) = errors().first("name") { <p class="error">(message)</p> }
            </form>
        </Page>
    })
}

fn routes(route: &mut Routes) {
    route.view("/", form);
    route.put("/guests", async |Valid(guest): Valid<Guest>| format!("Hello, {}.", guest.name));
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    text.split_once(before).unwrap().1.split_once(after).unwrap().0
}

fn cookie_of(answer: &Answer) -> String {
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_form_with_its_fields_is_accepted_and_a_refused_one_comes_back_filled_in() {
    let mut site = Site::new("testing");
    let app = site.boot(routes);
    let first = get(&app, "/").await;
    assert!(
        first
            .body
            .starts_with("<!DOCTYPE html><html><head><title>Guests &amp; more</title></head><body><form")
    );
    let token = between(&first.body, "name=\"_token\" value=\"", "\"").to_owned();
    assert!(!token.is_empty());
    let cookie = cookie_of(&first);

    let send = |body: String| {
        http::Request::post("/guests")
            .header("cookie", &cookie)
            .header("host", "app.test")
            .header("referer", "http://app.test/")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from(body))
            .unwrap()
    };
    let kernel = app.kernel();
    assert_eq!(ask(&kernel, send("_method=PUT&name=Ada".into())).await.status.as_u16(), 419);
    assert_eq!(ask(&kernel, send(format!("_method=PUT&_token={token}&name=Ada"))).await.body, "Hello, Ada.");

    let refused = ask(&kernel, send(format!("_method=PUT&_token={token}&name=%22%3E%3Cb%3E"))).await;
    assert_eq!((refused.status.as_u16(), refused.body.as_str()), (200, "Hello, \"><b>."));
    let refused = ask(&kernel, send(format!("_method=PUT&_token={token}&name=%22%3E%3Cscript%3E"))).await;
    assert_eq!((refused.status.as_u16(), refused.header("location")), (303, "/"));
    let cookie = cookie_of(&refused);
    let again = http::Request::get("/").header("cookie", cookie).body(Body::empty()).unwrap();
    let again = ask(&kernel, again).await;
    again.assert_see("value=\"&quot;&gt;&lt;script&gt;\"");
    again.assert_see("<p class=\"error\">");
}

#[test]
fn outside_a_request_the_helpers_are_empty() {
    assert_eq!(csrf_field().render().into_inner(), r#"<input type="hidden" name="_token" value="">"#);
    assert_eq!(assets(["app.css"]).render().into_inner(), "");
    assert_eq!(asset_url("logo.svg"), "");
}
