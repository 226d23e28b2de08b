use axum::Extension;
use axum::extract::{ConnectInfo, MatchedPath, OriginalUri, Path, Query};
use housekey_http::{Routes, absolute_url, route as address_of, route_url};
use http::Method;
use std::collections::HashMap;
use std::net::SocketAddr;

use crate::http::support::{app, client};

async fn show(Path(id): Path<u64>) -> String {
    format!("user {id}")
}

#[tokio::test]
async fn every_verb_has_its_route_and_any_takes_the_rest() {
    let client = client(app(|route: &mut Routes| {
        route.get("/r", async || "get");
        route.post("/r", async || "post").without_csrf();
        route.put("/r", async || "put").without_csrf();
        route.patch("/r", async || "patch").without_csrf();
        route.delete("/r", async || "delete").without_csrf();
        route.options("/r", async || "options");
        route.any("/any", async || "any").without_csrf();
        route.methods([Method::GET, Method::POST], "/two", async || "two").without_csrf();
    }));
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
        let answer = client.send(method.parse().unwrap(), "/r", &[], "").await;
        assert_eq!(answer.text(), method.to_lowercase());
    }
    for method in ["GET", "POST", "PURGE", "OPTIONS"] {
        assert_eq!(client.send(method.parse().unwrap(), "/any", &[], "").await.text(), "any");
    }
    assert_eq!(client.get("/two").await.text(), "two");
    assert_eq!(client.send(Method::POST, "/two", &[], "").await.text(), "two");
    assert_eq!(client.send(Method::PUT, "/two", &[], "").await.status, 405);
}

#[tokio::test]
async fn axums_extractors_find_what_they_look_for() {
    let client = client(
        app(|route: &mut Routes| {
            route.get("/users/{id}", show);
            route.get("/a/{x}/b/{y}", async |Path((x, y)): Path<(String, u8)>| format!("{x}-{y}"));
            route.get("/files/{*path}", async |Path(path): Path<String>| path);
            route.get(
                "/plain",
                async |path: MatchedPath,
                       Path(none): Path<HashMap<String, String>>,
                       Extension(word): Extension<&'static str>| {
                    format!("{} {} {word}", path.as_str(), none.len())
                },
            );
            route.get("/who/{x}", async |path: MatchedPath, ConnectInfo(peer): ConnectInfo<SocketAddr>| {
                format!("{} {}", path.as_str(), peer.ip())
            });
            route.get("/q", async |Query(query): Query<HashMap<String, String>>| query["a"].clone());
            route.get("/as-asked", async |OriginalUri(original): OriginalUri| original.to_string());
        })
        .share("shared"),
    );
    assert_eq!(client.get("/users/7").await.text(), "user 7");
    assert_eq!(client.get("/a/x%20y/b/9").await.text(), "x y-9");
    assert_eq!(client.get("/files/a/b%2Fc/").await.text(), "a/b/c/");
    assert_eq!(client.get("/plain").await.text(), "/plain 0 shared");
    assert_eq!(client.get("/who/1").await.text(), "/who/{x} 203.0.113.5");
    assert_eq!(client.get("/q?a=1%202").await.text(), "1 2");
    for asked in ["/as-asked?n=1", "/as-asked?n=2", "/%61s-asked"] {
        assert_eq!(client.get(asked).await.text(), asked);
    }
    assert_eq!(client.get("/users/anna").await.status, 400);
}

// spec: SHL-3
#[tokio::test]
async fn exact_routes_win_over_the_wildcard_and_a_refused_constraint_falls_through() {
    let client = client(app(|route: &mut Routes| {
        route.view("/{path}", || "shell").where_("path", ".*");
        route.get("/health", async || "ok");
        route.post("/sign-in", async || "signed in").without_csrf();
        route.get("/users/{id}", show).where_("id", "[0-9]+");
        route
            .any("/api/{path}", async || housekey_core::Error::not_found())
            .where_("path", ".*")
            .without_csrf();
        route.get("/api/session", async || "session");
    }));
    assert_eq!(client.get("/health").await.text(), "ok");
    assert_eq!(client.get("/users/7").await.text(), "user 7");
    assert_eq!(client.get("/users/seven").await.text(), "shell");
    assert_eq!(client.get("/sign-in").await.text(), "shell");
    assert_eq!(client.get("/").await.text(), "shell");
    assert_eq!(client.get("/deep/er/still").await.text(), "shell");
    assert_eq!(client.get("/api/session").await.text(), "session");
    assert_eq!(client.get("/api/sesion").await.status, 404);
    assert_eq!(client.get("/api").await.status, 404);
}

#[tokio::test]
async fn a_path_without_the_method_says_which_it_has() {
    let client = client(app(|route: &mut Routes| {
        route.get("/r", async || "get");
        route.delete("/r", async || "delete");
    }));
    let answer = client.send(Method::PUT, "/r", &[], "").await;
    assert_eq!(answer.status, 405);
    assert_eq!(answer.header("allow"), "GET, DELETE, HEAD, OPTIONS");
    let answer = client.send(Method::OPTIONS, "/r", &[], "").await;
    assert_eq!((answer.status.as_u16(), answer.header("allow")), (204, "GET, DELETE, HEAD, OPTIONS"));
    assert_eq!(client.send(Method::OPTIONS, "/nothing", &[], "").await.status, 404);
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let client = client(app(|route: &mut Routes| {
        route.get("/r", async || "twelve bytes");
    }));
    let answer = client.send(Method::HEAD, "/r", &[], "").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-length"), answer.text()), (200, "12", ""));
    assert_eq!(client.send(Method::HEAD, "/nothing", &[], "").await.text(), "");
}

