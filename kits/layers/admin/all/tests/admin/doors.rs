//! Every route of the pages, for everybody who must not pass.

use housekey::axum::http::Method;
use housekey::testing::TestApp;

use crate::support::{admin, appointed, column, sessions_of, signed_in_as, somebody};

/// Every route, of somebody.
fn routes(id: &str, session: &str) -> Vec<(Method, String)> {
    let of = |rest: &str| format!("/admin/users/{id}{rest}");
    vec![
        (Method::GET, "/admin".into()),
        (Method::GET, "/admin/users".into()),
        (Method::GET, "/admin/events".into()),
        (Method::GET, "/admin/jobs".into()),
        (Method::POST, "/admin/jobs/failed/retry".into()),
        (Method::DELETE, "/admin/jobs/failed".into()),
        (Method::POST, format!("/admin/jobs/failed/{id}/retry")),
        (Method::DELETE, format!("/admin/jobs/failed/{id}")),
        (Method::DELETE, format!("/admin/jobs/batches/{id}")),
        (Method::GET, of("")),
        (Method::POST, of("/ban")),
        (Method::DELETE, of("/ban")),
        (Method::PUT, of("/role")),
        (Method::POST, of("/password-reset")),
        (Method::DELETE, of("/two-factor")),
        (Method::DELETE, of("/sessions")),
        (Method::DELETE, of(&format!("/sessions/{session}"))),
        (Method::POST, of("/impersonate")),
        (Method::DELETE, of("")),
    ]
}

// spec: ADM-1
#[housekey::test]
async fn the_list_here_names_every_route(app: TestApp) {
    let known = routes("{id}", "{session}");
    let mut missing = Vec::new();
    for route in app.application().routes().list() {
        let is_read = |method: &String| method == "HEAD";
        for method in route.methods.iter().filter(|method| !is_read(method)) {
            if route.path.starts_with("/admin")
                && !known.iter().any(|(known, path)| known.as_str() == method && *path == route.path)
            {
                missing.push(format!("{method} {}", route.path));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

// spec: ADM-1
#[housekey::test]
async fn a_guest_is_sent_to_sign_in_and_changes_nothing(app: TestApp) {
    let bob = somebody(&app, "Bob").await;
    let door = app.route("sign-in");
    for (method, path) in routes(&bob.id, "none") {
        let answer = app.visitor().request(method.clone(), &path).await;
        assert!(answer.status().is_redirection(), "{method} {path}: {}", answer.status());
        answer.assert_redirect(&door);
    }
    assert_eq!(column(&app, &bob, "role").await.as_deref(), Some("user"));
}

// spec: ADM-1
#[housekey::test]
async fn whoever_is_no_admin_is_refused_everywhere_and_learns_nothing(app: TestApp) {
    let (bob, eve) = (somebody(&app, "Bob").await, somebody(&app, "Eve").await);
    app.signed_in(&bob).await;
    let visitor = app.signed_in(&eve).await;
    visitor.post("/confirm-password").form(&[("password", crate::support::PASSWORD)]).await;
    let session = sessions_of(&app, &bob).await.remove(0);
    for id in [&bob.id, &eve.id, "nobody"] {
        for (method, path) in routes(id, &session) {
            let answer =
                visitor.request(method.clone(), &path).form(&[("reason", "x"), ("admin", "1")]).await;
            assert_eq!(answer.status(), 403, "{method} {path}");
            assert!(!answer.text().contains(&bob.email), "{method} {path}");
        }
    }
    assert_eq!(column(&app, &eve, "role").await.as_deref(), Some("user"));
    assert_eq!(sessions_of(&app, &bob).await.len(), 1);
    visitor.get("/dashboard").await.assert_dont_see("/admin/users");
}

// spec: ADM-2
#[housekey::test]
async fn an_admin_who_acts_as_somebody_else_has_their_rights_only(app: TestApp) {
    let (_, visitor) = admin(&app).await;
    let bob = somebody(&app, "Bob").await;
    visitor.post(&format!("/admin/users/{}/impersonate", bob.id)).await.assert_status(303);
    for (method, path) in routes(&bob.id, "none") {
        let answer = visitor.request(method.clone(), &path).form(&[("reason", "x"), ("admin", "1")]).await;
        assert_eq!(answer.status(), 403, "{method} {path}");
    }
    assert_eq!(column(&app, &bob, "role").await.as_deref(), Some("user"));
}

// spec: ADM-1, MID-4
#[housekey::test]
async fn an_admin_is_asked_for_the_password_first(app: TestApp) {
    let (alice, bob) = (appointed(&app, "Alice").await, somebody(&app, "Bob").await);
    let visitor = app.signed_in(&alice).await;
    for (method, path) in routes(&bob.id, "none") {
        let answer = visitor.request(method.clone(), &path).form(&[("reason", "x"), ("admin", "1")]).await;
        assert_eq!(answer.status(), 423, "{method} {path}");
        assert!(!answer.text().contains(&bob.email), "{method} {path}");
    }
    assert_eq!(column(&app, &bob, "role").await.as_deref(), Some("user"));
}

// spec: ADM-1
#[housekey::test]
async fn a_role_that_was_taken_away_opens_nothing_at_the_next_request(app: TestApp) {
    let (alice, visitor) = admin(&app).await;
    appointed(&app, "Another").await;
    visitor.get("/admin/users").await.assert_ok();
    visitor.put(&format!("/admin/users/{}/role", alice.id)).form(&[("admin", "")]).await.assert_status(303);
    visitor.get("/admin/users").await.assert_forbidden();
}

// spec: ADM-1
#[housekey::test]
async fn another_site_cannot_make_an_admin_do_anything(app: TestApp) {
    let (_, visitor) = admin(&app).await;
    let bob = somebody(&app, "Bob").await;
    for (method, path) in routes(&bob.id, "none") {
        if method != Method::GET {
            let answer = visitor
                .request(method.clone(), &path)
                .form(&[("reason", "x"), ("admin", "1")])
                .without_csrf()
                .await;
            assert_eq!(answer.status(), 419, "{method} {path}");
        }
    }
    let stop = visitor.post("/impersonation/stop").without_csrf().await;
    stop.assert_status(419);
    assert_eq!(column(&app, &bob, "role").await.as_deref(), Some("user"));
    assert!(signed_in_as(&visitor).await.is_some());
}

// spec: ADM-1
#[housekey::test]
async fn the_id_of_nobody_is_a_404(app: TestApp) {
    let (_, visitor) = admin(&app).await;
    for id in ["nobody", "%00", "..", "1%27%20OR%201=1"] {
        for (method, path) in routes(id, "none") {
            if path.contains(&format!("/{id}")) {
                let answer =
                    visitor.request(method.clone(), &path).form(&[("reason", "x"), ("admin", "1")]).await;
                assert!(
                    matches!(answer.status().as_u16(), 400 | 404),
                    "{method} {path}: {}",
                    answer.status()
                );
            }
        }
    }
}
