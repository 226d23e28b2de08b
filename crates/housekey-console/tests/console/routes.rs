//! `route:list`.

use crate::support::Folder;
use serde_json::{Value, json};

// spec: CLI-6
#[test]
fn every_route_is_listed_with_method_path_name_and_middleware() {
    Folder::new()
        .run("route:list")
        .ok()
        .out("Method    Path               Name              Middleware\n")
        .out("GET|HEAD  /admin/users/{id}  admin.users.show  staff\n")
        .out("DELETE    /admin/users/{id}                    staff\n")
        .out("GET|HEAD  /health            health\n")
        .out("POST      /posts             posts.store       throttle:6,1\n")
        .out("5 routes");
}

// spec: CLI-6
#[test]
fn filters_narrow_the_list() {
    let folder = Folder::new();
    folder.run("route:list --path=admin").ok().out("/admin/users/{id}").hides("/health").out("2 routes");
    folder.run("route:list --method=post").ok().out("/posts").out("1 route").hides("/health");
    folder.run("route:list --method HEAD --path health").ok().out("/health").out("1 route");
    folder.run("route:list --name=users").ok().out("admin.users.show").out("1 route");
    folder.run("route:list --path=/nowhere").ok().out("No route matches.");
}

// spec: CLI-6
#[test]
fn the_list_as_json() {
    let folder = Folder::new();
    let said = folder.run("route:list --json --name=posts").ok();
    let routes: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(routes[0]["methods"], json!(["POST"]));
    assert_eq!(routes[0]["path"], "/posts");
    assert_eq!(routes[0]["name"], "posts.store");
    assert_eq!(routes[0]["middleware"], json!(["throttle:6,1"]));
    folder.run("route:list --json --path=/nowhere").ok().out("[]");
}
