//! What ambient helpers answer, through the kernel: the present request's values, or nothing.

use std::path::Path;

use axum::body::Body;
use housekey_core::{AppConfig, ConfigFile, ConfigFiles, Env, Environment, spawn};
use housekey_http::session::session;
use housekey_http::{App, Kernel, RequestContext, Routes, axum, csp_nonce, request_id};
use http::Request;
use http_body_util::BodyExt as _;
use tower_service::Service as _;

/// Everything ambient about the present request, in one line.
fn seen() -> String {
    let number = RequestContext::current().and_then(|context| context.header("x-number").map(str::to_owned));
    format!("{number:?} {:?} {:?}", request_id(), csp_nonce())
}

fn web(route: &mut Routes) {
    route.get("/", async || {
        let first = seen();
        session().put("first", &first).unwrap();
        for _ in 0..10 {
            tokio::task::yield_now().await;
            assert_eq!(seen(), first);
            assert_eq!(session().get::<String>("first").await.unwrap(), Some(first.clone()));
        }
        let carried = spawn(async { seen() }).await.unwrap();
        let plain = tokio::spawn(async { seen() }).await.unwrap();
        format!("{first}\n{carried}\n{plain}")
    });
}

fn kernel(root: &Path) -> Kernel {
    let files = ConfigFiles::new().with(ConfigFile::new("app", "config/app.rs", || AppConfig {
        env: Environment::Testing,
        ..AppConfig::default()
    }));
    App::new(files).root(root).env(Env::empty()).routes(web).boot().unwrap().kernel()
}

async fn ask(mut kernel: Kernel, number: usize) -> String {
    let request = Request::get("/").header("x-number", number).body(Body::empty()).unwrap();
    let answer = kernel.call(request).await.unwrap();
    assert_eq!(answer.status(), 200);
    String::from_utf8(answer.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

// spec: USR-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_requests_at_once_each_see_their_own_values_and_spawned_tasks_see_none() {
    let root = tempfile::tempdir().unwrap();
    let kernel = kernel(root.path());
    let asked: Vec<_> = (0..200).map(|number| (number, tokio::spawn(ask(kernel.clone(), number)))).collect();
    let mut all = std::collections::HashSet::new();
    for (number, answer) in asked {
        let answer = answer.await.unwrap();
        let lines: Vec<&str> = answer.lines().collect();
        assert!(lines[0].starts_with(&format!("Some(\"{number}\") Some(")), "{}", lines[0]);
        assert_eq!(lines[1], lines[0]);
        assert_eq!(lines[2], "None None None");
        assert!(all.insert(lines[0].to_owned()), "two requests shared their values: {}", lines[0]);
    }
    assert_eq!(seen(), "None None None");
}
