//! A riddle before the password: what a captcha is to the engine.

use std::sync::Arc;

use housekey_engine::testing::Browser;
use housekey_engine::{ApiError, Callback, ErrorCode, Plugin};
use http::{HeaderName, HeaderValue, StatusCode};

use crate::outside::support::{ADA, engine};

const MISSING: ErrorCode = ErrorCode::new("MISSING_RIDDLE", "The riddle was not answered");
const WRONG: ErrorCode = ErrorCode::new("WRONG_RIDDLE", "The riddle was answered wrongly");

/// Who judges an answer, somewhere else.
struct Options {
    judge: Callback<(String, Option<String>), bool>,
    /// Whether people are let through while the judge cannot be asked.
    lets_through: bool,
}

fn riddle(judge: Callback<(String, Option<String>), bool>, lets_through: bool) -> Plugin {
    let options = Arc::new(Options { judge, lets_through });
    Plugin::new("riddle").state(Arc::clone(&options)).before(move |api| {
        let options = Arc::clone(&options);
        Box::pin(async move {
            if api.request().path() != "/sign-in/email" {
                return Ok(());
            }
            let Some(answer) = api.request().header("x-riddle").map(str::to_owned) else {
                return Err(MISSING.bad_request());
            };
            match options.judge.call((answer, api.client_address())).await {
                Some(Ok(true)) => Ok(()),
                Some(Ok(false)) | None => Err(WRONG.forbidden()),
                Some(Err(_)) if options.lets_through => Ok(()),
                Some(Err(error)) => {
                    tracing::error!(%error, "the riddle's judge cannot be asked");
                    Err(WRONG.with(StatusCode::SERVICE_UNAVAILABLE))
                }
            }
        })
    })
}

fn judge() -> Callback<(String, Option<String>), bool> {
    Callback::new(|(answer, _): (String, Option<String>)| async move { Ok::<_, ApiError>(answer == "man") })
}

fn broken() -> Callback<(String, Option<String>), bool> {
    Callback::new(|_: (String, Option<String>)| async move {
        Err::<bool, _>(ApiError::internal("no judge", "unreachable"))
    })
}

/// The status of a sign-in with the right password and this answer.
async fn sign_in(plugin: Plugin, answer: Option<&str>) -> u16 {
    let (engine, _) = engine(vec![plugin]);
    Browser::new(&engine).sign_up(ADA).await;
    let mut browser = Browser::new(&engine);
    if let Some(answer) = answer {
        let name = HeaderName::from_static("x-riddle");
        browser = browser.with_header(name, HeaderValue::from_str(answer).unwrap());
    }
    let status = browser.sign_in(ADA).await.status().as_u16();
    assert_eq!(browser.signed_in_as().await.is_some(), status == 200);
    status
}

#[tokio::test]
async fn the_right_answer_lets_the_password_be_looked_at() {
    assert_eq!(sign_in(riddle(judge(), false), Some("man")).await, 200);
    assert_eq!(sign_in(riddle(judge(), false), Some("woman")).await, 403);
    assert_eq!(sign_in(riddle(judge(), false), None).await, 400);
}

#[tokio::test]
async fn without_a_judge_it_fails_as_it_was_told_to() {
    assert_eq!(sign_in(riddle(broken(), false), Some("man")).await, 503);
    assert_eq!(sign_in(riddle(broken(), true), Some("man")).await, 200);
}