#[tokio::test]
async fn groups_hand_down_prefix_name_and_constraints() {
    let application = app(|route: &mut Routes| {
        route.group().prefix("/admin").name("admin.").where_("id", "[0-9]+").routes(|route| {
            route.group().prefix("users").name("users.").routes(|route| {
                route.get("/", async || "all").name("index");
                route.get("/{id}", show).name("show");
            });
            route.fallback(async || "no such room");
        });
        route.get("/url", async || route_url("admin.users.show", &[("id", "7")]));
        route.get("/whole", async || absolute_url("admin.users.show", &[("id", "7")]));
        route.get("/index", async || address_of("admin.users.index"));
        route.fallback(async || (http::StatusCode::NOT_FOUND, "lost"));
    })
    .boot()
    .unwrap();
    let client = crate::http::support::Client::new(&application);
    assert_eq!(client.get("/admin/users").await.text(), "all");
    assert_eq!(client.get("/admin/users/7").await.text(), "user 7");
    assert_eq!(client.get("/admin/users/x").await.text(), "no such room");
    assert_eq!(client.get("/admin/nothing").await.text(), "no such room");
    assert_eq!(client.get("/administrator").await.text(), "lost");
    assert_eq!(client.send(Method::DELETE, "/admin/users/7", &[], "").await.status, 405);
    assert_eq!(client.get("/url").await.text(), "/admin/users/7");
    assert_eq!(client.get("/whole").await.text(), "http://localhost:3000/admin/users/7");
    assert_eq!(application.url("admin.users.index", &[]).unwrap(), "/admin/users");
    assert!(route_url("admin.users.index", &[]).is_err(), "outside of the application nothing is known");
}

#[tokio::test]
async fn an_unusual_spelling_of_an_address_reaches_the_same_route() {
    let client = client(app(|route: &mut Routes| {
        route.get("/users/{id}", show);
        route.get("/café", async || "coffee");
        route.get("/see/{x}", async |OriginalUri(original): OriginalUri, uri: http::Uri| {
            format!("{original} {uri}")
        });
    }));
    assert_eq!(client.get("/users/7/").await.text(), "user 7");
    assert_eq!(client.get("/%75sers/%37").await.text(), "user 7");
    assert_eq!(client.get("/caf%C3%A9").await.text(), "coffee");
    assert_eq!(client.get("/caf%c3%a9/").await.text(), "coffee");
    assert_eq!(client.get("/s%65e/1/?q=2").await.text(), "/s%65e/1/?q=2 /see/1?q=2");
    assert_eq!(client.get("//users/7").await.status, 404);
}

#[tokio::test]
async fn an_address_that_cannot_be_read_is_400() {
    let client = client(app(|route: &mut Routes| {
        route.view("/{path}", || "shell").where_("path", ".*");
    }));
    for path in ["/%", "/%zz", "/a%2", "/%ff", "/%c3%28", "/%00", "/x/%c3/%a9"] {
        assert_eq!(client.get(path).await.status, 400, "{path}");
    }
    for path in ["/..", "/../../etc/passwd", "/%2e%2e/x", "/a//b", "/%25"] {
        assert_eq!(client.get(path).await.text(), "shell", "{path}");
    }
}

#[tokio::test]
async fn redirects_take_parameters_along_and_stay_on_this_site() {
    let client = client(app(|route: &mut Routes| {
        route.redirect("/old/{id}", "/new/{id}");
        route.redirect_permanently("/home", "/");
        route.redirect("/go/{*path}", "/{*path}");
        route.redirect("/out", "https://example.com/x");
    }));
    let answer = client.get("/old/a%20b").await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (302, "/new/a%20b"));
    let answer = client.get("/home").await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (301, "/"));
    assert_eq!(client.get("/go//evil.example").await.header("location"), "/evil.example");
    assert_eq!(client.get("/go/%5Cevil.example").await.header("location"), "/%5Cevil.example");
    assert_eq!(client.get("/go/%0d%0aset-cookie:x").await.header("location"), "/%0D%0Aset-cookie:x");
    assert_eq!(client.get("/out").await.header("location"), "https://example.com/x");
}

// spec: CLI-6
#[tokio::test]
async fn the_table_lists_methods_paths_names_and_guards() {
    let application = app(|route: &mut Routes| {
        route.group().prefix("api").middleware("throttle:6,1").routes(|route| {
            route.get("/users/{id}", show).name("users.show");
            route.any("/{path}", async || "x").where_("path", ".*");
        });
    })
    .boot()
    .unwrap();
    let list = application.routes().list();
    assert_eq!(list[0].methods, ["GET", "HEAD"]);
    assert_eq!((list[0].path.as_str(), list[0].name.as_deref()), ("/api/users/{id}", Some("users.show")));
    assert_eq!(list[0].middleware, ["throttle:6,1"]);
    assert!(list[0].place.contains("routing.rs:"), "{}", list[0].place);
    assert_eq!(list[1].methods, ["ANY"]);
    assert_eq!(serde_json::to_value(&list[1]).unwrap()["path"], "/api/{path}");
}
