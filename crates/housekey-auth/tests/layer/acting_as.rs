use futures_util::FutureExt;
use housekey_auth::user;
use housekey_http::Routes;

use crate::support::test_app;

fn routes(route: &mut Routes) {
    route.get("/me", async || user().map_or_else(|| "nobody".to_owned(), |user| user.email.clone()));
}

// spec: MID-7
#[tokio::test]
async fn acting_as_somebody_ends_with_the_closure_even_when_an_assertion_fails_in_it() {
    let app = test_app(|_| (), routes).await;
    let (ada, grace) = (app.user("ada@example.com").await, app.user("grace@example.com").await);
    app.acting_as(&ada, async |request| {
        request.get("/me").await.assert_see("ada@example.com");
        app.acting_as(&grace, async |request| {
            request.get("/me").await.assert_see("grace@example.com");
        })
        .await;
        request.get("/me").await.assert_see("ada@example.com");
    })
    .await;
    app.get("/me").await.assert_see("nobody");

    let failing = app.acting_as(&ada, async |request| {
        request.get("/me").await.assert_see("somebody else");
    });
    assert!(std::panic::AssertUnwindSafe(failing).catch_unwind().await.is_err());
    app.get("/me").await.assert_see("nobody");
}

// spec: MID-7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tests_that_act_as_different_people_at_the_same_time_do_not_meet() {
    let app = test_app(|_| (), routes).await;
    let mut people = Vec::new();
    for number in 0..6 {
        people.push(app.user(&format!("person{number}@example.com")).await);
    }
    let tasks = people.into_iter().map(|person| {
        let app = app.clone();
        tokio::spawn(async move {
            for _ in 0..5 {
                app.acting_as(&person, async |request| {
                    assert_eq!(request.get("/me").await.text(), person.email);
                })
                .await;
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
}
