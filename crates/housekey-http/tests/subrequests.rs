//! One request run within another, through the kernel.

use std::net::IpAddr;

use crate::visitor::{Answer, Visitor, form, site};
use axum::body::Body;
use axum::response::Html;
use housekey_core::{Error, Result};
use housekey_http::cookies::{Cookie, cookies};
use housekey_http::csrf::csrf_token;
use housekey_http::guard::from_fn;
use housekey_http::session::session;
use housekey_http::validation::{Valid, Validated, errors, old};
use housekey_http::{
    Next, Request, RequestContext, Response, Routes, axum, client_ip, csp_nonce, request_id, run_subrequest,
};
use http::header::{CONTENT_TYPE, HOST, REFERER};
use serde::Deserialize;

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Order {
    #[validate(required)]
    name: String,
    #[validate(required)]
    amount: u32,
}

fn routes(route: &mut Routes) {
    route.get("/token", async || csrf_token());
    route.post("/agree", agree);
    route.post("/orders", order).middleware(from_fn("adults", adults));
    route.get("/orders/new", async || format!("{:?} {:?}", errors().first("amount"), old("name")));
    route.post("/small", async |body: String| body).body_limit(4);
    route.post("/panic", async || -> &'static str { panic!("boom") });
    route.post("/nested", agree);
    route.get("/notes", async || session().get::<String>("note").await.map(|note| format!("{note:?}")));
    route.get("/page", async || Html(format!("nonce {}", csp_nonce().unwrap_or_default())));
    route.post("/sign-out", async || session().invalidate());
}

/// Leads on to the request that its form describes.
async fn agree(request: Request) -> Result<Response> {
    session().put("agreed", true)?;
    let bytes = axum::body::to_bytes(request.into_body(), 1 << 16).await?;
    let fields: Vec<(String, String)> = form_urlencoded::parse(&bytes).into_owned().collect();
    let field = |name: &str| {
        fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let other = http::Request::builder()
        .method(field("method").as_str())
        .uri(field("path"))
        .header(HOST, "shop.test")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(REFERER, "http://shop.test/orders/new")
        .body(Body::from(field("body")))?;
    run_subrequest(other).await
}

async fn adults(request: Request, next: Next) -> Result<Response> {
    if session().get::<bool>("agreed").await? != Some(true) {
        return Err(Error::locked());
    }
    let mut response = next.run(request).await;
    response.headers_mut().insert("x-guarded", "yes".parse()?);
    Ok(response)
}

async fn order(Valid(order): Valid<Order>) -> Result<String> {
    let context = RequestContext::current().unwrap();
    session().put("note", &order.name)?;
    cookies().add(Cookie::new("last", "order"));
    Ok(format!(
        "{} of {} at {} {} for {:?}, {}",
        order.amount,
        order.name,
        context.method(),
        context.route_path().unwrap(),
        client_ip().map(|ip: IpAddr| ip.to_string()),
        request_id().unwrap(),
    ))
}

async fn lead_on(visitor: &Visitor, method: &str, path: &str, body: &str) -> Answer {
    let token = visitor.text("/token").await;
    let fields = [("_token", token.as_str()), ("method", method), ("path", path), ("body", body)];
    visitor.send(form("/agree", &fields).header(REFERER.as_str(), "http://shop.test/agree")).await
}

#[tokio::test]
async fn the_other_request_passes_its_guards_and_is_answered_by_its_handler() {
    let site = site(routes);
    let visitor = site.visitor();
    let token = visitor.text("/token").await;
    let refused =
        visitor.send(form("/orders", &[("_token", &token), ("name", "tea"), ("amount", "3")])).await;
    assert_eq!(refused.status, 423);

    let answer = lead_on(&visitor, "POST", "/orders", "name=tea&amount=3").await.ok();
    assert!(answer.text().starts_with("3 of tea at POST /orders for None"), "{}", answer.text());
    assert!(answer.text().ends_with(answer.header("x-request-id")), "one request, one name");
    assert_eq!(answer.header("x-guarded"), "yes");
    assert_eq!(visitor.cookie("last").as_deref(), Some("order"), "its cookies are set");
    assert_eq!(visitor.text("/notes").await, "Some(\"tea\")", "its session is kept");
}

#[tokio::test]
async fn a_form_it_refuses_goes_back_to_its_own_page_with_what_was_typed() {
    let site = site(routes);
    let visitor = site.visitor();
    let answer = lead_on(&visitor, "POST", "/orders", "name=tea&amount=many").await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/orders/new"));
    let page = visitor.text("/orders/new").await;
    assert!(page.starts_with("Some(") && page.ends_with("\"tea\""), "{page}");
}

#[tokio::test]
async fn what_it_asks_for_in_vain_is_answered_as_usual() {
    let site = site(routes);
    let visitor = site.visitor();
    assert_eq!(lead_on(&visitor, "POST", "/nowhere", "").await.status, 404);
    assert_eq!(lead_on(&visitor, "POST", "/page", "").await.status, 405);
    let large = lead_on(&visitor, "POST", "/small", "12345").await;
    assert_eq!((large.status.as_u16(), large.header("location")), (303, "/orders/new"));
    assert_eq!(lead_on(&visitor, "POST", "/panic", "").await.status, 500);
    assert_eq!(lead_on(&visitor, "POST", "/%zz", "").await.status, 400);
}

#[tokio::test]
async fn the_page_it_draws_carries_the_nonce_of_the_answer() {
    let site = site(routes);
    let answer = lead_on(&site.visitor(), "GET", "/page", "").await.ok();
    let nonce = answer.text().split_once(' ').unwrap().1.to_owned();
    assert!(!nonce.is_empty() && answer.header("content-security-policy").contains(&nonce), "{answer:?}");
}

#[tokio::test]
async fn it_can_end_the_session() {
    let site = site(routes);
    let visitor = site.visitor();
    lead_on(&visitor, "POST", "/orders", "name=tea&amount=3").await.ok();
    lead_on(&visitor, "POST", "/sign-out", "").await.ok();
    assert_eq!(visitor.text("/notes").await, "None");
}

#[tokio::test]
async fn it_cannot_lead_on_to_a_third() {
    let site = site(routes);
    let inner =
        crate::visitor::encode(&[("method", "POST"), ("path", "/orders"), ("body", "name=tea&amount=3")]);
    assert_eq!(lead_on(&site.visitor(), "POST", "/nested", &inner).await.status, 500);
}

#[tokio::test]
async fn a_forged_write_leads_nowhere() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.text("/token").await;
    let fields = [("method", "POST"), ("path", "/orders"), ("body", "name=tea&amount=3")];
    assert_eq!(visitor.form("/agree", &fields).await.status, 419);
    assert_eq!(visitor.text("/notes").await, "None");
}

#[tokio::test]
async fn outside_a_request_there_is_nothing_to_answer_for() {
    let error = run_subrequest(Request::default()).await.unwrap_err().to_string();
    assert!(error.contains("no request here"), "{error}");
}
