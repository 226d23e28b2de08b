use http::StatusCode;
use serde_json::json;

use crate::username::{built, options, person, sign_up_with, test_engine};
use housekey_engine::plugins::UsernameOptions;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
// spec: KEY-1
async fn of_many_who_want_a_name_one_gets_it_and_the_others_are_told() {
    for round in 0..10 {
        let mut options = options();
        // Where sign-up hides that an address is taken, that a name is must be told all the same.
        options.email_and_password.require_email_verification = round % 2 == 1;
        let test = built(options, UsernameOptions::default());
        let tasks = (0..6).map(|number| {
            let mut browser = test.browser();
            tokio::spawn(async move {
                sign_up_with(&mut browser, &format!("p{number}"), json!({ "username": "ada" })).await
            })
        });
        let (mut done, mut refused) = (0, 0);
        for task in tasks.collect::<Vec<_>>() {
            let answer = task.await.unwrap();
            if answer.status == StatusCode::OK {
                done += 1;
            } else {
                answer.refused(400, "USERNAME_IS_ALREADY_TAKEN");
                refused += 1;
            }
        }
        assert_eq!((done, refused, test.rows("user").await.len()), (1, 5, 1));
        assert!(test.rows("session").await.len() <= 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_who_change_to_a_name_one_gets_it() {
    for _ in 0..10 {
        let test = test_engine();
        let people = [person(&test, "ada").await, person(&test, "bob").await];
        let tasks = people.map(|mut browser| {
            tokio::spawn(async move { browser.post("/update-user", json!({ "username": "queen" })).await })
        });
        let mut done = 0;
        for task in tasks {
            let answer = task.await.unwrap();
            if answer.status == StatusCode::OK {
                done += 1;
            } else {
                answer.refused(400, "USERNAME_IS_ALREADY_TAKEN");
            }
        }
        assert_eq!(done, 1);
    }
}
