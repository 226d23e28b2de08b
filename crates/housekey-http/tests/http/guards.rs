use housekey_core::{Error, Result};
use housekey_http::guard::{Guard, GuardArguments, GuardFuture, from_fn};
use housekey_http::{Next, Request, Response, Routes};

use crate::http::support::{app, client};

/// Notes that it was passed, on the way in and on the way out.
async fn note(name: &'static str, mut request: Request, next: Next) -> Result<Response> {
    let mut way =
        request.headers().get("x-way").map_or(String::new(), |value| value.to_str().unwrap().to_owned());
    way.push_str(name);
    request.headers_mut().insert("x-way", way.parse()?);
    let mut response = next.run(request).await;
    response.headers_mut().append("x-back", name.parse()?);
    Ok(response)
}

async fn outer(request: Request, next: Next) -> Result<Response> {
    note("o", request, next).await
}

async fn everywhere(request: Request, next: Next) -> Result<Response> {
    note("g", request, next).await
}

struct Letter(String);

impl Guard for Letter {
    fn name(&self) -> String {
        format!("letter:{}", self.0)
    }

    fn handle(&self, mut request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            let way = format!("{}{}", request.headers()["x-way"].to_str()?, self.0);
            request.headers_mut().insert("x-way", way.parse()?);
            Ok(next.run(request).await)
        })
    }
}

fn letter(arguments: &GuardArguments<'_>) -> Result<Letter> {
    Ok(Letter(arguments.values().join("")))
}

async fn way(request: Request) -> String {
    request.headers()["x-way"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn guards_stand_in_order_global_then_group_then_route() {
    let application = app(|route: &mut Routes| {
        route.group().middleware("outer").routes(|route| {
            route.group().middleware(["letter:1,2"]).routes(|route| {
                route.get("/w", way).middleware((Letter("t".into()), "letter:3"));
            });
        });
    })
    .guard("letter", letter)
    .middleware("outer", outer)
    .global(everywhere)
    .boot()
    .unwrap();
    let answer = crate::http::support::Client::new(&application).get("/w").await;
    assert_eq!(answer.text(), "go12t3");
    let back: Vec<_> = answer.headers.get_all("x-back").iter().collect();
    assert_eq!(back, ["o", "g"]);
    let names = &application.routes().list()[0].middleware;
    assert_eq!(names, &["global", "outer", "letter:1,2", "letter:t", "letter:3"]);
}

#[tokio::test]
async fn a_guard_that_refuses_keeps_the_handler_from_running_and_outer_guards_still_see_the_answer() {
    let client = client(app(|route: &mut Routes| {
        let closed = from_fn("closed", async |_: Request, _: Next| Err(Error::forbidden("We are closed.")));
        route
            .get("/w", async || -> &'static str { unreachable!("the guard stands in front of this") })
            .middleware((from_fn("outer", outer), closed));
    }));
    let answer = client.get_with("/w", &[("accept", "application/json")]).await;
    assert_eq!(answer.status, 403);
    assert_eq!(answer.json()["message"], "We are closed.");
    assert_eq!(answer.header("x-back"), "o");
}
