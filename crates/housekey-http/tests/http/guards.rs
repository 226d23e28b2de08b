use housekey_core::{Error, Result};
use housekey_http::guard::{Guard, GuardArguments, GuardFuture, from_fn};
use housekey_http::{Next, Request, RequestContext, Response, Routes};

use crate::support::{app, client};

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
    let answer = crate::support::Client::new(&application).get("/w").await;
    assert_eq!(answer.text(), "go12t3");
    let back: Vec<_> = answer.headers.get_all("x-back").iter().collect();
    assert_eq!(back, ["o", "g"]);
    let names = &application.routes().list()[0].middleware;
    assert_eq!(names, &["global", "outer", "letter:1,2", "letter:t", "letter:3"]);
}

/// Lets pass who says the word, without a look at the request; others are turned away.
struct Word(&'static str);

impl Guard for Word {
    fn name(&self) -> String {
        self.0.into()
    }

    fn reads_request(&self) -> bool {
        false
    }

    fn passes(&self, context: &RequestContext) -> bool {
        context.header("x-words").is_some_and(|words| words.contains(self.0))
    }

    fn handle(&self, _: Request, _: Next) -> GuardFuture<'_> {
        Box::pin(async { Err(Error::forbidden(format!("Say {}.", self.0))) })
    }
}

#[tokio::test]
async fn a_guard_is_asked_only_about_requests_that_it_does_not_pass_at_once_wherever_it_stands() {
    let client = client(app(|route: &mut Routes| {
        let heard = async || RequestContext::current().and_then(|it| it.header("x-words").map(str::to_owned));
        let words = async move || heard().await.unwrap_or_default();
        route.get("/first", words).middleware((Word("please"), Word("thanks")));
        route.get("/behind", words).middleware((from_fn("outer", outer), (Word("please"), Word("thanks"))));
    }));
    for path in ["/first", "/behind"] {
        let refused = async |words: &'static str| {
            let answer = client.get_with(path, &[("accept", "application/json"), ("x-words", words)]).await;
            (answer.status.as_u16(), answer.json()["message"].as_str().unwrap_or_default().to_owned())
        };
        assert_eq!(refused("").await, (403, "Say please.".into()), "{path}");
        assert_eq!(refused("thanks").await, (403, "Say please.".into()), "{path}");
        assert_eq!(refused("please").await, (403, "Say thanks.".into()), "{path}");
        let answer = client.get_with(path, &[("x-words", "please, thanks")]).await;
        assert_eq!((answer.status.as_u16(), answer.text()), (200, "please, thanks"), "{path}");
    }
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
